"""What a search process and its parent tell each other."""

from __future__ import annotations

from dataclasses import dataclass

from nlrouter.engine.find.draft import Draft
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.prove.via_share import Left, Share


@dataclass(frozen=True)
class Found:
    """To the parent: what is new about a part, None where nothing is."""

    part: int
    routing: Routing | None
    bound: int | None
    draft: Draft | None
    phase: str


@dataclass(frozen=True)
class Failure:
    """To the parent: last words."""

    error: str


@dataclass(frozen=True)
class Ask:
    """To the parent: a piece of another's proof is wanted, if there is one."""


@dataclass(frozen=True)
class Lend:
    """To the parent: a piece of the proof of a part for somebody else."""

    part: int
    share: Share


@dataclass(frozen=True)
class Done:
    """To the parent: the open nodes in the place of a piece, by the parent's number."""

    number: int
    left: Left


@dataclass(frozen=True)
class Compiled:
    """To the parent: it has taken so long to compile something, which counts against no limit."""

    seconds: float


@dataclass(frozen=True)
class News:
    """To a worker: what is known of a part."""

    part: int
    routing: Routing | None
    bound: int


@dataclass(frozen=True)
class Task:
    """To a worker that has asked: a piece to do, by the parent's number; None if none is there."""

    number: int
    part: int
    share: Share | None


NO_TASK = Task(-1, -1, None)


@dataclass(frozen=True)
class Lead:
    """To a worker: parts whose proofs it is to lead from now on."""

    parts: frozenset[int]


@dataclass(frozen=True)
class Wanted:
    """To a worker that leads a proof: so many pieces are wanted."""

    count: int


@dataclass(frozen=True)
class Settled:
    """To the worker that lent a piece: what is left of it; None where it comes back undone."""

    part: int
    number: int
    left: Left | None


@dataclass(frozen=True)
class Help:
    """To a worker: who is to help whom."""

    share: float
    """Of the time of one that finds, to help others prove."""
    far: bool
    """Whether one that proves is to find and to polish as well: its proof is far from the end."""
