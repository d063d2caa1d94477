"""Symmetries of the places of givens."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from numplace.cell import Cell, reading_order

Map = Callable[[int, int, int, int], tuple[int, int]]

_MAPS: dict[str, tuple[Map, ...]] = {
    "none": (),
    "half-turn": (lambda x, y, w, h: (w - x, h - y),),
    "quarter-turn": (lambda x, y, w, h: (h - y, x),),
    "left-right": (lambda x, y, w, h: (w - x, y),),
    "top-bottom": (lambda x, y, w, h: (x, h - y),),
    "diagonal": (lambda x, y, w, h: (y, x),),
    "mirrors": (lambda x, y, w, h: (w - x, y), lambda x, y, w, h: (x, h - y)),
    "full": (lambda x, y, w, h: (h - y, x), lambda x, y, w, h: (w - x, y)),
}

SYMMETRIES = tuple(_MAPS)
"""The names of the symmetries. All but mirrors need as many rows as columns."""


def orbits(cells: Iterable[Cell], width: int, height: int, symmetry: str) -> list[tuple[Cell, ...]]:
    """Return the cells in groups that a symmetry carries into each other.

    Parameters
    ----------
    cells
        All cells of the puzzle.
    symmetry
        One of `SYMMETRIES`.

    Raises
    ------
    ValueError
        If the symmetry is unknown, or carries a cell outside.
    """
    if symmetry not in _MAPS:
        raise ValueError(f"{symmetry!r} is none of {', '.join(SYMMETRIES)}")
    left = dict.fromkeys(sorted(cells, key=reading_order))
    everything = set(left)
    found = []
    while left:
        orbit = {next(iter(left))}
        fresh = list(orbit)
        while fresh:
            cell = fresh.pop()
            for carry in _MAPS[symmetry]:
                image = Cell(*carry(cell.x, cell.y, width - 1, height - 1))
                if image not in everything:
                    raise ValueError(f"{symmetry} carries {cell} outside")
                if image not in orbit:
                    orbit.add(image)
                    fresh.append(image)
        for cell in orbit:
            del left[cell]
        found.append(tuple(sorted(orbit, key=reading_order)))
    return found
