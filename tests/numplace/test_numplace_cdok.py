"""Tests of ``numplace cdok``: its commands, options, messages and exit codes."""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

import pytest

from numplace.answer import from_rows
from numplace.cell import Cell
from numplace.check.rules import violations
from numplace.commands.cdok import COMMANDS
from numplace.commands.numplace import main
from numplace.constraints.arithmetic import Arithmetic
from numplace.files.calcudoku_spec import read_calcudoku
from numplace.puzzle import Puzzle
from numplace.regions import connected
from numplace.solve.count import count_answers

DATA = Path(__file__).resolve().parents[1] / "data" / "numplace"


def cdok(*words: str) -> int:
    """Run the command."""
    return main(["cdok", *words])


def case(name: str, file: str = "puzzle.txt") -> str:
    """Return the path of a case's file."""
    return str(DATA / name / file)


def made(text: str, *, nylimb: bool = False) -> tuple[Puzzle, int]:
    """Return the puzzle and the difficulty of what ``generate`` has written."""
    verdict = re.fullmatch(r"Difficulty: ([0-9]+)", text.splitlines()[-1])
    assert verdict is not None
    return read_calcudoku(text, "made", nylimb=nylimb), int(verdict[1])


def test_print(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that print writes spec, empty line and picture (K01, K02)."""
    assert cdok("print", "-u", "-i", case("KEN-01")) == 0
    spec, _, picture = capsys.readouterr().out.partition("\n\n")
    assert spec + "\n" == Path(case("KEN-01")).read_text()
    assert picture == (DATA / "KEN-01.picture").read_text(encoding="utf-8")
    assert cdok("print", "-i", case("KEN-01")) == 0
    out = capsys.readouterr().out
    assert out.isascii() and "|12+  |4/   |" in out


def test_solve_draws_the_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that solve draws the known answer, then tells what examine tells (K03)."""
    assert cdok("solve", "-u", "-i", case("KEN-01")) == 0
    *picture, verdict = capsys.readouterr().out.splitlines()
    rows = [re.findall(r"[0-9]+", line) for line in picture[2::4]]
    assert rows == [
        line.split() for line in Path(case("KEN-01", "answer.txt")).read_text().splitlines()
    ]
    assert cdok("examine", "-i", case("KEN-01")) == 0
    assert capsys.readouterr().out == verdict + "\n" == "Solution is unique. Difficulty: 31\n"


def test_text_after_a_blank_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that text behind the puzzle is ignored, also on standard input (K04)."""
    text = Path(case("KEN-01")).read_text().rstrip() + "\n\ngarbage ?\n"
    stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    assert cdok("examine") == 0
    assert "unique" in capsys.readouterr().out


def test_several_and_none(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Tests what is said and written where there is no single answer (K07, M-KEN-11)."""
    assert cdok("examine", "-i", case("KEN-05")) == 0
    assert capsys.readouterr().out == "Solution is not unique.\n"
    output = tmp_path / "out.txt"
    assert cdok("solve", "-i", case("KEN-06"), "-o", str(output)) == 3
    streams = capsys.readouterr()
    assert streams.out == "" and streams.err == "numplace cdok: Puzzle is not solvable\n"
    assert not output.exists()
    (tmp_path / "x.txt").write_text("1 1\n2 2\n")
    assert cdok("solve", "-i", str(tmp_path / "x.txt")) == 3
    assert "not solvable: row 1 has two 1 (r1c1, r1c2)" in capsys.readouterr().err


def test_nylimb(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that -N solves by digits, and that plain rules refuse such numbers (K12)."""
    assert cdok("-N", "solve", "-i", case("KEN-08")) == 0
    out = capsys.readouterr().out
    assert "Solution is unique." in out and " 42  " in out
    assert cdok("solve", "-i", case("KEN-07")) == 2
    message = f"{case('KEN-07')}:3: found number 0, expected 1 to 3"
    assert capsys.readouterr().err == f"numplace cdok: {message}\n"


def test_bad_input_writes_nothing(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Tests that a mistake is told in one sentence, with exit code 2 and no output (K13)."""
    puzzle, output = tmp_path / "x.txt", tmp_path / "out.txt"
    puzzle.write_text("A+3 A\nB?3 B\n")
    for command in ("examine", "print", "solve", "harden"):
        assert cdok(command, "-i", str(puzzle), "-o", str(output)) == 2
        streams = capsys.readouterr()
        assert streams.out == "" and streams.err.count("\n") == 1
        assert f"{puzzle}:2: found the character '?'" in streams.err
    assert not output.exists()


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["fly"],
        ["print", "-x"],
        ["generate", "-s", "1"],
        ["generate", "-s", "17"],
        ["-N", "generate", "-s", "10"],
    ],
)
def test_bad_usage(words: list[str]) -> None:
    """Tests that bad usage ends with exit code 2."""
    with pytest.raises(SystemExit) as end:
        cdok(*words)
    assert end.value.code == 2


