"""Tests of ``numplace generate``: every puzzle has one answer, and is what was asked for."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pysat.solvers import Glucose4

from nlrouter.deadline import Deadline
from numplace.cell import Cell
from numplace.check.rules import violations
from numplace.commands.generate import KINDS, LEVELS, SYMMETRIES
from numplace.commands.numplace import main
from numplace.constraints import Cage, House, Parity, Sandwich, Thermometer
from numplace.files.detect import parse_puzzles, read_puzzle
from numplace.generate import make as making
from numplace.generate.clues import cages, sandwiches, thermometers
from numplace.generate.jigsaw import random_regions
from numplace.generate.make import Request, make
from numplace.generate.random_answer import random_answer
from numplace.generate.symmetry import SYMMETRIES as ALL_SYMMETRIES
from numplace.generate.symmetry import orbits
from numplace.generate.thin import Clue, Thinner
from numplace.logic.ladder import LEVELS as ALL_LEVELS
from numplace.plain import latin_square, plain_puzzle
from numplace.regions import connected
from numplace.result import Status
from numplace.solve.count import count_answers

DATA = Path(__file__).resolve().parents[1] / "data" / "numplace"
VARIANTS = ["jigsaw", "inequality", "joint", "parity", "killer", "sandwich", "thermometer", "arrow"]


def generate(*words: str) -> int:
    """Run the command."""
    return main(["generate", *words])


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "input"])
def test_every_kind(kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a puzzle is unique, is read again as it was made, and comes again (A07, A08)."""
    sides = {"nylimb": "4", "joint": "6", "killer": "6"}
    size = ["--size", sides[kind]] if kind in sides else []
    assert generate(kind, "--seed", "4", "--json", *size) == 0
    line = capsys.readouterr().out
    record = json.loads(line)
    (puzzle,) = parse_puzzles(record["puzzle"], "x", record["format"])
    assert len(puzzle.givens) == record["givens"] < len(puzzle.cells)
    result = count_answers(puzzle, engine="cpsat")
    assert result.status is Status.UNIQUE
    assert [[result.answers[0][Cell(x, y)] for x in range(puzzle.width)]
            for y in range(puzzle.height)] == record["answer"]  # fmt: skip
    assert generate(kind, "--seed", "4", *size) == 0
    assert capsys.readouterr().out == record["puzzle"]


@pytest.mark.parametrize("kind", VARIANTS)
def test_all_engines_agree(kind: str) -> None:
    """Tests that CP-SAT and SAT find the hidden answer and no other, at another size."""
    for seed in range(3):
        made = make(Request(kind, 6), seed)
        assert made != make(Request(kind, 6), seed + 3)
        for engine in ("cpsat", "sat"):
            result = count_answers(made.puzzle, engine=engine)
            assert result.status is Status.UNIQUE
            assert dict(result.answers[0]) == dict(made.answer)


@pytest.mark.parametrize("kind", ["inequality", "parity", "sandwich"])
def test_minimal(kind: str) -> None:
    """Tests that nothing of a minimal puzzle is superfluous, and others have some to spare."""
    size = 4
    puzzle = make(Request(kind, size, minimal=True), 1).puzzle
    for cell in puzzle.givens:
        fewer = {other: number for other, number in puzzle.givens.items() if other != cell}
        assert count_answers(puzzle.with_givens(fewer)).status is Status.SEVERAL
    for clue in puzzle.constraints:
        if not isinstance(clue, House):
            rest = [each for each in puzzle.constraints if each != clue]
            fewer_clues = plain_puzzle if any(h.kind == "block" for h in puzzle.houses) else None
            grid = fewer_clues(None, 2, 2) if fewer_clues else latin_square(size)
            others = [each for each in rest if not isinstance(each, House)]
            open_puzzle = grid.with_constraints(others).with_givens(puzzle.givens)
            assert count_answers(open_puzzle).status is Status.SEVERAL
    generous = make(Request(kind, size), 1).puzzle
    assert len(generous.constraints) >= len(puzzle.constraints)


def test_symmetry_and_clues() -> None:
    """Tests that givens lie as the symmetry wants, and are as many as asked for."""
    puzzle = make(Request("jigsaw", 6, symmetry="half-turn"), 2).puzzle
    assert {Cell(5 - cell.x, 5 - cell.y) for cell in puzzle.givens} == set(puzzle.givens)
    assert len(make(Request("thermometer", clues=20), 1).puzzle.givens) == 20
    assert len(make(Request("plain", clues=30), 1).puzzle.givens) <= 30


