"""Settings of a proof, apart from it: they name all that it calls."""

from __future__ import annotations

from dataclasses import dataclass, field

from nlrouter.engine.bounds.dual import DualConfig
from nlrouter.engine.exact.maxsat import MaxSatConfig
from nlrouter.engine.prove.asking import AskConfig


@dataclass(frozen=True)
class TreeConfig:
    """Settings of the branch and bound."""

    dual: DualConfig = field(default_factory=DualConfig)
    ask: AskConfig = field(default_factory=AskConfig)
    rounds: int = 40
    """Rounds of the dual per step at a node without settled sides."""
    dual_seconds: float = 0.5
    """Work of the rounds of a step at the most, which counts on large boards: what they prove is
    told only after them."""
    near_rounds: int = 20
    """These rounds where the bound is near the limit, or vias are open. On four boards 40 take 1.1
    to 1.4 times as long; 13 do better on one and worse on two. Far from the limit 20 do worse. With
    open vias the bound of six boards is up to 7 higher after 30 s than with 40."""
    near: float = 0.12
    """Share of the limit that the bound is below it at the most to be near."""
    few_ways: int = 150
    """Ways to give each line a via up to which a node is branched on at once; five lines and vias
    have 120. To prove the layers of each way takes less than to make them fewer."""
    least_doubt: float = 0.04
    """Cells that the vias of a line are apart on average, times one more than the pairs that its
    nets are in, from which on it is branched on before those with fewer vias."""
    again: float = 0.85
    """Share of a node's gap when conflicts were looked for at which they are once more. With 0.5
    adc2016 Q12 is not proven within 60 s where the last answers come one by one."""
    conflict_share: float = 0.2
    """Share of the time up to which conflicts are looked for below the root. Without a limit, half
    of the time goes there on 21x28x2 with 18 vias, and the bound is 1 lower after 40 s."""
    conflict_seconds: float = 1.0
    """For that in a row: it takes 0.1 to 0.4 on adc2016 Q12, which they close, and 3 to 6 on boards
    of 40 lines with many vias each, where nothing comes of it."""


@dataclass(frozen=True)
class ProofConfig:
    """Settings of a proof, and of what it calls."""

    tree: TreeConfig = field(default_factory=TreeConfig)
    maxsat: MaxSatConfig = field(default_factory=MaxSatConfig)
    first_share: float = 6.0
    """Time of the search for the only answer of a layer, for each second of branch and bound, while
    there is no answer: with 1.0 the first of adc2015 Q17 does not come in 20 counted seconds."""
    first_seconds: float = 0.5
    """Work of that search in a row: a first answer of a full layer of 36x36 takes 0.1 to 0.5."""
    tight: float = 0.6
    """Cost of an answer, in shares of the free cells, from which on MaxSAT is tried: of 67 boards
    of the survey it closes none on which lines need less; ten take 0.6 to 0.9 of the time so."""
    maxsat_slice: float = 0.1
    """Seconds of a turn of MaxSAT."""
