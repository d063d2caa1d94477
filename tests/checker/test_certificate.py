"""Tests of what a certificate is found to prove, with certificates made by hand."""

import random
import subprocess
import sys
import tracemalloc
from contextlib import suppress
from dataclasses import replace
from itertools import pairwise
from math import inf

import networkx as nx
import pytest

from nlrouter.certificate import (
    CellCases,
    Certificate,
    LayerSum,
    Node,
    PartProof,
    Prices,
    SideCases,
    TurnCases,
    ViaCases,
    ViaChoices,
    ViaPrices,
    digest_of,
)
from nlrouter.checker.certificate.board import Case, layers_of
from nlrouter.checker.certificate.curves import curves_cross, edges_crossed
from nlrouter.checker.certificate.limits import CheckLimits, Refused, Work
from nlrouter.checker.certificate.paths import neighbours_of
from nlrouter.checker.certificate.prices import Payments
from nlrouter.checker.certificate.verify import verified_bound
from nlrouter.files.problem_file import parse_problem
from nlrouter.problem import Cell, Line, Problem, Via

CROSS = parse_problem("SIZE 5X5\nLINE_NUM 2\nLINE#1 (1,2)-(3,2)\nLINE#2 (2,1)-(2,3)\n", "cross")
"""Two lines with one cell between their ends, the same: the cheapest answer costs 12."""

VIAS = parse_problem(
    "SIZE 5X3X2\nLINE_NUM 2\nLINE#1 (0,0,1) (0,0,2)\nLINE#2 (0,2,1) (0,2,2)\n"
    "VIA#a (4,2,1) (4,2,2)\nVIA#b (4,0,1) (4,0,2)\n",
    "vias",
)
"""Two lines that go straight to a via each: the cheapest answer costs 20."""

ALIKE = parse_problem(
    "SIZE 3X3X2\nLINE_NUM 2\nLINE#1 (0,0,1) (2,0,1)\nLINE#2 (0,0,2) (2,0,2)\n", "alike"
)
"""Two layers with the same line: 6."""


def certificate(
    problem: Problem,
    *nodes: Node,
    prices: tuple[tuple[int, ...], ...] | None = None,
    places: tuple[tuple[int, ...], ...] | None = None,
    unit: int = 1,
    goal: int = 10**9,
) -> Certificate:
    """Return a certificate of one part; without prices, all are 0."""
    none = (0,) * (problem.height * problem.width)
    places = places or (tuple(range(problem.layers)),)
    part = PartProof(places, goal, prices or (none,), nodes)
    return Certificate(digest_of(problem), 0, 0, "", unit, (part,))


def test_prices_of_zero_give_shortest_paths() -> None:
    """Tests that without prices each net pays its own cheapest path."""
    assert verified_bound(CROSS, certificate(CROSS, Prices((0,)))) == 6


def test_prices_raise_the_bound() -> None:
    """Tests that the price of the cell in dispute is paid twice and taken off once."""
    prices = tuple(5 if cell == 12 else 0 for cell in range(25))
    proof = certificate(CROSS, Prices((0,)), prices=(prices,), unit=2)
    assert verified_bound(CROSS, proof) == 9


def test_side_cases() -> None:
    """Tests that settling who goes round whom proves the optimum without any price."""
    nodes = (SideCases((0, 1), (1, 2)), Prices((0,)), Prices((0,)))
    assert verified_bound(CROSS, certificate(CROSS, *nodes)) == 12


TWO_CROSSES = parse_problem(
    "SIZE 5X5X2\nLINE_NUM 4\nLINE#1 (1,2,1) (3,2,1)\nLINE#2 (2,1,1) (2,3,1)\n"
    "LINE#3 (1,2,2) (3,2,2)\nLINE#4 (2,1,2) (2,3,2)\n",
    "two crosses",
)
"""`CROSS` on two layers: 24."""