def test_levels(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Tests that the level asked for is the one that grade finds (A09)."""
    lines = tmp_path / "x.sdm"
    for level in ("easy", "hard"):
        assert generate("plain", "--level", level, "--count", "3", "--quiet") == 0
        lines.write_text(capsys.readouterr().out)
        assert len(lines.read_text().splitlines()) == 3
        assert main(["grade", str(lines), "--json"]) == 0
        records = map(json.loads, capsys.readouterr().out.splitlines())
        assert [record["level"] for record in records] == [level] * 3
    made = make(Request("parity", 6, level="medium"), 1)
    assert count_answers(made.puzzle).status is Status.UNIQUE


def test_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that names choose formats, and many puzzles go to a folder."""
    for kind, name, format in (
        ("parity", "folder", "csv"),
        ("killer", "x.sdq", "sdq"),
        ("arrow", "arrow.txt", "sdq"),
        ("plain", "x.txt", "text"),
        ("plain", "x.sdm", "lines"),
        ("joint", "x.json", "json"),
        ("calcudoku", "x", "calcudoku"),
    ):
        size = ["--size", "4"] if format in ("csv", "json", "calcudoku") else []
        assert generate(kind, "-o", str(tmp_path / name), *size) == 0
        puzzle = read_puzzle(str(tmp_path / name))
        assert puzzle.origin.format == format
        assert count_answers(puzzle).status is Status.UNIQUE
    assert "only one answer" in capsys.readouterr().err
    assert generate("thermometer", "--count", "2", "-o", str(tmp_path / "many"), "--quiet") == 0
    names = sorted(path.name for path in (tmp_path / "many").iterdir())
    assert names == ["thermometer_9x9_s0.sdq", "thermometer_9x9_s1.sdq"]
    assert capsys.readouterr().err == ""


def test_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a folder gets new givens, which make it unique, and no more if hard (C20)."""
    (tmp_path / "Group.csv").write_text("2\n4\n1,1\n2,1\n1,2\n2,2\n3\n0,0\n3,0\n0,3\n")
    (tmp_path / "Frame.csv").write_text("1\n0,0\n2,2\n0\n")
    (tmp_path / "Input.csv").write_text("1,2\n")
    givens = []
    for more in ([], ["--hard"]):
        assert generate("input", str(tmp_path), "--seed", "1", *more) == 0
        puzzle = read_puzzle(str(tmp_path))
        assert count_answers(puzzle).status is Status.UNIQUE
        givens.append(puzzle.givens)
    assert len(givens[0]) >= len(givens[1])
    for cell in givens[1]:
        fewer = {other: number for other, number in givens[1].items() if other != cell}
        assert count_answers(puzzle.with_givens(fewer)).status is Status.SEVERAL
    output = tmp_path / "other.csv"
    assert generate("input", str(tmp_path), "--seed", "1", "-o", str(output)) == 0
    assert output.read_text() != (tmp_path / "Input.csv").read_text()
    capsys.readouterr()


def test_input_without_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that nothing is written where the other files contradict each other."""
    (tmp_path / "Square.csv").write_text("1\n0,0\n2\n0\n")
    (tmp_path / "XInequal.csv").write_text("1\n1\n")
    assert generate("input", str(tmp_path)) == 3
    (tmp_path / "XInequal.csv").write_text("1\n5\n")
    assert generate("input", str(tmp_path)) == 2
    assert not (tmp_path / "Input.csv").exists()
    assert "XInequal.csv:2: found" in capsys.readouterr().err
    assert generate("plain", "-o", str(tmp_path / "none" / "x.txt")) == 1


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["input"], "found no folder"),
        (["plain", "x"], "expected a folder only after 'input'"),
        (["killer", "--size", "4", "--to", "sdq"], ".sdq files are of 9x9"),
        (["plain", "--size", "7"], "a grid of side 7 has no blocks"),
        (["parity", "--size", "7", "--blocks", "3x2"], "blocks of 3x2 make no grid of side 7"),
        (["nylimb", "--size", "10"], "expected at most 9"),
        (["parity", "--to", "csv"], "expected -o DIR for CSV files"),
        (["plain", "--blocks", "3x2", "--symmetry", "diagonal", "--to", "text"], "text"),
    ],
)
def test_bad_requests(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that what makes no sense is told in one line, with exit code 2."""
    assert generate(*words) == 2
    streams = capsys.readouterr()
    assert streams.out == "" and message in streams.err and streams.err.count("\n") == 1


def test_words_are_those_of_the_library() -> None:
    """Tests that the options, which load without the library, name what it has."""
    assert (*KINDS,) == (*making.KINDS, "input")
    assert SYMMETRIES == ALL_SYMMETRIES and LEVELS == ALL_LEVELS


def test_solver_leaves_ctrl_c_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that no SAT solver runs in the main thread, where it takes Ctrl-C for an error."""
    threads = []
    solve = Glucose4.solve_limited

    def watched(self: Glucose4, *arguments: Any, **options: Any) -> bool | None:
        threads.append(threading.current_thread())
        return solve(self, *arguments, **options)

    monkeypatch.setattr(Glucose4, "solve_limited", watched)
    make(Request("joint", 4, minimal=True), 1)
    assert threads and threading.main_thread() not in threads


def test_large_plain_grids() -> None:
    """Tests that blocks are as square as can be, and that the time limit makes do, not fail."""
    puzzle = make(Request("plain", 15), 1, Deadline(0.5)).puzzle
    blocks = [house for house in puzzle.houses if house.kind == "block"]
    assert len(blocks) == 15
    assert set(blocks[0].cells) == {Cell(x, y) for x in range(5) for y in range(3)}
    assert count_answers(puzzle).status is Status.UNIQUE


def test_regions() -> None:
    """Tests that regions are connected, equally large, and fill the square."""
    for side in (4, 5, 9):
        regions = random_regions(side, Random(side))
        assert [len(region.cells) for region in regions] == [side] * side
        assert all(connected(region.cells) for region in regions)
        assert len({cell for region in regions for cell in region.cells}) == side * side
        rows = [{cell.y for cell in region.cells} for region in regions]
        assert any(len(row) > 1 for row in rows)


def test_clues_hold() -> None:
    """Tests that the clues read off an answer hold in it, and are such as puzzles have."""
    grid = plain_puzzle()
    for seed in range(5):
        random = Random(seed)
        answer = random_answer(grid, random)
        assert answer is not None
        found = [*cages(answer, random), *thermometers(answer, random), *sandwiches(answer, 9)]
        assert violations(grid.with_constraints(found), answer) == []
        caged = [cell for each in found if isinstance(each, Cage) for cell in each.cells]
        assert sorted(caged) == sorted(grid.cells)
        ways = [each.cells for each in found if isinstance(each, Thermometer)]
        assert len(ways) >= 3 and all(len(way) >= 4 for way in ways)
        assert sum(isinstance(each, Sandwich) for each in found) == 18


def test_random_answers_differ() -> None:
    """Tests that answers are right, and not always the same number in a cell."""
    grid = plain_puzzle(None, 2, 2)
    answers = [random_answer(grid, Random(seed)) for seed in range(12)]
    assert all(answer is not None and not violations(grid, answer) for answer in answers)
    assert {answer[Cell(0, 0)] for answer in answers if answer} == {1, 2, 3, 4}
    assert random_answer(latin_square(2).with_constraints([Parity(c, True) for c in grid.cells[:1]]
                         + [Parity(Cell(1, 0), True)]), Random(0)) is None  # fmt: skip


def test_thinner() -> None:
    """Tests that a core of clues is enough by itself, and too few clues are not."""
    grid = latin_square(3)
    answer = random_answer(grid, Random(1))
    assert answer is not None
    clues = [Clue((cell,)) for cell in grid.cells]
    with Thinner(grid, answer, clues) as thinner:
        core = thinner.enough(clues)
        assert core is not None and thinner.enough(core) is not None
        assert thinner.enough(clues[:1]) is None
        assert len(thinner.thin(clues, clues, least=5)) == 5
        few = thinner.thin(clues, clues)
        assert count_answers(thinner.puzzle(few)).status is Status.UNIQUE
    assert orbits(grid.cells, 3, 3, "none") == [(cell,) for cell in grid.cells]
