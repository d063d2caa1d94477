"""Tests of cutting a board into nets and parts, and of putting answers together again."""

import numpy as np
import pytest

from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.engine.nets.nets import OPEN, BoardNets, nets_of
from nlrouter.engine.nets.parts import Part, merge, split
from nlrouter.engine.nets.routing import Routing
from nlrouter.generators import fill_board, generate
from nlrouter.grid import FREE, occupants
from nlrouter.problem import Cell, Line, Problem, Via
from tests.engine.routing_oracle import random_problem

REQUESTS = [
    # width, height, layers, lines, vias, fill
    (6, 5, 1, 4, 0, 0.6),
    (7, 6, 2, 6, 1, 0.5),
    (6, 6, 2, 6, 4, 0.5),
    (7, 7, 3, 9, 6, 0.5),
    (8, 8, 5, 12, 10, 0.4),
    (1, 9, 2, 3, 1, 0.6),
]


def hidden_routing(nets: BoardNets, answer: np.ndarray) -> Routing:
    """Read the paths and the vias off an answer."""
    framed = np.zeros((nets.layers, nets.problem.height + 2, nets.stride), np.int32)
    framed[:, 1:-1, 1:-1] = answer
    board = framed.reshape(nets.layers, -1)
    assignment = tuple(
        np.array(
            [
                next(
                    k for k, cell in enumerate(span.via_cells)
                    if board[nets.layer[net], cell] == nets.line[net]
                )
                for net in span.lower
            ],
            np.intp,
        )
        for span in nets.classes
    )  # fmt: skip
    targets = nets.targets(assignment)
    paths = []
    for net in range(nets.count):
        layer = board[nets.layer[net]]
        path = [int(nets.source[net])]
        while path[-1] != targets[net]:
            near = [path[-1] + step for step in (1, -1, nets.stride, -nets.stride)]
            path.append(next(c for c in near if layer[c] == nets.line[net] and c not in path))
        paths.append(np.array(path, np.int32))
    return Routing(paths, assignment, 0)


def routing_of_part(part: Part, whole: Routing) -> Routing:
    """Take a part's share of a routing of the whole board."""
    members, classes = part.places[0]
    return Routing([whole.paths[net] for net in members], tuple(
        whole.assignment[i] for i in classes
    ), 0)  # fmt: skip


@pytest.mark.parametrize("seed", range(40))
def test_nets_are_the_board(seed: int) -> None:
    """Tests that the nets name each end and via where it is, and every other cell as free."""
    problem = random_problem(seed)
    nets = nets_of(problem)
    rows = occupants(problem)
    assert np.array_equal(nets.unframed(nets.free.astype(np.int32)) == 1, rows == FREE)
    assert nets.free.sum() == (rows == FREE).sum()
    assert nets.constant == (rows != FREE).sum()
    ends = {
        (int(z), int(c) // nets.stride - 1, int(c) % nets.stride - 1): int(n)
        for net in range(nets.count)
        for z, n in ((nets.layer[net], nets.line[net]),)
        for c in (nets.source[net], nets.target[net])
        if c != OPEN
    }
    assert ends == {tuple(end): line.number for line in problem.lines for end in line.ends}
    for span in nets.classes:
        for i, cell in zip(span.vias, span.via_cells, strict=True):
            via = problem.vias[i]
            assert cell == (via.y + 1) * nets.stride + via.x + 1
            assert via.span == (nets.layer[span.lower[0]], nets.layer[span.upper[0]])


@pytest.mark.parametrize("request_", REQUESTS, ids=str)
@pytest.mark.parametrize("seed", range(6))
def test_split_and_merge(request_: tuple[int, int, int, int, int, float], seed: int) -> None:
    """Tests that the parts hold each net once, and that their routings make the answer."""
    problem, answer = generate(*request_, seed=seed)
    nets = nets_of(problem)
    whole = hidden_routing(nets, answer)
    assert np.array_equal(nets.answer(whole.paths, whole.assignment), answer)
    parts = split(nets)
    held = np.concatenate([members for part in parts for members, _ in part.places])
    assert sorted(held.tolist()) == list(range(nets.count))
    merged, _ = merge(nets, parts, [routing_of_part(part, whole) for part in parts])
    assert np.array_equal(merged, answer)
    assert violations(problem, merged) == []
    for part in parts:
        assert part.nets.constant == 0
        assert set(part.nets.layer.tolist()) == set(range(part.nets.layers))
        settled = {net for span in part.nets.classes for net in (*span.lower, *span.upper)}
        for net, target in enumerate(part.nets.target.tolist()):
            assert (target == OPEN) == (net in settled)


def test_a_single_via_ties_nothing() -> None:
    """Tests that layers are tied only by two vias or more of one span."""
    lines = [Line(k + 1, (Cell(0, k, 0), Cell(1, k, 0))) for k in range(2)]
    vias = [Via("ab"[k], k, 4, 0, 1) for k in range(2)]
    alone = Problem(5, 3, 2, (lines[0], Line(2, (Cell(1, 1, 0), Cell(1, 1, 4)))), (vias[0],))
    assert [part.nets.layers for part in split(nets_of(alone))] == [1, 1]
    tied = Problem(5, 3, 2, tuple(lines), tuple(vias))
    assert [part.nets.layers for part in split(nets_of(tied))] == [2]


def test_layers_that_are_alike_are_one_part() -> None:
    """Tests that equal layers are routed once and drawn on each, with the lines of each."""
    flat, drawn = fill_board(7, 6, seed=3)
    count = len(flat.lines)
    lines = [
        Line(z * count + line.number, tuple(Cell(z, end.y, end.x) for end in line.ends))  # type: ignore[arg-type]
        for z in range(3)
        for line in flat.lines
    ]
    problem = Problem(7, 6, 3, tuple(lines))
    nets = nets_of(problem)
    (part,) = split(nets)
    assert part.copies == 3
    answer = np.concatenate([drawn + z * count for z in range(3)])
    whole = hidden_routing(nets, answer)
    assert np.array_equal(merge(nets, [part], [routing_of_part(part, whole)])[0], answer)


def test_alike_but_for_the_vias_of_the_lines() -> None:
    """Tests that pairs of layers that are alike, vias included, share one search."""
    lines: list[Line] = []
    vias: list[Via] = []
    for z in (0, 2):
        for k in range(2):
            lines.append(Line(len(lines) + 1, (Cell(z, k, 0), Cell(z + 1, k, 0))))
            vias.append(Via("abcd"[len(vias)], k, 4, z, z + 1))
    problem = Problem(5, 2, 4, tuple(lines), tuple(vias))
    nets = nets_of(problem)
    (part,) = split(nets)
    assert part.copies == 2
    straight = [
        np.arange(source, target + 1)
        for source, target in zip(part.nets.source, np.array([11, 11, 18, 18]), strict=True)
    ]
    answer, _ = merge(nets, [part], [Routing(straight, (np.array([0, 1]),), 12)])
    assert violations(problem, answer) == []
    assert measure(answer).bends == 0
