"""Tests of the files that ``nlcheck`` writes: clean answers and pictures of layers."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from nlrouter.commands.nlcheck import main
from nlrouter.files.answer_file import format_answer, read_answer
from nlrouter.files.problem_file import format_problem
from tests.checker.drawing import TOWER, TOWER_LAYERS, draw


@pytest.fixture
def board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of q.txt and a.txt, which is the current one."""
    monkeypatch.chdir(tmp_path)
    Path("q.txt").write_text(format_problem(TOWER), encoding="utf-8")
    Path("a.txt").write_text(format_answer(draw(*TOWER_LAYERS), 2), encoding="utf-8")
    return tmp_path


def check(*options: str) -> int:
    return main(["--input", "q.txt", "--target", "a.txt", *options])


def test_clean(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that the answer without its loose piece is written, and its cost told."""
    loose = draw(*TOWER_LAYERS)
    loose[1, 3, 0] = 2
    Path("a.txt").write_text(format_answer(loose, 2), encoding="utf-8")
    assert check("--clean", "c.txt") == 1
    assert np.array_equal(read_answer("c.txt"), draw(*TOWER_LAYERS))
    out, err = capsys.readouterr()
    assert out == "judges =  [[False, 0.0]]\n"
    assert err.endswith("c.txt: cost 18, in a.txt 19\n")


def test_answer_that_cannot_be_cleaned(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that nothing is written and the lines apart are named."""
    cut = draw(*TOWER_LAYERS)
    cut[0, 2, 1] = 0
    Path("a.txt").write_text(format_answer(cut, 2), encoding="utf-8")
    assert check("--clean", "c.txt") == 1
    assert not Path("c.txt").exists()
    assert "a.txt cannot be cleaned, c.txt is not written" in capsys.readouterr().err


def test_pictures_of_layers(board: Path) -> None:
    """Tests that each layer has its file, named as the original does, with or without ending."""
    assert check("--png", "p.png", "--gif", "p") == 0
    assert sorted(path.name for path in board.iterdir() if path.name[0] == "p") == [
        f"p.{z}.{form}" for z in (1, 2, 3) for form in ("gif", "png")
    ]
    for form in ("gif", "png"):
        pictures = []
        for z in (1, 2):
            with Image.open(f"p.{z}.{form}") as picture:
                pictures.append(np.asarray(picture.convert("RGB")))
        assert pictures[0].shape == pictures[1].shape
        assert not np.array_equal(pictures[0], pictures[1])


def test_pictures_of_the_problem(board: Path) -> None:
    """Tests that without an answer the board is drawn."""
    assert main(["--input", "q.txt", "--png", "q"]) == 0
    assert Path("q.3.png").exists()


def test_problem_is_not_overwritten(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that the clean answer does not take the problem's place."""
    assert check("--clean", "q.txt") == 2
    assert Path("q.txt").read_text(encoding="utf-8") == format_problem(TOWER)
    assert "q.txt: found the problem itself" in capsys.readouterr().err


def test_clean_replaces_answers_alone(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that another board's problem is refused before the verdict, unless by force."""
    Path("one.txt").write_text("SIZE 2X1\nLINE_NUM 1\nLINE#1 (0,0)-(1,0)\n", encoding="utf-8")
    before = Path("one.txt").read_bytes()
    assert check("--clean", "one.txt") == 2
    assert Path("one.txt").read_bytes() == before
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "nlcheck: one.txt: found a file that is no answer, "
        "expected an earlier answer or no file (--force replaces it)\n"
    )
    assert check("--clean", "one.txt", "--force") == 0
    assert check("--clean", "one.txt") == check("--clean", "a.txt") == 0


def test_files_of_two_answers(board: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that it takes one answer."""
    text = format_answer(draw(*TOWER_LAYERS), 2)
    Path("a.txt").write_text(f"{text}\n{text}", encoding="utf-8")
    assert check("--png", "p") == 2
    assert "a.txt: found 2 answers, expected one" in capsys.readouterr().err


def test_clean_without_answer(board: Path) -> None:
    """Tests that cleaning nothing is bad usage."""
    with pytest.raises(SystemExit) as leaving:
        main(["--input", "q.txt", "--clean", "c.txt"])
    assert leaving.value.code == 2


def test_nothing_is_loaded_for_a_verdict(board: Path) -> None:
    """Tests that a plain check does not wait for what draws."""
    code = (
        "import sys; from nlrouter.commands.nlcheck import main;"
        " main(['--input', 'q.txt', '--target', 'a.txt']);"
        " sys.exit(bool({'matplotlib', 'PIL', 'networkx'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
