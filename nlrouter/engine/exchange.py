"""The pieces of proofs that processes lend each other, as their parent keeps the books.

A piece is with its lender, here, or with the one worker that does it. It goes back to its lender
once: with what is left of it when it is done, or as it was when nobody takes it or its doer is
lost. Whatever else is reported of it, twice, late or for a lender that is no more, is passed over.
Until then the lender counts it by the bound that it had (see `Prover`), so nothing that happens
here can raise a bound.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from nlrouter.engine.messages import NO_TASK, Settled, Task, Wanted
from nlrouter.engine.prove.via_share import Left, Share

Letter = tuple[Hashable, Settled | Task | Wanted]
"""A worker, and what it is to be told."""


@dataclass
class _Piece:
    """A piece that is lent: by whom, since when it lies here, and who does it."""

    lender: Hashable
    part: int
    share: Share
    since: float
    doer: Hashable | None = None


class Exchange:
    """The books of what is lent.

    Parameters
    ----------
    patience
        Seconds after which a piece that nobody takes goes back.
    stock
        Pieces that are to lie ready for each worker that does one or wants one.
    """

    def __init__(self, patience: float, stock: int) -> None:
        self._patience = patience
        self._stock = stock
        self._pieces: dict[int, _Piece] = {}
        self._given = 0
        self._leaders: list[Hashable] = []
        self._refused: set[Hashable] = set()

    def lead(self, worker: Hashable) -> list[Letter]:
        """Take note of a worker that has pieces to lend; return what is to be told to whom."""
        self._leaders.append(worker)
        return self._demand()

    def offer(self, lender: Hashable, part: int, share: Share, now: float) -> None:
        """Take a piece."""
        self._pieces[self._given] = _Piece(lender, part, share, now)
        self._given += 1

    def ask(self, worker: Hashable) -> list[Letter]:
        """Find a piece for a worker; return what is to be told to whom."""
        self._refused.discard(worker)
        if self._lying:
            return [self._deal(worker), *self._demand()]
        self._refused.add(worker)
        return [(worker, NO_TASK), *self._demand()]

    def done(self, doer: Hashable, number: int, left: Left) -> list[Letter]:
        """Take what is left of a piece; return what is to be told to whom."""
        piece = self._pieces.get(number)
        if piece is None or piece.doer != doer:
            return []
        return [self._return(number, left)]

    def lose(self, worker: Hashable) -> list[Letter]:
        """Forget a worker: what it had to do goes back; return what is to be told to whom."""
        self._leaders = [other for other in self._leaders if other != worker]
        self._refused.discard(worker)
        self._pieces = {
            number: piece for number, piece in self._pieces.items() if piece.lender != worker
        }
        theirs = [number for number, piece in self._pieces.items() if piece.doer == worker]
        return [self._return(number, None) for number in theirs]

    def recall(self, now: float) -> list[Letter]:
        """Give back what nobody has taken for long; return what is to be told to whom."""
        old = [n for n in self._lying if now - self._pieces[n].since > self._patience]
        return [self._return(number, None) for number in old]

    @property
    def _lying(self) -> list[int]:
        """The pieces that nobody does, the oldest first."""
        return [number for number, piece in self._pieces.items() if piece.doer is None]

    def _deal(self, worker: Hashable) -> Letter:
        """Pass the oldest piece on."""
        number = self._lying[0]
        piece = self._pieces[number]
        piece.doer = worker
        return worker, Task(number, piece.part, piece.share)

    def _return(self, number: int, left: Left | None) -> Letter:
        """Give a piece back."""
        piece = self._pieces.pop(number)
        return piece.lender, Settled(piece.part, piece.share.number, left)

    def _demand(self) -> list[Letter]:
        """Ask the leaders for pieces, where too few lie ready."""
        lying = len(self._lying)
        doing = len(self._pieces) - lying
        lacking = self._stock * (len(self._refused) + doing) - lying
        return [(leader, Wanted(lacking)) for leader in self._leaders] if lacking > 0 else []
