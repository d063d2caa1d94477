"""Tests of killers: sums that follow from cages and houses, and puzzles of three grades."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from random import Random

import pytest

from numplace.cell import Cell
from numplace.constraints import Cage
from numplace.files.detect import read_puzzle
from numplace.plain import plain_puzzle
from numplace.regions import near
from numplace.result import Status
from numplace.solve.count import count_answers
from numplace.solve.rule_of_45 import TotalsConfig, with_totals

GRADES = sorted((Path(__file__).parents[1] / "data" / "killers").glob("*.sdq"))


@pytest.mark.parametrize("path", GRADES, ids=lambda path: path.stem)
@pytest.mark.parametrize("repeat", [False, True])
def test_killers_without_givens(path: Path, repeat: bool) -> None:
    """Tests that killers are settled before CP-SAT is asked, as they were not when hard."""
    result = count_answers(read_puzzle(str(path), cages_repeat=repeat))
    assert result.phase == "sat"
    assert result.status is (Status.SEVERAL if repeat and path.stem == "hard" else Status.UNIQUE)


def random_cages(random: Random, answer: dict[Cell, int]) -> list[Cage]:
    """Return cages that fit an answer; some cells are in none, and numbers may repeat."""
    free = set(answer)
    cages = []
    for start in random.sample(sorted(answer), 50):
        cells = [start]
        while len(cells) < random.randint(2, 6):
            edge = sorted({other for cell in cells for other in near(cell)} & free - set(cells))
            if not edge:
                break
            cells.append(random.choice(edge))
        if free >= set(cells):
            free -= set(cells)
            cages.append(Cage(tuple(cells), sum(answer[c] for c in cells), distinct=False))
    return cages


@pytest.mark.parametrize("seed", range(30))
def test_totals_follow(seed: int) -> None:
    """Tests that an answer that fits the cages fits all sums that are said to follow."""
    random = Random(seed)
    givens = dict(
        zip((Cell(x, x % 3) for x in range(9)), random.sample(range(1, 10), 9), strict=True)
    )
    (answer,) = count_answers(plain_puzzle(givens), 1).answers
    puzzle = plain_puzzle({}).with_constraints(random_cages(random, dict(answer)))
    more = with_totals(puzzle, TotalsConfig(most_cells=9)).constraints[len(puzzle.constraints) :]
    assert more and not any(each.broken(answer) for each in more)
    for each in more:
        assert isinstance(each, Cage)
        if each.distinct:
            houses = [set(house.cells) for house in puzzle.houses]
            assert all(any({*p} <= h for h in houses) for p in combinations(each.cells, 2))


def test_innies_and_outies() -> None:
    """Tests the cell that cages leave over in a row, and the one that they have outside."""
    row = [Cell(x, 0) for x in range(9)]
    inside = [Cage(tuple(row[:4]), 20), Cage(tuple(row[4:8]), 22)]
    outside = [*inside, Cage((row[8], Cell(8, 1)), 10)]
    for cages, cells, total in ((inside, (row[8],), 3), (outside, (Cell(8, 1),), 7)):
        more = with_totals(plain_puzzle({}).with_constraints(cages)).constraints
        assert Cage(cells, total) in more
