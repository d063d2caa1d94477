"""Tests of drawings in the characters of a terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from nlrouter.drawing.scene import compose
from nlrouter.drawing.terminal import ASCII, BOX, Glyphs, layer_width, render
from nlrouter.files.answer_file import read_answer
from nlrouter.files.problem_file import parse_problem, read_problem

ROOT = Path(__file__).resolve().parents[2]
PROBLEM = parse_problem(
    "SIZE 4X3X2\nLINE_NUM 2\nLINE#1 (0,0,1) (3,2,2)\nLINE#2 (0,2,1) (2,2,1)\n"
    "VIA#a (2,1,1) (2,1,2)\n",
    "q",
)
ANSWER_TEXT = """\
SIZE 4X3X2
LAYER 1
1,1,1,0
0,0,1,0
2,2,2,0
LAYER 2
0,0,0,0
0,0,1,1
0,0,0,1
"""


def text(
    tmp_path: Path, glyphs: Glyphs, change: tuple[str, str] = ("", ""), width: int = 80
) -> str:
    path = tmp_path / "a.txt"
    path.write_text(ANSWER_TEXT.replace(*change, 1), encoding="utf-8")
    scene = compose(PROBLEM, read_answer(str(path)), "q")
    return render(scene, width, glyphs, colour=False)


def test_box_drawing(tmp_path: Path) -> None:
    """Tests lines, ends, vias, empty cells, coordinates and caption."""
    assert text(tmp_path, BOX) == (
        "layer 1       layer 2\n"
        "  0             0\n"
        "0 1───┐ ·     0 · · · ·\n"
        "1 · · a ·     1 · · a─┐\n"
        "2 2───2 ·     2 · · · 1\n"
        "\n"
        "q   4X3X2, 2 lines, 1 via\n"
        "cost 12 = 10 cells + 2 bends   correct\n"
        "vias (layers, line): a 1-2 LINE#1\n"
    )


def test_ascii(tmp_path: Path) -> None:
    """Tests that the board is drawn in ASCII alone."""
    drawing = text(tmp_path, ASCII)
    assert "0 1---+ .     0 . . . ." in drawing
    assert "1 . . a .     1 . . a-+" in drawing


def test_narrow_terminal(tmp_path: Path) -> None:
    """Tests that layers come below each other where they do not fit side by side."""
    lines = text(tmp_path, BOX, width=20).splitlines()
    assert lines[0] == "layer 1"
    assert lines[6] == "layer 2"


def test_widths_are_kept(tmp_path: Path) -> None:
    """Tests that no row is wider than the terminal, as long as a layer is not."""
    assert layer_width(PROBLEM, 80) == 10
    for width in (10, 23, 24, 30):
        assert max(map(len, text(tmp_path, BOX, width=width).splitlines())) <= width


def test_two_characters_a_cell() -> None:
    """Tests that 36 columns with numbers of two digits go into 80, and the marks of violations."""
    board = read_problem(str(ROOT / "problems" / "sparse_36x36x2.txt"))
    assert len(board.lines) >= 10 and layer_width(board, 80) <= 80 < layer_width(board, 200)
    drawing = render(compose(board, None, "q"), 80, BOX, colour=False)
    assert max(map(len, drawing.splitlines())) <= 80
    number, cell = str(len(board.lines)), board.lines[-1].ends[0]
    row = drawing.splitlines()[2 + cell.z * (board.height + 3) + cell.y]
    assert row[3 + 2 * cell.x :].startswith(number)


def test_huge_board() -> None:
    """Tests that the work grows with the board and not with its square."""
    problem = parse_problem("SIZE 200000X1\nLINE_NUM 1\nLINE#1 (0,0) (9,0)\n", "q")
    ruler = render(compose(problem, None, "q"), 500000, BOX, colour=False).splitlines()[1]
    assert ruler.startswith("  0         5         10") and ruler.endswith(" 199995")


def test_vias_are_listed(tmp_path: Path) -> None:
    """Tests that a via's line is named, as far as it carries one, and its layers always."""
    assert "vias (layers, line): a 1-2 LINE#1" in text(tmp_path, BOX)
    mixed = text(tmp_path, BOX, ("0,0,1,0", "0,0,2,0")).splitlines()
    assert mixed[-1] == "vias (layers, line): a 1-2"


def test_wrong_answer(tmp_path: Path) -> None:
    """Tests that a wrong answer is drawn as it is, with its wrong cells marked."""
    drawing = text(tmp_path, BOX, ("1,1,1,0", "1,0,1,2"))
    assert "0 1!· ╷ •!    0 · · · ·" in drawing
    assert "1. LINE#1 is cut" in drawing
    assert "2. a piece of LINE#2 hangs loose at (3,0) layer 1" in drawing


@pytest.mark.parametrize("board", ["switchbox_12x12x2", "random_36x36x8"])
def test_colours_change_nothing_else(board: str) -> None:
    """Tests that with its escape sequences taken out, a drawing is the plain one."""
    problem = read_problem(str(ROOT / "problems" / f"{board}.txt"))
    scene = compose(problem, read_answer(str(ROOT / "answers" / f"{board}.txt")), board)
    plain = render(scene, 200, BOX, colour=False)
    coloured = render(scene, 200, BOX, colour=True)
    assert "\x1b[" in coloured
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [line.rstrip() for line in stripped.splitlines()] == plain.splitlines()
