"""Tests of proofs that there is one answer only, against trying everything."""

from itertools import permutations

import networkx as nx
import numpy as np
import pytest

from nlrouter.analyse.unique import another_answer, make_unique, make_unique_board
from nlrouter.checker.rules import violations
from nlrouter.deadline import Deadline
from nlrouter.generators import NoBoard, Request, fill_board, generate
from nlrouter.grid import layered_graph
from nlrouter.problem import Cell, Problem, Via
from nlrouter.puzzle.answers import Verdict, find_answers
from nlrouter.result import Status
from nlrouter.rule_sets import Rules
from tests.generators.generated_board import check

LONG = 60.0


def count_answers(problem: Problem) -> int:
    """Count the answers to a tiny board by trying everything."""
    crossing = [line.number for line in problem.lines if line.crosses_layers]
    return sum(
        _count_with(problem, dict(zip(crossing, vias, strict=True)))
        for vias in permutations(problem.vias)
        if all(problem.lines[n - 1].span == v.span for n, v in zip(crossing, vias, strict=True))
    )


def _count_with(problem: Problem, via_of: dict[int, Via]) -> int:
    graph = layered_graph(problem)
    held = {cell for cell, data in graph.nodes.items() if data}
    choices = []
    for line in problem.lines:
        pairs = [line.ends]
        if line.number in via_of:
            via = via_of[line.number]
            pairs = [(line.end_on(z), Cell(z, via.y, via.x)) for z in via.span]
        for start, stop in pairs:
            layer = graph.subgraph(
                c for c in graph if c.z == start.z and (c not in held or c in (start, stop))
            )
            paths = nx.all_simple_paths(layer, start, stop)
            choices.append(
                [frozenset(p) for p in paths if layer.subgraph(p).number_of_edges() == len(p) - 1]
            )
    return _count_disjoint(choices, frozenset())


def _count_disjoint(choices: list[list[frozenset[Cell]]], used: frozenset[Cell]) -> int:
    if not choices:
        return 1
    return sum(_count_disjoint(choices[1:], used | p) for p in choices[0] if used.isdisjoint(p))


def boards() -> list[tuple[Problem, np.ndarray]]:
    """Make tiny boards, full ones and others, of which some have one answer only."""
    made = [fill_board(4, 4, seed) for seed in range(12)]
    made += [fill_board(4, 3, seed, layers=3, vias=3) for seed in range(12)]
    made += [generate(4, 3, 2, 3, 2, 0.7, seed) for seed in range(12)]
    return made


def test_against_trying_everything() -> None:
    """Tests that the proof finds another answer exactly where there is one, and a right one."""
    seen = set()
    for problem, answer in boards():
        status, other, differs = another_answer(problem, answer, Deadline(LONG))
        several = count_answers(problem) > 1
        assert status == (Status.FEASIBLE if several else Status.INFEASIBLE)
        assert several == (other is not None)
        if other is not None:
            assert violations(problem, other) == []
            assert differs is not None and (other != answer)[differs].any()
        seen.add(several)
    assert seen == {False, True}


def test_no_time() -> None:
    """Tests that nothing is claimed without a proof."""
    assert another_answer(*fill_board(6, 6, 0), Deadline(0.0)) == (Status.UNKNOWN, None, None)
    assert make_unique(*fill_board(6, 6, 0), Deadline(0.0))[0] is Status.UNKNOWN
    with pytest.raises(NoBoard, match="in time"):
        make_unique_board(Request(6, 6, 1), Deadline(0.0))


def test_too_many_vias_of_one_span() -> None:
    """Tests that where clauses would take minutes to write, that is told at once."""
    request = Request(22, 22, 2, vias=101)
    with pytest.raises(NoBoard, match="found 101 lines across layers, too many to tell"):
        make_unique_board(request, Deadline(LONG))


def test_cuts() -> None:
    """Tests that cuts leave one answer where there were several, the hidden one."""
    cut = 0
    for seed in range(12):
        problem, answer = fill_board(4, 4, seed, layers=2, lines=4, vias=2)
        status, problem, answer = make_unique(problem, answer, Deadline(LONG), seed=seed)
        check(problem, answer)
        cut += len(problem.lines) > 4
        if status is Status.OPTIMAL:
            assert count_answers(problem) == 1
        else:
            assert status is Status.FEASIBLE
    assert cut


def test_lines_asked_for() -> None:
    """Tests that a unique board has as many lines as asked for, also if cuts have to be made."""
    problem, answer = make_unique_board(Request(7, 7, 1, lines=6, seed=2), Deadline(LONG))
    check(problem, answer)
    assert len(problem.lines) == 6
    assert another_answer(problem, answer, Deadline(LONG))[0] is Status.INFEASIBLE


@pytest.mark.parametrize("rules", Rules)
def test_rules_of_puzzles(rules: Rules) -> None:
    """Tests that a board made for a rule set has only one answer by it."""
    problem, answer = make_unique_board(Request(8, 9, 1, seed=4), Deadline(LONG), rules)
    check(problem, answer)
    found = find_answers(problem, rules, Deadline(LONG))
    assert found.verdict is Verdict.ONLY_ONE
    assert np.array_equal(found.drawings[0].answer, answer)