@pytest.mark.parametrize("dear", [(5,) * 25, tuple(range(25))])
@pytest.mark.parametrize("bonds", [(), ((0, 1, 6),)])
def test_prices_after_others(
    bonds: tuple[tuple[int, int, int], ...], dear: tuple[int, ...]
) -> None:
    """Tests that what was found at some prices is not taken for what others make of it."""
    leaves = Prices((0,), bonds), Prices((1,), bonds)
    sides = SideCases((0, 1), (1, 1))
    for both, alone in (
        ((ViaPrices(leaves[0], (), 1), leaves[1]), (leaves[1],)),
        ((sides, ViaPrices(leaves[0], (), 2), leaves[1]), (sides, leaves[1])),
    ):
        for prices in ((dear, (0,) * 25), ((0,) * 25, dear)):
            bounds = [
                verified_bound(CROSS, certificate(CROSS, *nodes, prices=prices))
                for nodes in (both, alone)
            ]
            assert bounds[0] == bounds[1] <= 12


def test_turns() -> None:
    """Tests that a path with a turn about an end is as dear as the way round it on that side."""
    board = layers_of(CROSS, (0,))
    proof = certificate(CROSS, Prices((0,))).parts[0]
    payments = Payments(board, proof, 1, neighbours_of(5, 5), Work(CheckLimits()))

    def alone(turns: dict[tuple[int, int], int]) -> float:
        return payments.paid(Prices((0,)), Case((0,), (), {}, turns)).least() / 2

    # Line 1 is straight, and passes below the upper end of line 2 and above its lower one.
    assert alone({}) == 2
    upper, lower = 7, 17
    assert alone({(0, upper): 0, (0, lower): 1}) == 2
    assert alone({(0, upper): 1}) == alone({(0, lower): 0}) == 8
    # Above the one and below the other: on one side of line 2, back and on the other side.
    assert alone({(0, upper): 1, (0, lower): 0}) > 8


def test_turn_cases() -> None:
    """Tests that the less dear turn counts, and that one that is settled stays so."""
    turn = TurnCases(0, (1, 0), (1, 2))
    assert verified_bound(CROSS, certificate(CROSS, turn, Prices((0,)), Prices((0,)))) == 6
    # The odd turn is dear enough by itself; the even one has its sides settled besides.
    nodes = TurnCases(0, (1, 0), (1, 1)), TurnCases(0, (1, 0), (2, 3)), SideCases((0, 1), (3, 3))
    assert verified_bound(CROSS, certificate(CROSS, *nodes, Prices((0,)))) == 12
    # What is proven of a layer for the even turn about the other end, the dear one, is not kept.
    shared = TurnCases(0, (1, 1), (1, 1)), LayerSum((2,)), Prices((0,))
    assert verified_bound(CROSS, certificate(CROSS, *shared)) == 6


def test_cell_cases() -> None:
    """Tests that the less dear net counts of those that do without a cell, on its layer alone."""
    nodes = CellCases((0, 1), 12, (1, 1)), Prices((0,))
    assert verified_bound(CROSS, certificate(CROSS, *nodes)) == 12
    # Elsewhere, or where a net is to do without its own end, nothing is won.
    assert verified_bound(CROSS, certificate(CROSS, CellCases((0, 1), 7, (1, 1)), *nodes[1:])) == 6
    # What is proven of a layer for the net that goes round is not kept for the other.
    apart = parse_problem("SIZE 3X3\nLINE_NUM 2\nLINE#1 (0,0)-(2,0)\nLINE#2 (0,2)-(2,2)\n", "apart")
    shared = CellCases((0, 1), 1, (1, 1)), LayerSum((2,)), Prices((0,))
    assert verified_bound(apart, certificate(apart, *shared)) == 6


def test_nets_of_two_layers() -> None:
    """Tests that nothing is said of how nets of different layers pass each other."""
    nodes = (SideCases((0, 2), (1, 1)), Prices((0, 0)))
    with pytest.raises(Refused, match="not two nets of one layer"):
        verified_bound(TWO_CROSSES, certificate(TWO_CROSSES, *nodes))


