"""Tests of what bonds in a certificate are found to prove."""

import random
from itertools import product

import networkx as nx
import numpy as np
import pytest

from nlrouter.certificate import Certificate, LayerSum, PartProof, Prices, SideCases, digest_of
from nlrouter.checker.certificate.bonds import (
    FIRST_REACH,
    MOST_BONDS,
    MOST_TOGETHER,
    Pair,
    Table,
    least_together,
)
from nlrouter.checker.certificate.limits import CheckLimits, Refused, Work
from nlrouter.checker.certificate.paths import UNREACHED
from nlrouter.checker.certificate.verify import verified_bound
from nlrouter.files.problem_file import parse_problem
from nlrouter.problem import Problem


def verified(problem: Problem, *nodes: Prices | SideCases | LayerSum, goal: int = 10**9) -> float:
    """Return what a certificate of these nodes proves, without prices."""
    none = (0,) * (problem.height * problem.width)
    part = PartProof((tuple(range(problem.layers)),), goal, (none,), nodes)
    return verified_bound(problem, Certificate(digest_of(problem), 0, 0, "", 1, (part,)))


def stars(*sizes: tuple[int, int]) -> Problem:
    """Return a layer with some lines side by side that a line each crosses in the middle.

    Each size is how far the ends of the two lines are from where they would cross.
    """
    ends = []
    middle = 0
    half = max(down for _, down in sizes) + 1
    for across, down in sizes:
        middle += across + 1
        ends.append(f"({middle - across},{half})-({middle + across},{half})")
        ends.append(f"({middle},{half - down})-({middle},{half + down})")
        middle += across + 1
    lines = "".join(f"LINE#{k} {line}\n" for k, line in enumerate(ends, 1))
    return parse_problem(
        f"SIZE {middle + 1}X{2 * half + 1}\nLINE_NUM {len(ends)}\n{lines}", "stars"
    )


def test_tied_lines_go_round() -> None:
    """Tests that of two tied lines in each other's way one is known to go round the other."""
    problem = stars((1, 1))
    assert verified(problem, Prices((0,))) == 6
    assert verified(problem, Prices((0,), ((0, 1),))) == 12
    # As a pair's sides are one question, it does not matter who comes first, or twice.
    assert verified(problem, Prices((0,), ((1, 0), (0, 1)))) == 12


@pytest.mark.parametrize("far", [1, 2, 3, FIRST_REACH, 2 * FIRST_REACH])
def test_far_ways_round(far: int) -> None:
    """Tests that the way round is found however long it is."""
    problem = stars((far, far))
    straight = 2 * (2 * far + 1)
    # Round an end: out and back, a cell farther, and two bends.
    assert verified(problem, Prices((0,), ((0, 1),))) == straight + 2 * (far + 1) + 2


def test_no_way_round() -> None:
    """Tests that tied lines of which neither can go round are found to have no answer."""
    problem = parse_problem("SIZE 3X3\nLINE_NUM 2\nLINE#1 (0,1)-(2,1)\nLINE#2 (1,0)-(1,2)\n", "rim")
    assert verified(problem, Prices((0,), ((0, 1),))) == float("inf")


def test_pairs_apart_add_up() -> None:
    """Tests that what each of several pairs pays is counted."""
    problem = stars((1, 1), (1, 1), (1, 1))
    assert verified(problem, Prices((0,))) == 18
    assert verified(problem, Prices((0,), ((0, 1), (4, 5)))) == 30
    assert verified(problem, Prices((0,), ((0, 1), (2, 3), (4, 5)))) == 36


def test_enough() -> None:
    """Tests that bonds are not looked at beyond what is to be shown."""
    problem = stars((1, 1), (9, 9))
    tied = Prices((0,), ((0, 1), (2, 3)))
    assert verified(problem, tied, goal=10) <= verified(problem, tied)
    assert verified(problem, tied) == 12 + 38 + 22


def test_settled_sides() -> None:
    """Tests that a tied pair keeps to a side that is settled, and others to theirs."""
    problem = stars((1, 1), (1, 1))
    sides = SideCases((0, 1), (1, 1))
    assert verified(problem, sides, Prices((0,))) == 18
    assert verified(problem, sides, Prices((0,), ((0, 1),))) == 18
    assert verified(problem, sides, Prices((0,), ((0, 1), (3, 2)))) == 24
    # Sides against others than those tied.
    both = SideCases((0, 2), (1, 1)), Prices((0,), ((0, 1), (2, 3)))
    assert verified(problem, *both) == 24


TWO = parse_problem(
    "SIZE 5X5X2\nLINE_NUM 4\nLINE#1 (1,2,1) (3,2,1)\nLINE#2 (2,1,1) (2,3,1)\n"
    "LINE#3 (1,2,2) (3,2,2)\nLINE#4 (2,1,2) (2,3,2)\n",
    "two crosses",
)
"""Two lines in each other's way on each of two layers: 24."""

