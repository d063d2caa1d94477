"""Tests of what bonds in a certificate are found to prove."""

import pytest

from nlrouter.certificate import Certificate, LayerSum, PartProof, Prices, SideCases, digest_of
from nlrouter.checker.certificate.limits import CheckLimits, Refused
from nlrouter.checker.certificate.verify import verified_bound
from nlrouter.files.problem_file import parse_problem
from nlrouter.problem import Problem

Pair = tuple[int, int]


def verified(
    problem: Problem,
    *nodes: Prices | SideCases | LayerSum,
    goal: int = 10**9,
    limits: CheckLimits | None = None,
) -> float:
    """Return what a certificate of these nodes proves, without prices."""
    none = (0,) * (problem.height * problem.width)
    part = PartProof((tuple(range(problem.layers)),), goal, (none,), nodes)
    return verified_bound(problem, Certificate(digest_of(problem), 0, 0, "", 1, (part,)), limits)


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


def tied(toll: int, *pairs: Pair) -> Prices:
    """Return a node without prices of which some pairs of nets have bonds of one toll."""
    return Prices((0,), tuple((i, j, toll) for i, j in pairs))


def test_tied_lines_go_round() -> None:
    """Tests that of two tied lines in each other's way one is known to go round the other."""
    problem = stars((1, 1))
    assert verified(problem, tied(0, (0, 1))) == 6
    # Straight lines do not agree. Which of them pays, and which is paid, is the toll's sign.
    assert verified(problem, tied(4, (0, 1))) == 10
    assert verified(problem, tied(-1, (0, 1))) == 5
    assert verified(problem, tied(6, (0, 1))) == 12
    # Both go round where it pays, but one need not.
    assert verified(problem, tied(8, (0, 1))) == 10
    assert verified(problem, tied(3, (0, 1), (0, 1))) == 12
    assert 12 in [verified(problem, tied(toll, (1, 0))) for toll in (-6, 6)]


@pytest.mark.parametrize("far", [1, 2, 3, 8, 16])
def test_far_ways_round(far: int) -> None:
    """Tests that the way round is found however long it is."""
    problem = stars((far, far))
    straight = 2 * (2 * far + 1)
    # Round an end: out and back, a cell farther, and two bends.
    around = 2 * (far + 1) + 2
    assert verified(problem, tied(around, (0, 1))) == straight + around


def test_no_way_round() -> None:
    """Tests that tied lines of which neither can go round are found to have no answer."""
    problem = parse_problem("SIZE 3X3\nLINE_NUM 2\nLINE#1 (0,1)-(2,1)\nLINE#2 (1,0)-(1,2)\n", "rim")
    assert verified(problem, tied(5, (0, 1))) == 11
    assert verified(problem, tied(100, (0, 1))) == float("inf")


def test_pairs_apart_add_up() -> None:
    """Tests that what each of several pairs pays is counted."""
    problem = stars((1, 1), (1, 1), (1, 1))
    assert verified(problem, Prices((0,))) == 18
    assert verified(problem, tied(6, (0, 1), (4, 5))) == 30
    assert verified(problem, tied(6, (0, 1), (2, 3), (4, 5))) == 36


def test_enough() -> None:
    """Tests that bonds are not looked at beyond what is to be shown."""
    problem = stars((1, 1), (9, 9))
    both = Prices((0,), ((0, 1, 6), (2, 3, 22)))
    assert verified(problem, both, goal=10) <= verified(problem, both)
    assert verified(problem, both) == 12 + 38 + 22


def test_settled_sides() -> None:
    """Tests that a tied pair keeps to a side that is settled, and others to theirs."""
    problem = stars((1, 1), (1, 1))
    sides = SideCases((0, 1), (1, 1))
    assert verified(problem, sides, Prices((0,))) == 18
    assert verified(problem, sides, tied(6, (0, 1))) == 18
    assert verified(problem, sides, tied(6, (0, 1), (2, 3))) == 24
    # Sides against others than those tied.
    both = SideCases((0, 2), (1, 1)), tied(6, (0, 1), (2, 3))
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
    assert verified(TWO, Prices((0, 0), ((0, 1, 6), (2, 3, 6)))) == 24
    own = tied(6, (0, 1)), tied(6, (2, 3))
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
        verified(problem, Prices((0, 0), ((*pair, 1),)))


def test_work_is_counted() -> None:
    """Tests that a search that knows many tolls counts as work."""
    problem = stars(*[(1, 1)] * 6)
    pairs = [(0, other) for other in range(1, 12)]
    assert verified(problem, tied(6, *pairs)) == 42
    with pytest.raises(Refused, match="takes more than 5000 steps"):
        verified(problem, tied(6, *pairs), limits=CheckLimits(steps=5000, steps_per_cell=0))
