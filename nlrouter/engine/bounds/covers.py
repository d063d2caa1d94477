"""Sides in a double cover: what sides leave open of how two nets wind around an end of a third.

A side (see ``sides``) counts crossings modulo 2, so two paths that cross twice look as if they did
not meet, even where the two crossings cannot be undone because an end p of a third net lies
between them. Such crossings are told apart by the layer's *double cover* branched at p: two
copies, the *sheets*, cut along a ray from p to the border and joined crosswise, so that who
walks over the ray comes to the other sheet. The cover of a disc is a disc again. A path of net i
from sheet 0 ends on the sheet that its *turn* says, the parity of its crossings with the ray.
Two paths that do not meet do not meet in the cover either. So, with any curves D_i, D_j in the
cover that start on sheet 0 and have the same ends as the paths P_i, P_j,

    (crossings of P_i with D_j) + (crossings of P_j with D_i) = (crossings of D_i with D_j)

modulo 2, where only crossings on the same sheet count. The turns of i and j being settled, this
leaves two cases again. Branching on them was derived for this project; lifting curves to a cover
to decide whether crossings are essential is classical (see B. Farb, D. Margalit, A primer on
mapping class groups, 2012, 1.2).

In the plane a cell or square has its number; in the cover an edge is known by the sheet of its
first cell, and a square by that of its first cell, the upper left one. The branch point is the
middle of the square of p's number. No path takes cell p, and no curve here that square, so that
whatever goes around another square comes back to its sheet.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import inner, njit


def ray_from(point: int, stride: int, cells: int) -> NDArray[np.bool_]:
    """Return ``(2, cells)`` the edges crossed by a ray from a cell's square up to the border."""
    ray = np.zeros((2, cells), np.bool_)
    ray[0, point:0:-stride] = True
    return ray


@inner(cache=True)
def _search(start, stop, sheet, usable, ray, stride, pred):
    """Fill ``pred`` by breadth-first search over usable numbers; states are ``2 * number + sheet``.

    Numbers are those of squares or of cells of the board.
    """
    cells = ray.shape[1]
    height = cells // stride - 2
    pred[:] = -2
    queue = np.empty(2 * cells, np.int64)
    queue[0] = 2 * start
    pred[2 * start] = -1
    head = 0
    tail = 1
    while head < tail and pred[2 * stop + sheet] == -2:
        state = queue[head]
        head += 1
        here = state >> 1
        on = state & 1
        y = here // stride
        x = here - y * stride
        for move in range(4):
            if move == 0 and x < stride - 2:
                there, after = here + 1, on ^ ray[0, here]
            elif move == 1 and x > 0:
                there, after = here - 1, on ^ ray[0, here - 1]
            elif move == 2 and y < height:
                there, after = here + stride, on
            elif move == 3 and y > 0:
                there, after = here - stride, on
            else:
                continue
            reached = 2 * there + after
            if (usable[there] or there == stop) and pred[reached] == -2:
                pred[reached] = state
                queue[tail] = reached
                tail += 1


@njit(cache=True)
def lift(start, stop, sheet, point, ray, free, stride, curve):
    """Draw a curve in the cover from a cell's square on sheet 0 to another's, and find a path.

    Parameters
    ----------
    start, stop, sheet
        Where they begin, on sheet 0, and end.
    point, ray
        The branch point, which is neither, and its ray.
    free
        ``(cells,)`` the layer's free cells.
    curve
        Filled, ``(2, 2, cells)`` bool: per sheet, the edges that the curve crosses an odd number
        of times.

    Returns
    -------
    ndarray
        States ``2 * cell + sheet`` of a path over free cells; none where there is no such path.
    """
    pred = np.empty(2 * ray.shape[1], np.int64)
    curve[:] = False
    usable = np.ones(free.shape[0], np.bool_)
    usable[point] = False
    _search(start, stop, sheet, usable, ray, stride, pred)
    state = 2 * stop + sheet
    if pred[state] == -2:
        return np.empty(0, np.int64)
    while pred[state] >= 0:
        before = pred[state]
        here = state >> 1
        there = before >> 1
        # The edge between two squares starts in the cell that gives the later one its number.
        if here > there:
            curve[state & 1, 1 if here - there == 1 else 0, here] ^= True
        else:
            curve[before & 1, 1 if there - here == 1 else 0, there] ^= True
        state = before
    _search(start, stop, sheet, free, ray, stride, pred)
    length = 0
    state = 2 * stop + sheet
    while state >= 0:
        length += 1
        state = pred[state]
    if state == -2:
        return np.empty(0, np.int64)
    path = np.empty(length, np.int64)
    state = 2 * stop + sheet
    for k in range(length - 1, -1, -1):
        path[k] = state
        state = pred[state]
    return path


@njit(cache=True)
def crossings(path, curve):
    """Return the parity of crossings of a path in the cover with a curve."""
    odd = False
    for k in range(1, len(path)):
        before = path[k - 1]
        after = path[k]
        along = 0 if abs((after >> 1) - (before >> 1)) == 1 else 1
        first = before if before < after else after
        odd ^= curve[first & 1, along, first >> 1]
    return odd


@njit(cache=True)
def parity_of_curves(path_i, curve_i, path_j, curve_j):
    """Return the parity of crossings of two curves, each with a path of the same ends.

    Shifted by half a cell both ways, the path of i crosses that of j at whole edges.
    """
    odd = crossings(path_i, curve_j) ^ crossings(path_j, curve_i)
    taken = np.zeros(curve_j.shape, np.bool_)
    for k in range(1, len(path_j)):
        before = path_j[k - 1]
        after = path_j[k]
        along = 0 if abs((after >> 1) - (before >> 1)) == 1 else 1
        first = before if before < after else after
        taken[first & 1, along, first >> 1] ^= True
    for k in range(1, len(path_i)):
        before = path_i[k - 1]
        after = path_i[k]
        last = after if before < after else before
        odd ^= taken[last & 1, 1 if abs((after >> 1) - (before >> 1)) == 1 else 0, last >> 1]
    return odd


@njit(cache=True)
def walk_in_cover(edges, source, ray, stride):
    """Return the states of a walk, given by its edges in order from the source."""
    cells = ray.shape[1]
    path = np.empty(len(edges) + 1, np.int64)
    state = 2 * source
    path[0] = state
    for k in range(len(edges)):
        along = 0 if edges[k] < cells else 1
        first = edges[k] - along * cells
        cell = state >> 1
        other = first + (1 if along == 0 else stride) if cell == first else first
        state = 2 * other + ((state & 1) ^ ray[along, first])
        path[k + 1] = state
    return path
