"""Tests that bundles of lines never share a cell, keep their order, and get through."""

import random

import numpy as np
import pytest

from nlrouter.checker.rules import violations
from nlrouter.deadline import Deadline
from nlrouter.engine.find.bundle_drawing import block_of
from nlrouter.engine.find.bundle_kernel import DOWN, LEFT, RIGHT, UP
from nlrouter.engine.find.displace_bundles import BundleConfig, BundleDisplacement, BundleRuns
from nlrouter.engine.find.finder import Finder
from nlrouter.engine.nets.bundles import apart, bundles_of
from nlrouter.engine.nets.legality import fault
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.files.problem_file import parse_problem
from nlrouter.generators import Request, make
from nlrouter.problem import Cell, Line, Problem, Via

STRIDE = 12


def fight_over(nets: Nets, seed: int, *, aligned: bool) -> BundleDisplacement:
    rng = np.random.default_rng(seed)
    return BundleDisplacement(nets, bundles_of(nets), rng, aligned=aligned)


def scattered(seed: int) -> Problem:
    """Return a board of bundles anywhere, in rows, columns and diagonals; it may have no answer."""
    rng = random.Random(seed)
    size, layers = rng.randint(6, 14), rng.randint(1, 3)
    used: set[tuple[int, int, int]] = set()
    lines: list[tuple[Cell, Cell]] = []
    vias: list[tuple[int, int, int, int]] = []

    def place(width: int, on: range) -> list[tuple[int, int]]:
        for _ in range(50):
            down, right = rng.choice([(0, 1), (1, 0), (1, 1), (1, -1)])
            y, x = rng.randrange(size), rng.randrange(size)
            cells = [(y + i * down, x + i * right) for i in range(width)]
            inside = all(0 <= y < size and 0 <= x < size for y, x in cells)
            wanted = {(z, *cell) for z in on for cell in cells}
            if inside and not wanted & used:
                used.update(wanted)
                return cells[:: rng.choice([1, -1])]
        return []

    for _ in range(rng.randint(1, 6)):
        width = rng.randint(1, 4)
        low, top = sorted(rng.choices(range(layers), k=2))
        first, second = place(width, range(low, low + 1)), place(width, range(top, top + 1))
        columns = place(width, range(low, top + 1)) if low < top else first
        if not (first and second and columns):
            continue
        lines += [(Cell(low, *a), Cell(top, *b)) for a, b in zip(first, second, strict=True)]
        vias += [(y, x, low, top) for y, x in columns] if low < top else []
    rng.shuffle(vias)
    return Problem(
        size,
        size,
        layers,
        tuple(Line(i, ends) for i, ends in enumerate(lines, 1)),
        tuple(Via(chr(97 + i // 26) + chr(97 + i % 26), *via) for i, via in enumerate(vias)),
    )


@pytest.mark.parametrize("aligned", [True, False])
def test_whatever_comes_out_obeys_the_rules(aligned: bool) -> None:
    complete = 0
    for seed in range(60):
        problem = scattered(seed)
        nets = nets_of(problem)
        fight = fight_over(nets, seed, aligned=aligned)
        if fight.move(200):
            complete += 1
            assert not violations(problem, nets.answer(fight.paths(), fight.assignment()))
    assert complete > 10


def test_bundles_on_their_way_share_no_cell() -> None:
    for seed in range(3):
        nets = nets_of(make("bus", Request(12, 12, 3, 14, 6, seed=seed))[0])
        fight = fight_over(nets, seed, aligned=False)
        for _ in range(60):
            if fight.move(1):
                break
            held = np.zeros(nets.free.shape, np.int64)
            for net, path in enumerate(fight.paths()):
                held[nets.layer[net], path[1:-1]] += 1
            assert held.max() <= 1
            assert (fight.owner[held > 0] >= 0).all()


@pytest.mark.parametrize("seed", range(4))
def test_boards_of_buses_are_routed(seed: int) -> None:
    for part in split(nets_of(make("bus", Request(18, 18, 3, 30, 12, seed=seed))[0])):
        runs = BundleRuns(part.nets, BundleConfig())
        rng = np.random.default_rng(seed)
        routing = next(found for _ in range(200) if (found := runs.step(rng)) is not None)
        assert not fault(part.nets, routing)


def test_the_finder_begins_with_bundles() -> None:
    problem = make("bus", Request(24, 24, 4, 60, 24, seed=1))[0]
    part = max(split(nets_of(problem)), key=lambda part: part.nets.count)
    finder = Finder(part.nets, 0)
    for _ in range(20):
        if finder.step(Deadline(10.0)):
            break
    assert finder.best is not None
    assert not finder.started


def test_a_row_is_left_by_two_sides_in_opposite_orders() -> None:
    row = block_of((40, 41, 42), STRIDE)
    assert row.squares[DOWN] == 40
    assert row.squares[UP] == 40 - 2 * STRIDE
    assert row.squares[LEFT] == row.squares[RIGHT] == -1
    # Who faces down has the first of the row on the right hand.
    assert (row.signs[DOWN], row.signs[UP]) == (-1, 1)
    assert block_of((42, 41, 40), STRIDE).signs[DOWN] == 1


@pytest.mark.parametrize(("step", "right", "up"), [(STRIDE + 1, 1, 1), (STRIDE - 1, 1, -1)])
def test_a_diagonal_is_left_by_four_sides(step: int, right: int, up: int) -> None:
    block = block_of((40, 40 + step, 40 + 2 * step), STRIDE)
    assert len(set(block.squares)) == 1
    assert (block.signs[RIGHT], block.signs[UP]) == (right, up)
    assert (block.signs[LEFT], block.signs[DOWN]) == (-right, -up)
    assert not block.pivots


CROSSED = """SIZE 8X8X1
LINE_NUM 2
LINE#1 (0,3,1) (7,4,1)
LINE#2 (0,4,1) (7,3,1)
"""
"""Side by side at both ends, but whoever is leftmost at the one is rightmost at the other."""


def test_a_bundle_that_would_cross_itself_is_lost_and_taken_apart() -> None:
    nets = nets_of(parse_problem(CROSSED))
    fight = fight_over(nets, 0, aligned=False)
    assert not fight.move(50)
    assert fight.lost == 0
    runs = BundleRuns(nets, BundleConfig())
    assert runs.worth
    assert runs.step(np.random.default_rng(0)) is None
    assert not runs.worth
    assert apart(bundles_of(nets), 0).together == 0.0
