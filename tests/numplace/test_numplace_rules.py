"""Tests of the constraints' meaning: checker, CP-SAT, clauses and bits against enumeration."""

from __future__ import annotations

import random
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.solvers import Glucose3

from numplace.cell import Cell, parse_cell
from numplace.check.direct import Direct
from numplace.check.rules import violations
from numplace.check.rup import Propagator
from numplace.constraints import (
    Arithmetic,
    Cage,
    Constraint,
    Different,
    DigitLine,
    HiddenThermometers,
    House,
    Joint,
    Less,
    LessEqual,
    NotJoint,
    Parity,
    Sandwich,
    Thermometer,
)
from numplace.constraints.digit_line import two_digit_domain
from numplace.files.answers import parse_answer
from numplace.files.detect import read_puzzle
from numplace.puzzle import Puzzle, make_puzzle
from numplace.solve.count import ENGINES, count_answers

A, B, C, D = (Cell(x, 0) for x in range(4))
DATA = Path(__file__).parent.parent / "data" / "numplace"
SMALL: dict[Cell, tuple[int, ...]] = {cell: (1, 2, 3, 4) for cell in (A, B, C, D)}
ANSWERED = [
    path.parent.name for path in sorted([*DATA.glob("*/Output.csv"), *DATA.glob("*/answer.txt")])
]

CASES: list[tuple[Constraint, dict[Cell, tuple[int, ...]]]] = [
    (House((A, B, C), "row", 1), SMALL),
    (Less(A, B), SMALL),
    (LessEqual(A, B), SMALL),
    (Joint(A, B), SMALL),
    (NotJoint(A, B), SMALL),
    (Parity(A, True), SMALL),
    (Parity(B, False), SMALL),
    (Different(A, C), SMALL),
    (Cage((A, B, C), 6), SMALL),
    (Cage((A, B, C), 6, distinct=False), SMALL),
    (Cage((A, B), 99), SMALL),
    (Sandwich((A, B, C, D), 3, "row", 1, high=4), SMALL),
    (Sandwich((A, B, C, D), 0, "row", 1, high=4), SMALL),
    (Thermometer((A, C, B)), SMALL),
    (Thermometer((A, C, B), frozen=True), SMALL),
    (HiddenThermometers((A, B, C, D), (((0, 0), (1, 0)), ((0, 0), (-1, 0)))), SMALL),
    (HiddenThermometers((A, B, C, D), (((0, 0), (1, 0), (2, 0)),)), SMALL),
    (DigitLine((A, B), 2, "row", 1), {A: two_digit_domain(2), B: two_digit_domain(2)}),
    (Arithmetic((A, B, C), "+", 7), SMALL),
    (Arithmetic((A, B, C), "-", 0), SMALL),
    (Arithmetic((A, B, C), "-", 1), SMALL),
    (Arithmetic((A, B, C), "*", 12), SMALL),
    (Arithmetic((A, B, C), "*", 8), SMALL),
    (Arithmetic((A, B, C), "/", 1), SMALL),
    (Arithmetic((A, B, C), "/", 2), SMALL),
    (Arithmetic((A, B), "*", 0), {A: (0, 1, 12), B: (0, 2)}),
    (Arithmetic((A, B), "/", 2), {A: (0, 2, 4, 12), B: (0, 1, 2, 24)}),
    (Arithmetic((A, B), "-", 3), {A: (0, 3), B: (0, 3)}),
]


def by_meaning(constraint: Constraint, domains: dict[Cell, tuple[int, ...]]) -> set:
    """Return all numbers of the cells that do not break a constraint."""
    return {
        numbers
        for numbers in product(*domains.values())
        if not constraint.broken(dict(zip(domains, numbers, strict=True)))
    }


