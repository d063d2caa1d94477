"""Tests of what cores made by hand are found to prove, and of what their check may cost."""

import pytest

from nlrouter.certificate import Certificate, Core, Cores, Node, PartProof, ViaCases, digest_of
from nlrouter.checker.certificate.board import Case, every_via, layers_of
from nlrouter.checker.certificate.clauses import clauses_of
from nlrouter.checker.certificate.cores import CoreCheck
from nlrouter.checker.certificate.limits import CheckLimits, Refused, Work
from nlrouter.checker.certificate.verify import verified_bound
from nlrouter.files.problem_file import parse_problem
from nlrouter.problem import Problem

STRAIGHT = parse_problem("SIZE 3X1X2\nLINE_NUM 1\nLINE#1 (0,0,1)-(2,0,1)\n", "straight")
"""A line through a single cell, below a layer without lines: 3."""

VIAS = parse_problem(
    "SIZE 3X3X2\nLINE_NUM 2\nLINE#1 (0,0,1) (0,0,2)\nLINE#2 (0,2,1) (0,2,2)\n"
    "VIA#a (2,0,1) (2,0,2)\nVIA#b (2,2,1) (2,2,2)\n",
    "vias",
)


def verified(
    problem: Problem,
    *nodes: Node,
    places: tuple[tuple[int, ...], ...] = ((0,),),
    limits: CheckLimits | None = None,
) -> float:
    """Return what a certificate of these nodes proves."""
    part = PartProof(places, 0, (), nodes)
    return verified_bound(problem, Certificate(digest_of(problem), 0, 0, "", 1, (part,)), limits)


STRAIGHT_CLAUSES = clauses_of(layers_of(STRAIGHT, (0,)), Case((0,), ()))
MIDDLE, BEND = STRAIGHT_CLAUSES.costs
"""The costs of the cell that the line needs, and of a bend in it."""


def test_core() -> None:
    """Tests that a core counts 1."""
    assert verified(STRAIGHT, Cores(())) == 2
    assert verified(STRAIGHT, Cores((Core((), (MIDDLE,)),))) == 3


def test_lemma_that_does_not_follow() -> None:
    """Tests that a lemma is not believed."""
    with pytest.raises(Refused, match="a lemma of core 0 does not follow"):
        verified(STRAIGHT, Cores((Core(((2 * BEND,),), (BEND,)),)))


@pytest.mark.parametrize("places", [((),), ((), ()), ((0,), ())])
def test_part_without_layers(places: tuple[tuple[int, ...], ...]) -> None:
    """Tests that cores of no layers at all are refused."""
    with pytest.raises(Refused, match="no layers"):
        verified(STRAIGHT, Cores(()), places=places)


def test_layer_without_lines() -> None:
    """Tests that a layer on which no line is costs nothing, and nothing is proven of it."""
    assert verified(STRAIGHT, Cores(()), places=((1,),)) == 2
    with pytest.raises(Refused, match="does not follow"):
        verified(STRAIGHT, Cores((Core((), ()),)), places=((1,),))


def test_cost_that_stands_twice() -> None:
    """Tests that no core has a cost twice: it would count as two that are both paid."""
    count_of_two = STRAIGHT_CLAUSES.variables + 2
    twice = Core((), (MIDDLE, MIDDLE)), Core((), (count_of_two,))
    for cores in (twice[:1], twice):
        with pytest.raises(Refused, match="core 0 is no clause"):
            verified(STRAIGHT, Cores(cores))


def test_cost_of_two_cores() -> None:
    """Tests that a cost counts in one core only."""
    core = Core((), (MIDDLE,))
    with pytest.raises(Refused, match="core 1 has costs that are not left"):
        verified(STRAIGHT, Cores((core, core)))


def test_checks_are_limited() -> None:
    """Tests that lemmas and cores are counted, those of all cases together."""
    cores = Cores((Core(((2 * MIDDLE,),), (MIDDLE,)),))
    assert verified(STRAIGHT, cores, limits=CheckLimits(checks=2)) == 3
    with pytest.raises(Refused, match="beyond all measure"):
        verified(STRAIGHT, cores, limits=CheckLimits(checks=1))


def test_clauses_are_limited() -> None:
    """Tests that the clauses of each case count, and that a check within the limit goes on."""
    board = layers_of(VIAS, (0, 1))
    formula = clauses_of(board, Case((0, 1), every_via(board)))
    most = sum(map(len, board.free)) + len(formula.clauses)
    both = (0, 1)
    assert verified(VIAS, Cores(()), places=(both,), limits=CheckLimits(clauses=most)) == 8
    with pytest.raises(Refused, match="beyond all measure"):
        verified(VIAS, Cores(()), places=(both,), limits=CheckLimits(clauses=most - 1))
    cases = ViaCases((0, 0), (1, 1)), Cores(())
    with pytest.raises(Refused, match="beyond all measure"):
        verified(VIAS, *cases, places=(both,), limits=CheckLimits(clauses=most))


def test_literals_are_limited() -> None:
    """Tests that the literals of lemmas and the clauses of counts count as clauses."""
    most = 3 + len(STRAIGHT_CLAUSES.clauses)
    for core, more in ((Core((), (MIDDLE,)), 1), (Core(((2 * MIDDLE,),), (MIDDLE,)), 2)):
        assert verified(STRAIGHT, Cores((core,)), limits=CheckLimits(clauses=most + more)) == 3
        with pytest.raises(Refused, match="beyond all measure"):
            verified(STRAIGHT, Cores((core,)), limits=CheckLimits(clauses=most + more - 1))


def test_propagation_is_limited() -> None:
    """Tests that a core counts as more work the more clauses propagation looks at."""
    problem = parse_problem("SIZE 12X12\nLINE_NUM 1\nLINE#1 (0,0)-(2,0)\n", "open")
    board, case = layers_of(problem, (0,)), Case((0,), ())
    used = clauses_of(board, case).costs[::2]
    # No cell used: only in the last ones does that contradict anything.
    cores = Cores((Core((), used[::-1]),))
    work = Work(CheckLimits())
    assert CoreCheck(board, work).bound(cores, case) == 1
    assert work.done > 2
    with pytest.raises(Refused, match="steps"):
        CoreCheck(board, Work(CheckLimits(steps=work.done - 1))).bound(cores, case)
