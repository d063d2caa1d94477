"""A puzzle against itself: what is wrong with it without any solving."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto
from math import prod

from numplace.cell import Cell, in_reading_order, name_cells
from numplace.constraints import Arithmetic, Cage, DigitLine, Joint, Less, NotJoint, Thermometer
from numplace.constraints.hidden_thermometers import HiddenThermometers
from numplace.puzzle import Puzzle


class FaultKind(Enum):
    """What kind of thing is wrong."""

    NO_HOUSE = auto()
    CELL_TWICE = auto()
    GIVEN_OUTSIDE = auto()
    CLUE_OUTSIDE = auto()
    GIVEN_TOO_LARGE = auto()
    GIVEN_TWICE = auto()
    IMPOSSIBLE = auto()
    """A single constraint that nothing can fulfil."""


@dataclass(frozen=True)
class Fault:
    """One thing that is wrong with a puzzle.

    Parameters
    ----------
    text
        What, in words, with the cells' names.
    cells
        The cells it is about, in reading order.
    constraint
        The house or clue it is about, if one is.
    """

    kind: FaultKind
    text: str
    cells: tuple[Cell, ...] = ()
    constraint: object = None


def find_faults(puzzle: Puzzle) -> list[Fault]:
    """Return what is wrong with a puzzle, the gravest kind first; nothing if all is well.

    A puzzle without faults may still have no answer.
    """
    faults: list[Fault] = []
    for find in (_no_house, _cells_twice, _outside, _too_large, _given_twice, _impossible):
        faults += find(puzzle)
    return faults


def _no_house(puzzle: Puzzle) -> Iterator[Fault]:
    if not puzzle.cells:
        yield Fault(FaultKind.NO_HOUSE, "there is no frame, square or group")


def _cells_twice(puzzle: Puzzle) -> Iterator[Fault]:
    for house in puzzle.houses:
        twice = {cell for cell in house.cells if house.cells.count(cell) > 1}
        for cell in in_reading_order(twice):
            yield Fault(FaultKind.CELL_TWICE, f"{house} has {cell} twice", (cell,), house)


def _outside(puzzle: Puzzle) -> Iterator[Fault]:
    inside = set(puzzle.cells)
    for cell in in_reading_order(set(puzzle.givens) - inside):
        text = f"{puzzle.givens[cell]} at {cell}, outside of all houses"
        yield Fault(FaultKind.GIVEN_OUTSIDE, text, (cell,))
    for constraint in puzzle.constraints:
        if isinstance(constraint, HiddenThermometers):
            continue
        for cell in in_reading_order(set(constraint.cells) - inside):
            text = f"the clue {constraint}, {cell} being outside of all houses"
            yield Fault(FaultKind.CLUE_OUTSIDE, text, (cell,), constraint)


def _too_large(puzzle: Puzzle) -> Iterator[Fault]:
    for cell in puzzle.cells:
        given = puzzle.givens.get(cell)
        if given is not None and given not in puzzle.domains[cell]:
            text = f"{given} at {cell}, which can hold 1 to {len(puzzle.domains[cell])} only"
            yield Fault(FaultKind.GIVEN_TOO_LARGE, text, (cell,))


def _given_twice(puzzle: Puzzle) -> Iterator[Fault]:
    for house in puzzle.houses:
        first: dict[int, Cell] = {}
        for cell in in_reading_order(set(house.cells) & set(puzzle.givens)):
            number = puzzle.givens[cell]
            if number in first:
                cells = (first[number], cell)
                text = f"two {number} in {house} ({name_cells(cells)})"
                yield Fault(FaultKind.GIVEN_TWICE, text, cells, house)
            else:
                first[number] = cell
    for line in puzzle.constraints:
        if not isinstance(line, DigitLine):
            continue
        holder: dict[str, Cell] = {}
        for cell in in_reading_order(set(line.cells) & set(puzzle.givens)):
            for digit in str(puzzle.givens[cell]):
                if digit in holder:
                    cells = (holder[digit], cell)
                    text = f"two digits {digit} in {line} ({name_cells(cells)})"
                    yield Fault(FaultKind.GIVEN_TWICE, text, cells, line)
                holder[digit] = cell


def _impossible(puzzle: Puzzle) -> Iterator[Fault]:
    for constraint in puzzle.constraints:
        match constraint:
            case Less(a, b) | Joint(a, b) | NotJoint(a, b) if a == b:
                text = f"{constraint}, a relation of a cell with itself"
                yield Fault(FaultKind.IMPOSSIBLE, text, (a,), constraint)
            case Cage():
                if not _cage_fits(puzzle, constraint):
                    text = f"{constraint} in {_count(constraint.cells)}"
                    yield Fault(FaultKind.IMPOSSIBLE, text, constraint.cells, constraint)
            case Arithmetic():
                if not _target_fits(puzzle, constraint):
                    text = f"{constraint} in {_count(constraint.cells)}"
                    yield Fault(FaultKind.IMPOSSIBLE, text, constraint.cells, constraint)
            case Thermometer(cells, False) if len(set(cells)) < len(cells):
                text = f"{constraint}, which has a cell twice"
                yield Fault(FaultKind.IMPOSSIBLE, text, cells, constraint)
            case HiddenThermometers(_, shapes):
                for number, shape in enumerate(shapes, start=1):
                    if not any(len(set(w)) == len(w) for w in constraint.placements(shape)):
                        text = f"hidden thermometer {number}, which fits nowhere into the grid"
                        yield Fault(FaultKind.IMPOSSIBLE, text, (), constraint)


def _cage_fits(puzzle: Puzzle, cage: Cage) -> bool:
    """Return whether the sum is between the smallest and the largest possible."""
    count = len(cage.cells)
    values = sorted({v for cell in cage.cells for v in puzzle.domains.get(cell, ())})
    if not cage.distinct:
        return bool(values) and count * values[0] <= cage.sum <= count * values[-1]
    return len(values) >= count and (
        sum(values[:count]) <= cage.sum <= sum(values[len(values) - count :])
    )


def _target_fits(puzzle: Puzzle, group: Arithmetic) -> bool:
    """Return whether a target is not beyond what the largest numbers give."""
    largest = [puzzle.domains[cell][-1] for cell in group.cells if puzzle.domains.get(cell)]
    if group.op == "+":
        smallest = sum(puzzle.domains[cell][0] for cell in group.cells if puzzle.domains.get(cell))
        return smallest <= group.target <= sum(largest)
    return group.target <= (prod(largest) if group.op == "*" else max(largest, default=0))


def _count(cells: tuple[Cell, ...]) -> str:
    return f"{len(cells)} cell{'s' * (len(cells) > 1)}"
