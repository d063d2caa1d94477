"""Settings of the proof of a part, apart from it: they name all that it calls."""

from __future__ import annotations

from dataclasses import dataclass, field

from nlrouter.engine.bounds.cuts import SeparationConfig
from nlrouter.engine.bounds.dual import DualConfig
from nlrouter.engine.exact.maxsat import MaxSatConfig
from nlrouter.engine.prove.layer_proof import LayerProofConfig
from nlrouter.engine.prove.open_sides import OpenSidesConfig
from nlrouter.engine.prove.sat_proof import SatProofConfig
from nlrouter.engine.prove.via_narrowing import ViaNarrowingConfig


@dataclass(frozen=True)
class ProverConfig:
    """Settings of the branch and bound on vias, and of what it calls."""

    dual: DualConfig = field(default_factory=DualConfig)
    separation: SeparationConfig = field(default_factory=SeparationConfig)
    narrowing: ViaNarrowingConfig = field(default_factory=ViaNarrowingConfig)
    sides: OpenSidesConfig = field(default_factory=OpenSidesConfig)
    layer: LayerProofConfig = field(default_factory=LayerProofConfig)
    sat: SatProofConfig = field(default_factory=SatProofConfig)
    maxsat: MaxSatConfig = field(default_factory=MaxSatConfig)
    wait_seconds: float = 0.02
    """Time to wait for what is lent: it counts as if this process had worked on the tree."""
    step_seconds: float = 0.001
    """Work of a step besides what it calls, for a `WorkClock`."""
    rounds: int = 60
    """Rounds of a node's dual per step."""
    dual_seconds: float = 1.0
    """Work of these rounds at the most, which counts on large boards: what they prove is told
    only after them."""
    cut_rounds: int = 3
    """Separations at a node before it is branched on, on parts too large for sides; more pay when
    all vias are settled."""
    few_assignments: int = 24
    """Ways to settle the vias of a node up to which it is branched on at once: to prove the layers
    of each takes less than to make them fewer. From 12 to 120 there is hardly a difference."""
    renewal: float = 0.8
    """Share of the root's gap when it was branched on at which the tree starts anew: the root drops
    more vias than nodes whose nets are tied."""
    sat_share: float = 2.0
    """Time for SAT while there is no answer, for each second of branch and bound."""
    sat_cells: int = 20_000
    """Free cells of the largest part for SAT, 36x36x8 and more: making the clauses of larger ones
    would keep bounds waiting, and nothing comes of it."""
    maxsat_share: float = 1.0
    """Time for MaxSAT while it is worth while, for each second of branch and bound."""
    maxsat_slice: float = 0.2
    """Seconds of a turn of MaxSAT."""
    maxsat_cells: int = 8000
    """Free cells of the largest part for MaxSAT: its clauses take 0.1 s for each 1000."""
