"""Tests of the satisfiability models, against trying everything and on boards that others fail."""

from __future__ import annotations

from itertools import permutations
from math import isfinite
from pathlib import Path

import networkx as nx
import numpy as np
import pytest

from nlrouter.checker.rules import violations
from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.exact.config import SatConfig
from nlrouter.engine.exact.sat_model import SatResult, solve_sat
from nlrouter.engine.nets.nets import BoardNets, Nets, nets_of
from nlrouter.engine.schedule.luby import luby
from nlrouter.engine.schedule.work import CONFLICT
from nlrouter.files.problem_file import parse_problem, read_problem
from nlrouter.generators import generate
from nlrouter.grid import layered_graph
from nlrouter.problem import Cell, Line, Problem, Via
from nlrouter.result import Status
from tests.engine.routing_oracle import cheapest_cost, random_problem

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpus"
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside us")

SEEDS = range(150)
LONG = 30.0

# A ring of line 3 around line 1 would fill the board, but it is loose: line 3 lies below.
RING = parse_problem(
    "SIZE 4X5\nLINE_NUM 3\nLINE#1 (1,1)-(2,1)\nLINE#2 (0,3)-(3,3)\nLINE#3 (0,4)-(3,4)\n", "ring"
)

# Two lines that want the same corner from either side.
CROSSED = parse_problem("SIZE 4X4\nLINE_NUM 2\nLINE#1 (0,0)-(3,3)\nLINE#2 (0,3)-(3,0)\n", "crossed")


def solve(nets: Nets, full: bool, seed: int = 0) -> SatResult:
    """Route all nets."""
    members = np.arange(nets.count, dtype=np.int32)
    return solve_sat(nets, members, nets.target, Deadline(LONG), full=full, seed=seed)


def crowded_problem(seed: int) -> Problem:
    """Draw a board of lines that, laid row by row, would fill it, if often against the rules."""
    random = np.random.default_rng(seed)
    height, width = (int(n) for n in random.integers(3, 6, 2))
    cells = [Cell(0, y, x if y % 2 else width - 1 - x) for y in range(height) for x in range(width)]
    lines: list[Line] = []
    while len(cells) >= 4:
        size = min(int(random.integers(2, width + 1)), len(cells) - 2)
        lines.append(Line(len(lines) + 1, (cells[0], cells[size - 1])))
        cells = cells[size:]
    lines.append(Line(len(lines) + 1, (cells[0], cells[-1])))
    return Problem(width, height, 1, tuple(lines))


def can_be_filled(problem: Problem) -> bool:
    """Tell by trying all whether an answer fills every layer on which a line has business."""
    crossing = [line for line in problem.lines if line.crosses_layers]
    return any(
        _can_be_filled_with(problem, dict(zip(crossing, vias, strict=True)))
        for vias in permutations(problem.vias)
        if all(line.span == via.span for line, via in zip(crossing, vias, strict=True))
    )


def _can_be_filled_with(problem: Problem, via_of: dict[Line, Via]) -> bool:
    graph = layered_graph(problem)
    held = {cell for cell, data in graph.nodes.items() if data}
    layers = {z for line in problem.lines for z in line.span}
    to_fill = frozenset(cell for cell in graph if cell.z in layers and cell not in held)
    choices = []
    for line in problem.lines:
        pairs = [line.ends]
        if via := via_of.get(line):
            pairs = [(line.end_on(z), Cell(z, via.y, via.x)) for z in via.span]
        for start, stop in pairs:
            layer = graph.subgraph(
                c for c in graph if c.z == start.z and (c not in held or c in (start, stop))
            )
            paths = nx.all_simple_paths(layer, start, stop)
            # A path without chords: it does not touch itself.
            choices.append(
                [
                    frozenset(path) & to_fill
                    for path in paths
                    if layer.subgraph(path).number_of_edges() == len(path) - 1
                ]
            )
    return _can_fill(choices, to_fill)


def _can_fill(choices: list[list[frozenset[Cell]]], to_fill: frozenset[Cell]) -> bool:
    """Whether one choice of each, none meeting, make up the cells."""
    if not choices:
        return not to_fill
    return any(cells <= to_fill and _can_fill(choices[1:], to_fill - cells) for cells in choices[0])


def assert_correct(problem: Problem, nets: BoardNets, result: SatResult) -> None:
    """The answer has no violation."""
    assert result.paths is not None and result.assignment is not None
    assert violations(problem, nets.answer(result.paths, result.assignment)) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_slack_model_is_exact(seed: int) -> None:
    """Tests that there is an answer exactly where trying everything finds one."""
    problem = random_problem(seed)
    nets = nets_of(problem)
    result = solve(nets, full=False, seed=seed)
    if isfinite(cheapest_cost(problem)):
        assert_correct(problem, nets, result)
    else:
        assert result.status == Status.INFEASIBLE


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("draw", [random_problem, crowded_problem])
def test_full_model_is_exact(draw, seed: int) -> None:  # type: ignore[no-untyped-def]
    """Tests that a full answer is found exactly where trying everything finds one."""
    problem = draw(seed)
    nets = nets_of(problem)
    result = solve(nets, full=True, seed=seed)
    if can_be_filled(problem):
        assert_correct(problem, nets, result)
        filled = np.zeros_like(nets.free)
        for net, path in enumerate(result.paths or []):
            filled[nets.layer[net], path] = True
        used = np.unique(nets.layer)
        assert (filled >= nets.free)[used].all()
    else:
        assert result.status == Status.INFEASIBLE


