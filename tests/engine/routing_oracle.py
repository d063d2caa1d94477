"""The cheapest routing of a tiny board by trying everything, and boards to try it on.

That of a larger board comes from the CP-SAT model, which is tested against it.
"""

from __future__ import annotations

from itertools import count, permutations
from math import inf, isinf

import networkx as nx
import numpy as np

from nlrouter.answer import Answer
from nlrouter.deadline import Deadline
from nlrouter.engine.exact.cp_sat import solve
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import NO_ANSWER, Routing
from nlrouter.grid import layered_graph
from nlrouter.problem import Cell, Line, Problem, Via


def random_problem(seed: int) -> Problem:
    """Draw a board of up to 4x4 cells on up to three layers, with one to four lines."""
    random = np.random.default_rng(seed)
    layers = int(random.integers(1, 4))
    height, width = (int(n) for n in random.integers(2, 5, 2))
    columns = random.permutation(height * width).tolist()
    taken: set[Cell] = set()
    lines: list[Line] = []
    vias: list[Via] = []
    for number in range(1, int(random.integers(1, 5)) + 1):
        low, high = sorted(random.integers(0, layers, 2).tolist())
        if low < high:
            spot = next((c for c in columns if taken.isdisjoint(_column(c, width, low, high))), -1)
            if spot < 0:
                break
            vias.append(Via("abcd"[len(vias)], spot // width, spot % width, low, high))
            taken.update(_column(spot, width, low, high))
        ends: list[Cell] = []
        for z in (low, high):
            cells = [
                Cell(z, c // width, c % width) for c in random.permutation(height * width).tolist()
            ]
            ends += [cell for cell in cells if cell not in taken][:1]
            taken.update(ends)
        if len(ends) < 2:
            vias = vias[: sum(line.crosses_layers for line in lines)]
            break
        lines.append(Line(number, (ends[0], ends[1])))
    return Problem(width, height, layers, tuple(lines), tuple(vias))


def routable_problem(seed: int) -> Problem:
    """Draw such boards until one has an answer."""
    draws = (random_problem(seed + 1000 * draw) for draw in count())
    return next(problem for problem in draws if not isinf(cheapest_cost(problem)))


def _column(spot: int, width: int, low: int, high: int) -> list[Cell]:
    return [Cell(z, spot // width, spot % width) for z in range(low, high + 1)]


def cheapest_cost(problem: Problem, fixed: Answer | None = None) -> float:
    """Return the cost of the best answer of a tiny board; `inf` if it has none.

    The lines that are drawn in ``fixed`` stay as they are.
    """
    fixed = np.zeros(problem.shape, np.int32) if fixed is None else fixed
    crossing = [line for line in problem.lines if line.crosses_layers]
    best = inf
    for vias in permutations(problem.vias):
        if all(line.span == via.span for line, via in zip(crossing, vias, strict=True)):
            via_of = dict(zip((line.number for line in crossing), vias, strict=True))
            best = min(best, _cheapest_with(problem, via_of, fixed))
    return best


def _cheapest_with(problem: Problem, via_of: dict[int, Via], fixed: Answer) -> float:
    """Return the cost of the best answer in which each line has its via."""
    graph = layered_graph(problem)
    occupied = {cell for cell, held in graph.nodes.items() if held}
    constant = 2 * len(problem.lines) + sum(len(via.cells) for via in problem.vias)
    choices = []
    for line in problem.lines:
        if line.crosses_layers:
            via = via_of[line.number]
            pairs = [(line.end_on(z), Cell(z, via.y, via.x)) for z in via.span]
        else:
            pairs = [line.ends]
        for start, stop in pairs:
            layer = graph.subgraph(
                c for c in graph if c.z == start.z and (c not in occupied or c in (start, stop))
            )
            paths = [path for path in nx.all_simple_paths(layer, start, stop)]
            if line.number in fixed:
                paths = [path for path in paths if all(fixed[c] == line.number for c in path)]
            choices.append(sorted((_cost(path), frozenset(path[1:-1])) for path in paths))
    return constant + _cheapest_disjoint(choices, frozenset(), inf)


def _cost(path: list[Cell]) -> int:
    """Return inner cells plus bends of a path."""
    bends = sum(a.x != c.x and a.y != c.y for a, c in zip(path, path[2:], strict=False))
    return len(path) - 2 + bends


def _cheapest_disjoint(
    choices: list[list[tuple[int, frozenset[Cell]]]], used: frozenset[Cell], limit: float
) -> float:
    """Return the least sum, below a limit, of one disjoint choice of each; else `inf`."""
    if not choices:
        return 0 if limit > 0 else inf
    best = inf
    rest = sum(options[0][0] for options in choices[1:] if options)
    for cost, cells in choices[0]:
        if cost + rest >= limit:
            break
        if used.isdisjoint(cells):
            total = cost + _cheapest_disjoint(choices[1:], used | cells, limit - cost)
            if total < limit:
                best = limit = total
    return best


def exact_routing(nets: Nets) -> Routing | None:
    """Return a cheapest routing by the CP-SAT model, for what is too large to try everything."""
    *_, known = solve(nets, Deadline(60))
    assert known.bound == (NO_ANSWER if known.routing is None else known.routing.cost)
    return known.routing


def exact_cost(nets: Nets) -> int:
    """Return what it costs; `NO_ANSWER` where there is none."""
    routing = exact_routing(nets)
    return NO_ANSWER if routing is None else routing.cost
