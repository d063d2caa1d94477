"""Tests of whole explanations: what each technique set reaches, and that every step holds."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from numplace.answer import Answer
from numplace.cell import Cell, parse_cell
from numplace.check.rules import violations
from numplace.check.steps import check_steps
from numplace.constraints import Cage, Constraint, Joint, Less, NotJoint, Parity, Thermometer
from numplace.files.detect import read_puzzle
from numplace.files.lines81 import parse_line
from numplace.logic.grade import grade
from numplace.logic.ladder import LEVELS, select
from numplace.logic.record import step_record
from numplace.logic.solver import Explanation, all_steps, explain
from numplace.logic.state import State
from numplace.logic.words_en import ENGLISH
from numplace.logic.words_ja import JAPANESE
from numplace.puzzle import Puzzle

DATA = Path(__file__).parents[1] / "data" / "numplace"


def ladder() -> dict[str, tuple[str, str]]:
    """Return grid and answer of each puzzle of the ladder, by name."""
    found = {}
    for line in (DATA / "TXT" / "ladder.txt").read_text().splitlines():
        name, grid, answer = line.partition("#")[0].split()
        found[name] = grid, answer
    return found


LADDER_GRIDS = ladder()
DOCUMENT_SOLVES = ("TXT-04", "TXT-05", "TXT-06", "TXT-07", "TXT-08", "TXT-09", "TXT-11", "TXT-12")


def minimal() -> Iterator[tuple[Puzzle, Answer]]:
    """Yield random minimal grids with their answers."""
    for line in (DATA / "minimal.txt").read_text().splitlines():
        if not line.startswith("#"):
            grid, answer = line.split()
            yield parse_line(grid, "grid", 1), numbers(answer)


def numbers(text: str) -> dict[Cell, int]:
    """Return the numbers of a full grid of 81 characters."""
    return {Cell(at % 9, at // 9): int(digit) for at, digit in enumerate(text)}


def log_of(explanation: Explanation) -> str:
    """Return the steps as a log in JSON."""
    records = [step_record(n, step) for n, step in enumerate(explanation.steps, start=1)]
    return "\n".join(map(json.dumps, records))


def assert_keeps(explanation: Explanation, answer: Answer) -> None:
    """Assert that no step places or strikes against an answer."""
    for step in explanation.steps:
        for cell, digit in step.places:
            assert answer[cell] == digit, ENGLISH.tell(step)
        for cell, digit in step.strikes:
            assert answer[cell] != digit, ENGLISH.tell(step)


@pytest.mark.parametrize("name", LADDER_GRIDS)
def test_document_set(name: str) -> None:
    """Tests which grids the document's techniques solve, and that they stop at the others."""
    grid, answer = LADDER_GRIDS[name]
    found = explain(parse_line(grid, name, 1), select("document"))
    assert found.solved == (name in (*DOCUMENT_SOLVES, "TXT-02", "TXT-19"))
    assert found.stuck != found.solved
    assert_keeps(found, numbers(answer))
    used = {step.technique for step in found.steps}
    assert used <= {"naked single", "hidden single", "naked pair", "naked triple", "naked quad"}


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("TXT-05", "naked pair"),
        ("TXT-06", "naked triple"),
        ("TXT-07", "naked quad"),
    ],
)
def test_document_set_needs(name: str, needed: str) -> None:
    """Tests that the hardest subset is told where the document's set needs it."""
    puzzle = parse_line(LADDER_GRIDS[name][0], name, 1)
    assert needed in {step.technique for step in explain(puzzle, select("document")).steps}
    assert explain(puzzle, select("document", [needed])).stuck


@pytest.mark.parametrize(
    ("name", "needed"),
    [
        ("TXT-08", "pointing"),
        ("TXT-09", "naked pair"),
        ("TXT-10", "hidden pair"),
        ("TXT-11", "naked triple"),
        ("TXT-12", "hidden triple"),
        ("TXT-13", "x-wing"),
        ("TXT-14", "swordfish"),
        ("TXT-15", "simple colouring"),
        ("TXT-16", "xy-wing"),
        ("TXT-17", "xyz-wing"),
        ("TXT-18", "jellyfish"),
    ],
)
def test_strong_set(name: str, needed: str) -> None:
    """Tests that each grid is solved by the technique it was made for, and all steps hold."""
    grid, answer = LADDER_GRIDS[name]
    puzzle = parse_line(grid, name, 1)
    found = explain(puzzle, select("strong", ["assumption"]))
    assert found.solved
    assert needed in {step.technique for step in found.steps}
    assert found.state.answer() == numbers(answer)
    assert check_steps(puzzle, log_of(found), "log") == []
    other = explain(puzzle, select("strong", ["assumption", needed]))
    assert needed not in {step.technique for step in other.steps}


