"""Settings of the engine: one tree, from which every setting is reached."""

from __future__ import annotations

from dataclasses import dataclass, field

from nlrouter.engine.exact.config import FlowConfig
from nlrouter.engine.search import METHOD_NAMES, PartWriter, SearchConfig
from nlrouter.engine.sharing import SharingConfig
from nlrouter.engine.small import SmallConfig
from nlrouter.engines import Engine


@dataclass(frozen=True)
class RouterConfig:
    """All settings of the engine."""

    engine: Engine = Engine.PORTFOLIO
    """What routes the board."""
    flow: FlowConfig = field(default_factory=FlowConfig)
    """The CP-SAT model, where that does it alone."""
    small: SmallConfig = field(default_factory=SmallConfig)
    """The attempt to close a small board at once."""
    without: frozenset[str] = frozenset()
    """Names of methods that are switched off, to see what they are worth: see `METHOD_NAMES`."""
    write: PartWriter | None = None
    """Writes what proves the bound of each part once the search has ended; see `Outcome.proofs`."""
    search: SearchConfig = field(default_factory=SearchConfig)
    """What is done for each part of the board."""
    opening_seconds: float = 0.7
    """Time of the opening in this process; most small boards are closed by then."""
    sharing: SharingConfig = field(default_factory=SharingConfig)
    """What the processes do for each other."""
    finish_seconds: float = 5.0
    """Time to finish a partial start before its lines may move: mostly it is done in one."""
    finish_share: float = 0.25
    """Share of all the time that this may take."""

    def __post_init__(self) -> None:
        """Raise `ValueError` if a method that is to be switched off does not exist."""
        if unknown := sorted(self.without - METHOD_NAMES):
            known = ", ".join(sorted(METHOD_NAMES))
            raise ValueError(f"found the method {unknown[0]!r}, expected one of: {known}")
