"""What a search process and its parent tell each other."""

from __future__ import annotations

from dataclasses import dataclass

from nlrouter.certificate import PartProof
from nlrouter.engine.find.draft import Draft
from nlrouter.engine.nets.routing import Routing
from nlrouter.tally import Tally


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
class Compiled:
    """To the parent: it has taken so long to compile something, which counts against no limit.

    None where it begins to.
    """

    seconds: float | None


@dataclass(frozen=True)
class Counted:
    """To the parent: what the methods have cost and gained since it was told last."""

    tallies: dict[str, Tally]


@dataclass(frozen=True)
class Written:
    """To the parent: what proves the bound of a part."""

    part: int
    proof: PartProof


Ticket = tuple[int, int, int]
"""What tells loans apart: the process that lends, the part, the lender's number."""


@dataclass(frozen=True)
class Lent:
    """To the parent, and from it to one that helps: a node to be worked on."""

    ticket: Ticket
    loan: bytes


@dataclass(frozen=True)
class Repaid:
    """The way back: what has come of it, None if the process that had it is lost."""

    ticket: Ticket
    result: bytes | None


@dataclass(frozen=True)
class Room:
    """To a worker that leads proofs: how many nodes it may lend at once."""

    loans: int


@dataclass(frozen=True)
class News:
    """To a worker: what is known of a part."""

    part: int
    routing: Routing | None
    bound: int


@dataclass(frozen=True)
class Write:
    """To a worker that leads proofs: write them, the search is over."""
