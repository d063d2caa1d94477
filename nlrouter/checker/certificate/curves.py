"""How nets of one layer can pass each other, for the check of a certificate.

Between the ends of each net a *curve* is drawn, once and for all, through the squares between
the cells: from the square below and right of one end along y, then along x, to the same square
of the other end. It crosses edges between neighbouring cells but passes no cell other than its
ends. Two nets' paths do not meet, and two closed curves cross an even number of times. So, of
the closed curves (path i + curve i) and (path j + curve j),

    (crossings of path i with curve j) + (crossings of path j with curve i)
        = (crossings of curve i with curve j)     modulo 2.

The first number modulo 2 is the *side* of i against j. That of j against i follows from it.

Cells are ``y * width + x``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Set
from dataclasses import dataclass
from itertools import pairwise

from nlrouter.certificate import Edge
from nlrouter.checker.certificate.paths import Neighbours

Ends = tuple[int, int]
"""The two ends of a net."""


@dataclass(frozen=True)
class CoverCurve:
    """A curve in a double cover, see ``covers``.

    Parameters
    ----------
    ray
        The ends of the ray along which the sheets are joined crosswise.
    crossed
        For each sheet the numbers of the edges that it crosses an odd number of times.
    """

    ray: Ends
    crossed: tuple[frozenset[int], frozenset[int]]


Sides = tuple[tuple[Ends | CoverCurve, int], ...]
"""The ends of other nets, or curves in covers, and the sides to pass them on.

A curve in a cover comes after the curve of the cover's ray.
"""

Point = tuple[int, int]


def edge_numbers(edges: Collection[Edge]) -> frozenset[int]:
    """Return the numbers, as in ``paths``, of a certificate's edges."""
    return frozenset(2 * first + axis for axis, first in edges)


def edges_crossed(ends: Ends, width: int) -> frozenset[int]:
    """Return the numbers of the edges that a net's curve crosses, each once."""
    (y, x), (to_y, to_x) = (divmod(end, width) for end in ends)
    down = {2 * (row * width + x) for row in range(min(y, to_y) + 1, max(y, to_y) + 1)}
    across = {
        2 * (to_y * width + column) + 1 for column in range(min(x, to_x) + 1, max(x, to_x) + 1)
    }
    return frozenset(down | across)


def ray_from(cell: int, width: int) -> Ends:
    """Return the ends of a curve that leads from an end straight up, beyond the border."""
    return cell, cell % width - width


def curves_cross(one: Ends, other: Ends, width: int) -> int:
    """Return how often the curves of two nets cross, modulo 2; their four ends differ.

    Eighths of a cell keep the curves apart: the first runs 4/8 from the cells, and 1/8 from
    its own ends until it has left them; the second runs 2/8 from all cells. So they touch
    nowhere, and where they cross, one goes along x and the other along y.
    """
    (y, x), (to_y, to_x) = ((8 * n for n in divmod(end, width)) for end in one)
    first = [
        (y + 1, x + 1), (y + 1, x + 4), (to_y + 4, x + 4), (to_y + 4, to_x + 4),
        (to_y + 1, to_x + 4), (to_y + 1, to_x + 1),
    ]  # fmt: skip
    (y, x), (to_y, to_x) = ((8 * n for n in divmod(end, width)) for end in other)
    second = [(y + 2, x + 2), (to_y + 2, x + 2), (to_y + 2, to_x + 2)]
    count = 0
    for a, b in pairwise(first):
        for c, d in pairwise(second):
            count += _cross(a, b, c, d) or _cross(c, d, a, b)
    return count % 2


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether ``a b`` goes along y, ``c d`` along x, and they cross."""
    return (
        a[1] == b[1]
        and c[0] == d[0]
        and min(a[0], b[0]) < c[0] < max(a[0], b[0])
        and min(c[1], d[1]) < a[1] < max(c[1], d[1])
    )


def shift(ends: Ends, odd: Set[int], near: Neighbours, passable: Collection[bool]) -> int | None:
    """Return the parity of the edges of a set that a net takes, if it is always the same.

    If the cells that the net may use can be given two colours that differ along the set's
    edges and along no other, then each path between its ends takes an even number of them,
    or, if the colours of the ends differ, an odd one.

    Parameters
    ----------
    ends
        The net's ends.
    odd
        The set: here, the edges in a cut or crossed by the other net's curve, but not both.
    near, passable
        The layer's neighbours, and for each cell whether a path may pass.

    Returns
    -------
    int or None
        The parity; None if there are no such colours.
    """
    allowed = list(passable)
    for end in ends:
        allowed[end] = True
    colour = {ends[0]: 0}
    queue = deque([ends[0]])
    while queue:
        cell = queue.popleft()
        for there, _, edge in near[cell]:
            if allowed[there]:
                wanted = colour[cell] ^ (edge in odd)
                if there not in colour:
                    colour[there] = wanted
                    queue.append(there)
                elif colour[there] != wanted:
                    return None
    return colour.get(ends[1], 0)
