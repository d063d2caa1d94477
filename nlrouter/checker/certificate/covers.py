"""How two nets pass each other in a double cover, for the check of a certificate.

A *side* (see ``curves``) counts crossings modulo 2, so two paths that cross twice count as if they
did not meet, even where an end p of a third net lies between the crossings. The *double cover*
branched at p tells them apart: two copies of the layer, the *sheets*, cut along the ray from p
and joined crosswise, so that who walks over the ray comes to the other sheet. The cover of a disc
is a disc. A path that begins on sheet 0 ends on the sheet that is its *turn* about p, the parity
of its crossings with the ray. Paths that do not meet do not meet in the cover either.

For nets i and j whose turns about p are settled let R_i be any walk in the cover from the start of
i on sheet 0 to its end on the sheet of its turn, and R_j likewise, each past p and past the other
net's ends, and whatever else is in the way. Moved by half a cell both ways, and joined to the
ends by pieces of a diagonal, R_i becomes a curve D_i between the cells, and R_j a curve D_j. The
paths P_i and P_j have the same ends as these. Closed curves of a disc cross an even number of
times, so of P_i and D_i together, and P_j and D_j together, modulo 2,

    (crossings of P_i with D_j) + (crossings of P_j with D_i) = (crossings of D_i with D_j).

To move R_i to D_i sweeps over no end of D_j, as R_i keeps off them, so the right-hand side is the
number of crossings of R_i with D_j. Only crossings on the same sheet count. The first number is the
*side in the cover* of i against j, and that of j against i follows from it.

On which sheet an edge is crossed, that of its first cell says: a step over the ray leads away from
that cell, and what crosses the edge does so on this side of the ray.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from itertools import pairwise

from nlrouter.checker.certificate.board import Case, Layers, ends_of
from nlrouter.checker.certificate.curves import CoverCurve, Ends, edges_crossed, ray_from
from nlrouter.checker.certificate.limits import Kept, Work
from nlrouter.checker.certificate.paths import Neighbours

State = tuple[int, int]
"""A cell and its sheet."""

Drawn = tuple[CoverCurve, CoverCurve, int]
"""The curves of two nets in a cover, and how often they cross, modulo 2."""


class Covers:
    """What pairs of nets of a part have to do with each other in covers, drawn once each."""

    def __init__(self, board: Layers, near: Neighbours, work: Work) -> None:
        self._board = board
        self._near = near
        self._work = work
        self._drawn: Kept[object, Drawn] = Kept(work.limits.kept)

    def draw(self, case: Case, i: int, j: int, point: int) -> Drawn | None:
        """Return `curves_in_cover` of two nets whose turns about a cell are settled."""
        ends = ends_of(self._board, case, i, j)
        turns = case.turns[i, point], case.turns[j, point]
        key = ends, turns, point
        known = self._drawn.get(key)
        if known is not None:
            return known
        self._work.add(4 * len(self._near))
        drawn = curves_in_cover(ends, turns, point, self._near, self._board.width)
        if drawn is None:
            return None
        numbers = 8 + sum(len(edges) for curve in drawn[:2] for edges in curve.crossed)
        return self._drawn.put(key, drawn, numbers)


def curves_in_cover(
    ends: tuple[Ends, Ends], turns: tuple[int, int], point: int, near: Neighbours, width: int
) -> Drawn | None:
    """Draw the curves of two nets in the cover of an end, and say how often they cross, modulo 2.

    Parameters
    ----------
    ends
        The ends of the two nets; none of them is the point.
    turns
        Their turns about it.
    point
        The end's cell.
    near, width
        The layer's neighbours, and its width.

    Returns
    -------
    tuple or None
        The curves D_i and D_j and the number; None where no walk leads past the point.
    """
    one, other = ends
    walk = walk_in_cover(one, turns[0], point, {point, *other}, near, width)
    back = walk_in_cover(other, turns[1], point, {point, *one}, near, width)
    if walk is None or back is None:
        return None
    curve = beside(back, point, width)
    return beside(walk, point, width), curve, crossings(walk, curve, width)


def walk_in_cover(
    ends: Ends, turn: int, point: int, avoided: Collection[int], near: Neighbours, width: int
) -> list[State] | None:
    """Return a shortest walk from one end on sheet 0 to the other on a sheet; None without any."""
    ray = edges_crossed(ray_from(point, width), width)
    start, goal = (ends[0], 0), (ends[1], turn)
    came: dict[State, State | None] = {start: None}
    queue = deque([start])
    while queue and goal not in came:
        state = queue.popleft()
        cell, sheet = state
        for there, _, edge in near[cell]:
            after = there, sheet ^ (edge in ray)
            if there not in avoided and after not in came:
                came[after] = state
                queue.append(after)
    if goal not in came:
        return None
    walk = [goal]
    while (before := came[walk[-1]]) is not None:
        walk.append(before)
    return walk[::-1]


def beside(walk: list[State], point: int, width: int) -> CoverCurve:
    """Return the curve that is a walk moved by half a cell both ways."""
    crossed: tuple[set[int], set[int]] = set(), set()
    for one, other in pairwise(walk):
        cell, sheet = max(one, other)
        # A step along x crosses the edge along y of the later cell, and the other way round.
        crossed[sheet].symmetric_difference_update({2 * cell + 1 - _axis(one, other, width)})
    return CoverCurve(ray_from(point, width), (frozenset(crossed[0]), frozenset(crossed[1])))


def crossings(walk: list[State], curve: CoverCurve, width: int) -> int:
    """Return how often a walk in the cover crosses a curve, modulo 2."""
    count = 0
    for one, other in pairwise(walk):
        cell, sheet = min(one, other)
        count += 2 * cell + _axis(one, other, width) in curve.crossed[sheet]
    return count % 2


def _axis(one: State, other: State, width: int) -> int:
    """Return the axis of a step: 0 along x, 1 along y."""
    return int(one[0] // width != other[0] // width)
