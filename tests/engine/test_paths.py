"""Tests of the path search, against networkx on the graph of states."""

from itertools import pairwise

import networkx as nx
import numpy as np
import pytest

from nlrouter.engine.paths.cheapest import INFINITE, Ground, arrive, scratch, search, trace

SEEDS = range(40)


class Field:
    """A random layer with two ends, walls and prices."""

    def __init__(self, seed: int) -> None:
        random = np.random.default_rng(seed)
        self.height, width = (int(n) for n in random.integers(1, 7, 2))
        width += self.height == 1 and width == 1
        self.stride = width + 2
        cells = (self.height + 2) * self.stride
        framed = np.zeros((self.height + 2, self.stride), np.bool_)
        framed[1:-1, 1:-1] = random.random((self.height, width)) < 0.75
        self.free = framed.ravel()
        spots = random.permutation(self.height * width)[:2]
        self.source, self.target = (
            int(spot // width + 1) * self.stride + int(spot % width) + 1 for spot in spots
        )
        self.free[[self.source, self.target]] = False
        prices = random.choice([0.0, 0.25, 1.5, 4.0], cells)
        self.half = np.where(self.free, 0.5 + 0.5 * prices, 0.0)
        self.ground = Ground(self.free, self.half, self.stride)
        self.room = scratch(cells, 0)

    def search(self, target: int) -> int:
        """Search from the source to a cell, or to all."""
        return int(search(self.source, target, self.ground, self.room))

    def step_cost(self, here: int, there: int) -> float:
        """Return what a step costs."""
        return float(self.half[here] + self.half[there])

    def graph(self) -> nx.DiGraph:
        """Return the graph of states, with the source as ``(source, axis)`` of either axis."""
        graph = nx.DiGraph()
        passable = {*np.flatnonzero(self.free).tolist(), self.source, self.target}
        for here in passable - {self.target}:
            for axis, step in ((0, 1), (0, -1), (1, self.stride), (1, -self.stride)):
                there = here + step
                if there in passable and there != self.source:
                    cost = self.step_cost(here, there)
                    graph.add_edge((here, axis), (there, axis), weight=cost)
                    bend = 0.0 if here == self.source else 1.0
                    graph.add_edge((here, 1 - axis), (there, axis), weight=cost + bend)
        graph.add_nodes_from((cell, axis) for cell in passable for axis in (0, 1))
        return graph

    def distances(self) -> dict[tuple[int, int], float]:
        """Return the least cost of every state, by networkx."""
        sources = {(self.source, 0), (self.source, 1)}
        return dict(nx.multi_source_dijkstra_path_length(self.graph(), sources))


def path_price(field: Field, path: list[int]) -> float:
    """Return what a path costs, step by step."""
    cost = sum(field.step_cost(a, b) for a, b in pairwise(path))
    return cost + float(np.count_nonzero(np.diff(np.abs(np.diff(path)))))


@pytest.mark.parametrize("seed", SEEDS)
def test_search_to_one_target(seed: int) -> None:
    """Tests that the path found costs what networkx says, and that its steps add up to that."""
    field = Field(seed)
    known = field.distances()
    costs = [known[field.target, axis] for axis in (0, 1) if (field.target, axis) in known]
    state = field.search(field.target)
    if not costs:
        assert state == -1
        return
    assert field.room.dist[state] == pytest.approx(min(costs))
    cells = np.empty(len(field.free), np.int32)
    path = cells[: trace(state, field.room.pred, cells)].tolist()
    assert (path[0], path[-1]) == (field.source, field.target)
    assert field.free[path[1:-1]].all()
    assert len(set(path)) == len(path)
    assert path_price(field, path) == pytest.approx(min(costs))


@pytest.mark.parametrize("seed", SEEDS)
def test_search_to_all_cells_and_arrive(seed: int) -> None:
    """Tests the cost of going on from every state, by the axis of the state or by the other one.

    And that of the last step to a target that is no free cell.
    """
    field = Field(seed)
    known = field.distances()
    assert field.search(-1) == -1
    for cell in np.flatnonzero(field.free).tolist():
        for axis in (0, 1):
            this, other = (known.get((cell, each), INFINITE) for each in (axis, 1 - axis))
            state = 2 * cell + axis
            found = min(field.room.dist[state], field.room.dist[state ^ 1] + 1.0)
            assert found == pytest.approx(min(this, other + 1.0))
    cost, before = arrive(field.target, field.source, field.ground, field.room.dist)
    expected = min(known.get((field.target, axis), INFINITE) for axis in (0, 1))
    assert cost == pytest.approx(expected)
    if expected == INFINITE:
        assert before == -1
        return
    cells = np.empty(len(field.free), np.int32)
    path = [*cells[: trace(before, field.room.pred, cells)].tolist(), field.target]
    assert path[0] == field.source
    assert path_price(field, path) == pytest.approx(cost)


def test_neighbours() -> None:
    """Tests that an end beside its partner is one step away, free of bends and cells."""
    ground, room = Ground(np.zeros(3 * 4, np.bool_), np.zeros(12), 4), scratch(12, 0)
    state = search(5, 6, ground, room)
    path = np.empty(12, np.int32)
    assert room.dist[state] == 0.0
    assert path[: trace(state, room.pred, path)].tolist() == [5, 6]
    search(5, -1, ground, room)
    assert arrive(6, 5, ground, room.dist)[0] == 0.0
