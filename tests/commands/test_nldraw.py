"""Tests of the command ``nldraw``: what it writes where, and its exit codes."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from PIL import Image

from nlrouter.commands.nldraw import main

ROOT = Path(__file__).resolve().parents[2]
BOARD = str(ROOT / "problems" / "smallest_2x2x2.txt")
ANSWER = str(ROOT / "answers" / "smallest_2x2x2.txt")
OTHER = str(ROOT / "answers" / "hyphens_8x8.txt")


@pytest.mark.parametrize(
    ("name", "start"),
    [("a.svg", b"<?xml"), ("a.png", b"\x89PNG"), ("a.PDF", b"%PDF"), ("a.gif", b"GIF89a")],
)
def test_formats(tmp_path: Path, name: str, start: bytes) -> None:
    """Tests that the file's ending is its format, with and without an answer."""
    path = tmp_path / name
    assert main([BOARD, "-o", str(path)]) == 0
    bare = path.read_bytes()
    assert main([BOARD, ANSWER, "--bound", "6", "-o", str(path)]) == 0
    assert path.read_bytes().startswith(start)
    assert path.read_bytes() != bare
    assert os.listdir(tmp_path) == [name]


def test_gif_shows_one_layer_after_another(tmp_path: Path) -> None:
    """Tests that a GIF has a frame for each layer."""
    assert main([BOARD, ANSWER, "-o", str(tmp_path / "a.gif")]) == 0
    with Image.open(tmp_path / "a.gif") as picture:
        assert picture.n_frames == 2  # type: ignore[attr-defined]


@pytest.mark.parametrize(("options", "pace"), [([], 2000), (["--pace", "0.5"], 500)])
def test_pace(tmp_path: Path, options: list[str], pace: int) -> None:
    """Tests that each layer stays long enough, or as long as one likes."""
    assert main([BOARD, ANSWER, *options, "-o", str(tmp_path / "a.gif")]) == 0
    with Image.open(tmp_path / "a.gif") as picture:
        assert picture.info["duration"] == pace


def test_stack_and_dark_paper(tmp_path: Path) -> None:
    """Tests that both change the picture."""
    pictures = set()
    for options in ([], ["--stack"], ["--dark"], ["--stack", "--dark"]):
        assert main([BOARD, ANSWER, *options, "-o", str(tmp_path / "a.svg")]) == 0
        pictures.add((tmp_path / "a.svg").read_bytes())
    assert len(pictures) == 4


def test_languages(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that captions are in the locale's language, unless one asks for another."""
    monkeypatch.delenv("LC_ALL", raising=False)
    monkeypatch.delenv("LC_MESSAGES", raising=False)
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    assert main([BOARD, ANSWER]) == 0
    assert "第 1 層" in capsys.readouterr().out
    assert main([BOARD, ANSWER, "--lang", "en"]) == 0
    assert "layer 1" in capsys.readouterr().out
    assert main([BOARD, ANSWER, "--ascii"]) == 0
    assert capsys.readouterr().out.isascii()
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert main([BOARD, ANSWER]) == 0
    assert "layer 1" in capsys.readouterr().out


def test_japanese_without_a_font(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that a picture comes in English, and why, where no font has Japanese characters."""
    path = tmp_path / "a.svg"
    assert main([BOARD, ANSWER, "--lang", "en", "-o", str(path)]) == 0
    english = path.read_bytes()
    monkeypatch.setattr("nlrouter.drawing.fonts.has_japanese", lambda: False)
    assert main([BOARD, ANSWER, "--lang", "ja", "-o", str(path)]) == 0
    assert path.read_bytes() == english
    assert "no font with Japanese characters" in capsys.readouterr().err


def test_huge_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a board of a million columns ends in a sentence."""
    path = tmp_path / "huge.txt"
    path.write_text("SIZE 1048576X1X1\nLINE_NUM 1\nLINE#1 (0,0,1) (9,0,1)\n", encoding="utf-8")
    assert main([str(path), "-o", str(tmp_path / "huge.svg")]) == 2
    assert "found 1048576 columns, expected at most 2000" in capsys.readouterr().err
    assert os.listdir(tmp_path) == ["huge.txt"]


def test_narrow_terminal() -> None:
    """Tests that a layer which does not fit into the terminal is told, not broken to pieces."""
    primary, secondary = pty.openpty()
    board = str(ROOT / "problems" / "random_36x36x8.txt")
    command = [sys.executable, "-m", "nlrouter.commands.nldraw", board]
    environment = os.environ | {"COLUMNS": "80"}
    done = subprocess.run(
        command, stdout=secondary, stderr=subprocess.PIPE, env=environment, check=False
    )
    os.close(secondary)
    os.close(primary)
    assert done.returncode == 2
    assert b"found a terminal of 80 columns, expected 147 for a layer" in done.stderr


@pytest.mark.parametrize(("most", "frames"), [(100, 3), (2, 2)])
def test_history(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int, frames: int) -> None:
    """Tests that each answer of a search is a frame, or some of them if there are too many."""
    monkeypatch.setattr("nlrouter.interface.pictures.MOST_FRAMES", most)
    good = Path(ANSWER).read_text(encoding="utf-8")
    (tmp_path / "0001.txt").write_text(good.replace("02,02", "02,00"), encoding="utf-8")
    (tmp_path / "0002.txt").write_text(good.replace("02,02", "00,02"), encoding="utf-8")
    (tmp_path / "0003.txt").write_text(good, encoding="utf-8")
    (tmp_path / "notes.md").write_text("no answer", encoding="utf-8")
    assert main([BOARD, "--history", str(tmp_path), "-o", str(tmp_path / "s.gif")]) == 0
    with Image.open(tmp_path / "s.gif") as picture:
        assert picture.n_frames == frames  # type: ignore[attr-defined]


def test_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that without a file the board is drawn on standard output, in a pipe without colour."""
    assert main([BOARD, ANSWER]) == 0
    assert capsys.readouterr().out.splitlines()[2] == "0 1─a     0 · a"


def test_ascii(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that ``--ascii`` prints ASCII alone, whatever the file's name holds."""
    path = tmp_path / "prøve.txt"
    path.write_bytes(Path(BOARD).read_bytes())
    assert main([str(path), ANSWER, "--ascii"]) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[2] == "0 1-a     0 . a"
    assert out.isascii() and "pr?ve   2X2X2" in out


def test_output_that_takes_nothing() -> None:
    """Tests that a picture which did not get out is no success, and told."""
    command = [sys.executable, "-m", "nlrouter.commands.nldraw", BOARD]
    with open("/dev/full", "w") as full:
        done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr == b"nldraw: standard output did not take the picture\n"


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({"TERM": "xterm"}, True), ({"TERM": "xterm", "NO_COLOR": "1"}, False)],
)
def test_colours(variables: dict[str, str], coloured: bool) -> None:
    """Tests that a terminal gets colours unless NO_COLOR is set."""
    primary, secondary = pty.openpty()
    environment = {key: text for key, text in os.environ.items() if key != "NO_COLOR"} | variables
    command = [sys.executable, "-m", "nlrouter.commands.nldraw", BOARD, ANSWER]
    subprocess.run(command, stdout=secondary, env=environment, check=True)
    os.close(secondary)
    out = os.read(primary, 65536)
    os.close(primary)
    assert (b"\x1b[" in out) == coloured


