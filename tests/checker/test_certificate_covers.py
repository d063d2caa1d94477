"""Tests of sides in covers, as the check of a certificate draws and counts them."""

import random
from dataclasses import replace
from itertools import pairwise

import networkx as nx
import pytest

from nlrouter.certificate import CoverCases, LayerSum, Node, Prices, TurnCases
from nlrouter.checker.certificate.board import Case, layers_of
from nlrouter.checker.certificate.covers import (
    State,
    beside,
    crossings,
    curves_in_cover,
    walk_in_cover,
)
from nlrouter.checker.certificate.curves import edges_crossed, ray_from
from nlrouter.checker.certificate.limits import CheckLimits, Refused, Work
from nlrouter.checker.certificate.paths import neighbours_of
from nlrouter.checker.certificate.prices import Payments
from nlrouter.checker.certificate.verify import verified_bound
from nlrouter.engine.nets.nets import nets_of
from nlrouter.files.problem_file import parse_problem
from nlrouter.problem import Cell, Line, Problem
from tests.checker.test_certificate import certificate
from tests.engine.tiny_layers import every_routing, path_cost, unframed


def lifted(path: list[int], point: int, width: int) -> list[State]:
    """Return a path of cells in the cover of a point, from sheet 0."""
    ray = edges_crossed(ray_from(point, width), width)
    walk = [(path[0], 0)]
    for here, there in pairwise(path):
        edge = 2 * min(here, there) + (here // width != there // width)
        walk.append((there, walk[-1][1] ^ (edge in ray)))
    return walk


def random_path(graph: nx.Graph, ends: tuple[int, int], rnd: random.Random) -> list[int] | None:
    """Return a winding path between two cells, if there is one."""
    for _, _, data in graph.edges(data=True):
        data["weight"] = rnd.random() ** 4
    if not nx.has_path(graph, *ends):
        return None
    path: list[int] = nx.shortest_path(graph, *ends, weight="weight")
    return path


@pytest.mark.parametrize("seed", range(60))
def test_sides_of_disjoint_paths(seed: int) -> None:
    """Tests that paths that do not meet pass each other in every cover as the curves say."""
    rnd = random.Random(seed)
    while True:
        height, width = rnd.randint(1, 7), rnd.randint(3, 7)
        if height * width < 9:
            continue
        near = neighbours_of(height, width)
        graph = nx.Graph((cell, there) for cell, to in enumerate(near) for there, _, _ in to)
        point, *four = rnd.sample(sorted(graph), 5)
        ends = (four[0], four[1]), (four[2], four[3])
        graph.remove_node(point)
        one = random_path(graph.subgraph(set(graph) - set(ends[1])), ends[0], rnd)
        if one is None:
            continue
        other = random_path(graph.subgraph(set(graph) - set(one)), ends[1], rnd)
        if other is not None:
            break
    walks = lifted(one, point, width), lifted(other, point, width)
    turns = walks[0][-1][1], walks[1][-1][1]
    drawn = curves_in_cover(ends, turns, point, near, width)
    assert drawn is not None
    first, second, parity = drawn
    assert crossings(walks[0], second, width) ^ crossings(walks[1], first, width) == parity
    swapped = curves_in_cover(ends[::-1], turns[::-1], point, near, width)
    assert swapped == (second, first, parity)


@pytest.mark.parametrize("seed", range(20))
def test_walks(seed: int) -> None:
    """Tests that a walk leads to the sheet asked for, past what it is to avoid."""
    rnd = random.Random(seed)
    near = neighbours_of(5, 6)
    point, start, goal, away = rnd.sample(range(30), 4)
    for turn in (0, 1):
        walk = walk_in_cover((start, goal), turn, point, {point, away}, near, 6)
        if walk is not None:
            assert lifted([cell for cell, _ in walk], point, 6) == walk
            assert (walk[0], walk[-1]) == ((start, 0), (goal, turn))
            assert not {point, away} & {cell for cell, _ in walk}


def test_curve_beside_a_walk() -> None:
    """Tests that a walk along x crosses edges along y, of the later cell, and the other way."""
    curve = beside([(7, 0), (8, 1), (13, 1)], 2, 5)
    assert curve.crossed == (frozenset(), frozenset({2 * 8 + 1, 2 * 13}))
    assert curve.ray == ray_from(2, 5)
    assert beside([(7, 0), (8, 0), (7, 0)], 2, 5).crossed == (frozenset(), frozenset())


def pair_about(seed: int, third: tuple[Cell, Cell]) -> Problem:
    """Return a board with two random lines and a given one."""
    cells = [Cell(0, y, x) for y in range(5) for x in range(5) if Cell(0, y, x) not in third]
    a, b, c, d = random.Random(seed).sample(cells, 4)
    return Problem(5, 5, 1, (Line(1, (a, b)), Line(2, (c, d)), Line(3, third)), ())


@pytest.mark.parametrize("seed", range(24))
def test_cases_are_no_dearer_than_routings(seed: int) -> None:
    """Tests that no case is said to cost more than a routing that belongs to it."""
    problem = pair_about(seed, (Cell(0, 2, 2), Cell(0, 2, 3)))
    near, width = neighbours_of(5, 5), 5
    nets = nets_of(problem)
    ends = [
        (unframed(source, nets.stride), unframed(target, nets.stride))
        for source, target in zip(nets.source, nets.target, strict=True)
    ]
    point = ends[2][seed % 2]
    part = certificate(problem, Prices((0,))).parts[0]
    payments = Payments(layers_of(problem, (0,)), part, 1, near, Work(CheckLimits()))
    least: dict[tuple[int, int, int, int], int] = {}
    for paths in every_routing(nets, nets.target):
        one, other = ([unframed(cell, nets.stride) for cell in path] for path in paths[:2])
        walks = lifted(one, point, width), lifted(other, point, width)
        turns = walks[0][-1][1], walks[1][-1][1]
        drawn = curves_in_cover((ends[0], ends[1]), turns, point, near, width)
        assert drawn is not None
        sides = crossings(walks[0], drawn[1], width), crossings(walks[1], drawn[0], width)
        total = sum(map(path_cost, paths))
        least[*turns, *sides] = min(least.get((*turns, *sides), total), total)
    for (turn, turn_back, side, side_back), total in least.items():
        turns_about = {(0, point): turn, (1, point): turn_back}
        covers = {(0, 1, point): side, (1, 0, point): side_back}
        case = Case((0,), (), {}, turns_about, covers)
        found = payments.paid(Prices((0,)), case).least() / 2
        assert payments.paid(Prices((0,)), replace(case, covers={})).least() / 2 <= found <= total


ROUND = parse_problem(
    "SIZE 7X5\nLINE_NUM 3\nLINE#1 (1,2)-(5,2)\nLINE#2 (3,1)-(3,3)\nLINE#3 (2,0)-(4,0)\n", "round"
)
"""Lines 1 and 2 have each other's cells in the middle on their way."""

TURNS = TurnCases(0, (2, 0), (1, 1)), TurnCases(1, (2, 0), (2, 2))


def test_cover_cases() -> None:
    """Tests that the less dear side counts, that it is dearer, and that a settled one stays so."""
    alone = verified_bound(ROUND, certificate(ROUND, Prices((0,))))
    cover = CoverCases((0, 1), (2, 0), (3, 3))
    once = verified_bound(ROUND, certificate(ROUND, *TURNS, cover, Prices((0,))))
    assert once > alone
    sides = CoverCases((0, 1), (2, 0), (3, 4))
    again = [CoverCases((0, 1), (2, 0), children) for children in ((5, 9), (9, 5))]  # 9 is none.
    assert verified_bound(ROUND, certificate(ROUND, *TURNS, sides, *again, Prices((0,)))) == once
    back = CoverCases((1, 0), (2, 0), (4, 4))
    assert verified_bound(ROUND, certificate(ROUND, *TURNS, cover, back, Prices((0,)))) == once


@pytest.mark.parametrize("seed", [4, 31, 48, 51])
def test_layer_shared_by_both_sides(seed: int) -> None:
    """Tests that what is kept of a layer for one side, the dearer one, is not taken for the other.

    The end is at the border, so no line can turn about it.
    """
    problem = pair_about(seed, (Cell(0, 0, 2), Cell(0, 0, 3)))
    cover = CoverCases((0, 1), (2, 0), (3, 4))
    apart = verified_bound(problem, certificate(problem, *TURNS, cover, Prices((0,)), Prices((0,))))
    shared = LayerSum((5,)), LayerSum((5,)), Prices((0,))
    assert verified_bound(problem, certificate(problem, *TURNS, cover, *shared)) == apart


@pytest.mark.parametrize(
    ("nodes", "reason"),
    [
        ([CoverCases((0, 1), (2, 0), (1, 1))], "turns are not settled"),
        ([TURNS[0], CoverCases((0, 1), (2, 0), (2, 2))], "turns are not settled"),
        ([*TURNS, CoverCases((0, 1), (1, 0), (3, 3))], "none that net 1 could turn about"),
        ([*TURNS, CoverCases((0, 0), (2, 0), (3, 3))], "not two nets of one layer"),
        ([*TURNS, CoverCases((0, 9), (2, 0), (3, 3))], "not two nets of one layer"),
        ([*TURNS, CoverCases((0, 1), (9, 0), (3, 3))], "none that net 0 could turn about"),
    ],
)
def test_refused(nodes: list[Node], reason: str) -> None:
    """Tests that covers of nothing, or without turns, are refused."""
    with pytest.raises(Refused, match=reason):
        verified_bound(ROUND, certificate(ROUND, *nodes, Prices((0,))))


def test_no_way() -> None:
    """Tests that a cover in which a net cannot come to the sheet of its turn has one case."""
    text = "SIZE 6X1\nLINE_NUM 3\nLINE#1 (0,0)-(1,0)\nLINE#2 (2,0)-(3,0)\nLINE#3 (4,0)-(5,0)\n"
    problem = parse_problem(text, "row")
    turn = TurnCases(0, (2, 0), (3, 1))
    nodes = turn, TURNS[1], CoverCases((0, 1), (2, 0), (3, 9)), Prices((0,))
    assert verified_bound(problem, certificate(problem, *nodes)) == 6
