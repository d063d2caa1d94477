"""Tests of text grids and one-line grids."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

MALFORMED = {
    "M-TXT-01": ("1        \n" * 8, ":9: found the end, expected nine rows"),
    "M-TXT-02": ("1" * 10 + "\n" + "\n" * 8, ":1: found 10 characters"),
    "M-TXT-03": ("\n\n  x\n" + "\n" * 6, ":3: found the character 'x'"),
    "M-TXT-05": ("", ": found nothing, expected nine rows"),
    "M-TXT-06": ("1\t2\n" + "\n" * 8, ":1: found the character '\\t'"),
    "ten rows": ("1\n" + "\n" * 8 + "2\n", ":10: found '2'"),
}


def test_spellings(run: Callable, data: Path, tmp_path: Path) -> None:
    """Tests that all spellings of blanks give the known answer (E01)."""
    text = (data / "TXT-01/grid.txt").read_text()
    answer = (data / "TXT-01/answer.txt").read_text()
    lines = text.splitlines()
    stripped = "\n".join(line.rstrip() for line in lines)
    spellings = [text, stripped, text.replace("\n", "\r\n"), "\ufeff" + text, text + "\n \n"]
    spellings += [text.replace(" ", blank) for blank in ".0_*"]
    spellings += [re.sub(r"(.)", r"\1 ", text.replace(" ", blank)) for blank in "0."]
    spellings.append("# one line\n" + "".join(lines).replace(" ", ".") + "\n")
    for spelling in spellings:
        path = tmp_path / "grid.txt"
        path.write_bytes(spelling.encode())
        outcome = run("solve", path)
        assert outcome.code == 0 and "unique" in outcome.err
        assert outcome.out.replace("\n", "") == answer.replace("\n", "")


@pytest.mark.parametrize("id", MALFORMED)
def test_malformed(id: str, run: Callable, tmp_path: Path) -> None:
    """Tests the message of each malformed grid."""
    text, message = MALFORMED[id]
    path = tmp_path / "grid.txt"
    path.write_text(text)
    outcome = run("solve", path, "-o", tmp_path / "answer")
    assert outcome.code == 2 and outcome.out == "" and len(outcome.err.splitlines()) == 1
    assert f"{path}{message}" in outcome.err
    assert not (tmp_path / "answer").exists()


def test_number_twice(run: Callable, data: Path, tmp_path: Path) -> None:
    """Tests that a number twice in a house is told with its cells (M-TXT-04)."""
    path = tmp_path / "grid.txt"
    path.write_text("6" + (data / "TXT-01/grid.txt").read_text()[1:])
    outcome = run("solve", path)
    assert outcome.code == 2 and "two 6 in row 1 (r1c1, r1c2)" in outcome.err


def test_status(run: Callable, data: Path, tmp_path: Path) -> None:
    """Tests grids with no, three and very many answers (TXT-20 to -22)."""
    text = (data / "TXT-01/grid.txt").read_text()
    path = tmp_path / "grid.txt"
    path.write_text("9" + text[1:])
    assert run("solve", path).code == 3
    path.write_text(text[:2] + " " + text[3:])
    assert run("count", path).out == "3 solutions (exhausted)\n"
    path.write_text(" " * 9 + "\n" * 9)
    outcome = run("solve", path, "--unique")
    assert outcome.code == 4 and "several" in outcome.err


def test_lines(run: Callable, data: Path, tmp_path: Path) -> None:
    """Tests one grid a line, in order, with and without an answer (A12)."""
    rows = [line.split() for line in (data / "TXT/ladder.txt").read_text().splitlines()]
    path = tmp_path / "grids"
    grids = [row[1] for row in rows]
    grids.insert(3, "12" + grids[0][2:-2] + "34")
    grids.insert(5, "." * 81)
    path.write_text("# grids\n" + "\n".join(grids) + "\n3..1" + "4" + "." * 6 + "2" + "." * 4)
    out = run("solve", path, "--lines", "--quiet").out.splitlines()
    assert out[3] == "none" and len(out[5]) == 81 and out[-1] == "3241412314322314"
    del out[5], out[3], out[-1]
    assert out == [row[2] for row in rows]
    assert run("solve", path, "--lines").code == 3


def test_hard_grids_in_a_batch(
    run: Callable, data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that grids which the compiled search leaves open are solved by another, in time."""
    from numplace.solve import batch

    rows = [line.split() for line in (data / "TXT/ladder.txt").read_text().splitlines()][:3]
    path = tmp_path / "grids"
    path.write_text("".join(f"{row[1]}\n" for row in rows) + "1" + "." * 80 + "\n")
    expected = run("solve", path, "--lines", "--json").out.splitlines()
    monkeypatch.setattr(batch, "NODES", 1)
    found = run("solve", path, "--lines", "--json").out.splitlines()
    assert found[:3] == expected[:3] and '"several"' in found[3]


@pytest.mark.parametrize(
    ("text", "message"),
    [("1" * 80, "found 80 characters"), ("x" + "." * 80, "the character 'x'"), ("", "nothing")],
)
def test_malformed_lines(text: str, message: str, run: Callable, tmp_path: Path) -> None:
    """Tests the messages about lines that are no grids."""
    path = tmp_path / "grids"
    path.write_text("." * 81 + f"\n{text}\n" if text else "# nothing\n")
    outcome = run("solve", path, "--format", "lines")
    assert outcome.code == 2 and message in outcome.err
    if text:
        assert f"{path}:2:" in outcome.err and run("solve", path, "--lines").code == 2
