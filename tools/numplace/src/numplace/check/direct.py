"""The direct encoding of a puzzle as clauses: what a proof is about.

It belongs to the checker. Whoever writes a proof uses it too, but the clauses that `numplace.sat`
searches for answers are made by other code.

Variables
    First, cell by cell in reading order and value by value of its domain, "this cell holds this
    value"; then, constraint by constraint, those of its automaton or its shapes.

Clauses, in this order
    Each cell holds a value, and not two. Givens. Then each constraint: a house has a cell for each
    value and not two; pairs of values that a relation of two cells forbids; parity; digits of a
    line as values of a house; cages, sandwiches and operations by an automaton that reads the
    cells; of each hidden shape one place, along which numbers rise, and no two on one cell. Last,
    for a proof that there is no *other* answer, that some cell differs from the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from itertools import combinations, pairwise
from operator import eq, le, lt, ne
from typing import Any

from numplace.answer import Answer
from numplace.cell import Cell
from numplace.constraints import (
    Arithmetic,
    Cage,
    Constraint,
    Different,
    DigitLine,
    HiddenThermometers,
    House,
    Joint,
    Less,
    LessEqual,
    NotJoint,
    Parity,
    Sandwich,
    Thermometer,
)
from numplace.puzzle import Puzzle

State = Any
"""A state of an automaton, anything that has a hash."""

Step = Callable[[State, int], Iterable[State]]
"""From a state, reading a number, to the states that may follow."""

OTHERS, DONE = "others", "done"

RELATIONS: dict[type[Constraint], Callable[[int, int], bool]] = {
    Less: lt,
    LessEqual: le,
    Joint: lambda v, w: abs(v - w) == 1,
    NotJoint: lambda v, w: abs(v - w) >= 2,
    Different: ne,
}
"""What the checker takes two cells' relations to be."""


class Direct:
    """The clauses of a puzzle.

    Parameters
    ----------
    puzzle
        Any puzzle.
    answer
        If given, the clauses say that there is another answer than this.

    Attributes
    ----------
    clauses
        Lists of literals: variables from 1, negative where negated.
    variables
        How many variables there are.
    """

    def __init__(self, puzzle: Puzzle, answer: Answer | None = None) -> None:
        self.clauses: list[list[int]] = []
        self.variables = 0
        self.holds: dict[tuple[Cell, int], int] = {
            (cell, value): self._new() for cell in puzzle.cells for value in puzzle.domains[cell]
        }
        self._domains = {cell: puzzle.domains[cell] for cell in puzzle.cells}
        for cell in puzzle.cells:
            self._exactly_one([self.holds[cell, value] for value in puzzle.domains[cell]])
        for cell, value in puzzle.givens.items():
            self.clauses.append([self.holds[cell, value]] if (cell, value) in self.holds else [])
        for constraint in puzzle.constraints:
            self._add(constraint)
        if answer is not None:
            self.clauses.append([-self.holds[cell, answer[cell]] for cell in puzzle.cells])

    def _new(self) -> int:
        self.variables += 1
        return self.variables

    def _exactly_one(self, literals: Sequence[int]) -> None:
        self.clauses.append(list(literals))
        self._at_most_one(literals)

    def _at_most_one(self, literals: Sequence[int]) -> None:
        self.clauses += [[-a, -b] for a, b in combinations(literals, 2)]

    def _add(self, constraint: Constraint) -> None:
        match constraint:
            case House(cells):
                for cell in cells:
                    self._forbid(cell, lambda v: not 1 <= v <= len(cells))
                for value in range(1, len(cells) + 1):
                    self._exactly_one(self._where(cells, partial(eq, value)))
            case Less() | LessEqual() | Joint() | NotJoint() | Different():
                self._relate(constraint.a, constraint.b, RELATIONS[type(constraint)])
            case Parity(cell, odd):
                self._forbid(cell, lambda v: v % 2 != odd)
            case Thermometer():
                for link in constraint.links:
                    self._add(link)
            case DigitLine(cells, largest):
                for cell in cells:
                    self._forbid(cell, lambda v: not _digits_fit(v, largest))
                for digit in map(str, range(largest + 1)):
                    self._exactly_one(self._where(cells, partial(_has_digit, digit)))
            case Cage(cells, total, distinct):
                if distinct:
                    for a, b in combinations(cells, 2):
                        self._relate(a, b, ne)
                self._read(cells, 0, lambda s, v: (s + v,), partial(eq, total))
            case Sandwich(cells, total):
                self._read(cells, OTHERS, _sandwich_step(constraint), lambda s: s == (DONE, total))
            case Arithmetic(cells, _, target):
                start, step, accepts = _arithmetic(constraint)
                self._read(cells, start, step, lambda s: accepts(s, target))
            case HiddenThermometers():
                self._add_hidden(constraint)
            case _:
                raise NotImplementedError(f"no direct encoding of {constraint}")

    def _where(self, cells: Iterable[Cell], wanted: Callable[[int], bool]) -> list[int]:
        """Return the literals of those values of the cells that are wanted."""
        return [
            self.holds[cell, value]
            for cell in cells
            for value in self._domains[cell]
            if wanted(value)
        ]

    def _forbid(self, cell: Cell, unwanted: Callable[[int], bool]) -> None:
        self.clauses += [[-literal] for literal in self._where((cell,), unwanted)]

    def _relate(self, a: Cell, b: Cell, relation: Callable[[int, int], bool]) -> None:
        """Forbid the pairs of values that are not in a relation."""
        self.clauses += [
            [-self.holds[a, v], -self.holds[b, w]]
            for v in self._domains[a]
            for w in self._domains[b]
            if not relation(v, w)
        ]

    def _read(
        self,
        cells: Sequence[Cell],
        start: State,
        step: Step,
        accepts: Callable[[State], bool],
    ) -> None:
        """Demand that an automaton that reads the cells in order ends where it accepts.

        A variable per cell and state says "before this cell it is in this state". It is
        allowed to be undetermined: then some run must accept.
        """
        reached: list[list[State]] = [[start]]
        for cell in cells:
            following: dict[State, None] = {}
            for state in reached[-1]:
                for value in self._domains[cell]:
                    following.update(dict.fromkeys(step(state, value)))
            reached.append(list(following))
        useful = {state for state in reached[-1] if accepts(state)}
        layers: list[set[State]] = [useful]
        for cell, states in zip(reversed(cells), reversed(reached[:-1]), strict=True):
            useful = {
                state
                for state in states
                if any(useful.intersection(step(state, v)) for v in self._domains[cell])
            }
            layers.append(useful)
        layers.reverse()
        before = {state: self._new() for state in reached[0] if state in layers[0]}
        self.clauses.append(list(before.values()))
        for index, cell in enumerate(cells):
            last = index + 1 == len(cells)
            after = {
                state: 0 if last else self._new()
                for state in reached[index + 1]
                if state in layers[index + 1]
            }
            for value in self._domains[cell]:
                literal = self.holds[cell, value]
                support = []
                for state, node in before.items():
                    successors = [s for s in step(state, value) if s in after]
                    if successors:
                        support.append(node)
                    if not (last and successors):
                        self.clauses.append([-node, -literal, *(after[s] for s in successors)])
                self.clauses.append([-literal, *support])
            if not last:
                self.clauses.append(list(after.values()))
            before = after

    def _add_hidden(self, hidden: HiddenThermometers) -> None:
        covering: dict[Cell, list[int]] = {}
        for shape in hidden.shapes:
            places = []
            for way in hidden.placements(shape):
                place = self._new()
                places.append(place)
                for a, b in pairwise(way):
                    self.clauses += [
                        [-place, -self.holds[a, v], -self.holds[b, w]]
                        for v in self._domains[a]
                        for w in self._domains[b]
                        if v >= w
                    ]
                for cell in dict.fromkeys(way):
                    covering.setdefault(cell, []).append(place)
                if len(set(way)) < len(way):
                    self.clauses.append([-place])
            self._exactly_one(places)
        for places in covering.values():
            self._at_most_one(places)


