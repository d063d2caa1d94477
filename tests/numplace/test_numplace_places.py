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
