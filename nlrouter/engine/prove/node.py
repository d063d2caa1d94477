"""A node of the tree: a dual, what was decided on the way to it, and what is shown of it."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, lgamma, log
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.bonds import Tolls
from nlrouter.engine.bounds.charges import TOLERANCE
from nlrouter.engine.bounds.conflicts import Conflicts
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.nets.domains import Domains
from nlrouter.engine.nets.nets import OPEN
from nlrouter.engine.nets.routing import NO_ANSWER

if TYPE_CHECKING:
    from nlrouter.engine.prove.proof import Proof


@dataclass(frozen=True, eq=False)
class ViaTaken:
    """A line takes a via.

    Parameters
    ----------
    line
        Its class, and its place in the class.
    via
        The via's place in the class.
    conflicts
        Those by which other vias go with that, or None.
    """

    line: tuple[int, int]
    via: int
    conflicts: Conflicts | None


@dataclass(frozen=True)
class SideTaken:
    """A question about sides has an answer.

    Parameters
    ----------
    question
        See `questions`.
    answer
        The side of its first net, 0 or 1.
    """

    question: tuple[int, int, int]
    answer: int


@dataclass(frozen=True)
class CellLeft:
    """One of two nets leaves a cell to the other.

    Parameters
    ----------
    nets, cell
        The nets, all settled, and the cell of their layer.
    answer
        Which of the nets, 0 or 1.
    """

    nets: tuple[int, int]
    cell: int
    answer: int


@dataclass(frozen=True, eq=False)
class ViasLeft:
    """Lines have fewer vias left: no cheaper routing has the others.

    Parameters
    ----------
    prices, tolls
        ``(layers, cells)`` those by which the ones of ``dear`` cost too much.
    dear
        What these prices leave.
    domains
        What is left in the end, by conflicts and by what follows; not for each line a via where
        there is no routing that cost less.
    conflicts
        Those that were known, or None.
    """

    prices: NDArray[np.float64]
    tolls: Tolls
    dear: Domains
    domains: Domains
    conflicts: Conflicts | None


Decision = ViaTaken | SideTaken | CellLeft | ViasLeft


@dataclass(frozen=True, eq=False)
class Leaf:
    """What a proof needs of a node.

    Parameters
    ----------
    decisions
        Those on the way to it, from the root on.
    prices, tolls
        ``(layers, cells)`` the prices of its dual, and the tolls.
    bound
        What they show that every routing in it costs at least.
    proofs
        Those of its layers, where they show that.
    """

    decisions: tuple[Decision, ...]
    prices: NDArray[np.float64]
    tolls: Tolls
    bound: float
    proofs: tuple[Proof, ...]


@dataclass(eq=False)
class Node:
    """A set of routings, of which a dual shows what they cost at least.

    Parameters
    ----------
    dual
        The vias left, what is settled of nets' paths, and prices.
    bound
        No routing in it costs less.
    decisions
        Those on the way to it, from the root on.
    shown
        The prices and tolls that show the bound; those of a node above, if its own show less.
    stuck
        Whether no method can do anything more with it.
    conflicts
        Vias that exclude each other, as found on the way; None if they were not looked for.
    sought
        How far the bound was from the limit when they were looked for last.
    proofs
        Those of its layers, once its vias are all settled.
    lent
        Whether another process works on it.
    """

    dual: Dual
    bound: float = -inf
    decisions: tuple[Decision, ...] = ()
    shown: tuple[NDArray[np.float64], Tolls] | None = None
    stuck: bool = False
    conflicts: Conflicts | None = None
    sought: float = inf
    proofs: tuple[Proof, ...] = ()
    lent: bool = False

    @property
    def settled(self) -> bool:
        """Whether every line has its via."""
        return bool((self.dual.target != OPEN).all())

    @property
    def layered(self) -> bool:
        """Whether it is proven layer by layer."""
        return bool(self.dual.nets.classes) and self.settled

    def open(self, upper: int | None) -> bool:
        """Return whether it is here and worth working on under a limit."""
        limit = NO_ANSWER if upper is None else upper - 1 + TOLERANCE
        return not (self.lent or self.stuck) and self.bound <= limit

    @property
    def sided(self) -> bool:
        """Whether it is settled on which side some nets pass each other, or they are tied."""
        return bool(self.dual.engaged.any())

    @property
    def leaf(self) -> Leaf:
        """What a proof needs of it."""
        prices, tolls = self.shown or (self.dual.prices, self.dual.tolls)
        return Leaf(self.decisions, prices, tolls, self.bound, self.proofs)

    def has_few(self, most: int) -> bool:
        """Return whether there are few ways to give each line a via, by a bound on how many.

        Of k lines with any of k vias it says k!. Shown by L. Bregman, Some properties of
        nonnegative matrices and their permanents, 1973.
        """
        vias = [int(row.sum()) for allowed in self.dual.domains for row in allowed]
        return sum(lgamma(k + 1) / k for k in vias if k) <= log(most) + 1e-9

    def show(self, value: float, dual: Dual) -> None:
        """Raise the bound to what a dual shows at its prices, if that is more."""
        if value > self.bound:
            self.bound, self.shown = value, (dual.prices, dual.tolls)

    def below(self, dual: Dual, *decisions: Decision) -> Node:
        """Return a node below, in which more is decided."""
        made = (*self.decisions, *decisions)
        return Node(
            dual, self.bound, made, self.shown, conflicts=self.conflicts, sought=self.sought
        )
