"""Tests that routings are put together validly and as cheaply as can be."""

import random
from collections.abc import Sequence
from itertools import combinations, permutations, product

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.find.config import FinderConfig
from nlrouter.engine.find.finder import Finder
from nlrouter.engine.find.recombine import Pool, recombined
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.routing import Routing, path_costs
from nlrouter.generators import generate
from tests.engine.tiny_layers import (
    Path,
    check_routing,
    every_routing,
    path_cost,
    random_nets,
    two_layer_problem,
)


def some_routings(nets: Nets, seed: int, count: int) -> list[Routing]:
    """Draw some of a tiny part's routings, all assignments of its only class among them."""
    orders = permutations(range(len(nets.classes[0].vias))) if nets.classes else [None]
    every = []
    for order in orders:
        assignment = () if order is None else (np.array(order, np.intp),)
        every += [(paths, assignment) for paths in every_routing(nets, nets.targets(assignment))]
    drawn = random.Random(seed).sample(every, min(count, len(every)))
    return [Routing.along(as_arrays(paths), assignment) for paths, assignment in drawn]


def as_arrays(paths: Sequence[Path]) -> list[np.ndarray]:
    """Return paths as the engine has them."""
    return [np.array(path, np.int32) for path in paths]


def check(nets: Nets, routing: Routing) -> None:
    """Check that a routing is one, with each via taken once, and costs what it says."""
    for chosen in routing.assignment:
        assert sorted(chosen) == list(range(len(chosen)))
    assert check_routing(nets, nets.targets(routing.assignment), routing.paths) == routing.cost


def cheapest_mixture(nets: Nets, one: Routing, other: Routing) -> int:
    """Return the cost of the cheapest mixture by trying all."""
    best = one.cost
    for takes in product((False, True), repeat=nets.count):
        paths = [
            theirs if take else own
            for take, own, theirs in zip(takes, one.paths, other.paths, strict=True)
        ]
        places = [
            (int(z), int(cell)) for z, path in zip(nets.layer, paths, strict=True) for cell in path
        ]
        ends = {
            int(line): {
                int(path[-1]) for path, named in zip(paths, nets.line, strict=True) if named == line
            }
            for line in nets.line
        }
        if len(set(places)) == len(places) and all(len(cells) == 1 for cells in ends.values()):
            best = min(best, sum(map(path_cost, paths)))
    return best


def tiny_layers() -> list[Nets]:
    """Return layers that have several routings."""
    layers = [random_nets(seed, 4, 4, 3) for seed in range(30)]
    return [nets for nets in layers if len(some_routings(nets, 0, 2)) == 2]


def tiny_pairs() -> list[Nets]:
    """Return pairs of layers, with vias to share out, that have several routings."""
    pairs = [nets_of(two_layer_problem(seed, 3, 4, 2)) for seed in range(30)]
    return [nets for nets in pairs if len(some_routings(nets, 0, 2)) == 2]


def tiny_parts() -> list[Nets]:
    """Return both."""
    return tiny_layers() + tiny_pairs()


def test_the_cheapest_mixture_is_found() -> None:
    """Tests, against trying all, that a mixture is valid and none is cheaper."""
    mixed = swapped = 0
    for seed, nets in enumerate(tiny_parts()):
        for one, other in combinations(some_routings(nets, seed, 6), 2):
            mixture = recombined(nets, one, other)
            check(nets, mixture)
            assert mixture.cost == cheapest_mixture(nets, one, other)
            mixed += mixture.cost < min(one.cost, other.cost)
            vias = zip(mixture.assignment, one.assignment, strict=True)
            swapped += any((taken != own).any() for taken, own in vias)
    assert mixed > 10 and swapped > 10


def test_what_cannot_be_improved_is_returned_itself() -> None:
    """Tests that a routing put together with itself, or a dearer one like it, stays itself."""
    for nets in tiny_parts()[:10]:
        cheap, dear = sorted(some_routings(nets, 1, 2), key=lambda routing: routing.cost)
        assert recombined(nets, cheap, cheap) is cheap
        if cheapest_mixture(nets, cheap, dear) == cheap.cost:
            assert recombined(nets, cheap, dear) is cheap