def test_loose_ring_does_not_count_as_full() -> None:
    """Tests that loose loops are forbidden in the full model and harmless in the other."""
    nets = nets_of(RING)
    assert not can_be_filled(RING)
    assert solve(nets, full=True).status == Status.INFEASIBLE
    for seed in range(5):
        assert_correct(RING, nets, solve(nets, full=False, seed=seed))


def test_crossed_lines_are_refused() -> None:
    """Tests that both models prove that lines whose ends alternate have no answer."""
    nets = nets_of(CROSSED)
    assert solve(nets, full=True).status == Status.INFEASIBLE
    assert solve(nets, full=False).status == Status.INFEASIBLE


def test_one_layer_with_settled_targets() -> None:
    """Tests that the nets of one layer can be routed alone once their targets are settled."""
    checked = 0
    for seed in SEEDS:
        nets = nets_of(random_problem(seed))
        whole = solve(nets, full=False)
        if not nets.classes or whole.assignment is None:
            continue
        target = nets.targets(whole.assignment)
        for z in np.unique(nets.layer):
            members = np.flatnonzero(nets.layer == z).astype(np.int32)
            result = solve_sat(nets, members, target, Deadline(LONG), full=False)
            assert result.paths is not None and result.assignment is not None
            for net, path in zip(members, result.paths, strict=True):
                assert (path[0], path[-1]) == (nets.source[net], target[net])
            for chosen, expected in zip(result.assignment, whole.assignment, strict=True):
                assert chosen.tolist() == expected.tolist()
            checked += 1
    assert checked > 20


@pytest.mark.parametrize("full", [False, True])
def test_it_stops_when_told(full: bool) -> None:
    """Tests that a passed deadline and a wish to stop end the search."""
    nets = nets_of(CROSSED)
    members = np.arange(nets.count, dtype=np.int32)
    late = solve_sat(nets, members, nets.target, Deadline(0.0), full=full)
    told = solve_sat(nets, members, nets.target, Deadline(LONG, stopped=lambda: True), full=full)
    assert late.status == told.status == Status.UNKNOWN


def test_luby() -> None:
    """Tests the numbers of the universal restart sequence."""
    assert [luby(i) for i in range(1, 16)] == [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]


@needs_corpus
@pytest.mark.parametrize(
    ("board", "full"),
    [
        ("adc2016/Q18", True),
        ("adc2016/Q17", True),
        ("adc2016/Q24", True),
        ("adc2016/Q24", False),
        ("adc2015/Q06", False),
        ("adc2015/Q17", False),
        ("adc2015/Q19", False),
    ],
)
def test_contest_boards(board: str, full: bool) -> None:
    """Tests that tight contest boards are answered within seconds."""
    problem = read_problem(str(CORPUS / f"{board}.txt"))
    nets = nets_of(problem)
    assert_correct(problem, nets, solve(nets, full, seed=1))


def test_tries_that_are_cut_short_come_to_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that starting over again and again still proves that there is no answer."""
    nets = nets_of(CROSSED)
    members = np.arange(nets.count, dtype=np.int32)
    monkeypatch.setattr("nlrouter.engine.exact.sat_model.SLICE", 1)
    config = SatConfig(try_conflicts=1)
    result = solve_sat(nets, members, nets.target, Deadline(LONG), full=False, config=config)
    assert result.status == Status.INFEASIBLE


def test_conflicts_that_are_used_up_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that boards with an answer are never said to have none, however short the tries."""
    cut_short = 0
    for seed in range(12):
        problem, _ = generate(9, 9, 1, 8, 0, 0.8, seed)
        nets = nets_of(problem)
        members = np.arange(nets.count, dtype=np.int32)
        for conflicts in (1, 3, 10):
            monkeypatch.setattr("nlrouter.engine.exact.sat_model.SLICE", conflicts)
            monkeypatch.setattr("nlrouter.engine.exact.sat_model.CLAUSE", 0.0)
            config = SatConfig(try_conflicts=conflicts)
            slice_seconds = (1 + conflicts) * CONFLICT
            deadline = Deadline(5 * slice_seconds, WorkClock())
            result = solve_sat(nets, members, nets.target, deadline, full=False, config=config)
            assert result.status in (Status.FEASIBLE, Status.UNKNOWN)
            cut_short += deadline.elapsed() > 1.5 * slice_seconds
    assert cut_short > 5