def _has_digit(digit: str, number: int) -> bool:
    return digit in str(number)


def _digits_fit(number: int, largest: int) -> bool:
    """Return whether a number has different digits, none above the largest."""
    digits = str(number)
    return len(set(digits)) == len(digits) and all(int(digit) <= largest for digit in digits)


def _sandwich_step(line: Sandwich) -> Step:
    """Return the automaton of a sandwich: before it, in it with a sum so far, after it."""

    def step(state: State, number: int) -> Iterable[State]:
        if state == OTHERS:
            if number not in (line.low, line.high):
                return (OTHERS,)
            return ((number, 0),)
        opened, total = state
        if opened == DONE:
            return () if number in (line.low, line.high) else (state,)
        if number == opened:
            return ()
        if number in (line.low, line.high):
            return ((DONE, total),)
        return ((opened, total + number),) if total + number <= line.sum else ()

    return step


def _arithmetic(
    group: Arithmetic,
) -> tuple[State, Step, Callable[[State, int], bool]]:
    """Return start, step and acceptance of the automaton of an operation.

    For ``-`` and ``/`` it guesses which number the others are taken from: a state is that
    number, None before it came, and what the others make so far.
    """
    target = group.target
    if group.op == "+":

        def add(state: State, number: int) -> Iterable[State]:
            return (state + number,) if state + number <= target else ()

        return 0, add, eq
    if group.op == "*":

        def multiply(state: State, number: int) -> Iterable[State]:
            product = state * number
            fits = product == target == 0 or (product != 0 and target % product == 0)
            return (product,) if fits or (target == 0) else ()

        return 1, multiply, eq
    empty = 0 if group.op == "-" else 1

    def guess(state: State, number: int) -> Iterable[State]:
        first, others = state
        if group.op == "-":
            following = [(first, others + number)]
        else:
            following = [(first, others * number)] if number else []
        if first is None:
            following.append((number, others))
        return following

    def accepts(state: State, wanted: int) -> bool:
        first, others = state
        if first is None:
            return False
        if group.op == "-":
            return bool(first - others == wanted)
        return bool(first == wanted * others and first != 0)

    return (None, empty), guess, accepts
