"""Tests of the generator of plain grids."""

from __future__ import annotations

from random import Random

import pytest

from numplace.check.rules import violations
from numplace.generate.dig import uniqueness
from numplace.generate.full_grid import full_grid
from numplace.generate.plain import PlainOptions, generate_plain
from numplace.generate.symmetry import SYMMETRIES, orbits
from numplace.logic.grade import grade
from numplace.logic.ladder import LEVELS
from numplace.logic.solver import explain
from numplace.plain import plain_puzzle
from numplace.puzzle import Puzzle
from numplace.result import Status
from numplace.solve.count import count_answers


def made(options: PlainOptions, seed: int = 1) -> Puzzle:
    """Return the puzzle of a seed, which must have one answer."""
    puzzle = generate_plain(options, Random(seed))
    assert puzzle is not None
    assert count_answers(puzzle).status is Status.UNIQUE
    return puzzle


@pytest.mark.parametrize("blocks", [(2, 2), (3, 2), (3, 3), (4, 3), (4, 4)])
def test_full_grid(blocks: tuple[int, int]) -> None:
    """Tests that full grids of all sizes are answers, and differ by seed."""
    puzzle = plain_puzzle({}, *blocks)
    answer = full_grid(puzzle, Random(1))
    assert violations(puzzle, answer) == []
    assert full_grid(puzzle, Random(2)) != answer


@pytest.mark.parametrize("level", LEVELS)
def test_level(level: str) -> None:
    """Tests that a puzzle has exactly the level asked for."""
    assert grade(explain(made(PlainOptions(level=level))).steps).name == level


@pytest.mark.parametrize("symmetry", SYMMETRIES)
def test_symmetry(symmetry: str) -> None:
    """Tests that givens stand in whole groups of the symmetry."""
    puzzle = made(PlainOptions(symmetry=symmetry))
    for orbit in orbits(puzzle.cells, 9, 9, symmetry):
        assert len({cell in puzzle.givens for cell in orbit}) == 1


def test_minimal() -> None:
    """Tests that no given of a minimal puzzle is superfluous."""
    puzzle = made(PlainOptions(minimal=True))
    unique = uniqueness(puzzle)
    for cell in puzzle.givens:
        assert not unique({each: n for each, n in puzzle.givens.items() if each != cell})


def test_clues() -> None:
    """Tests that digging ends at the number of givens asked for."""
    assert len(made(PlainOptions(clues=30)).givens) == 30


def test_same_seed() -> None:
    """Tests that a seed gives the same puzzle again, and another seed another."""
    first, again, other = (made(PlainOptions(), seed).givens for seed in (1, 1, 2))
    assert first == again != other


def test_unknown_level_and_symmetry() -> None:
    """Tests that names that are none are refused."""
    with pytest.raises(ValueError, match="'tough' is none of easy"):
        PlainOptions(level="tough")
    with pytest.raises(ValueError, match="'round' is none of none"):
        orbits(plain_puzzle().cells, 9, 9, "round")