OPEN = parse_problem(
    "SIZE 5X3X2\nLINE_NUM 2\nLINE#1 (0,0,1) (0,0,2)\nLINE#2 (0,2,1) (0,2,2)\n"
    "VIA#a (4,2,1) (4,2,2)\nVIA#b (4,0,1) (4,0,2)\n",
    "open vias",
)
"""Two lines whose vias are not settled."""


def test_layers() -> None:
    """Tests that bonds count on the layer of their nets, and on no other."""
    assert verified(TWO, Prices((0, 0), ((0, 1), (2, 3)))) == 24
    own = Prices((0,), ((0, 1),)), Prices((0,), ((2, 3),))
    assert verified(TWO, LayerSum((1, 2)), *own) == 24
    with pytest.raises(Refused, match="nets 2 and 3 are not on a layer of their case"):
        verified(TWO, LayerSum((1, 2)), own[1], own[0])


@pytest.mark.parametrize(
    ("problem", "pair", "reason"),
    [
        (TWO, (0, 2), "nets 0 and 2 are not two nets of one layer"),
        (TWO, (0, 0), "nets 0 and 0 are not two nets of one layer"),
        (TWO, (0, 9), "nets 0 and 9 are not two nets of one layer"),
        (OPEN, (0, 2), "nets 0 and 2 do not both have settled ends"),
    ],
)
def test_refused_pairs(problem: Problem, pair: Pair, reason: str) -> None:
    """Tests that nets which cannot be tied are refused with a reason."""
    with pytest.raises(Refused, match=reason):
        verified(problem, Prices((0, 0), (pair,)))


def test_most_bonds() -> None:
    """Tests that more bonds of a net than a table has room for are refused."""
    count = MOST_BONDS // 2 + 1
    problem = stars(*[(1, 1)] * count)
    pairs = tuple((0, other) for other in range(1, MOST_BONDS + 2))
    assert verified(problem, Prices((0,), pairs[:-1])) == 6 * count + 6
    with pytest.raises(Refused, match=f"net 0 has more than {MOST_BONDS} bonds"):
        verified(problem, Prices((0,), pairs))


def tables_of(graph: nx.Graph, rnd: random.Random) -> list[Table]:
    """Return tables of random costs for nets that are tied as a graph says."""
    tables = []
    for net in graph:
        pairs = tuple((min(net, other), max(net, other)) for other in graph[net])
        costs = [rnd.choice((0, 1, 3, 7, UNREACHED)) for _ in range(1 << len(pairs))]
        tables.append(Table(pairs, np.array(costs, np.int64).reshape((2,) * len(pairs))))
    return tables


@pytest.mark.parametrize("seed", range(20))
def test_least_together(seed: int) -> None:
    """Tests that the least sum is that of all ways to choose, and that the sides have it."""
    graph = nx.gnm_random_graph(6, 8, seed)
    graph.remove_nodes_from([net for net, degree in dict(graph.degree).items() if not degree])
    tables = tables_of(graph, random.Random(seed))
    pairs = [(min(pair), max(pair)) for pair in graph.edges]

    def total(sides: dict[Pair, int]) -> int:
        entries = (table.costs[tuple(sides[pair] for pair in table.pairs)] for table in tables)
        return min(UNREACHED, sum(map(int, entries)))

    least = min(
        total(dict(zip(pairs, choice, strict=True))) for choice in product((0, 1), repeat=8)
    )
    found, sides = least_together(tables, Work(CheckLimits()))
    assert found == least
    assert sorted(sides) == sorted(pairs)
    assert total(sides) == least


def test_tied_too_closely() -> None:
    """Tests that bonds whose tables would fill the memory are refused, and ladders are not."""
    rnd = random.Random(0)
    ladder = nx.ladder_graph(200)
    assert least_together(tables_of(ladder, rnd), Work(CheckLimits()))[0] >= 0
    closely = nx.random_regular_graph(MOST_BONDS, 200, seed=1)
    with pytest.raises(Refused, match="tied too closely"):
        least_together(tables_of(closely, rnd), Work(CheckLimits()))


def test_most_pairs_together() -> None:
    """Tests that tables of one pair more than there is room for are refused."""

    def least(size: int) -> int:
        pairs = tuple((0, net) for net in range(1, size + 1))
        tables = [Table(pairs, np.ones((2,) * size, np.int64)) for _ in range(2)]
        return least_together(tables, Work(CheckLimits()))[0]

    assert least(MOST_TOGETHER) == 2
    with pytest.raises(Refused, match="more than 20 pairs of nets are tied too closely"):
        least(MOST_TOGETHER + 1)


def test_work_is_counted() -> None:
    """Tests that tables count as work, of searches and of putting them together."""
    ladder = tables_of(nx.ladder_graph(50), random.Random(0))
    with pytest.raises(Refused, match="takes more than 500 steps"):
        least_together(ladder, Work(CheckLimits(steps=500)))
