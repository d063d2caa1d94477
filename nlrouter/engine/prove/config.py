"""Settings of a proof, apart from it: they name all that it calls."""

from __future__ import annotations

from dataclasses import dataclass, field

from nlrouter.engine.bounds.charges import TOLERANCE
from nlrouter.engine.bounds.conflicts import ConflictConfig
from nlrouter.engine.bounds.dual import DualConfig
from nlrouter.engine.bounds.rounding import RoundingConfig
from nlrouter.engine.bounds.sided_paths import MOST_BITS
from nlrouter.engine.exact.maxsat import MaxSatConfig
from nlrouter.engine.prove.asking import AskConfig
from nlrouter.engine.prove.sat_proof import SatProofConfig


@dataclass(frozen=True)
class TreeConfig:
    """Settings of the branch and bound."""

    dual: DualConfig = field(default_factory=DualConfig)
    conflicts: ConflictConfig = field(default_factory=ConflictConfig)
    ask: AskConfig = field(default_factory=AskConfig)
    rounding: RoundingConfig = field(default_factory=RoundingConfig)
    tolerance: float = TOLERANCE
    """Room for floating-point error when a bound is compared with the limit."""
    rounds: int = 40
    """Rounds of the dual per step at a node without settled sides."""
    dual_seconds: float = 2.0
    """Work of the rounds of a step at the most, which counts on large boards: what they prove is
    told only after them."""
    sided_rounds: int = 40
    """Rounds of a new node of a layer: it starts from its parent's prices, and branching gains
    more."""
    near_rounds: int = 20
    """These rounds where the bound is near the limit, or vias are open. On four boards 40 take 1.1
    to 1.4 times as long; 13 do better on one and worse on two. Far from the limit 20 do worse. With
    open vias the bound of six boards is up to 7 higher after 30 s than with 40."""
    near: float = 0.12
    """Share of the limit that the bound is below it at the most to be near."""
    few_assignments: int = 24
    """Ways to settle the vias of a node up to which it is branched on at once: to prove the layers
    of each takes less than to make them fewer. From 12 to 120 there is hardly a difference."""
    renewal: float = 0.8
    """Share of the root's gap when it was branched on at which the tree starts anew: the root drops
    more vias than nodes whose nets are tied."""
    again: float = 0.85
    """Share of a node's gap when conflicts were looked for at which they are once more. With 0.5
    adc2016 Q12 is not proven within 60 s where the last answers come one by one."""
    conflict_share: float = 0.2
    """Share of the time up to which conflicts are looked for below the root. Without a limit, half
    of the time goes there on 21x28x2 with 18 vias, and the bound is 1 lower after 40 s."""
    least_score: float = 1.0
    """What a question has to promise at least while vias are open; else a line is given its via."""
    most_size: int = 3_000_000
    """Nets times cells up to which sides are asked about: a node keeps the average sides of all
    pairs of nets. 36x36x8 with 400 nets has 540,000."""
    most_cover_size: int = 40_000_000
    """Nets squared times cells of a layer up to which questions in covers are asked: nets are
    lifted about all ends, which takes 0.7 s and 56 MB on adc2016 Q18 (8.5 million), and 13 s and
    3 GB on 100x100 with 200 nets."""
    most_passages: int = MOST_BITS
    """Sides and turns of a net that are settled at the most."""
    most_drawn: int = 20
    """Sets of curves that are kept, the last ones used: up to 2 MB each."""


@dataclass(frozen=True)
class ProofConfig:
    """Settings of a proof, and of what it calls."""

    tree: TreeConfig = field(default_factory=TreeConfig)
    sat: SatProofConfig = field(default_factory=SatProofConfig)
    maxsat: MaxSatConfig = field(default_factory=MaxSatConfig)
    step_seconds: float = 0.001
    """Work of a step besides what it calls, for a `WorkClock`."""
    sat_share: float = 2.0
    """Time for SAT while there is no answer, for each second of branch and bound."""
    sat_cells: int = 20_000
    """Free cells of the largest part for SAT, 36x36x8 and more: making the clauses of larger ones
    would keep bounds waiting, and nothing comes of it."""
    maxsat_share: float = 1.0
    """Time for MaxSAT while it is worth while, for each second of branch and bound: what it closes
    at all it closes at once."""
    maxsat_slice: float = 0.1
    """Seconds of a turn of MaxSAT."""
    maxsat_cells: int = 8000
    """Free cells of the largest part for MaxSAT: its clauses take 0.1 s for each 1000."""
    most_proofs: int = 50
    """Proofs of a part's layers that are kept, of those asked for last: 5 MB each on 24x24."""
