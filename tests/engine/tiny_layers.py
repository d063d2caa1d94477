"""Random layers, and every routing of a tiny one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import count as counting
from itertools import permutations

import numpy as np

from nlrouter.engine.bounds.curves import Curves, draw_curves
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.routing import Routing
from nlrouter.problem import Cell, Line, Problem, Via

Path = tuple[int, ...]
"""Framed cells from a net's source to its target."""

REDRAW = 1000
"""Between the seeds of two draws for the same test, which has seeds below it."""


def layer_problem(seed: int, height: int, width: int, count: int) -> Problem:
    """Draw a board of one layer; its lines may have no answer."""
    random = np.random.default_rng(seed)
    spots = random.permutation(height * width)[: 2 * count].tolist()
    cells = [Cell(0, spot // width, spot % width) for spot in spots]
    lines = [Line(k + 1, (cells[2 * k], cells[2 * k + 1])) for k in range(count)]
    return Problem(width, height, 1, tuple(lines))


def two_layer_problem(seed: int, height: int, width: int, count: int) -> Problem:
    """Draw a board of two layers whose lines all take a via; they may have no answer."""
    random = np.random.default_rng(seed)
    spots = random.permutation(height * width).tolist()
    vias = [Via("abcdefgh"[k], spots[k] // width, spots[k] % width, 0, 1) for k in range(count)]
    cells = []
    for z in range(2):
        left = random.permutation(spots[count:])[:count].tolist()
        cells.append([Cell(z, spot // width, spot % width) for spot in left])
    lines = [Line(k + 1, (cells[0][k], cells[1][k])) for k in range(count)]
    return Problem(width, height, 2, tuple(lines), tuple(vias))


def routable_two_layers(
    seed: int, height: int, width: int, count: int
) -> tuple[Nets, dict[tuple[int, ...], int]]:
    """Draw boards of two layers until one has answers; return their least costs by their vias."""
    for draw in counting():
        nets = nets_of(two_layer_problem(seed + REDRAW * draw, height, width, count))
        costs = costs_by_vias(nets)
        if costs:
            return nets, costs
    raise AssertionError("counting never ends")


def mixed_nets(seed: int, size: tuple[int, int, int, int] | None = None) -> Nets:
    """Return the nets of such a board, ends and vias free of cost; see `mixed_problem`."""
    return replace(nets_of(mixed_problem(seed, size)), constant=0)


def mixed_problem(seed: int, size: tuple[int, int, int, int] | None = None) -> Problem:
    """Draw a board of two layers, some of whose lines go through vias and some stay on a layer.

    ``size`` is its height and width, and how many lines go through and stay on each layer.
    """
    random = np.random.default_rng(seed)
    if size is None:
        height, width = (int(n) for n in random.integers(5, 9, 2))
        size = height, width, int(random.integers(2, 5)), int(random.integers(1, 4))
    height, width, through, staying = size
    spots = random.permutation(height * width).tolist()
    vias = [Via("abcd"[k], spots[k] // width, spots[k] % width, 0, 1) for k in range(through)]
    count = through + 2 * staying
    places = [random.permutation(spots[through:])[:count].tolist() for _ in range(2)]
    cells = [[Cell(z, *divmod(spot, width)) for spot in places[z]] for z in range(2)]
    pairs = [(cells[0][k], cells[1][k]) for k in range(through)]
    pairs += [(row[k], row[k + 1]) for row in cells for k in range(through, count, 2)]
    lines = tuple(Line(k + 1, pair) for k, pair in enumerate(pairs))
    return Problem(width, height, 2, lines, tuple(vias))


MIXED = [6, 22, 59, 115, 196, 205, 224, 240, 517, 569, 593, 694]
"""Seeds of such boards that have answers, and on which there is something to ask."""


def curves_of(dual: Dual) -> Curves:
    """Draw the curves of the nets whose ends are settled in a dual."""
    nets, plain = dual.nets, dual.route(dual.prices)
    return draw_curves(
        nets.source, dual.target, plain.paths, plain.lengths, nets.cells, nets.stride, nets.layer
    )


def costs_by_vias(nets: Nets) -> dict[tuple[int, ...], int]:
    """Return the least cost for each assignment of the only class that has an answer."""
    costs = {}
    for order in permutations(range(len(nets.classes[0].vias))):
        target = nets.targets((np.array(order),))
        routings = [sum(map(path_cost, paths)) for paths in every_routing(nets, target)]
        if routings:
            costs[order] = nets.constant + min(routings)
    return costs


def random_nets(seed: int, height: int, width: int, count: int) -> Nets:
    """Return the nets of a random board of one layer."""
    return nets_of(layer_problem(seed, height, width, count))


def path_cost(path: Sequence[int] | np.ndarray) -> int:
    """Return inner cells plus bends of a path."""
    return len(path) - 2 + int(np.count_nonzero(np.diff(np.asarray(path, np.int64), 2)))


def every_path(nets: Nets, net: int, target: int) -> list[Path]:
    """Return all paths of a net that do not cross themselves, the cheapest first."""
    free = nets.free[nets.layer[net]]
    steps = (1, -1, nets.stride, -nets.stride)
    found: list[Path] = []
    path = [int(nets.source[net])]

    def go_on() -> None:
        for step in steps:
            there = path[-1] + step
            if there == target:
                found.append((*path, there))
            elif free[there] and there not in path:
                path.append(there)
                go_on()
                path.pop()

    go_on()
    return sorted(found, key=path_cost)


def every_routing(nets: Nets, target: Sequence[int] | np.ndarray) -> Iterator[list[Path]]:
    """Yield all routings whose paths do not meet, for given targets."""
    paths = [every_path(nets, net, int(target[net])) for net in range(nets.count)]
    chosen: list[Path] = []
    used: set[tuple[int, int]] = set()

    def choose(net: int) -> Iterator[list[Path]]:
        if net == nets.count:
            yield list(chosen)
            return
        for path in paths[net]:
            cells = {(int(nets.layer[net]), cell) for cell in path}
            if used.isdisjoint(cells):
                used.update(cells)
                chosen.append(path)
                yield from choose(net + 1)
                chosen.pop()
                used.difference_update(cells)

    yield from choose(0)


def all_routings(nets: Nets) -> list[Routing]:
    """Return all routings, by all vias of a board with one class at the most; cheapest first."""
    found = []
    for order in permutations(range(len(nets.classes[0].vias) if nets.classes else 0)):
        assignment = (np.array(order),) if nets.classes else ()
        for paths in every_routing(nets, nets.targets(assignment)):
            found.append(Routing.along([np.array(path, np.int32) for path in paths], assignment))
    return sorted(found, key=lambda routing: routing.cost)


def routable_nets(seed: int, height: int, width: int, count: int) -> tuple[Nets, list[list[Path]]]:
    """Draw layers until one has a routing; return its nets and all their routings."""
    for draw in counting():
        nets = random_nets(seed + REDRAW * draw, height, width, count)
        routings = list(every_routing(nets, nets.target))
        if routings:
            return nets, routings
    raise AssertionError("counting never ends")


def check_routing(nets: Nets, target: np.ndarray, paths: Sequence[np.ndarray]) -> int:
    """Check that paths lead from source to target over free cells and do not meet; return cost."""
    used: set[tuple[int, int]] = set()
    for net, path in enumerate(paths):
        assert path[0] == nets.source[net] and path[-1] == target[net]
        assert np.isin(np.abs(np.diff(path)), (1, nets.stride)).all()
        inner = path[1:-1].tolist()
        assert nets.free[nets.layer[net], inner].all()
        cells = {(int(nets.layer[net]), cell) for cell in inner}
        assert len(cells) == len(inner) and used.isdisjoint(cells)
        used |= cells
    return sum(path_cost(path) for path in paths)


def unframed(cell: int, stride: int) -> int:
    """Return the number ``y * width + x`` of a cell of the framed board."""
    return int((cell // stride - 1) * (stride - 2) + cell % stride - 1)


def only_domains(assignment: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
    """Return the domains that leave only this assignment."""
    return tuple(np.eye(len(chosen), dtype=np.bool_)[chosen] for chosen in assignment)