def test_matching_of_vias() -> None:
    """Tests that lines are matched with vias, and the cases of a via agree with that."""
    plain = Prices((0, 0))
    assert verified_bound(VIAS, certificate(VIAS, plain)) == 20
    cases = (ViaCases((0, 0), (1, 2)), plain, plain)
    assert verified_bound(VIAS, certificate(VIAS, *cases)) == 20


def test_dropped_via() -> None:
    """Tests that a dropped via counts with what an answer with it would cost at least."""
    node = ViaPrices(Prices((0, 0)), ((0, 0, 0),), 1)
    layers = (LayerSum((2, 3)), Prices((0,)), Prices((0,)))
    assert verified_bound(VIAS, certificate(VIAS, node, *layers)) == 20
    # Only the cheap vias dropped: the bound is that of an answer which has one of them.
    node = ViaPrices(Prices((0, 0)), ((0, 0, 1), (0, 1, 0)), 1)
    assert verified_bound(VIAS, certificate(VIAS, node, *layers)) == 20


def test_via_choices() -> None:
    """Tests that each choice has its case, and the rest one without all of them."""
    plain = Prices((0, 0))
    # If the first line may not have its own via, both lines cross the board: 28.
    node = ViaChoices(((0, 0, 1),), (1, 1))
    assert verified_bound(VIAS, certificate(VIAS, node, plain)) == 20
    node = ViaChoices(((0, 0, 1), (0, 1, 1)), (1, 1, 1))
    assert verified_bound(VIAS, certificate(VIAS, node, plain)) == 20
    node = ViaChoices(((0, 0, 0),), (1, 2))
    nodes = (node, plain, ViaChoices(((0, 1, 0),), (3, 3)), plain)
    assert verified_bound(VIAS, certificate(VIAS, *nodes)) == 20


LOPSIDED = [
    parse_problem(f"SIZE 5X4\nLINE_NUM 2\n{lines}", "lopsided")
    for lines in (
        "LINE#1 (0,0)-(3,2)\nLINE#2 (3,1)-(0,2)\n",
        "LINE#1 (3,1)-(1,3)\nLINE#2 (4,1)-(1,1)\n",
        "LINE#1 (0,3)-(3,2)\nLINE#2 (1,1)-(4,3)\n",
        "LINE#1 (3,1)-(1,1)\nLINE#2 (1,2)-(0,0)\n",
    )
]
"""Two lines in each other's way, where side 0 of the first against the second is the dear one."""


@pytest.mark.parametrize("pair", [(0, 1), (1, 0)])
@pytest.mark.parametrize("problem", LOPSIDED)
def test_layer_shared_by_both_sides(problem: Problem, pair: tuple[int, int]) -> None:
    """Tests that what is proven of a layer counts only for the sides that it was proven for."""
    apart = (SideCases(pair, (1, 2)), Prices((0,)), Prices((0,)))
    shared = (SideCases(pair, (1, 1)), LayerSum((2,)), Prices((0,)))
    cost = verified_bound(problem, certificate(problem, *apart))
    assert verified_bound(problem, certificate(problem, *shared)) == cost


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("problem", LOPSIDED)
def test_side_settled_already(problem: Problem, side: int) -> None:
    """Tests that of a side that is settled only its own case counts, whoever it is asked of."""
    priced, void = Prices((0,)), ViaCases((0, 0), ())
    cost = verified_bound(problem, certificate(problem, SideCases((0, 1), (1, 2)), priced, priced))

    def asked_again(pair: tuple[int, int], answer: int) -> float:
        """Ask a second time on one side; the case of the other answer would be refused."""
        again = SideCases(pair, (3, 4) if answer == 0 else (4, 3))
        nodes = (again, priced) if side == 0 else (priced, again)
        proof = certificate(problem, SideCases((0, 1), (1, 2)), *nodes, priced, void)
        return verified_bound(problem, proof)

    assert asked_again((0, 1), side) == cost
    with pytest.raises(Refused):
        asked_again((0, 1), 1 - side)
    bounds = []
    for answer in (0, 1):
        with suppress(Refused):
            bounds.append(asked_again((1, 0), answer))
    assert bounds == [cost]