def test_assumption_is_the_last_resort() -> None:
    """Tests that the hardest grid is solved with assumptions, and stuck at once without."""
    grid, answer = LADDER_GRIDS["TXT-03"]
    puzzle = parse_line(grid, "TXT-03", 1)
    assert explain(puzzle, select("strong", ["assumption"])).stuck
    found = explain(puzzle, select("strong"))
    assert found.state.answer() == numbers(answer)
    assert grade(found.steps).name == "extreme"
    assert check_steps(puzzle, log_of(found), "log") == []


def test_every_step_keeps_the_answer() -> None:
    """Tests that no step on random minimal grids goes against the answer, and each is shown."""
    techniques = select("strong", ["assumption"])
    solved = 0
    for puzzle, answer in islice(minimal(), 0, None, 2):
        found = explain(puzzle, techniques)
        solved += found.solved
        assert_keeps(found, answer)
        assert check_steps(puzzle, log_of(found), "log") == []
    assert solved >= 39  # Of 40.


def test_all_steps_of_a_state_keep_the_answer() -> None:
    """Tests that also the steps that are never taken hold: all of all techniques at the start."""
    for at, (puzzle, answer) in enumerate(minimal()):
        if at % 8:
            continue
        singles = explain(puzzle, select("singles"))
        for step in all_steps(singles.state, select("strong")):
            assert all(answer[cell] == digit for cell, digit in step.places), ENGLISH.tell(step)
            assert all(answer[cell] != digit for cell, digit in step.strikes), ENGLISH.tell(step)


def clues_of(answer: Answer, random: Random) -> list[Constraint]:
    """Return random clues of all kinds that an answer fulfils."""
    clues: list[Constraint] = []
    for cell, number in answer.items():
        for other in (cell.moved(1, 0), cell.moved(0, 1)):
            if other not in answer:
                continue
            kind = random.randrange(8)
            if kind == 0:
                first, last = sorted((cell, other), key=lambda each: answer[each])
                if number != answer[other]:
                    clues.append(Less(first, last))
            elif kind == 1:
                near = abs(number - answer[other])
                if near:
                    clues.append(Joint(cell, other) if near == 1 else NotJoint(cell, other))
        if random.random() < 0.1:
            clues.append(Parity(cell, odd=number % 2 == 1))
    free = list(answer)
    while len(free) > 30:
        cell = random.choice(free)
        group = [cell, *(c for c in (cell.moved(1, 0), cell.moved(0, 1)) if c in free)]
        for each in group:
            free.remove(each)
        if len({answer[each] for each in group}) == len(group):
            clues.append(Cage(tuple(group), sum(answer[each] for each in group)))
    rising = sorted(random.sample(list(answer), 6), key=lambda each: answer[each])
    if len({answer[cell] for cell in rising}) == 6:
        clues.append(Thermometer(tuple(rising)))
    return clues


def test_steps_by_clues_keep_the_answer() -> None:
    """Tests that no step on random puzzles with clues of all kinds goes against the answer."""
    random = Random(1)
    used = set()
    for at, (puzzle, answer) in enumerate(minimal()):
        if at % 10:
            continue
        clued = puzzle.with_constraints(clues_of(answer, random))
        givens = dict(random.sample(sorted(puzzle.givens.items()), 6))
        fewer = clued.with_givens(givens)
        assert violations(fewer, answer) == []
        found = explain(fewer, select("strong", ["assumption"]), unique=lambda: False, most=100)
        assert_keeps(found, answer)
        assert check_steps(fewer, log_of(found), "log") == []
        used |= {step.technique for step in found.steps}
    assert {"parity", "order", "joint", "thermometer", "combinations"} <= used