def test_output_that_is_not_unicode(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that ASCII is used where box-drawing characters cannot be printed."""
    buffer = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(buffer, encoding="latin-1"))
    assert main([BOARD, ANSWER]) == 0
    assert "0 1-a     0 . a" in buffer.getvalue().decode("latin-1")


def test_problem_from_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that a hyphen stands for standard input."""
    data = Path(BOARD).read_bytes()
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(data)))
    assert main(["-", ANSWER]) == 0
    assert "standard input   2X2X2" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([BOARD, OTHER], "found SIZE 8X8X1, expected the problem's SIZE 2X2X2"),
        ([BOARD, ANSWER, "--bound", "7"], "--bound: found 7, expected at most 6"),
        ([BOARD, BOARD], "expected 'LAYER 1'"),
        (["no such file", "-o", "x.svg"], "no such file: found no readable file"),
        ([BOARD, "--history", "no such folder", "-o", "x.gif"], "found no readable folder"),
        ([BOARD, "--history", str(ROOT / "docs"), "-o", "x.gif"], "found no file *.txt"),
        ([BOARD, "-o", "no such folder/x.svg"], "found no way to write it"),
    ],
)
def test_bad_input(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    message: str,
) -> None:
    """Tests that bad input is told in a sentence and nothing is written."""
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert message in capsys.readouterr().err
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("name", ["board.svg", "answer.svg"])
def test_own_input_is_kept(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
) -> None:
    """Tests that a picture takes the place of neither the board nor the answer it shows."""
    monkeypatch.chdir(tmp_path)
    Path("board.svg").write_bytes(Path(BOARD).read_bytes())
    Path("answer.svg").write_bytes(Path(ANSWER).read_bytes())
    assert main(["board.svg", "answer.svg", "-o", name]) == 2
    assert "itself, expected another file for the picture" in capsys.readouterr().err
    assert Path("board.svg").read_bytes() == Path(BOARD).read_bytes()
    assert Path("answer.svg").read_bytes() == Path(ANSWER).read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([BOARD, "-o", "x.bmp"], "must end in .svg, .png, .pdf or .gif"),
        ([BOARD, "-o", "x"], "must end in"),
        (["-", "-"], "only one of PROBLEM and ANSWER"),
        ([BOARD, "--stack"], "--stack and --dark are for pictures"),
        ([BOARD, "--dark"], "--stack and --dark are for pictures"),
        ([BOARD, "--stack", "-o", "x.gif"], "--stack shows all layers at once"),
        ([BOARD, "--pace", "1", "-o", "x.png"], "--pace is for a GIF"),
        ([BOARD, "--pace", "0", "-o", "x.gif"], "'0' is not a number of seconds from 0.05 to 60"),
        ([BOARD, ANSWER, "--history", "h", "-o", "x.gif"], "ANSWER does not go with it"),
        ([BOARD, "--history", "h", "-o", "x.png"], "--history needs -o"),
        ([BOARD, "--history", "h"], "--history needs -o"),
        ([BOARD, "--bound", "3"], "--bound needs an ANSWER"),
        ([BOARD, "--ascii", "-o", "x.png"], "--ascii is for the terminal"),
        ([BOARD, ANSWER, "--bound", "-5"], "whole number from 0"),
    ],
)
def test_bad_usage(capsys: pytest.CaptureFixture[str], arguments: list[str], message: str) -> None:
    """Tests that options that do not go together are refused before anything is read."""
    with pytest.raises(SystemExit) as leaving:
        main(arguments)
    assert leaving.value.code == 2
    assert message in capsys.readouterr().err


def test_help_loads_nothing_heavy() -> None:
    """Tests that ``--help`` waits neither for matplotlib nor for numpy."""
    code = (
        "import sys\n"
        "from nlrouter.commands.nldraw import main\n"
        "try:\n    main(['--help'])\n"
        "except SystemExit:\n    sys.exit(bool({'matplotlib', 'numpy'} & set(sys.modules)))\n"
    )
    run = subprocess.run([sys.executable, "-c", code], stdout=subprocess.DEVNULL, check=False)
    assert run.returncode == 0