@pytest.mark.parametrize(("constraint", "domains"), CASES, ids=lambda case: str(case)[:40])
def test_engines_know_the_meaning(constraint: Constraint, domains: dict) -> None:
    """Tests that each engine finds exactly what enumeration by the checker's rules finds."""
    puzzle = make_puzzle([constraint], domains=domains)
    expected = by_meaning(constraint, domains)
    for engine in ENGINES[1:]:
        try:
            result = count_answers(puzzle, None, engine=engine)
        except ValueError:
            assert engine == "bits"
            continue
        found = {tuple(answer[cell] for cell in domains) for answer in result.answers}
        if engine == "logic":
            assert not result.exhausted or found == expected
        else:
            assert result.exhausted and found == expected, engine


@pytest.mark.parametrize(("constraint", "domains"), CASES, ids=lambda case: str(case)[:40])
def test_direct_encoding(constraint: Constraint, domains: dict) -> None:
    """Tests that the clauses that proofs are about mean what the checker's rules mean."""
    direct = Direct(make_puzzle([constraint], domains=domains))
    expected = by_meaning(constraint, domains)
    clauses = [clause or [1, -1] for clause in direct.clauses]
    with Glucose3(bootstrap_with=clauses) as solver:
        for numbers in product(*domains.values()):
            assumed = [direct.holds[item] for item in zip(domains, numbers, strict=True)]
            possible = all(direct.clauses) and solver.solve(assumptions=assumed)
            assert possible == (numbers in expected)


@pytest.mark.parametrize(
    ("numbers", "wrong"),
    [
        ("1 2 3 4", []),
        ("1 2 3 3", ["row 1 has 3 at r1c3, r1c4"]),
        ("1 2 3 9", ["r1c4 cannot hold 9", "row 1 has 9 at r1c4, more than 1 to 4"]),
        ("1 2 3", ["r1c4 has no number"]),
        ("2 1 3 4", ["r1c1 has 2, but 1 is given"]),
    ],
)
def test_violations(numbers: str, wrong: list[str]) -> None:
    """Tests what is said about answers that are wrong."""
    puzzle = make_puzzle([House((A, B, C, D), "row", 1)], {A: 1})
    answer = {Cell(x, 0): int(number) for x, number in enumerate(numbers.split())}
    assert [violation.text for violation in violations(puzzle, answer)] == wrong
    assert violations(puzzle, {**answer, Cell(0, 1): 1})


def read_answered(name: str) -> tuple[Puzzle, dict[Cell, int]]:
    """Return an instance and its answer."""
    puzzle = read_puzzle(str(DATA / name))
    paths = [DATA / name / "Output.csv", DATA / name / "answer.txt"]
    path = next(path for path in paths if path.exists())
    return puzzle, parse_answer(puzzle, path.read_text(), path.name)


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(ANSWERED), st.randoms(use_true_random=False))
def test_single_changes(name: str, rng: random.Random) -> None:
    """Tests that the checker finds every change of one cell of an only answer (A04, B12)."""
    puzzle, answer = read_answered(name)
    assert violations(puzzle, answer) == []
    cell = rng.choice(puzzle.cells)
    number = rng.choice([v for v in puzzle.domains[cell] if v != answer[cell]])
    if name != "CSV-01":
        assert violations(puzzle, {**answer, cell: number})


def test_names() -> None:
    """Tests that names of cells are those that people use."""
    assert str(Cell(8, 2)) == "r3c9" and parse_cell("r3c9") == Cell(8, 2)
    for text in ("r0c1", "c1r1", "r1", "R1C1", "r1c1 "):
        with pytest.raises(ValueError, match="is not the name of a cell"):
            parse_cell(text)


def test_propagation() -> None:
    """Tests that clauses follow only from what is there, and no more after a deletion."""
    propagator = Propagator(3)
    propagator.add([1, 2])
    propagator.add([-1, 3])
    assert propagator.follows([2, 3])
    assert not propagator.follows([3])
    propagator.add([-2, 3])
    assert propagator.follows([3])
    propagator.delete([3, -2])
    assert not propagator.follows([3])
    propagator.add([-2])
    assert propagator.follows([1]) and propagator.follows([3]) and not propagator.conflict
    propagator.add([-3])
    assert propagator.conflict
