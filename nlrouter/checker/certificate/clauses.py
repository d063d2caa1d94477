"""A case of a board as clauses, for the check of a certificate's cores.

Every answer that belongs to a case is a solution of the clauses, and pays 1 for each of the
`costs` that holds. So what follows from the clauses is true of every answer; that there may be
other solutions does no harm. Nets must not touch themselves, as the rules demand.

For each layer of the case, in order, there are variables for edges ``2 * cell + axis`` from each
cell to the next along an axis (0 along x, 1 along y), cells that a net stands in, cells that a
net bends in, and ``width`` bits per cell and as many per edge: the *label* of a cell is the
number of its net among those of the layer, and an edge's bits say in which its two cells'
labels differ. Then, for each class, line and via left to it, whether the line takes the via.
"""

from __future__ import annotations

from dataclasses import dataclass

from nlrouter.checker.certificate.board import Case, Layers, targets_of

Clause = tuple[int, ...]
"""Literals: ``2 * variable``, and ``2 * variable + 1`` where it is negated."""


@dataclass(frozen=True)
class CaseClauses:
    """The clauses of a case.

    Parameters
    ----------
    variables
        How many variables there are, numbered from 0.
    clauses
        The clauses.
    costs
        The variables of which each costs 1: free cells that are used, and bends in them.
    edges
        For each layer of the case the first variable of its edges.
    """

    variables: int
    clauses: tuple[Clause, ...]
    costs: tuple[int, ...]
    edges: tuple[int, ...]


def clauses_of(board: Layers, case: Case) -> CaseClauses:
    """Return the clauses of a case; what it says of sides is left out."""
    return _Builder(board, case).result()