def test_goal() -> None:
    """Tests that a goal lets the check stop early, and is never taken for what is proven."""
    nodes = (SideCases((0, 1), (1, 2)), Prices((0,)), Prices((0,)))
    bounds = [
        verified_bound(CROSS, certificate(CROSS, *nodes, goal=goal)) for goal in (0, 5, 8, 9, 10**9)
    ]
    # The constant of 4 is not part of the goal.
    assert bounds == sorted(bounds)
    assert bounds[0] == 6
    assert bounds[1] >= 9
    assert bounds[2:] == [12, 12, 12]


TOWER = parse_problem(
    "SIZE 5X3X5\nLINE_NUM 4\n"
    "LINE#1 (0,0,1) (0,0,2)\nLINE#2 (0,2,1) (0,2,2)\nLINE#3 (0,0,3) (0,0,4)\n"
    "LINE#4 (0,2,3) (0,2,4)\nVIA#a (4,2,1) (4,2,2)\nVIA#b (4,0,1) (4,0,2)\n"
    "VIA#c (4,2,3) (4,2,4)\nVIA#d (4,0,3) (4,0,4)\n",
    "tower",
)
"""`VIAS` twice above each other, and an empty layer: 40."""


@pytest.mark.parametrize("dropped", [(0, 0, 1), (0, 1, 0), (1, 0, 1), (1, 1, 0)])
def test_dropped_via_beside_another_class(dropped: tuple[int, int, int]) -> None:
    """Tests that what the lines of other classes pay counts once for a via that is dropped."""
    nodes = (ViaPrices(Prices((0,) * 5), (dropped,), 1), Prices((0,) * 5))
    assert verified_bound(TOWER, certificate(TOWER, *nodes)) == 40


def test_layer_shared_by_cases_without_matching() -> None:
    """Tests that a layer is not said to have no answer by a class that is not on it."""
    plain = Prices((0,))
    # The first case, dear anyway, has no matching left of lines 1 and 2 where it asks for them
    # on the empty layer; the second case shares this layer's node.
    nodes = (
        ViaCases((1, 0), (1, 2)),
        ViaPrices(Prices((0,) * 5), ((0, 0, 1), (0, 1, 1)), 2),
        LayerSum((4, 4, 4, 4, 3)),
        ViaChoices(((0, 0, 0),), (4, 4)),
        plain,
    )
    assert verified_bound(TOWER, certificate(TOWER, *nodes)) == 40


def test_layer_shared_by_cases_of_other_classes() -> None:
    """Tests that the vias that are left to a class are none of another layer's business."""
    plain = Prices((0,))
    nodes = (
        ViaCases((1, 0), (1, 2)),
        ViaPrices(Prices((0,) * 5), ((0, 0, 1), (0, 1, 1)), 2),
        LayerSum((3, 3, 3, 3, 3)),
        plain,
    )
    assert verified_bound(TOWER, certificate(TOWER, *nodes)) == 40


CROSSED = parse_problem(
    "SIZE 5X5X2\nLINE_NUM 3\nLINE#1 (2,1,1) (4,4,2)\nLINE#2 (3,4,1) (2,4,2)\n"
    "LINE#3 (1,2,1) (3,2,1)\nVIA#a (2,3,1) (2,3,2)\nVIA#b (4,3,1) (4,3,2)\n",
    "crossed",
)
"""Line 3 is in the way of line 1 to via a, and not to b; with b, the cheapest answer costs 17."""


def test_layer_shared_by_cases_with_other_sides() -> None:
    """Tests that what a net pays for a side depends on where the other one leads."""
    sides = SideCases((0, 4), (3, 3))
    nodes = (ViaCases((0, 0), (1, 1)), LayerSum((2, 3)), sides, Prices((0,)))
    assert verified_bound(CROSSED, certificate(CROSSED, *nodes)) == 17


