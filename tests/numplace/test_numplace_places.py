"""Tests of where commands write: over nothing that is needed, and told before the work."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

GRID = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"
SDQ = "{Sudoku:}\n{Grid: " + " ".join(GRID.strip().replace(".", "0")) + "}\n"
CALCUDOKU = "A+3 A\n2 1\n"


def refusal(path: Path) -> str:
    """Return the sentence about a file that stays."""
    return f"{path}: found another file, expected no such file (--force replaces it)\n"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (GRID, ["solve", "P", "-o", "P"]),
        (GRID, ["solve", "P", "--proof", "P"]),
        (GRID, ["solve", "P", "-o", "LINK"]),
        (GRID, ["solve", "--lines", "P", "-o", "P"]),
        (SDQ, ["sdq", "P", "-o", "P"]),
        (SDQ, ["sdq", "P", "--dimacs", "P"]),
        (CALCUDOKU, ["cdok", "solve", "-i", "P", "-o", "P"]),
    ],
)
def test_puzzle_stays(text: str, words: list[str], run: Callable, tmp_path: Path) -> None:
    """Tests that no command replaces the puzzle that it reads, under whatever name."""
    puzzle, link = tmp_path / "puzzle", tmp_path / "link"
    puzzle.write_text(text)
    os.symlink(puzzle, link)
    path = str(link if "LINK" in words else puzzle)
    outcome = run(*({"P": puzzle, "LINK": link}.get(word, word) for word in words))
    sentence = f"{path}: found the puzzle itself, expected a file of its own for each output\n"
    assert outcome == (2, "", f"numplace {words[0]}: {sentence}")
    assert puzzle.read_text() == text


def test_files_of_folder_stay(run: Callable, case: Callable) -> None:
    """Tests that an answer replaces none of the CSV files that it answers."""
    folder = case("CSV-03")
    before = (folder / "Input.csv").read_text()
    assert run("solve", folder, "-o", folder / "Input.csv").code == 2
    assert (folder / "Input.csv").read_text() == before
    assert run("solve", folder, "-o", folder / "Output.csv").code == 0


@pytest.mark.parametrize("words", [["solve", "--proof"], ["sdq", "--dimacs"]])
def test_two_outputs_in_one_file(words: list[str], run: Callable, tmp_path: Path) -> None:
    """Tests that neither of two outputs gets lost in the other."""
    puzzle, output = tmp_path / "puzzle", tmp_path / "output"
    puzzle.write_text(SDQ)
    outcome = run(words[0], puzzle, "-o", output, words[1], output)
    assert outcome.code == 2 and "found the same file for two things" in outcome.err
    assert not output.exists()
    assert run(words[0], puzzle, "-o", os.devnull, words[1], os.devnull).code == 0


@pytest.mark.parametrize("words", [["solve"], ["solve", "--lines"]])
def test_proof_of_several_puzzles(words: list[str], run: Callable, tmp_path: Path) -> None:
    """Tests that a proof is refused where those of other puzzles would be lost."""
    puzzles, proof = tmp_path / "puzzles", tmp_path / "proof"
    puzzles.write_text(GRID * 2)
    outcome = run(*words, puzzles, "--proof", proof)
    assert outcome.code == 2 and "expected one, for a proof" in outcome.err
    assert outcome.out == "" and not proof.exists()


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "P", "-o"],
        ["solve", "P", "--proof"],
        ["solve", "--lines", "P", "-o"],
        ["sdq", "P", "-o"],
        ["sdq", "P", "--stats", "--dimacs"],
    ],
)
@pytest.mark.parametrize("place", ["none/x", "folder", "x" * 300])
def test_no_place_to_write(
    words: list[str],
    place: str,
    run: Callable,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Tests that a file that cannot be written is told before anything is solved (A14)."""
    for name in ("runs.solve_runs", "solve.batch.solve_grids", "sat.encode.encode"):
        monkeypatch.setattr(f"numplace.{name}", None)
    puzzle = tmp_path / "puzzle"
    puzzle.write_text(SDQ if words[0] == "sdq" else GRID)
    (tmp_path / "folder").mkdir()
    outcome = run(*(puzzle if word == "P" else word for word in words), tmp_path / place)
    assert outcome.code == 1 and outcome.out == "" and outcome.err.count("\n") == 1
    assert outcome.err.startswith(f"numplace {words[0]}: {tmp_path / place}: found ")


@pytest.mark.parametrize("place", ["none/x.sdq", "folder.sdq", "file/x.sdq", "file/x"])
def test_convert_without_place(place: str, run: Callable, tmp_path: Path) -> None:
    """Tests that a place where nothing can be written is told, for files and folders (A14)."""
    puzzle = tmp_path / "puzzle"
    puzzle.write_text(GRID)
    (tmp_path / "folder.sdq").mkdir()
    (tmp_path / "file").touch()
    outcome = run("convert", puzzle, tmp_path / place, *["--to", "sdq"] * ("." in place))
    assert outcome.code == 1 and f"{tmp_path / place}: found " in outcome.err


