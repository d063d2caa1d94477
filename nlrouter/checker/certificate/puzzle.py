"""Checks that a board of one layer has no answer, or none but one that fills it.

Every other answer is a solution of some clauses, or can be changed into one; that there may be
other solutions does no harm. From the clauses, lemmas follow one after the other by unit
propagation (RUP; see ``cores``), and in the end a contradiction.

Two moves change an answer into another one, by the rules ``nikoli`` at least, the loosest: a line
that crosses three sides of a square crosses the fourth instead; and a turn of a line, to the right
or left and down, is drawn through the cell across its square, if that is empty. The first makes
lines shorter; the second keeps their length and puts a cell lower. So they come to an end, in an
answer in which neither is possible. Both leave cells empty: an answer that fills the board is made
of no other. So clauses need not allow for answers in which a move is possible. By the rules
``flow`` they may say instead that every cell is filled.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import numpy as np

from nlrouter.answer import Answer
from nlrouter.certificate import PuzzleCertificate, digest_of
from nlrouter.checker.certificate.clauses import Clause
from nlrouter.checker.certificate.cores import VISITS_A_STEP
from nlrouter.checker.certificate.limits import CheckLimits, Refused, Work
from nlrouter.checker.certificate.propagate import Propagator
from nlrouter.checker.drawn import violations_by
from nlrouter.problem import Problem
from nlrouter.rule_sets import Rules
from nlrouter.strokes import Strokes


def verified_answer(
    problem: Problem, certificate: PuzzleCertificate, limits: CheckLimits | None = None
) -> Strokes | None:
    """Return where the lines of a board's only answer run; None if it has no answer.

    Parameters
    ----------
    problem, certificate
        The board, and what is said to prove it.
    limits
        What the check may cost.

    Raises
    ------
    Refused
        If it is of another problem, anything in it is not as it should be, or its check takes
        too long.
    """
    if certificate.digest != digest_of(problem) or problem.layers > 1:
        raise Refused("the certificate is of another problem")
    if certificate.filled and certificate.rules is not Rules.FLOW:
        raise Refused(f"by the rules {certificate.rules} cells may stay empty")
    formula = PuzzleClauses(problem, filled=certificate.filled)
    only = None if certificate.answer is None else formula.strokes(certificate.answer)
    known = Propagator(formula.variables)
    known.add(formula.clauses)
    if only is not None:
        answer = numbered(problem, only)
        if found := violations_by(problem, answer, certificate.rules, only):
            raise Refused(f"the answer is wrong: {found[0].text}")
        if not answer.all():
            raise Refused("the answer does not fill the board")
        known.add([not_all(formula.crossed(only))])
    for loop in certificate.loops:
        if not formula.is_loop(loop):
            raise Refused("what is said to be a loop is none")
        known.add([not_all(loop)])
    work = Work(limits or CheckLimits())
    for number, lemma in enumerate(certificate.lemmas):
        if max(lemma, default=0) >= 2 * formula.variables or len(set(lemma)) < len(lemma):
            raise Refused(f"lemma {number} is no clause")
        before = known.visits
        refuted = known.refutes([literal ^ 1 for literal in lemma])
        work.add(1 + (known.visits - before) // VISITS_A_STEP)
        if not refuted:
            raise Refused(f"lemma {number} does not follow")
        known.add([lemma])
    if not (known.contradiction or (certificate.filled and not can_be_filled(problem))):
        raise Refused("the lemmas contradict nothing")
    return only


def not_all(sides: Sequence[int]) -> Clause:
    """Return the clause that not all of some sides are crossed."""
    return tuple(2 * side + 1 for side in sorted(set(sides)))


def can_be_filled(problem: Problem) -> bool:
    """Whether lines can fill a board: they pass the two colours of a chessboard by turns.

    So a line has one cell more of the colour of its ends, or as many of both if they differ.
    """
    colour = 1 - 2 * (np.indices((problem.height, problem.width)).sum(0) % 2)
    ends = sum(int(colour[end.y, end.x]) for line in problem.lines for end in line.ends)
    return 2 * int(colour.sum()) == ends


def numbered(problem: Problem, strokes: Strokes) -> Answer:
    """Return the numbers of the cells of lines, 0 in those of which none leads to an end."""
    answer: Answer = np.zeros(problem.shape, np.int32)
    number = {(end.y, end.x): line.number for line in problem.lines for end in line.ends}
    for piece in strokes.pieces():
        for y, x in piece:
            answer[0, y, x] = max(number.get(cell, 0) for cell in piece)
    return answer


class PuzzleClauses:
    """The clauses of a board.

    Variables, numbered from 0, are first the sides to the right of cells, row by row, then those
    below cells, then whether each cell is filled, and the bits of the number of each cell's line,
    which is the same in cells that a line joins.

    Parameters
    ----------
    problem
        The board.
    filled
        Whether every cell is filled; else no move is possible.

    Attributes
    ----------
    variables
        How many there are.
    side_count
        How many of them are sides.
    clauses
        The clauses.
    """

    def __init__(self, problem: Problem, *, filled: bool) -> None:
        height, width = problem.height, problem.width
        count = height * (width - 1)
        self._right = np.arange(count).reshape(height, width - 1)
        self._down = np.arange(count, count + (height - 1) * width).reshape(height - 1, width)
        self.side_count = count + (height - 1) * width
        self._around: dict[tuple[int, int], list[int]] = {
            cell: [] for cell in np.ndindex(height, width)
        }
        self._width = width
        self._bits = len(problem.lines).bit_length()
        self.variables = self.side_count + (1 + self._bits) * height * width
        self.clauses: list[Clause] = []
        for sides, down, right in (self._right, 0, 1), (self._down, 1, 0):
            for (y, x), side in np.ndenumerate(sides):
                self._add_side(2 * int(side), (y, x), (y + down, x + right))
        ends = {(end.y, end.x): line.number for line in problem.lines for end in line.ends}
        for cell in self._around:
            if filled:
                self.clauses.append((self._filled(cell),))
            if cell in ends:
                self._add_end(cell, ends[cell])
            else:
                self._add_inner(cell)
        for y, x in np.ndindex(height - 1, width - 1):
            self._add_square(y, x, filled=filled)

    def strokes(self, sides: Sequence[int]) -> Strokes:
        """Return where lines run that cross some sides."""
        return Strokes(np.isin(self._right, sides), np.isin(self._down, sides))

    @staticmethod
    def crossed(strokes: Strokes) -> tuple[int, ...]:
        """Return the sides that lines cross."""
        marks = np.concatenate([strokes.right.ravel(), strokes.down.ravel()])
        return tuple(np.flatnonzero(marks).tolist())

    def is_loop(self, sides: Sequence[int]) -> bool:
        """Whether some sides come to no end: lines that cross them all are no answer's."""
        wanted = {2 * side for side in sides}
        times = [len(wanted.intersection(around)) for around in self._around.values()]
        return len(wanted) > 0 and 1 not in times and sum(times) == 2 * len(wanted)

    def _filled(self, cell: tuple[int, int]) -> int:
        return 2 * (self.side_count + cell[0] * self._width + cell[1])

    def _number(self, cell: tuple[int, int]) -> list[int]:
        """Return the bits of the number of a cell's line."""
        first = self.side_count + len(self._around)
        first += self._bits * (cell[0] * self._width + cell[1])
        return [2 * (first + b) for b in range(self._bits)]

    def _add_side(self, side: int, one: tuple[int, int], other: tuple[int, int]) -> None:
        """Cells that a line joins have one number."""
        self._around[one].append(side)
        self._around[other].append(side)
        for here, there in zip(self._number(one), self._number(other), strict=True):
            self.clauses += [(side ^ 1, here ^ 1, there), (side ^ 1, here, there ^ 1)]

    def _add_end(self, cell: tuple[int, int], number: int) -> None:
        """Of an end's sides one is crossed."""
        sides = self._around[cell]
        self.clauses += [(self._filled(cell),), tuple(sides)]
        self.clauses += [(one ^ 1, other ^ 1) for one, other in combinations(sides, 2)]
        for b, bit in enumerate(self._number(cell)):
            self.clauses.append((bit ^ (1 ^ (number >> b & 1)),))

    def _add_inner(self, cell: tuple[int, int]) -> None:
        """Of another cell's sides two are crossed where it is filled, and none where it is not."""
        sides, filled = self._around[cell], self._filled(cell)
        self.clauses += [(side ^ 1, filled) for side in sides]
        self.clauses += [
            (one ^ 1, two ^ 1, three ^ 1) for one, two, three in combinations(sides, 3)
        ]
        for k in range(len(sides) or 1):
            self.clauses.append((filled ^ 1, *sides[:k], *sides[k + 1 :]))

    def _add_square(self, y: int, x: int, *, filled: bool) -> None:
        """No line crosses all sides of a square; if no move is possible, none crosses three."""
        top, bottom, left, right = (
            2 * int(side) for side in (*self._right[y : y + 2, x], *self._down[y, x : x + 2])
        )
        for some in combinations((top, bottom, left, right), 4 if filled else 3):
            self.clauses.append(tuple(side ^ 1 for side in some))
        if not filled:
            self.clauses.append((top ^ 1, left ^ 1, self._filled((y + 1, x + 1))))
            self.clauses.append((top ^ 1, right ^ 1, self._filled((y + 1, x))))
