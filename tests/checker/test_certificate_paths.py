"""Tests of the searches that certificates are checked by, against a graph of all states."""

import random

import networkx as nx
import pytest

from nlrouter.checker.certificate.limits import CheckLimits, Work
from nlrouter.checker.certificate.paths import (
    UNREACHED,
    Guide,
    Marks,
    Trip,
    cheapest,
    distances,
    guide_by_distances,
    guide_by_position,
    neighbours_of,
    toll_of,
)

HEIGHT, WIDTH = 4, 5
BITS = 5


class Layer:
    """A random layer with a net, costs and marks."""

    def __init__(self, seed: int) -> None:
        rnd = random.Random(seed)
        cells = HEIGHT * WIDTH
        self.near = neighbours_of(HEIGHT, WIDTH)
        self.source, self.target, *walls = rnd.sample(range(cells), 5)
        self.half = [rnd.choice((1, 1, 2, 5)) for _ in range(cells)]
        for cell in (self.source, self.target, *walls):
            self.half[cell] = -1
        self.bend = rnd.choice((0, 2))
        self.plain = BITS - seed % 3
        marks = {edge: rnd.getrandbits(self.plain) for edge in range(2 * cells)}
        rays = {bit: rnd.randrange(self.plain) for bit in range(self.plain, BITS)}
        sheeted: dict[int, list[tuple[int, int, int]]] = {}
        for bit, ray in rays.items():
            for edge in rnd.sample(range(2 * cells), cells):
                sheeted.setdefault(edge, []).append((ray, rnd.randrange(2), 1 << bit))
        self.marks = Marks(marks, sheeted, rays)
        self.wants = rnd.sample(range(1 << BITS), 8)

    def exact(self, want: int) -> float:
        """Return the cost of the cheapest walk with the wanted parities."""
        graph = nx.DiGraph()
        for cell, half in enumerate(self.half):
            own = 0 if cell == self.source else half
            if own < 0 or cell == self.target:
                continue
            for there, axis, edge in self.near[cell]:
                onward = 0 if there == self.target else self.half[there]
                if onward < 0:
                    continue
                for came in (0, 1):
                    bend = self.bend * (axis != came and cell != self.source)
                    for taken in range(1 << BITS):
                        after = (there, axis, self.taken(taken, edge, cell < there))
                        graph.add_edge((cell, came, taken), after, weight=own + onward + bend)
        starts = [(self.source, axis, 0) for axis in (0, 1)]
        goals = [(self.target, axis, want) for axis in (0, 1)]
        graph.add_nodes_from(starts)
        reached = nx.multi_source_dijkstra_path_length(graph, starts)
        return min(reached.get(goal, UNREACHED) for goal in goals)

    def taken(self, before: int, edge: int, forward: bool) -> int:
        """Return the parities after an edge; the sheet counts at its first cell."""
        after = before ^ self.marks.edges[edge]
        at_first = before if forward else after
        for ray, sheet, bits in self.marks.sheeted.get(edge, []):
            if at_first >> ray & 1 == sheet:
                after ^= bits
        return after


def guided(layer: Layer) -> tuple[Trip, Guide]:
    """Return what a search on a layer starts with."""
    back = distances(layer.near, layer.half, layer.bend, layer.target, {layer.source})
    guide = guide_by_distances(back, layer.bend)
    trip = Trip(
        layer.near, layer.half, layer.bend, layer.source, layer.target, layer.marks,
        Work(CheckLimits()),
    )  # fmt: skip
    return trip, guide


@pytest.mark.parametrize("seed", range(25))
def test_tolls(seed: int) -> None:
    """Tests that a walk pays for the parities that are not wanted, or has no others."""
    layer, random_ = Layer(seed), random.Random(seed)
    tolls = [random_.choice((0, 1, 3, 8, UNREACHED)) for _ in range(BITS)]
    for want in layer.wants:
        exact = min(
            min(layer.exact(want ^ wrong) + toll_of(wrong, tolls), UNREACHED)
            for wrong in range(1 << BITS)
        )
        for enough in (0, exact // 2, exact, min(exact + 1, UNREACHED), UNREACHED):
            found = cheapest(*guided(layer), want, tolls, int(enough))
            assert min(enough, exact) <= found <= exact


@pytest.mark.parametrize("seed", range(25))
def test_wanted_parities(seed: int) -> None:
    """Tests that all wanted parities are heeded, however many come out wrong at first."""
    layer = Layer(seed)
    trip, guide = guided(layer)
    for want in layer.wants:
        exact = layer.exact(want)
        assert cheapest(trip, guide, want) == exact
        for enough in (exact // 2, exact, exact + 1):
            found = cheapest(trip, guide, want, (), int(enough))
            assert min(enough, exact) <= found <= exact


@pytest.mark.parametrize("seed", range(10))
def test_guides(seed: int) -> None:
    """Tests that both guides lead to the cheapest path where no edge has a mark."""
    layer = Layer(seed)
    layer.half = [half if half < 0 else max(half, 1) for half in layer.half]
    reached = distances(layer.near, layer.half, 2, layer.source, {layer.target})[0]
    position = guide_by_position(HEIGHT, WIDTH, layer.target, 2, 2)
    back = distances(layer.near, layer.half, 2, layer.target, {layer.source})
    exact = guide_by_distances(back, 2)
    expected = min(reached[2 * layer.target : 2 * layer.target + 2])
    trip = Trip(layer.near, layer.half, 2, layer.source, layer.target)
    for guide in (position, exact):
        assert cheapest(trip, guide) == expected
