"""Tests of killers: sums that follow from cages and houses, and puzzles of three grades."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest

from numplace.cell import Cell
from numplace.constraints import Cage
from numplace.files.sdq_reader import parse_sdq
from numplace.plain import plain_puzzle
from numplace.regions import near
from numplace.result import Status
from numplace.solve.count import count_answers
from numplace.solve.rule_of_45 import TotalsConfig, with_totals

GRADES = {
    "easy": (
        "10 13 12 19 19 11 08 11 08 08 08 15 17 04 12 18 17 12 14 08 04 03 15 15 17 08 03 "
        "14 13 07 07 08 14 14 01 07 10 01 "
        "/ WXXVVbbkk WgXeMPlAA WgNMMPPEE LHNhhJJKE LHTYYdJKc "
        "LfTQYFFic RROQDDGSS RIOQDZGaS UICCZZBBj"
    ),
    "medium": (
        "25 21 15 18 23 12 14 28 20 15 29 06 16 14 10 03 17 05 07 12 09 13 13 08 11 10 05 "
        "13 01 12 "
        "/ OOYYYNNTT WVVJXXUUT WRJJHLHDP WFJbHHHDD FFKbEEEII "
        "QQKaaESII GGKBBBMMM GGKKCCCAM ZZddcAAAA"
    ),
    "hard": (
        "28 30 26 26 16 19 02 12 31 21 13 23 22 15 17 12 20 20 21 21 10 "
        "/ UUMHIINNN KMMHIFFOO KLMHIFFOR KLLLIIEER DDDJJJESR "
        "TDDGBBESS TTDCBBBSA TPQCCCBAA PPQQQCAAA"
    ),
}
"""Of each grade the sums of the cages, and behind ``/`` the cage of each cell by rows."""

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@pytest.mark.parametrize("grade", GRADES)
@pytest.mark.parametrize("repeat", [False, True])
def test_killers_without_givens(grade: str, repeat: bool) -> None:
    """Tests that killers are settled before CP-SAT is asked, as they were not when hard."""
    sums, cells = GRADES[grade].split("/")
    numbers = " ".join(str(LETTERS.index(letter) + 1) for letter in cells if letter != " ")
    text = f"{{Sudoku:}}{{Killer: {len(sums.split())} {sums} {numbers}}}"
    result = count_answers(parse_sdq(text, grade, cages_repeat=repeat))
    assert result.phase == "sat"
    assert result.status is (Status.SEVERAL if repeat and grade == "hard" else Status.UNIQUE)


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
