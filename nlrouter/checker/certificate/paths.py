"""Cheapest paths on one layer in whole numbers, for the check of a certificate.

Charges are in half units: a step costs the halves of the two cells that it joins, so that a
path costs its cells; ends cost nothing. Dijkstra's algorithm (1959) on states
``2 * cell + axis``, the axis (0 along x, 1 along y) being that by which the cell was entered.
The edge from a cell to the next along an axis has the number ``2 * cell + axis``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import heappop, heappush

from nlrouter.checker.certificate.limits import Work

UNREACHED = 10**18
"""Cost where there is no path; the limited numbers of a certificate come nowhere near."""

Neighbours = list[list[tuple[int, int, int]]]
"""For each cell: its neighbours, each with the axis and the number of the edge to it."""

Guide = dict[int, list[int]]
"""Least costs to a target from each state, by the parities still wanted of some bits;
`UNREACHED` or more where there is no way."""

GUIDED = 3
"""Bits that the guide of a search with that many or more tells apart: each doubles its cost."""

OTHERS = -1
"""Stands for the parities of all walks that were not looked for."""


@dataclass(frozen=True)
class Marks:
    """Which bits of a walk's parities an edge changes.

    Parameters
    ----------
    edges
        The bits by edge, on whatever sheet.
    sheeted
        Bits by edge that it changes on one sheet only: the bit whose parity is the sheet of the
        edge's first cell, that sheet, and the bits.
    rays
        For each of these bits (by place) the place of that bit.
    """

    edges: Mapping[int, int]
    sheeted: Mapping[int, list[tuple[int, int, int]]] = field(default_factory=dict)
    rays: Mapping[int, int] = field(default_factory=dict)

    def told(self, asked: int) -> int:
        """Return bits and those that have to be known to follow them."""
        for bit, ray in self.rays.items():
            asked |= (asked >> bit & 1) << ray
        return asked

    @property
    def plain(self) -> int:
        """All bits but those that depend on the sheet."""
        return ~sum(1 << bit for bit in self.rays)


NO_MARKS = Marks({})


def neighbours_of(height: int, width: int) -> Neighbours:
    """Return the neighbours of each cell ``y * width + x``."""
    near: Neighbours = [[] for _ in range(height * width)]
    for cell in range(height * width):
        if (cell + 1) % width:
            near[cell].append((cell + 1, 0, 2 * cell))
            near[cell + 1].append((cell, 0, 2 * cell))
        if cell + width < height * width:
            near[cell].append((cell + width, 1, 2 * cell + 1))
            near[cell + width].append((cell, 1, 2 * cell + 1))
    return near


def distances(
    near: Neighbours,
    half: list[int],
    bend: int,
    source: int,
    goals: Collection[int],
    marks: Marks = NO_MARKS,
    asked: int = 0,
    work: Work | None = None,
    tolls: Sequence[int] = (),
) -> dict[int, list[int]]:
    """Return what it costs to come from a source to each state.

    Parameters
    ----------
    near
        The layer's neighbours.
    half
        For each cell half of what it costs, -1 where no path may pass.
    bend
        What a bend costs.
    source
        Cell to start from; what ``half`` says of it does not matter.
    goals
        Cells that may be entered though no path may pass them.
    marks
        Bits that edges change.
    asked
        The bits by which walks are told apart, none of which depends on the sheet.
    work
        Counts the states that are looked at.
    tolls
        For each bit what a walk has paid before it starts if it begins with that bit.

    Returns
    -------
    dict
        The costs, by what walks begin with and the exclusive or of these bits of all edges taken.
    """
    parities = [0]
    for bit in (1 << k for k in range(asked.bit_length())):
        parities += [parity | bit for parity in parities if asked & bit]
    cost = {parity: [UNREACHED] * (2 * len(half)) for parity in parities}
    heap: list[tuple[int, int, int]] = []
    for parity in parities:
        paid = toll_of(parity, tolls)
        cost[parity][2 * source] = cost[parity][2 * source + 1] = paid
        if paid < UNREACHED:
            heappush(heap, (paid, 2 * source, parity))
    steps = 2 * len(half) * len(parities)
    while heap:
        here, state, parity = heappop(heap)
        steps += 1
        if here > cost[parity][state]:
            continue
        cell, came = divmod(state, 2)
        own = 0 if cell == source else half[cell]
        if own < 0:
            continue
        for there, axis, edge in near[cell]:
            onward = half[there]
            if onward < 0:
                if there not in goals:
                    continue
                onward = 0
            onward += own + here
            if axis != came and cell != source:
                onward += bend
            after = 2 * there + axis
            taken = parity ^ (marks.edges.get(edge, 0) & asked) if asked else 0
            if onward < cost[taken][after]:
                cost[taken][after] = onward
                heappush(heap, (onward, after, taken))
    if work is not None:
        work.add(steps)
    return cost


@dataclass(frozen=True)
class Trip:
    """A net's way through a layer, and what is charged for it.

    Parameters
    ----------
    near, half, bend, source, marks, work
        As in `distances`.
    target
        Cell to come to.
    """

    near: Neighbours
    half: list[int]
    bend: int
    source: int
    target: int
    marks: Marks = NO_MARKS
    work: Work | None = None


def toll_of(bits: int, tolls: Sequence[int]) -> int:
    """Return what some bits cost; `UNREACHED` for one that has no toll."""
    paid = 0
    for bit in range(bits.bit_length()):
        if bits >> bit & 1:
            paid += tolls[bit] if bit < len(tolls) else UNREACHED
    return min(paid, UNREACHED)


def cheapest(
    trip: Trip, guide: Guide, want: int = 0, tolls: Sequence[int] = (), enough: int = UNREACHED
) -> int:
    """Return the cost of the cheapest walk that takes marked edges in the wanted parities.

    Most parities come out right by themselves. So none of them is asked for at first, and then
    those that came out wrong.

    Parameters
    ----------
    trip
        Where from and where to.
    guide
        What it costs at least to go on from each state (A*; Hart, Nilsson, Raphael 1968).
    want
        What the exclusive or of the bits of all edges taken has to be.
    tolls
        ``(bits,)`` what a walk pays that has another bit instead; from `UNREACHED` on it may not.
    enough
        Costs from here on do not matter; what is given instead is this at least.
    """
    asked = guided = 0
    while True:
        best, unasked = UNREACHED, 0
        for least, parities in _arrivals(trip, guide, guided, want, asked, enough):
            wrong = (parities ^ want) if parities != OTHERS else 0
            cost = least + toll_of(wrong & asked & ~guided, tolls)
            if cost < best:
                best, unasked = cost, wrong & ~asked
            if least >= best:
                break
        if not unasked:
            return best
        asked = trip.marks.told(asked | unasked)
        plain = asked & trip.marks.plain
        if plain.bit_count() >= GUIDED and not guided:
            dearest = sorted(
                (bit for bit in range(plain.bit_length()) if plain >> bit & 1),
                key=lambda bit: -toll_of(1 << bit, tolls),
            )
            guided = sum(1 << bit for bit in dearest[:GUIDED])
            back = distances(
                trip.near, trip.half, trip.bend, trip.target, {trip.source}, trip.marks, guided,
                trip.work, tolls,
            )  # fmt: skip
            guide = guide_by_distances(back, trip.bend)


def _arrivals(
    trip: Trip, guide: Guide, guided: int, want: int, asked: int, enough: int
) -> Iterator[tuple[int, int]]:
    """Find the cheapest walks below ``enough`` for each combination of the bits asked for.

    They come with their parities, the cheapest first, and not twice for one combination; last,
    with `OTHERS`, comes what all others cost at least. The costs have the tolls of the bits of
    ``guided`` that are not those of ``want``, as the guide knows.
    """
    near, half, bend, source, target = trip.near, trip.half, trip.bend, trip.source, trip.target
    work, marks, sheeted = trip.work, trip.marks.edges, trip.marks.sheeted
    bits = asked.bit_length()
    start = 2 * source << bits
    cost = {start: 0}
    taken = {start: 0}
    heap = [(0, start)]
    arrived = set()
    while heap:
        guess, state = heappop(heap)
        if guess >= enough:
            yield guess, OTHERS
            return
        if work is not None:
            work.add(1)
        place = state >> bits
        cell, came = divmod(place, 2)
        here = cost[state]
        parities = taken[state]
        if cell == target:
            if parities & asked not in arrived:
                arrived.add(parities & asked)
                yield guess, parities
            continue
        if cell != source and guess > here + guide[(parities ^ want) & guided][place]:
            continue
        own = 0 if cell == source else half[cell]
        for there, axis, edge in near[cell]:
            onward = half[there]
            if onward < 0:
                if there != target:
                    continue
                onward = 0
            onward += own + here
            if axis != came and cell != source:
                onward += bend
            reached = 2 * there + axis
            after_taken = parities ^ marks.get(edge, 0)
            if sheeted:
                known = parities if cell < there else after_taken
                for ray, sheet, changed in sheeted.get(edge, ()):
                    if known >> ray & 1 == sheet:
                        after_taken ^= changed
            after = reached << bits | (after_taken & asked)
            if onward < cost.get(after, UNREACHED):
                rest = guide[(after_taken ^ want) & guided][reached]
                if rest < UNREACHED:
                    cost[after] = onward
                    taken[after] = after_taken
                    heappush(heap, (onward + rest, after))
    yield UNREACHED, OTHERS


def guide_by_distances(back: dict[int, list[int]], bend: int) -> Guide:
    """Return the guide that the distances from the target make: exact but for other bits.

    Seen from the target, the axis of a state is that of the first step onward.
    """
    return {
        parity: [min(cost[state], cost[state ^ 1] + bend) for state in range(len(cost))]
        for parity, cost in back.items()
    }


def guide_by_position(height: int, width: int, target: int, cell: int, bend: int) -> Guide:
    """Return the guide for free cells of a least cost, and bends.

    Parameters
    ----------
    cell
        What a cell costs at least.
    """
    to_y, to_x = divmod(target, width)
    rest = []
    for y in range(height):
        for x in range(width):
            down, across = abs(y - to_y), abs(x - to_x)
            least = cell * (down + across) - cell // 2
            rest.append(least + bend * (down > 0))
            rest.append(least + bend * (across > 0))
    rest[2 * target] = rest[2 * target + 1] = 0
    return {0: rest}
