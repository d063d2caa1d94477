"""Tests that lines that push others out never share a cell, and get through where they can."""

import numpy as np
import pytest

from nlrouter.engine.find.displace import DisplaceConfig, Displacement
from nlrouter.engine.find.draft import Draft
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.files.problem_file import parse_problem
from nlrouter.generators import generate
from tests.engine.tiny_layers import check_routing

REQUESTS = [(8, 7, 1, 6, 0, 0.6), (7, 7, 2, 6, 4, 0.5), (8, 8, 3, 10, 8, 0.5)]


def displacement(nets: Nets, seed: int = 0, config: DisplaceConfig | None = None) -> Displacement:
    return Displacement(nets, np.zeros(nets.free.shape), np.random.default_rng(seed), config)


@pytest.mark.parametrize("request_", REQUESTS, ids=str)
@pytest.mark.parametrize("seed", range(4))
def test_lines_never_share_a_cell_and_all_get_through(
    request_: tuple[int, int, int, int, int, float], seed: int
) -> None:
    problem = generate(*request_, seed)[0]
    for part in split(nets_of(problem)):
        fight = displacement(part.nets, seed)
        for _ in range(2000):
            done = fight.move(1)
            held = np.zeros(part.nets.free.shape, np.int64)
            for net, path in enumerate(fight.paths()):
                held[part.nets.layer[net], path[1:-1]] += 1
            assert held.max() <= 1
            assert np.array_equal(held > 0, fight.held.owner >= 0)
            taken = fight.lot.via[fight.lot.via >= 0]
            assert len(np.unique(taken)) == len(taken)
            if done:
                break
        assert done
        assignment = fight.assignment()
        for chosen in assignment:
            assert np.array_equal(np.sort(chosen), np.arange(len(chosen)))
        check_routing(part.nets, part.nets.targets(assignment), fight.paths())


def test_lines_of_a_draft_that_share_no_cell_stay() -> None:
    problem = generate(8, 8, 3, 10, 8, 0.5, 3)[0]
    for part in split(nets_of(problem)):
        first = displacement(part.nets)
        assert first.move(5000)
        paths = first.paths()
        second = displacement(part.nets, 1)
        second.start_from(Draft(paths, first.assignment(), 0))
        assert second.waiting == 0
        for one, other in zip(paths, second.paths(), strict=True):
            assert np.array_equal(one, other)


def test_of_two_lines_of_a_draft_that_share_a_cell_one_waits() -> None:
    problem = parse_problem(
        "SIZE 5X5X1\nLINE_NUM 2\nLINE#1 (0,2,1) (4,2,1)\nLINE#2 (2,0,1) (2,3,1)"
    )
    nets = nets_of(problem)
    at = {(x, y): (y + 1) * nets.stride + x + 1 for x in range(5) for y in range(5)}
    across = np.array([at[x, 2] for x in range(5)], np.int32)
    down = np.array([at[2, y] for y in range(4)], np.int32)
    fight = displacement(nets)
    fight.start_from(Draft([across, down], (), 1))
    assert fight.waiting == 1
    assert fight.move(200)
    check_routing(nets, nets.target, fight.paths())


def test_a_line_without_any_way_ends_the_fight() -> None:
    text = "SIZE 3X3X1\nLINE_NUM 2\nLINE#1 (0,0,1) (2,2,1)\nLINE#2 (1,0,1) (0,1,1)"
    fight = displacement(nets_of(parse_problem(text)))
    assert not fight.move(100)
    assert fight.impossible