class _Builder:
    """Writes the clauses of a case."""

    def __init__(self, board: Layers, case: Case) -> None:
        self._board = board
        self._case = case
        self._cells = board.height * board.width
        nets = [[net for net, z in enumerate(board.layer) if z == here] for here in case.layers]
        self._code = {net: k for row in nets for k, net in enumerate(row)}
        self._width = max((len(row) - 1).bit_length() if row else 0 for row in nets)
        self._variables = 0
        self._clauses: list[Clause] = []
        self._costs: list[int] = []
        self._edges: list[int] = []
        self._labels: dict[int, int] = {}

    def result(self) -> CaseClauses:
        for z in self._case.layers:
            self._add_layer(z)
        self._add_choices()
        return CaseClauses(
            self._variables, tuple(self._clauses), tuple(self._costs), tuple(self._edges)
        )

    def _new(self, count: int) -> int:
        first = self._variables
        self._variables += count
        return first

    def _add(self, *literals: int) -> None:
        self._clauses.append(literals)

    def _exactly_one(self, literals: list[int]) -> None:
        self._add(*literals)
        for k, literal in enumerate(literals):
            for other in literals[:k]:
                self._add(literal ^ 1, other ^ 1)

    def _add_layer(self, z: int) -> None:
        cells, width = self._cells, self._width
        edge, used, bend = self._new(2 * cells), self._new(cells), self._new(cells)
        label, differs = self._new(width * cells), self._new(2 * width * cells)
        self._labels[z] = label
        self._edges.append(edge)
        ends = self._ends(z)
        free = self._board.free[z]
        for cell in range(cells):
            for axis, other in self._following(cell):
                joins = 2 * (edge + 2 * cell + axis)
                bits = [
                    (2 * (label + width * cell + b), 2 * (label + width * other + b),
                     2 * (differs + width * (2 * cell + axis) + b))
                    for b in range(width)
                ]  # fmt: skip
                for one, two, apart in bits:
                    self._add(joins ^ 1, one ^ 1, two)
                    self._add(joins ^ 1, one, two ^ 1)
                    self._add(apart ^ 1, one, two)
                    self._add(apart ^ 1, one ^ 1, two ^ 1)
                unused = (2 * (used + cell) + 1, 2 * (used + other) + 1)
                self._add(joins, *unused, *(apart for _, _, apart in bits))
            self._add_square(edge, cell)
            sides = [2 * (edge + number) for number in self._incident(cell)]
            here = 2 * (used + cell)
            if free[cell]:
                self._add_inner(edge, here, 2 * (bend + cell), sides)
                self._costs += [used + cell, bend + cell]
            elif cell in ends:
                self._add(here)
                self._exactly_one(sides)
                if ends[cell] >= 0:
                    self._add_label((), z, cell, ends[cell])
            else:
                self._add(here ^ 1)
                for side in sides:
                    self._add(side ^ 1)

    def _ends(self, z: int) -> dict[int, int]:
        """Return the cells of a layer in which nets end, with the net; -1 where any may."""
        board = self._board
        ends: dict[int, int] = {}
        for span, rows in zip(board.classes, self._case.vias, strict=True):
            for nets in (span.lower, span.upper):
                if nets[0] >= 0 and board.layer[nets[0]] == z:
                    ends |= {span.vias[via]: -1 for left in rows for via in left}
        for net, target in enumerate(targets_of(board, self._case)):
            if board.layer[net] == z:
                ends[board.source[net]] = net
                if target >= 0:
                    ends[target] = net
        return ends

    def _following(self, cell: int) -> list[tuple[int, int]]:
        """Return the axis and the next cell of each edge that starts in a cell."""
        width = self._board.width
        onward = [(0, cell + 1)] if (cell + 1) % width else []
        return onward + ([(1, cell + width)] if cell + width < self._cells else [])

    def _incident(self, cell: int) -> list[int]:
        """Return the edges at a cell."""
        width = self._board.width
        back = [2 * (cell - 1)] if cell % width else []
        up = [2 * (cell - width) + 1] if cell >= width else []
        return [2 * cell + axis for axis, _ in self._following(cell)] + back + up

    def _add_square(self, edge: int, cell: int) -> None:
        """No net joins three sides of a square of four cells: its ends would touch."""
        if len(self._following(cell)) == 2:
            numbers = (2 * cell, 2 * cell + 1, 2 * (cell + 1) + 1, 2 * (cell + self._board.width))
            for left_out in numbers:
                self._add(*(2 * (edge + number) + 1 for number in numbers if number != left_out))

    def _add_inner(self, edge: int, here: int, bent: int, sides: list[int]) -> None:
        """A free cell has two edges where it is used, and none where it is not."""
        for k, side in enumerate(sides):
            self._add(side ^ 1, here)
            # Of the others one at least, and of any three not all.
            others = sides[:k] + sides[k + 1 :]
            self._add(here ^ 1, *others)
            if len(others) == 3:
                self._add(*(other ^ 1 for other in others))
        if len(sides) == 3:
            self._add(*(side ^ 1 for side in sides))
        if not sides:
            self._add(here ^ 1)
        for one in sides:
            for other in sides:
                if ((one >> 1) - edge) % 2 < ((other >> 1) - edge) % 2:
                    self._add(one ^ 1, other ^ 1, bent)

    def _add_label(self, condition: Clause, z: int, cell: int, net: int) -> None:
        """A cell has the label of a net, unless a literal of the condition holds."""
        for b in range(self._width):
            bit = 2 * (self._labels[z] + self._width * cell + b)
            self._add(*condition, bit ^ (1 ^ (self._code[net] >> b & 1)))

    def _add_choices(self) -> None:
        """Each line takes one of the vias left to it, and each via is taken by one line."""
        board = self._board
        for span, rows in zip(board.classes, self._case.vias, strict=True):
            takes = {(row, via): 2 * self._new(1) for row, left in enumerate(rows)
                     for via in sorted(left)}  # fmt: skip
            for row in range(len(rows)):
                self._exactly_one([taken for key, taken in takes.items() if key[0] == row])
            for via in range(len(span.vias)):
                self._exactly_one([taken for key, taken in takes.items() if key[1] == via])
            for (row, via), taken in takes.items():
                for net in (span.lower[row], span.upper[row]):
                    if net >= 0 and board.layer[net] in self._labels:
                        self._add_label((taken ^ 1,), board.layer[net], span.vias[via], net)