def test_parts_alike_count_each() -> None:
    """Tests that places that are alike each add the part's bound, and others are refused."""
    proof = certificate(ALIKE, Prices((0,)), places=((0,), (1,)))
    assert verified_bound(ALIKE, proof) == 6
    assert verified_bound(ALIKE, replace(proof, parts=())) == 4
    other = parse_problem(
        "SIZE 3X3X2\nLINE_NUM 2\nLINE#1 (0,0,1) (2,0,1)\nLINE#2 (0,0,2) (2,1,2)\n", "other"
    )
    with pytest.raises(Refused, match="alike"):
        verified_bound(other, replace(proof, digest=digest_of(other)))


@pytest.mark.parametrize(
    ("proof", "reason"),
    [
        (replace(certificate(CROSS, Prices((0,))), digest="?"), "another problem"),
        (certificate(CROSS, Prices((0,)), unit=0), "unit"),
        (certificate(CROSS), "no node 0"),
        (certificate(CROSS, Prices((1,))), "prices that are not there"),
        (certificate(CROSS, Prices((0, 0))), "each layer"),
        (certificate(CROSS, Prices((0,)), prices=((0, 0),)), "each cell"),
        (certificate(CROSS, SideCases((0, 1), (0, 0))), "child"),
        (certificate(CROSS, SideCases((0, 2), (1, 1)), Prices((0,))), "not two nets"),
        (certificate(CROSS, SideCases((0, 0), (1, 1)), Prices((0,))), "not two nets"),
        (certificate(CROSS, TurnCases(0, (0, 0), (1, 1)), Prices((0,))), "end 0 of net 0 is none"),
        (certificate(CROSS, TurnCases(0, (2, 0), (1, 1)), Prices((0,))), "end 0 of net 2 is none"),
        (certificate(CROSS, TurnCases(2, (0, 1), (1, 1)), Prices((0,))), "end 1 of net 0 is none"),
        (certificate(CROSS, TurnCases(0, (1, 2), (1, 1)), Prices((0,))), "end 2 of net 1 is none"),
        (certificate(CROSS, CellCases((0, 1), 25, (1, 1)), Prices((0,))), "cell that is not there"),
        (certificate(CROSS, CellCases((0, 0), 12, (1, 1)), Prices((0,))), "not two nets"),
        (certificate(VIAS, CellCases((0, 2), 1, (1, 1)), Prices((0, 0))), "settled"),
        (certificate(VIAS, TurnCases(0, (1, 0), (1, 1)), Prices((0, 0))), "end 0 of net 1 is none"),
        (certificate(VIAS, TurnCases(0, (2, 1), (1, 1)), Prices((0, 0))), "is not settled"),
        (certificate(CROSS, ViaCases((0, 0), (1,)), Prices((0,))), "not there"),
        (certificate(CROSS, LayerSum((1, 1)), Prices((0,))), "each layer"),
        (certificate(CROSS, Prices((0,)), places=((0,), (0,))), "layers of their own"),
        (certificate(CROSS, Prices((0,)), places=((1,),)), "layers of their own"),
        (certificate(VIAS, SideCases((0, 2), (1, 1)), Prices((0, 0))), "settled"),
        (certificate(VIAS, ViaCases((0, 0), (1,)), Prices((0, 0))), "each via"),
        (certificate(VIAS, ViaCases((0, 0), (1, 1, 1)), Prices((0, 0))), "each via"),
        (certificate(VIAS, ViaChoices(((0, 0, 0),), (1,)), Prices((0, 0))), "and the rest"),
        (certificate(VIAS, ViaChoices(((0, 0, 0),), (1, 1, 1)), Prices((0, 0))), "and the rest"),
        (certificate(VIAS, LayerSum((1,)), Prices((0,))), "each layer"),
        (certificate(VIAS, ViaPrices(Prices((0, 0)), ((0, 0, 2),), 0)), "does not have"),
    ],
)
def test_refused(proof: Certificate, reason: str) -> None:
    """Tests that whatever does not fit the board is refused with a reason."""
    problem = VIAS if proof.digest == digest_of(VIAS) else CROSS
    with pytest.raises(Refused, match=reason):
        verified_bound(problem, proof)