@pytest.mark.parametrize(
    "name",
    [
        "CSV-04",
        "CSV-09",
        "CSV-11",
        "CSV-13",
        "CSV-14",
        "CSV-15",
        "CSV-16",
        "SDQ-06",
        "SDQ-07",
        "SDQ-09a",
        "KEN-01",
        "KEN-02",
        "KEN-03",
        "KEN-04",
    ],
)
def test_variants_to_the_end(name: str) -> None:
    """Tests that puzzles with clues and of other shapes are explained without assumptions."""
    puzzle = read_puzzle(str(DATA / name))
    found = explain(puzzle, select("strong", ["assumption"]))
    assert found.solved
    assert violations(puzzle, found.state.answer()) == []
    assert check_steps(puzzle, log_of(found), "log") == []


def test_marks_at_the_start() -> None:
    """Tests the candidates of the document's grid."""
    state = State.of(read_puzzle(str(DATA / "TXT-01")))
    row = [state.marks().get(Cell(x, 0), ()) for x in range(9)]
    assert ["".join(map(str, marks)) for marks in row] == [
        "149", "", "", "12349", "1349", "124", "123", "", ""
    ]  # fmt: skip
    assert state.marks()[parse_cell("r9c9")] == (1, 2, 3, 8)


def test_hidden_singles_at_the_start() -> None:
    """Tests the hidden singles of the document's grid, by rows, columns and blocks in order."""
    state = State.of(read_puzzle(str(DATA / "TXT-01")))
    found = [
        (step.houses[0].split()[0], f"{step.places[0][0]}={step.places[0][1]}")
        for step in all_steps(state, select("document"))
        if step.technique == "hidden single"
    ]
    assert found == [
        *[("row", place) for place in ("r3c9=6", "r5c7=5", "r8c1=9", "r9c9=2")],
        *[("column", place) for place in ("r7c1=2", "r4c2=5", "r9c6=6", "r3c9=6")],
        *[
            ("block", place)
            for place in ("r3c9=6", "r4c2=5", "r6c4=9", "r7c1=2", "r8c1=9", "r9c6=6")
        ],
    ]


def test_contradiction() -> None:
    """Tests that a wrong given is told as such, in words, and nothing is called solved."""
    puzzle = read_puzzle(str(DATA / "TXT-01"))
    found = explain(puzzle.with_givens({**puzzle.givens, Cell(0, 0): 9}))
    assert found.contradiction
    assert not found.solved and not found.stuck


def test_several_answers_are_stuck() -> None:
    """Tests that a puzzle with several answers is not solved by steps that hold for one only."""
    puzzle = read_puzzle(str(DATA / "TXT-01"))
    givens = {cell: number for cell, number in puzzle.givens.items() if cell != Cell(2, 0)}
    found = explain(puzzle.with_givens(givens), unique=lambda: False)
    assert found.stuck


def test_grades() -> None:
    """Tests levels and that the hardest technique is named."""
    expected = {
        "TXT-02": ("easy", "hidden single"),
        "TXT-04": ("easy", "naked single"),
        "TXT-10": ("medium", "hidden pair"),
        "TXT-13": ("hard", "x-wing"),
        "TXT-17": ("very hard", "xyz-wing"),
    }
    for name, told in expected.items():
        reached = grade(explain(parse_line(LADDER_GRIDS[name][0], name, 1)).steps)
        assert (reached.name, reached.hardest) == told
        assert reached.level == LEVELS.index(reached.name) + 1
        assert sum(reached.counts.values()) > 0


@pytest.mark.parametrize(
    ("name", "english", "japanese"),
    [
        ("CSV-13", "order r1c1 < r1c2: r1c1 loses 5; r1c2 loses 1", "大小 r1c1 < r1c2: "),
        ("CSV-14", "joint r1c1 r1c2: r1c2 loses 1", "r1c1とr1c2のジョイント: "),
        ("CSV-15", "parity r1c1 even: r1c1 loses 3", "偶奇 r1c1は偶数: "),
        (
            "SDQ-03",
            "combinations in cage 4 with sum 10 (r1c6, r1c7): r1c6 loses 5; r1c7 loses 5",
            "組み合わせ ［ケージ4（合計10）］ (r1c6, r1c7): ",
        ),
    ],
)
def test_words_of_clues(name: str, english: str, japanese: str) -> None:
    """Tests how steps by clues are told in both languages."""
    steps = explain(read_puzzle(str(DATA / name)), select("singles,clues"), most=12).steps
    told = {ENGLISH.tell(step): JAPANESE.tell(step) for step in steps}
    assert english in told
    assert told[english].startswith(japanese)
