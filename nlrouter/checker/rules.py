"""The rules of the board, told so that a person can mend the answer.

What stands between a solver and the disk: an answer without a violation is correct. It is
all that this module decides; whether the contest would have noticed is for `contest`.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from nlrouter.answer import Answer
from nlrouter.checker.pieces import Piece, pieces, same_neighbours
from nlrouter.problem import Cell, Line, Problem, Via, size_text


@dataclass(frozen=True)
class Violation:
    """One mistake of an answer.

    Parameters
    ----------
    rule
        A short name of the broken rule, for programs: ``size``, ``empty``, ``missing``,
        ``end``, ``number``, ``via-shared``, ``via-needless``, ``via-none``, ``via-two``,
        ``via-span``, ``via-middle``, ``passed``, ``cut``, ``branch``, ``layer``, ``loose``.
    line
        The line it is about, or None.
    cell
        A cell to look at, or None.
    text
        The mistake in words.
    """

    rule: str
    line: int | None
    cell: Cell | None
    text: str


def violations(problem: Problem, answer: Answer) -> list[Violation]:
    """Find the mistakes of an answer.

    A mistake is told once, where it shows best: cells that are already told about are not
    told again as loose pieces, and a line without a via of its own is not also cut there.

    Complete, because an answer without a violation is, line by line, what the rules ask for:
    ends and vias carry the right numbers, so each line has the terminals it should have; on a
    layer its two terminals lie on one piece, have one neighbour each, and no other cell has
    more than two, so the piece is a path from one to the other that does not touch itself;
    and the only other cells of the line are the middle cells of its via, each alone.

    Parameters
    ----------
    problem
        The board.
    answer
        The answer, of whatever shape.

    Returns
    -------
    list
        The violations: of ends and numbers, of vias, then line by line. Empty exactly if the
        answer is correct.
    """
    if answer.shape != problem.shape:
        text = f"the answer's SIZE is {size_text(answer.shape)}, the problem's is {problem.size}"
        return [Violation("size", None, None, text)]
    if not answer.any():
        return [Violation("empty", None, None, "the answer is empty")]
    return _Audit(problem, answer).run()


class _Audit:
    """The violations of one answer, as they are found."""

    def __init__(self, problem: Problem, answer: Answer) -> None:
        self.problem = problem
        self.answer = answer
        in_x, in_y = same_neighbours(answer)
        self.degree = in_x + in_y
        self.piece_of = pieces(answer)
        self.pieces_with: dict[int, list[Piece]] = defaultdict(list)
        for cell, piece in self.piece_of.items():
            if cell is piece[0]:
                self.pieces_with[int(answer[cell])].append(piece)
        self.found: list[Violation] = []
        self.told: set[Cell] = set()  # Cells with a number not theirs that a violation names.
        self.via_of: dict[int, Via] = {}  # The right via of each line that has it.

    def run(self) -> list[Violation]:
        """Check everything and return what was found."""
        self._check_ends()
        self._check_numbers()
        self._check_vias()
        for line in self.problem.lines:
            terminals = self._terminals(line)
            self._check_terminals(line, terminals)
            self._check_pieces(line, terminals)
        return self.found

    def _check_ends(self) -> None:
        """Each line is there, and its ends carry its number."""
        for line in self.problem.lines:
            if line.number not in self.pieces_with and not any(self.answer[e] for e in line.ends):
                text = f"LINE#{line.number} is missing: no cell carries its number"
                self._add("missing", line.number, line.ends[0], text)
                continue
            for end in line.ends:
                if self.answer[end] != line.number:
                    found = int(self.answer[end])
                    state = f"carries {found}" if found else "is empty"
                    self._add("end", line.number, end, f"LINE#{line.number}: its end {end} {state}")
                    self.told.add(end)

    def _check_numbers(self) -> None:
        """Each number is a line's."""
        count = len(self.problem.lines)
        strangers: dict[int, list[Cell]] = defaultdict(list)
        for z, y, x in np.argwhere(~np.isin(self.answer, np.arange(count + 1))).tolist():
            strangers[int(self.answer[z, y, x])].append(Cell(z, y, x))
        for number, cells in strangers.items():
            text = f"number {number} at {_places(cells)}: there are LINE#1 to LINE#{count} only"
            self._add("number", None, cells[0], text)

    def _check_vias(self) -> None:
        """Each via belongs to one line, and each line has the via that it needs.

        An unused via needs no words of its own: there are as many vias as lines that need one,
        so such a line goes without.
        """
        vias_with: dict[int, list[Via]] = defaultdict(list)
        sharers: set[int] = set()
        for via in self.problem.vias:
            numbers = [int(self.answer[cell]) for cell in via.cells]
            if len(set(numbers)) == 1:
                vias_with[numbers[0]].append(via)
            else:
                states = ", ".join(
                    f"{number} on layer {z + 1}" for z, number in enumerate(numbers, via.bottom)
                )
                text = f"VIA#{via.name} does not carry one number: {states}"
                self._add("via-shared", None, via.cells[0], text)
                sharers.update(numbers)
            self.told.update(via.cells)
        for line in self.problem.lines:
            vias = vias_with[line.number]
            if line.crosses_layers and len(vias) == 1 and vias[0].span == line.span:
                self.via_of[line.number] = vias[0]
                self.told.difference_update(vias[0].cells)
            elif vias:
                self._add_wrong_vias(line, vias)
            elif (
                line.crosses_layers
                and line.number in self.pieces_with
                and line.number not in sharers
            ):
                unused = [via for via in vias_with[0] if via.span == line.span]
                hint = f" ({_names(unused)} unused)" if unused else ""
                text = f"LINE#{line.number} {_joins(line)} but takes no via{hint}"
                self._add("via-none", line.number, line.ends[0], text)

    def _add_wrong_vias(self, line: Line, vias: list[Via]) -> None:
        """Tell why the vias that carry a line's number are not what it needs."""
        if not line.crosses_layers:
            rule, text = "via-needless", f"has both ends on one layer but takes {_names(vias)}"
        elif len(vias) > 1:
            rule, text = "via-two", f"takes more than one via: {_names(vias)}"
        else:
            rule = "via-span"
            text = f"{_joins(line)} but takes {_names(vias)}, which {_joins(vias[0])}"
        self._add(rule, line.number, vias[0].cells[0], f"LINE#{line.number} {text}")

    def _terminals(self, line: Line) -> dict[Cell, str]:
        """Name the cells where the paths of a line start and stop, as far as they are its own."""
        terminals = {end: f"its end {end}" for end in line.ends if self.answer[end] == line.number}
        if via := self.via_of.get(line.number):
            terminals |= {c: f"VIA#{via.name} at {c}" for c in (via.cells[0], via.cells[-1])}
        return terminals

    def _check_terminals(self, line: Line, terminals: dict[Cell, str]) -> None:
        """The terminals on one layer hang together, and the line stops at each of them."""
        for cell, name in terminals.items():
            if self.degree[cell] > 1:
                text = f"LINE#{line.number} does not stop at {name}"
                self._add("passed", line.number, cell, text)
        for start, stop in combinations(terminals, 2):
            if start.z == stop.z and self.piece_of[start] is not self.piece_of[stop]:
                text = f"the piece at {start} does not reach {terminals[stop]}"
                self._add("cut", line.number, start, f"LINE#{line.number} is cut: {text}")

    def _check_pieces(self, line: Line, terminals: dict[Cell, str]) -> None:
        """A line does not branch, and has no cell away from its paths and its via."""
        via = self.via_of.get(line.number)
        middle = set(via.cells[1:-1]) if via else set()
        for piece in self.pieces_with[line.number]:
            if not terminals.keys().isdisjoint(piece):
                self._check_branches(line, [c for c in piece if c not in terminals])
            elif not middle.isdisjoint(piece):
                if via and len(piece) > 1:
                    text = f"LINE#{line.number} leaves VIA#{via.name} by its middle cell"
                    cell = next(cell for cell in piece if cell in middle)
                    self._add("via-middle", line.number, cell, f"{text} {cell}")
            elif self.told.isdisjoint(piece):
                self._add_loose(line, piece)

    def _check_branches(self, line: Line, cells: list[Cell]) -> None:
        """No cell has more than two neighbours."""
        crowded = [cell for cell in cells if self.degree[cell] > 2]
        if crowded:
            text = f"LINE#{line.number} branches or touches itself at {_places(crowded)}"
            self._add("branch", line.number, crowded[0], text)

    def _add_loose(self, line: Line, piece: Piece) -> None:
        """Tell of a piece that no end or via of the line holds."""
        name = f"LINE#{line.number}"
        if piece[0].z in line.span:
            rule, text = "loose", f"a piece of {name} hangs loose"
        else:
            layers = " and ".join(str(z + 1) for z in sorted(set(line.span)))
            rule, text = "layer", f"{name} has its ends on layer {layers} but a piece"
        self._add(rule, line.number, piece[0], f"{text} at {_places(piece)}")

    def _add(self, rule: str, line: int | None, cell: Cell, text: str) -> None:
        self.found.append(Violation(rule, line, cell, text))


def _places(cells: list[Cell]) -> str:
    """Name the first of some cells and count the others."""
    if len(cells) == 1:
        return str(cells[0])
    more = len(cells) - 1
    return f"{cells[0]} and {more} more cell{'s' if more > 1 else ''}"


def _names(vias: list[Via]) -> str:
    return " and ".join(f"VIA#{via.name}" for via in vias)


def _joins(item: Line | Via) -> str:
    low, high = item.span
    return f"joins layers {low + 1} and {high + 1}"
