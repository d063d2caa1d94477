"""Certificates: what is needed to check again what is proven of a board. Pure data.

That of a bound shows that no answer to a board costs less.

The nets of a board are the pieces of its lines on one layer each: a line over two layers has
two, from its ends to the via that it takes. The board is cut into *parts*, sets of layers. Of
each, a tree of cases shows what its nets cost at least: inner cells and bends of their paths.
The leaves of the tree are Lagrangian bounds at prices per cell. ``checker.certificate`` says why
each kind of node is valid; whether a given one is, is not known here.

Inside a part, layers, nets, vias and everything listed count from 0. Its nets are numbered in
the order of the lines, that on the lower layer first. A *span class*, the lines and vias that
share a lowest and a highest layer, comes in the order of its first line; it is numbered only if
it has more than one via. Cell ``(y, x)`` has the number ``y * width + x``.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from nlrouter.problem import Problem
from nlrouter.rule_sets import Rules

MOST_NUMBER = 10**9
"""Largest number in a certificate; sums of as many as a file holds are still far from 10**18."""


@dataclass(frozen=True)
class Prices:
    """A case's bound by prices: cheapest paths and matchings, less what the prices sum to.

    Parameters
    ----------
    layers
        For each layer of the case, an index of `PartProof.prices`.
    bonds
        Pairs of nets with settled ends, and a toll each, in the certificate's unit: the first net
        pays it if it passes the second on the side 1, and then the second is paid it. Those whose
        side is settled pay none.
    """

    layers: tuple[int, ...]
    bonds: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True)
class ViaPrices:
    """Vias that lines need not consider: by prices, an answer with any of them costs too much.

    Parameters
    ----------
    prices
        The prices by which they do.
    dropped
        ``(class, line of the class, via of the class)`` for each.
    child
        The node of the case that is left.
    """

    prices: Prices
    dropped: tuple[tuple[int, int, int], ...]
    child: int


@dataclass(frozen=True)
class ViaCases:
    """A case for each via that a line may still take.

    Parameters
    ----------
    line
        ``(class, line of the class)``.
    children
        A node for each via that is left to it, in their order.
    """

    line: tuple[int, int]
    children: tuple[int, ...]


@dataclass(frozen=True)
class ViaChoices:
    """A case for each of some choices, none of those before it made, and a case for the rest.

    Parameters
    ----------
    choices
        ``(class, line of the class, via of the class)`` for each: the line takes the via.
    children
        A node for each, and last one for the answers with none of these choices.
    """

    choices: tuple[tuple[int, int, int], ...]
    children: tuple[int, ...]


@dataclass(frozen=True)
class SideCases:
    """The two ways in which two nets with settled ends can pass each other.

    Parameters
    ----------
    nets
        The two nets.
    children
        The nodes of side 0 and 1 of the first net against the second.
    """

    nets: tuple[int, int]
    children: tuple[int, int]


@dataclass(frozen=True)
class TurnCases:
    """The two ways in which a net can turn about an end.

    Parameters
    ----------
    net
        The net: its path crosses the ray from the end up to the border an even number of times, or
        an odd one.
    end
        A net of its layer, and 0 for its first end or 1 for its other one, which is settled.
    children
        The nodes of an even and of an odd number.
    """

    net: int
    end: tuple[int, int]
    children: tuple[int, int]


@dataclass(frozen=True)
class CoverCases:
    """The two ways in which two nets can pass each other in the double cover of an end.

    Parameters
    ----------
    nets
        The two nets, whose turns about the end are settled.
    end
        Another net of their layer, and 0 for its first end or 1 for its other one.
    children
        The nodes of side 0 and 1 in the cover of the first net against the second.
    """

    nets: tuple[int, int]
    end: tuple[int, int]
    children: tuple[int, int]


@dataclass(frozen=True)
class CellCases:
    """Of two nets of a layer one does without a cell, as no two hold it.

    Parameters
    ----------
    nets
        The two nets, whose ends are settled.
    cell
        The cell of their layer.
    children
        The nodes in which the first and the second net does.
    """

    nets: tuple[int, int]
    cell: int
    children: tuple[int, int]


@dataclass(frozen=True)
class LayerSum:
    """The layers of a case one by one; ``children`` has a node for each."""

    children: tuple[int, ...]


@dataclass(frozen=True)
class Core:
    """Costs of which every answer pays one at least, and why.

    Parameters
    ----------
    lemmas
        Clauses that follow, each by unit propagation from all that is known by then. A literal
        is ``2 * variable``, or ``2 * variable + 1`` where it is negated; the variables are those
        of ``checker.certificate.clauses`` and, in order, of the counts of the cores before.
    costs
        The variables. None of them counts in a later core; their count does, above 1.
    """

    lemmas: tuple[tuple[int, ...], ...]
    costs: tuple[int, ...]


@dataclass(frozen=True)
class Cores:
    """A case's bound by its clauses: each core adds 1."""

    cores: tuple[Core, ...]


Node = (
    Prices
    | ViaPrices
    | ViaCases
    | ViaChoices
    | SideCases
    | TurnCases
    | CoverCases
    | CellCases
    | LayerSum
    | Cores
)
"""A node of the tree; a child has a greater index than its parent."""


@dataclass(frozen=True)
class PartProof:
    """What the nets of a set of layers cost at least.

    Parameters
    ----------
    places
        The layers, for each of the parts of the board that are alike.
    goal
        What the nets are to be shown to cost at least: the check may stop where more is clear.
    prices
        Prices of all cells of a layer, in units of the certificate.
    nodes
        The tree; its root is the first.
    """

    places: tuple[tuple[int, ...], ...]
    goal: int
    prices: tuple[tuple[int, ...], ...]
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Certificate:
    """The certificate of a board's lower bound.

    Parameters
    ----------
    digest
        `digest_of` the problem.
    bound
        The lower bound that is claimed: a whole number, or infinite where it is claimed that the
        board has no answer.
    verified
        The bound that the proofs below are said to show.
    word
        On whose word the rest is to be believed; empty if there is no rest.
    unit
        Prices are in units of 1 / ``unit``.
    parts
        The proofs of the parts.
    """

    digest: str
    bound: float
    verified: float
    word: str
    unit: int
    parts: tuple[PartProof, ...]


@dataclass(frozen=True)
class PuzzleCertificate:
    """What shows that a board of one layer has no answer, or none but one that fills it.

    The variables are those of ``checker.certificate.puzzle``; literals are as in `Core`.

    Parameters
    ----------
    digest
        `digest_of` the problem.
    rules
        What makes an answer.
    filled
        Whether the lemmas are of boards that are filled, by the rules ``flow``.
    answer
        The sides that the only answer crosses, or None if there is none.
    loops
        Sets of sides that come to no end, so that no answer crosses them all.
    lemmas
        Clauses that follow, each by unit propagation from all that is known by then, up to a
        contradiction.
    """

    digest: str
    rules: Rules
    filled: bool
    answer: tuple[int, ...] | None
    loops: tuple[tuple[int, ...], ...]
    lemmas: tuple[tuple[int, ...], ...]


def digest_of(problem: Problem) -> str:
    """Return a text by which a certificate knows its problem, whatever its file looked like."""
    lines = [[tuple(end) for end in line.ends] for line in problem.lines]
    vias = [(*via.cells[0], via.top) for via in problem.vias]
    return hashlib.sha256(repr((problem.shape, lines, vias)).encode()).hexdigest()
