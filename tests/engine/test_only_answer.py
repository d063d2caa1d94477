"""Tests of the search for puzzles on layers, against the exact cost."""

from dataclasses import replace
from pathlib import Path

import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.exact.only_answer import OnlyAnswer
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.nets.routing import NO_ANSWER
from nlrouter.engine.prove.proof import METHODS, Proof
from nlrouter.files.problem_file import parse_problem, read_problem
from nlrouter.generators import fill_board
from nlrouter.problem import Problem
from nlrouter.tally import Tallies
from tests.engine.routing_oracle import exact_cost, random_problem
from tests.engine.tiny_layers import check_routing, random_nets

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpus"


def searched(nets, deadline: Deadline) -> OnlyAnswer:  # type: ignore[no-untyped-def]
    """Search the nets of a layer to the end."""
    only = OnlyAnswer(nets)
    while only.worth(0.0, None) and not deadline.passed():
        only.step(deadline)
    if only.routing is not None:
        assert check_routing(nets, nets.target, only.routing.paths) == only.routing.cost
    return only


@pytest.mark.parametrize("seed", range(60))
def test_against_the_exact_cost(seed: int) -> None:
    """Tests layers, some with cells that vias of others take, with no, one and more routings."""
    parts = [part.nets for part in split(nets_of(random_problem(seed))) if not part.nets.classes]
    for nets in [*parts, replace(random_nets(seed, 4, 4, 3), constant=0)]:
        best = exact_cost(nets)
        only = searched(nets, Deadline(60))
        assert only.bound in (0, best)
        assert (only.bound == NO_ANSWER) == (best == NO_ANSWER) == (only.routing is None)


@pytest.mark.parametrize("seed", range(5))
def test_the_only_routing_is_proven_to_be_the_cheapest(seed: int) -> None:
    """Tests boards with one answer."""
    problem, _ = fill_board(7, 7, seed)
    nets = split(nets_of(problem))[0].nets
    only = searched(nets, Deadline(60))
    if only.bound:
        assert only.routing is not None and only.bound == only.routing.cost == exact_cost(nets)


@pytest.mark.parametrize("keeps", [False, True])
def test_no_certificate_rests_on_it(keeps: bool) -> None:
    """Tests that where a certificate is wanted, which cannot tell of it, it raises no bound."""
    problem = Problem(3, 2, 1, [((0, 0, 1), (2, 0, 1)), ((0, 1, 1), (2, 1, 1))])
    without = frozenset({"maxsat", *(method.name for method in METHODS)})
    nets = split(nets_of(problem))[0].nets
    proof = Proof(nets, tallies=Tallies(without), keeps=keeps)
    while not (proof.exact or proof.waits):
        proof.step(Deadline(60), None)
    assert proof.routing is not None
    assert proof.exact == (not keeps)


def test_a_routing_that_leaves_cells_empty() -> None:
    """Tests that with one that is so cheap none is looked for any more."""
    problem = Problem(5, 5, 1, [((0, 0, 1), (4, 0, 1))])
    only = OnlyAnswer(split(nets_of(problem))[0].nets)
    assert only.worth(0.0, None)
    assert only.worth(0.0, 23) and not only.worth(0.0, 22)
    assert not only.worth(1e6, 23)


def test_a_ring_does_not_fill_a_layer() -> None:
    """Tests that no loose loop is taken for a part of a routing."""
    ring = "SIZE 4X5\nLINE_NUM 3\nLINE#1 (1,1)-(2,1)\nLINE#2 (0,3)-(3,3)\nLINE#3 (0,4)-(3,4)\n"
    nets = split(nets_of(parse_problem(ring, "ring")))[0].nets
    assert searched(nets, Deadline(60)).routing is not None


@pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside us")
@pytest.mark.parametrize("board", ["adc2016/Q18", "adc2016/Q17", "adc2015/Q17", "adc2015/Q19"])
def test_contest_boards(board: str) -> None:
    """Tests that tight contest boards are answered within seconds."""
    for part in split(nets_of(read_problem(str(CORPUS / f"{board}.txt")))):
        only = OnlyAnswer(part.nets)
        only.step(Deadline(60))
        assert only.routing is not None
        check_routing(part.nets, part.nets.target, only.routing.paths)