PROSE = "Things to do:\n1 buy milk\n"
ROUTED = "SIZE 3X3X1\n1,1,1\n0,0,0\n0,0,0\n"
ZEROS = GRID.replace(".", "0")


@pytest.mark.parametrize("text", [PROSE, ROUTED, ROUTED[11:], GRID, ZEROS, "\n", "\xff"])
@pytest.mark.parametrize("puzzle", [GRID, SDQ, CALCUDOKU])
@pytest.mark.parametrize("option", ["-o", "--proof"])
def test_solve_replaces_no_other_file(
    option: str,
    puzzle: str,
    text: str,
    run: Callable,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Tests that what is no earlier answer or proof stays, which is told before the search."""
    monkeypatch.setattr("numplace.runs.solve_runs", None)
    source, place = tmp_path / "puzzle", tmp_path / "place"
    source.write_text(puzzle)
    place.write_text(text, "latin-1")
    outcome = run("solve", source, option, place)
    assert outcome == (2, "", f"numplace solve: {refusal(place)}")
    assert place.read_text("latin-1") == text


@pytest.mark.parametrize("text", [PROSE, ROUTED, GRID, ZEROS, '{"status": 200}\n', "{\n"])
def test_solve_lines_replaces_no_other_file(
    text: str, run: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that what is no list of answers stays, which is told before the search."""
    monkeypatch.setattr("numplace.solve.batch.solve_grids", None)
    puzzles, place = tmp_path / "puzzles", tmp_path / "place"
    puzzles.write_text(GRID)
    place.write_text(text)
    outcome = run("solve", "--lines", puzzles, "-o", place)
    assert outcome == (2, "", f"numplace solve: {refusal(place)}")
    assert place.read_text() == text


def test_proof_replaces_no_answer(run: Callable, tmp_path: Path) -> None:
    """Tests that an answer and a proof do not take each other's place."""
    puzzle, answer, proof = (tmp_path / name for name in ("puzzle", "answer", "proof"))
    puzzle.write_text(GRID)
    assert run("solve", puzzle, "-o", answer, "--proof", proof).code == 0
    assert run("solve", puzzle, "-o", proof).code == run("solve", puzzle, "--proof", answer).code
    assert run("solve", puzzle, "-o", proof).code == 2


@pytest.mark.parametrize(
    "name", ["CSV-03", "CSV-11", "TXT-01", "TXT", "SDQ-06", "SDQ-11", "SDQ-13", "KEN-01"]
)
def test_solve_replaces_earlier_answer(
    name: str, run: Callable, data: Path, tmp_path: Path
) -> None:
    """Tests that an answer in each format takes the place of an earlier one, or of nothing."""
    answer = tmp_path / "answer"
    answer.touch()
    assert run("solve", data / name, "-o", answer).code == 0
    text = answer.read_text()
    assert text and run("solve", data / name, "-o", answer).code == 0
    assert answer.read_text() == text


@pytest.mark.parametrize("words", [[], ["--json"]])
def test_solve_lines_replaces_earlier_answers(
    words: list[str], run: Callable, tmp_path: Path
) -> None:
    """Tests that lists of answers take each other's place, also where some grid has none."""
    puzzles, answers = tmp_path / "puzzles", tmp_path / "answers"
    puzzles.write_text(f"{GRID}{'1' * 2}{GRID[2:]}{'.' * 16}\n")
    for _ in range(2):
        assert run("solve", "--lines", *words, puzzles, "-o", answers).code == 3
    assert "none" in answers.read_text() and answers.read_text().count("\n") == 3


def test_solve_replaces_earlier_proof(run: Callable, tmp_path: Path) -> None:
    """Tests that a proof takes the place of an earlier one, be it of another puzzle."""
    puzzle, proof = tmp_path / "puzzle", tmp_path / "proof"
    for text in (SDQ, GRID):
        puzzle.write_text(text)
        assert run("solve", puzzle, "--proof", proof).code == 0
        assert run("check", puzzle, "--proof", proof).code == 0


@pytest.mark.parametrize("words", [["-o"], ["--proof"], ["--lines", "-o"]])
def test_solve_by_force(words: list[str], run: Callable, tmp_path: Path) -> None:
    """Tests that --force replaces any file but the puzzle."""
    puzzle, place = tmp_path / "puzzle", tmp_path / "place"
    puzzle.write_text(GRID)
    place.write_text(PROSE)
    assert run("solve", puzzle, "--force", *words, place).code == 0
    assert place.read_text() != PROSE
    assert run("solve", puzzle, "--force", *words, puzzle).code == 2
    assert puzzle.read_text() == GRID


def test_convert_replaces_only_by_force(run: Callable, tmp_path: Path) -> None:
    """Tests that another file stays where a puzzle is to go; the same one may be there."""
    puzzle, place = tmp_path / "puzzle", tmp_path / "place.sdm"
    puzzle.write_text(GRID)
    assert run("convert", puzzle, place).code == run("convert", puzzle, place).code == 0
    place.write_text("something else")
    outcome = run("convert", puzzle, place)
    assert outcome == (2, "", f"numplace convert: {refusal(place)}")
    assert place.read_text() == "something else"
    assert run("convert", puzzle, place, "--force").code == 0 and place.read_text() == GRID


@pytest.mark.parametrize("name", ["Input.csv", "Group.csv"])
def test_convert_into_folder_of_another(name: str, run: Callable, tmp_path: Path) -> None:
    """Tests that files of another puzzle are neither replaced nor removed, unless by force."""
    puzzle, folder = tmp_path / "puzzle", tmp_path / "folder"
    puzzle.write_text(GRID)
    assert run("convert", puzzle, folder).code == run("convert", puzzle, folder).code == 0
    (folder / name).write_text("1\n")
    (folder / "Frame.csv").unlink()
    outcome = run("convert", puzzle, folder)
    assert outcome.code == 2 and f"{folder / name}: found another file" in outcome.err
    assert (folder / name).read_text() == "1\n"
    assert not (folder / "Frame.csv").exists()
    assert run("convert", puzzle, folder, "--force").code == 0
    assert sorted(path.name for path in folder.iterdir()) == ["Frame.csv", "Input.csv"]


@pytest.mark.parametrize(
    ("words", "place", "there"),
    [
        (["killer"], "one.sdq", "one.sdq"),
        (["parity"], "folder", "folder/Condition.csv"),
        (["parity"], "folder/Frame.csv", "folder/Group.csv"),
        (["plain", "--count", "2"], "folder", "folder/plain_9x9_s1.sdm"),
        (["joint", "--size", "4", "--count", "2"], "folder", "folder/joint_4x4_s1/Frame.csv"),
        (["calcudoku", "--count", "2"], "folder", "folder/calcudoku_6x6_s1.txt"),
        (["plain", "--blocks", "3x2", "--count", "2"], "folder", "folder/plain_6x6_s1/Input.csv"),
    ],
)
def test_generate_replaces_nothing(
    words: list[str],
    place: str,
    there: str,
    run: Callable,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Tests that a file in the way is told before any puzzle is made."""
    monkeypatch.setattr("numplace.generate.make.make", None)
    (tmp_path / there).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / there).write_text("something else")
    outcome = run("generate", *words, "-o", tmp_path / place)
    assert outcome == (2, "", f"numplace generate: {refusal(tmp_path / there)}")
    assert (tmp_path / there).read_text() == "something else"


@pytest.mark.parametrize(("kind", "there"), [("plain", "x.txt"), ("parity", "x/Group.csv")])
def test_generate_by_force(kind: str, there: str, run: Callable, tmp_path: Path) -> None:
    """Tests that --force replaces what is there, and removes what would become part of it."""
    path = tmp_path / there
    path.parent.mkdir(exist_ok=True)
    path.write_text("1\n1\n0,0\n")
    output = path if kind == "plain" else path.parent
    assert run("generate", kind, "--blocks", "2x2", "-o", output, "--force").code == 0
    assert run("count", output, "--quiet").out == "1 solution (exhausted)\n"


@pytest.mark.parametrize(
    ("words", "place", "found"),
    [
        (["plain"], "none/x.txt", "no way to write it"),
        (["plain"], "folder.txt", "a folder"),
        (["parity"], "file/x", "no way to write it"),
        (["parity"], "file/x/y", "no way to write it"),
        (["parity"], f"file{'x' * 300}", "no way to write it"),
        (["plain", "--count", "2"], "file/x", "no way to make the folder"),
    ],
)
def test_generate_without_place(
    words: list[str],
    place: str,
    found: str,
    run: Callable,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Tests that what cannot be written is told before a puzzle is made (A14)."""
    monkeypatch.setattr("numplace.generate.make.make", None)
    (tmp_path / "folder.txt").mkdir()
    (tmp_path / "file").touch()
    outcome = run(
        "generate", *words, "--to", "csv" if "file" in place else "text", "-o", tmp_path / place
    )
    assert outcome.code == 1 and f"{tmp_path / place}: found {found}" in outcome.err


def test_givens_of_folder(run: Callable, case: Callable) -> None:
    """Tests that a folder's givens are replaced as asked for, other files not, nor one by one."""
    folder = case("CSV-03")
    words = ["generate", "input", folder]
    assert run(*words).code == 0
    outcome = run(*words, "-o", folder / "Frame.csv")
    assert outcome == (2, "", f"numplace generate: {refusal(folder / 'Frame.csv')}")
    outcome = run(*words, "--count", "2")
    assert outcome.code == 2 and "found 2 puzzles for it, expected one" in outcome.err


def test_generate_many_to_standard_output(
    run: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that - is standard output for several puzzles too."""
    monkeypatch.chdir(tmp_path)
    assert run("generate", "plain", "--count", "2", "-o", "-").out.count("\n") == 2
    assert list(tmp_path.iterdir()) == []
