"""What an answer says: the clues of each kind that can be read off it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from random import Random

from numplace.cell import Cell
from numplace.constraints import Cage, Constraint, Joint, Less, NotJoint, Parity, Sandwich
from numplace.constraints import Thermometer as Way
from numplace.regions import near

CAGE_SIZES = (0, 8, 8, 4, 1)
"""How often a cage is to have 1 to 5 cells. Single cells are left over often enough."""

LEAST_WAY, LONGEST_WAY = 4, 7
"""Cells of a thermometer: shorter ones say little, longer ones nearly give their numbers."""

SHARE_OF_WAYS = 0.5
"""Share of the cells that thermometers are to cover at most, so that the picture stays clear."""


def inequalities(answer: Mapping[Cell, int]) -> list[Constraint]:
    """Return which of each two neighbours is smaller."""
    return [Less(a, b) if answer[a] < answer[b] else Less(b, a) for a, b in _neighbours(answer)]


def joints(answer: Mapping[Cell, int]) -> list[Constraint]:
    """Return which neighbours are consecutive and which are not."""
    return [
        Joint(a, b) if abs(answer[a] - answer[b]) == 1 else NotJoint(a, b)
        for a, b in _neighbours(answer)
    ]


def parities(answer: Mapping[Cell, int]) -> list[Constraint]:
    """Return which cells are odd and which even."""
    return [Parity(cell, number % 2 == 1) for cell, number in answer.items()]


def sandwiches(answer: Mapping[Cell, int], side: int) -> list[Constraint]:
    """Return the sums between 1 and the largest number of all columns and rows."""
    lines = [("column", x + 1, [Cell(x, y) for y in range(side)]) for x in range(side)]
    lines += [("row", y + 1, [Cell(x, y) for x in range(side)]) for y in range(side)]
    found: list[Constraint] = []
    for kind, number, cells in lines:
        numbers = [answer[cell] for cell in cells]
        first, last = sorted((numbers.index(1), numbers.index(side)))
        total = sum(numbers[first + 1 : last])
        found.append(Sandwich(tuple(cells), total, kind, number, 1, side))
    return found


def cages(answer: Mapping[Cell, int], random: Random) -> list[Constraint]:
    """Return random connected cages without repeats that fill the grid."""
    free = set(answer)
    found: list[list[Cell]] = []
    for cell in random.sample(sorted(answer), len(answer)):
        if cell not in free:
            continue
        (wanted,) = random.choices(range(1, 1 + len(CAGE_SIZES)), CAGE_SIZES)
        cage = [cell]
        free.remove(cell)
        while len(cage) < wanted:
            held = {answer[each] for each in cage}
            edge = {other for each in cage for other in near(each)} & free
            edge = {other for other in edge if answer[other] not in held}
            if not edge:
                break
            cage.append(random.choice(sorted(edge)))
            free.remove(cage[-1])
        if len(cage) == 1:
            _join(cell, found, answer)
        else:
            found.append(cage)
    alone = set(answer) - {cell for cage in found for cell in cage}
    found += [[cell] for cell in sorted(alone)]
    found.sort(key=lambda cage: min((cell.y, cell.x) for cell in cage))
    return [
        Cage(tuple(sorted(cage, key=lambda cell: (cell.y, cell.x))),
             sum(answer[cell] for cell in cage), True, number)
        for number, cage in enumerate(found, start=1)
    ]  # fmt: skip


def thermometers(answer: Mapping[Cell, int], random: Random) -> list[Constraint]:
    """Return random thermometers that go from cell to cell, corners included."""
    free = set(answer)
    ways: list[Constraint] = []
    for bulb in random.sample(sorted(answer), len(answer)):
        if len(answer) - len(free) > SHARE_OF_WAYS * len(answer) - LONGEST_WAY:
            break
        way = [bulb] if bulb in free else []
        while way and len(way) < LONGEST_WAY:
            ahead = [cell for cell in _around(way[-1]) if cell in free]
            ahead = [cell for cell in ahead if answer[cell] > answer[way[-1]]]
            if not ahead:
                break
            # The next larger numbers keep room for more.
            ahead.sort(key=lambda cell: (answer[cell], cell))
            way.append(random.choice(ahead[:2]))
        if len(way) >= LEAST_WAY:
            free -= set(way)
            ways.append(Way(tuple(way)))
    return ways


def _join(cell: Cell, cages: list[list[Cell]], answer: Mapping[Cell, int]) -> None:
    """Add a cell that was left alone to the smallest cage beside it, if one can take it."""
    fitting = [
        cage
        for cage in cages
        if set(near(cell)) & set(cage)
        and answer[cell] not in {answer[each] for each in cage}
        and len(cage) < len(CAGE_SIZES)
    ]
    if fitting:
        min(fitting, key=len).append(cell)


def _neighbours(cells: Iterable[Cell]) -> list[tuple[Cell, Cell]]:
    """Return each two cells side by side, and on top of each other."""
    inside = list(cells)
    return [
        (cell, other)
        for cell in inside
        for other in (cell.moved(1, 0), cell.moved(0, 1))
        if other in set(inside)
    ]


def _around(cell: Cell) -> list[Cell]:
    """Return the eight cells around a cell."""
    return [cell.moved(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y]