def test_paths_without_cells_are_free() -> None:
    """Tests that inner cells and bends are counted path by path, and nothing is of no cells."""
    paths = [np.array(path, np.int32) for path in ([], [1, 2], [2, 3, 13, 14], [], [14, 15, 16])]
    assert path_costs(paths).tolist() == [0, 0, 4, 0, 1]
    assert path_costs([]).tolist() == []


def lone_routings(costs: Sequence[int]) -> tuple[Nets, list[Routing]]:
    """Return a part and valid routings of it, said to cost so much."""
    nets = random_nets(0, 4, 4, 1)
    paths = [paths for paths, _ in zip(every_routing(nets, nets.target), costs, strict=False)]
    assert len(paths) == len(costs)
    return nets, [Routing(as_arrays(p), (), cost) for p, cost in zip(paths, costs, strict=True)]


def test_a_pool_keeps_the_cheapest(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a full pool drops the dearest routing, of equal ones the oldest."""
    nets, (dear, old, new, cheap) = lone_routings([9, 8, 8, 7])
    monkeypatch.setattr("nlrouter.engine.find.recombine.KEPT", 2)
    pool = Pool(nets)
    for routing in (dear, old, new, cheap):
        pool.add(routing)
    assert pool.kept == (cheap, new)


def test_a_pool_holds_no_routing_twice() -> None:
    """Tests that the same paths are kept once, and others of the same cost beside them."""
    nets, (one, other) = lone_routings([8, 8])
    pool = Pool(nets)
    for routing in (one, other, Routing([path.copy() for path in one.paths], (), one.cost)):
        pool.add(routing)
    assert pool.kept == (other, one)


def test_a_pool_improves_a_routing() -> None:
    """Tests that what a pool makes of a routing is valid, and may be cheaper than all it holds."""
    better = 0
    for seed, nets in enumerate(tiny_parts()):
        routings = some_routings(nets, seed, 5)
        pool = Pool(nets)
        for routing in routings[1:]:
            pool.add(routing)
        mixture = pool.improved(routings[0], random.Random(seed))
        check(nets, mixture)
        assert mixture.cost <= min(routing.cost for routing in routings)
        better += mixture.cost < min(routing.cost for routing in routings)
    assert better > 3


@pytest.mark.parametrize(
    ("parts", "config"),
    [
        pytest.param(tiny_layers(), FinderConfig(patience=-1.0), id="before it starts over"),
        pytest.param(tiny_pairs(), FinderConfig(rest=-1.0), id="before a kick"),
    ],
)
def test_a_finder_puts_together_what_it_came_by(parts: list[Nets], config: FinderConfig) -> None:
    """Tests that a finder at rest takes up a mixture of its best and another routing at once."""
    found = 0
    for seed, nets in enumerate(parts):
        for one, other in combinations(some_routings(nets, seed, 6), 2):
            mixture = recombined(nets, one, other)
            if mixture.cost < min(one.cost, other.cost):
                finder = Finder(nets, seed, config)
                finder.started = True
                for routing in (one, other):
                    finder.adopt(routing)
                assert finder.step(Deadline(60))
                assert finder.best is not None and finder.best.cost == mixture.cost
                check(nets, finder.best)
                found += 1
    assert found > 5


def test_a_finder_keeps_what_it_turns_away_from() -> None:
    """Tests that a finder's pool holds other routings than its best, all of them valid."""
    problem, _ = generate(12, 12, 2, 10, 4, 0.5, seed=1)
    finder = Finder(nets_of(problem), 0, FinderConfig(patience=1.0))
    for _ in range(60):
        finder.step(Deadline(60))
    assert len(finder.pool.kept) > 2
    for routing in finder.pool.kept:
        check(finder.nets, routing)
