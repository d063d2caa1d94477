"""Random regions of jigsaw puzzles."""

from __future__ import annotations

from random import Random

from numplace.cell import Cell
from numplace.constraints import House
from numplace.regions import connected, near

SWAPS = 12
"""Swaps of cells between regions, for each cell of the square: enough that no row is left."""


def random_regions(side: int, random: Random) -> list[House]:
    """Return ``side`` connected groups of as many cells each, which fill a square.

    Rows at first, they swap cells at their borders as long as all stay connected.
    """
    region = {Cell(x, y): y for y in range(side) for x in range(side)}
    cells = list(region)
    for _ in range(SWAPS * len(cells)):
        give = random.choice(cells)
        others = sorted({region[cell] for cell in near(give) if cell in region} - {region[give]})
        if not others:
            continue
        mine, theirs = region[give], random.choice(others)
        after = {**region, give: theirs}
        back = [
            cell
            for cell in cells
            if after[cell] == theirs
            and cell != give
            and any(after.get(each) == mine for each in near(cell))
        ]
        if not back:
            continue
        after[random.choice(back)] = mine
        if all(connected(c for c in cells if after[c] == number) for number in (mine, theirs)):
            region = after
    groups = [tuple(cell for cell in cells if region[cell] == number) for number in range(side)]
    return [House(group, "group", number) for number, group in enumerate(groups, start=1)]