def test_no_answer() -> None:
    """Tests that it is told from any bound where a board is shown to have no answer."""
    lines = "LINE#1 (0,2)-(4,2)\nLINE#2 (2,0)-(2,4)\n"
    problem = parse_problem(f"SIZE 5X5\nLINE_NUM 2\n{lines}", "across")
    assert verified_bound(problem, certificate(problem, Prices((0,)))) == 10
    nodes = (SideCases((0, 1), (1, 2)), Prices((0,)), Prices((0,)))
    for unit in (1, 10**6, 10**9):
        assert verified_bound(problem, certificate(problem, *nodes, unit=unit)) == inf
    prices = ((10**9,) * 25,)
    assert verified_bound(problem, certificate(problem, *nodes, prices=prices, unit=10**9)) == inf
    # Elsewhere nothing is shown, however bad the prices.
    assert verified_bound(CROSS, certificate(CROSS, Prices((0,)), prices=prices)) == 4


def test_answer_that_bends_everywhere() -> None:
    """Tests that a board with little room but an answer is not said to have none."""
    lines = "LINE#1 (0,0)-(2,2)\nLINE#2 (0,1)-(0,2)\nLINE#3 (2,0)-(3,0)\nLINE#4 (3,1)-(3,2)\n"
    problem = parse_problem(f"SIZE 4X3\nLINE_NUM 4\n{lines}", "stairs")
    # Four cells are free; the first line takes three and bends in two of them.
    assert verified_bound(problem, certificate(problem, Prices((0,)))) == 13


def test_spans_that_do_not_match() -> None:
    """Tests that a board whose lines and vias do not match has no answer, whatever else is said."""
    ends = [(Cell(0, 0, x), Cell(1, 2, x)) for x in (0, 1)]
    lines = tuple(Line(k, pair) for k, pair in enumerate(ends, 1))
    vias = Via("a", 1, 0, 0, 1), Via("b", 1, 1, 1, 2)
    problem = Problem(3, 3, 3, lines, vias)
    assert verified_bound(problem, certificate(problem, Prices((0, 0, 0)))) == inf
    assert verified_bound(problem, certificate(problem)) == inf
    # The same spans, but not as many of each.
    more = (*lines, Line(3, (Cell(1, 0, 2), Cell(2, 0, 2))))
    others = Problem(3, 3, 3, more, (*vias, Via("c", 1, 2, 1, 2)))
    assert verified_bound(others, certificate(others, Prices((0, 0, 0)))) == inf
    whole = replace(problem, vias=(vias[0], replace(vias[1], bottom=0, top=1)))
    assert verified_bound(whole, certificate(whole, Prices((0, 0, 0)))) < inf


def hostile(cells: int) -> tuple[Problem, Certificate]:
    """Return a small certificate that asks for long searches again and again."""
    rows = [n for n in range(cells) if n % 2 == 0][:12]
    lines = "".join(f"LINE#{k} (0,{y})-({cells - 1},{y})\n" for k, y in enumerate(rows, 1))
    problem = parse_problem(f"SIZE {cells}X{cells}\nLINE_NUM {len(rows)}\n{lines}", "hostile")
    pairs = [(i, i + 1) for i in range(len(rows) - 1)]
    nodes = [SideCases(pair, (k, k)) for k, pair in enumerate(pairs, 1)]
    return problem, certificate(problem, *nodes, Prices((0,)))


def test_work_is_limited() -> None:
    """Tests that a small file whose check would take minutes is refused, and says why."""
    problem, proof = hostile(24)
    limits = CheckLimits(steps=20_000, steps_per_cell=0)
    with pytest.raises(Refused, match="takes more than 20000 steps"):
        verified_bound(problem, proof, limits)
    # A larger board may take more.
    with pytest.raises(Refused, match=f"takes more than {20_000 + 12 * 24 * 24} steps"):
        verified_bound(problem, proof, replace(limits, steps_per_cell=1))


