"""Tests of where commands write: over nothing that is needed, and told before the work."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

GRID = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n"
SDQ = "{Sudoku:}\n{Grid: " + " ".join(GRID.strip().replace(".", "0")) + "}\n"
CALCUDOKU = "A+3 A\n2 1\n"


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
@pytest.mark.parametrize("place", ["none/x", "folder"])
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


def test_convert_replaces_only_by_force(run: Callable, tmp_path: Path) -> None:
    """Tests that another file stays where a puzzle is to go; the same one may be there."""
    puzzle, place = tmp_path / "puzzle", tmp_path / "place.sdm"
    puzzle.write_text(GRID)
    assert run("convert", puzzle, place).code == run("convert", puzzle, place).code == 0
    place.write_text("something else")
    outcome = run("convert", puzzle, place)
    expected = f"{place}: found another file, expected no such file (--force replaces it)\n"
    assert outcome == (2, "", f"numplace convert: {expected}")
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
    expected = f"{tmp_path / there}: found a file, expected none yet (--force replaces it)\n"
    assert outcome == (2, "", f"numplace generate: {expected}")
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


def test_generate_without_place(
    run: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that a file that cannot be written is told before a puzzle is made (A14)."""
    monkeypatch.setattr("numplace.generate.make.make", None)
    outcome = run("generate", "plain", "-o", tmp_path / "none" / "x.txt")
    assert outcome.code == 1 and "found no way to write it" in outcome.err


def test_givens_of_folder(run: Callable, case: Callable) -> None:
    """Tests that a folder's givens are replaced as asked for, other files not, nor one by one."""
    folder = case("CSV-03")
    words = ["generate", "input", folder]
    assert run(*words).code == 0
    outcome = run(*words, "-o", folder / "Frame.csv")
    assert outcome.code == 2 and "found a file, expected none yet" in outcome.err
    outcome = run(*words, "--count", "2")
    assert outcome.code == 2 and "found 2 puzzles for it, expected one" in outcome.err


def test_generate_many_to_standard_output(
    run: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that - is standard output for several puzzles too."""
    monkeypatch.chdir(tmp_path)
    assert run("generate", "plain", "--count", "2", "-o", "-").out.count("\n") == 2
    assert list(tmp_path.iterdir()) == []