def test_help(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that --help lists all commands and options (K14)."""
    with pytest.raises(SystemExit) as end:
        cdok("--help")
    text = capsys.readouterr().out
    assert end.value.code == 0
    options = ["-i", "-o", "-u", "-N", "-T", "-s", "-w", "-m", "-t", "--help", "--version"]
    assert all(re.search(rf"(?<![\w-]){word}(?![\w-])", text) for word in [*options, *COMMANDS])


@pytest.mark.parametrize("size", [3, 4, 5, 6, 7, 8, 9])
def test_generate(size: int, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that puzzles of all sizes are right, and the same for the same seed (K08)."""
    for seed in ("1", "2"):
        words = ["generate", "-s", str(size), "--seed", seed]
        assert cdok(*words) == 0
        text = capsys.readouterr().out
        assert cdok(*words) == 0 and capsys.readouterr().out == text
        puzzle, difficulty = made(text)
        assert puzzle.width == puzzle.height == size and difficulty > 0
        result = count_answers(puzzle)
        assert result.exhausted and len(result.answers) == 1
        groups = [each for each in puzzle.constraints if isinstance(each, Arithmetic)]
        assert all(len(group.cells) > 1 and connected(group.cells) for group in groups)
        grouped = [cell for group in groups for cell in group.cells]
        assert sorted([*grouped, *puzzle.givens]) == sorted(puzzle.cells)


def test_generate_by_default(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Tests that the size is 6, the seed is told, and -o takes what else is written."""
    output = tmp_path / "out.txt"
    assert cdok("generate", "-u", "-o", str(output)) == 0
    streams = capsys.readouterr()
    assert streams.out == ""
    seed = re.fullmatch(r"numplace cdok: seed ([0-9]+)\n", streams.err)
    assert seed is not None
    text = output.read_text(encoding="utf-8")
    assert made(text)[0].width == 6 and "╔" in text
    assert cdok("generate", "-u", "--seed", seed[1]) == 0
    assert capsys.readouterr().out == text


def test_two_cells_for_minus_and_ratio(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that -T keeps - and / to pairs, and that they are not without it (K09)."""
    large = {}
    for two_cell in (True, False):
        large[two_cell] = 0
        for seed in range(30):
            words = ["generate", "-w", "3", "--seed", str(seed), *["-T"] * two_cell]
            assert cdok(*words) == 0
            for each in made(capsys.readouterr().out)[0].constraints:
                if isinstance(each, Arithmetic) and each.op in "-/":
                    large[two_cell] += len(each.cells) > 2
    assert large[True] == 0 < large[False]


def test_difficulty_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that -m is never passed, and that the climb stops at -t (K10)."""
    for most in (10, 36, 250):
        for seed in ("1", "2"):
            assert cdok("generate", "-m", str(most), "-w", "30", "--seed", seed) == 0
            assert made(capsys.readouterr().out)[1] <= most
    reached = []
    for words in (["-w", "0"], ["-w", "400", "-t", "300"], ["-w", "400"]):
        assert cdok("generate", "--seed", "7", *words) == 0
        reached.append(made(capsys.readouterr().out)[1])
    assert reached[0] < 300 <= reached[1] < reached[2]


@pytest.mark.parametrize("nylimb", [[], ["-N"]])
def test_gen_grid_and_harden(
    nylimb: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Tests that a grid is a solution, and harden makes a puzzle that has it (K11, K12)."""
    grid, easy = tmp_path / "grid.txt", tmp_path / "easy.txt"
    assert cdok("gen-grid", "-s", "5", "--seed", "3", "-o", str(grid), *nylimb) == 0
    rows = [[int(word) for word in line.split()] for line in grid.read_text().splitlines()]
    answer = from_rows(rows)
    square = read_calcudoku(grid.read_text(), "x", nylimb=bool(nylimb))
    assert violations(square, answer) == []
    words = ["--seed", "3", *nylimb]
    assert cdok("harden", "-i", str(grid), "-w", "0", "-o", str(easy), *words) == 0
    assert cdok("harden", "-i", str(easy), "-w", "40", *words) == 0
    harder, difficulty = made(capsys.readouterr().out, nylimb=bool(nylimb))
    assert difficulty > made(easy.read_text(), nylimb=bool(nylimb))[1]
    assert count_answers(harder).answers == (answer,)


def test_harden_several(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a puzzle with two answers becomes one with one of them."""
    assert cdok("harden", "-i", case("KEN-05"), "--seed", "1") == 0
    streams = capsys.readouterr()
    assert "not unique" in streams.err
    assert len(count_answers(made(streams.out)[0]).answers) == 1


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that each command prints one record, and says what it found (A11)."""
    for words in (["examine"], ["solve"], ["print"], ["harden", "--seed", "1"]):
        assert cdok(*words, "--json", "-i", case("KEN-02")) == 0
        (line,) = capsys.readouterr().out.splitlines()
        record = json.loads(line)
        assert record["command"] == words[0]
        if words[0] in ("examine", "solve"):
            assert record["status"] == "unique" and record["difficulty"] == 15
            assert record["answers"][0][0] == [1, 4, 2, 3]


def test_no_place_to_write(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Tests that a file that cannot be written is told, with exit code 1."""
    words = ["print", "-i", case("KEN-02"), "-o", str(tmp_path / "none" / "x.txt")]
    assert cdok(*words) == 1
    assert "found no way to write it" in capsys.readouterr().err


def test_interrupted_climb_keeps_its_puzzle(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that Ctrl-C ends the climb, not the puzzle."""
    from numplace.generate.calcudoku import Maker

    def interrupt(*_: object) -> Puzzle:
        raise KeyboardInterrupt

    monkeypatch.setattr(Maker, "_changed", interrupt)
    assert cdok("generate", "--seed", "1") == 0
    assert len(made(capsys.readouterr().out)[0].cells) == 36


def test_cell_order_of_grids() -> None:
    """Tests that grids are the same for the same seed, and by cells in reading order."""
    from numplace.generate.calcudoku import Maker, Recipe

    for nylimb in (False, True):
        one, other = (Maker(Recipe(side=4, nylimb=nylimb), 5).grid() for _ in range(2))
        assert list(one.items()) == list(other.items())
        assert list(one) == [Cell(x, y) for y in range(4) for x in range(4)]