def test_nodes_and_depth_are_limited() -> None:
    """Tests that each limit alone holds, and that a tree just within it is checked."""
    problem, proof = hostile(8)
    depth = len(proof.parts[0].nodes) - 1
    verified_bound(problem, proof, CheckLimits(visits=2 ** (depth + 1) - 1, depth=depth))
    for limits in (CheckLimits(visits=2 ** (depth + 1) - 2), CheckLimits(depth=depth - 1)):
        with pytest.raises(Refused, match="nodes or is too deep"):
            verified_bound(problem, proof, limits)


def test_what_is_kept_is_limited() -> None:
    """Tests that leaves with ever other prices keep no more than they may, and prove the same."""
    dear = tuple(tuple(5 if cell == 12 else cell == k for cell in range(25)) for k in range(60))
    chain = [ViaPrices(Prices((k,)), (), k + 1) for k in range(59)]
    prices = tuple(tuple(map(int, row)) for row in dear)
    proof = certificate(CROSS, *chain, Prices((59,)), prices=prices, unit=2)
    tracemalloc.start()
    peaks, bounds = [], set()
    for kept in (10**6, 200):
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        bounds.add(verified_bound(CROSS, proof, CheckLimits(kept=kept)))
        peaks.append(tracemalloc.get_traced_memory()[1] - before)
    tracemalloc.stop()
    assert bounds == {9}
    assert peaks[1] < peaks[0] / 2


def test_endless_tree_is_refused() -> None:
    """Tests that cases of cases without end do not keep the check busy for ever."""
    lines = "".join(f"LINE#{n + 1} (0,{n})-(9,{n})\n" for n in range(30))
    problem = parse_problem(f"SIZE 10X30\nLINE_NUM 30\n{lines}", "long")
    pairs = [(i, j) for i in range(30) for j in range(i)]
    nodes = [SideCases(pair, (k, k)) for k, pair in enumerate(pairs, 1)]
    with pytest.raises(Refused, match="too deep"):
        verified_bound(problem, certificate(problem, *nodes, Prices((0,))))


@pytest.mark.parametrize("seed", range(30))
def test_sides_of_disjoint_paths(seed: int) -> None:
    """Tests that two disjoint paths pass each other as the crossings of their curves say."""
    rnd = random.Random(seed)
    while True:
        height, width = rnd.randint(3, 7), rnd.randint(3, 7)
        graph = nx.grid_2d_graph(height, width)
        for _, _, data in graph.edges(data=True):
            data["weight"] = rnd.random()
        a, b, c, d = rnd.sample(sorted(graph), 4)
        first = graph.subgraph(set(graph) - {c, d})
        if not nx.has_path(first, a, b):
            continue
        one = nx.shortest_path(first, a, b, weight="weight")
        second = graph.subgraph(set(graph) - set(one))
        if nx.has_path(second, c, d):
            break
    other = nx.shortest_path(second, c, d, weight="weight")
    ends = [tuple(y * width + x for y, x in pair) for pair in ((a, b), (c, d))]
    curves = [edges_crossed((pair[0], pair[1]), width) for pair in ends]
    times = 0
    for path, curve in ((one, curves[1]), (other, curves[0])):
        for (y, x), (to_y, to_x) in pairwise(path):
            first_cell = min(y, to_y) * width + min(x, to_x)
            times += 2 * first_cell + (y != to_y) in curve
    expected = curves_cross((ends[0][0], ends[0][1]), (ends[1][0], ends[1][1]), width)
    assert times % 2 == expected


def test_knows_no_solver() -> None:
    """Tests that reading and checking a certificate loads nothing of any solver."""
    code = (
        "import sys; import nlrouter.checker.certificate.verify, nlrouter.files.certificate_file\n"
        "print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = run.stdout.split()
    assert not [name for name in loaded if name.startswith("nlrouter.engine")]
    assert not {"ortools", "pysat", "numba"} & set(loaded)


def test_cores_know_no_solver() -> None:
    """Tests that cores are checked without any of it too; only a compiler is loaded."""
    code = "import sys; import nlrouter.checker.certificate.cores; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = run.stdout.split()
    assert not [name for name in loaded if name.startswith("nlrouter.engine")]
    assert not {"ortools", "pysat"} & set(loaded)
