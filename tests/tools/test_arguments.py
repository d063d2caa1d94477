"""Tests that tools refuse at once what they could not read, or write in the end."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import bench
import check_generator
import fuzz
import import_arrows
import make_boards
import numplace_bench
import pytest
import rehearse
import scaling
import survey
from arguments import require_writable

import numplace_agree
from nlrouter.files.errors import FileError

BOARD = str(Path(__file__).parents[2] / "problems" / "strip_12x1x3.txt")


@pytest.mark.parametrize(
    ("main", "words", "found"),
    [
        (bench.main, [BOARD, "--json", "none/x"], "none/x: found no folder for it"),
        (bench.main, [BOARD, "--record", "--recorded", "none/x"], "none/x: found no folder"),
        (bench.main, [BOARD, "--recorded", "bad"], "bad: found other content"),
        (scaling.main, ["3x1x1", "--json", "none/x"], "none/x: found no folder for it"),
        (scaling.main, ["3x1x1", "--svg", "."], ".: found a folder"),
        (scaling.main, ["4x4"], "'4x4' is not a size such as 12x12x2"),
        (scaling.main, ["3x1x1", "1x1x1"], "1x1x1: no such board found"),
        (survey.main, ["none/x"], "none/x: found no folder for it"),
        (survey.main, ["object"], "object: found other content"),
        (survey.main, ["pipe"], "pipe: found no regular file"),
        (rehearse.main, ["none"], "none: found no readable file"),
        (make_boards.main, ["--directory", "none"], "none: found no folder"),
        (import_arrows.main, ["none"], "none: found no folder"),
        (numplace_bench.main, ["--grids", "none"], "none: found no file"),
        (numplace_bench.main, ["--grids", "list"], "list:1: found "),
    ],
)
def test_files_are_looked_at_first(
    main: Callable[[list[str]], int],
    words: list[str],
    found: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Tests that what is wrong with a file or a size is told with exit code 2, and all there is."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"bad": "{", "list": "[]", "object": "{}"}.items():
        (tmp_path / name).write_text(text)
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SystemExit) as end:
        main(words)
    streams = capsys.readouterr()
    assert end.value.code == 2 and streams.out == ""
    assert found in streams.err.splitlines()[-1]


@pytest.mark.parametrize(
    ("main", "words"),
    [
        (check_generator.main, ["--count", "0"]),
        (fuzz.main, ["--minutes", "-1"]),
        (fuzz.main, ["--minutes", "nan"]),
        (fuzz.main, ["--boards", "0"]),
        (fuzz.main, ["--boards", "1", "--workers", "0"]),
        (numplace_agree.main, ["--count", "0"]),
        (rehearse.main, ["--boards", "0"]),
        (survey.main, ["x", "--jobs", "0"]),
    ],
)
def test_nothing_to_do(
    main: Callable[[list[str]], int], words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that a number with which nothing would be done is refused, and named."""
    with pytest.raises(SystemExit, match="2"):
        main(words)
    *_, option, number = words
    assert f"error: argument {option}: '{number}' is not a " in capsys.readouterr().err


def test_what_can_be_written(tmp_path: Path) -> None:
    """Tests that a file may be there or not, if its folder is, and is not touched."""
    there = tmp_path / "there"
    there.write_text("something")
    for path in (there, tmp_path / "new"):
        require_writable(path)
    assert there.read_text() == "something" and not (tmp_path / "new").exists()
    for path in (tmp_path, there / "x", tmp_path / "none" / "x"):
        with pytest.raises(FileError):
            require_writable(path)
