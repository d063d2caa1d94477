"""How a bundle leaves its ends, and where its lines run in what its square has swept over."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from nlrouter.engine.find.bundle_kernel import DOWN, LEFT, RIGHT, UP

Corner = tuple[int, int, int]
"""Where a square turns: its first cell, and the headings before and after."""


@dataclass(frozen=True)
class Block:
    """A block of ends or vias, and how a square leaves it.

    Parameters
    ----------
    squares, signs
        Per heading, the first cell of the square to start from (-1: no way), and 1 where the
        first line is leftmost, else -1.
    pivots
        Whether it may turn in that square: not on a diagonal, which leads any way itself.
    """

    squares: tuple[int, int, int, int]
    signs: tuple[int, int, int, int]
    pivots: bool


def block_of(cells: tuple[int, ...], stride: int) -> Block:
    """Return the block of some cells in a row, a column or a diagonal, in this order."""
    width = len(cells)
    if width == 1:
        return Block((cells[0],) * 4, (1,) * 4, pivots=False)
    step = cells[1] - cells[0]
    sign = 1 if step > 0 else -1
    first = min(cells)
    squares, signs = [-1] * 4, [0] * 4
    if abs(step) == 1:
        squares[DOWN], squares[UP] = first, first - (width - 1) * stride
        signs[DOWN], signs[UP] = -sign, sign
    elif abs(step) == stride:
        squares[RIGHT], squares[LEFT] = first, first - (width - 1)
        signs[RIGHT], signs[LEFT] = sign, -sign
    else:
        rising = abs(step) == stride - 1
        squares = [first - (width - 1 if rising else 0)] * 4
        signs = [sign, sign, -sign, -sign] if rising else [sign, -sign, -sign, sign]
    a, b, c, d = squares
    e, f, g, h = signs
    return Block((a, b, c, d), (e, f, g, h), pivots=abs(step) in (1, stride))


def corners_of(track: list[int], out: int) -> list[Corner]:
    """Return where a way turns, from its states and the heading that leaves its last block."""
    corners = []
    for one, other in pairwise(track):
        if (one ^ other) & 3:
            corners.append((one >> 2, one & 3, other & 3))
    last = track[-1]
    if last & 3 != out ^ 2:
        corners.append((last >> 2, last & 3, out ^ 2))
    return corners


def draw_line(
    start: int,
    stop: int,
    corners: list[Corner],
    rank: int,
    width: int,
    stride: int,
) -> list[int]:
    """Return the cells of the line that is so many from the left in its bundle."""
    path = [start]
    for cell, came, goes in corners:
        y, x = divmod(cell, stride)
        for heading in (came, goes):
            ranked = rank if heading in (RIGHT, UP) else width - 1 - rank
            if heading in (RIGHT, LEFT):
                y = cell // stride + ranked
            else:
                x = cell % stride + ranked
        _go(path, y * stride + x, stride)
    _go(path, stop, stride)
    return path


def _go(path: list[int], goal: int, stride: int) -> None:
    """Go straight on to a cell."""
    here = path[-1]
    along = 1 if here // stride == goal // stride else stride
    step = along if goal > here else -along
    assert (goal - here) % step == 0
    path.extend(range(here + step, goal + step, step) if goal != here else [])
