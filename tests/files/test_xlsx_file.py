"""Boards in spreadsheets: the organisers' sample, round trips, and what is refused."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from nlrouter.checker.rules import violations
from nlrouter.files.answer_file import parse_answer
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import format_problem, parse_problem
from nlrouter.files.xlsx_file import DrawnBoard, format_workbook, read_workbook, sheet_name
from nlrouter.files.xlsx_guard import MAX_OBJECTS, MAX_UNPACKED
from nlrouter.problem import Cell, Line, Problem, Via

SAMPLE = Path(__file__).parents[3] / "shared" / "corpus" / "xlsx" / "sample.xlsx"

PROBLEM = parse_problem(
    """SIZE 4X4X3
LINE_NUM 2
LINE#1 (0,0,1) (3,3,3)
LINE#2 (3,2,1) (1,0,2)
VIA#a (2,2,1) (2,2,2) (2,2,3)
VIA#b (2,0,1) (2,0,2)
""",
    "problem",
)
ANSWER = parse_answer(
    """SIZE 4X4X3
LAYER 1
1,0,2,2
1,0,0,2
1,1,1,2
0,0,0,0
LAYER 2
0,2,2,0
0,0,0,0
0,0,1,0
0,0,0,0
LAYER 3
0,0,0,0
0,0,0,0
0,0,1,0
0,0,1,1
""",
    "answer",
)


def canonical(problem: Problem) -> Problem:
    """Return the same board with ends and vias in the order of the reader."""
    lines = tuple(Line(line.number, tuple(sorted(line.ends))) for line in problem.lines)  # type: ignore[arg-type]
    vias = tuple(sorted(problem.vias, key=lambda via: (len(via.name), via.name)))
    return replace(problem, lines=lines, vias=vias)


def same(left: DrawnBoard, right: DrawnBoard) -> bool:
    """Whether two boards are equal."""
    if (left.name, canonical(left.problem)) != (right.name, canonical(right.problem)):
        return False
    if left.answer is None or right.answer is None:
        return left.answer is right.answer
    return np.array_equal(left.answer, right.answer)


def write(path: Path, *boards: DrawnBoard) -> str:
    path.write_bytes(format_workbook(list(boards)))
    return str(path)


@pytest.mark.skipif(not SAMPLE.exists(), reason="the corpus is not here")
def test_sample_there_and_back(tmp_path: Path) -> None:
    """Tests that the sample's boards are read, correct, and equal after text and spreadsheet."""
    boards = read_workbook(str(SAMPLE))
    found = [(b.name, b.problem.shape, len(b.problem.lines), len(b.problem.vias)) for b in boards]
    assert found == [
        ("Q1", (1, 16, 17), 13, 0),
        ("Q2", (1, 20, 17), 11, 0),
        ("Q3", (1, 20, 17), 12, 0),
        ("Q4", (2, 10, 10), 10, 5),
    ]
    assert [board.answer is not None for board in boards] == [False, False, True, True]
    for board in boards:
        assert parse_problem(format_problem(board.problem), board.name) == board.problem
        assert board.answer is None or violations(board.problem, board.answer) == []
    again = read_workbook(write(tmp_path / "again.xlsx", *boards))
    assert len(again) == 4
    assert all(map(same, boards, again))


@st.composite
def boards(draw: st.DrawFn) -> DrawnBoard:
    """Draw a board of straight and bent lines with its answer, or without.

    Each line has an area of three columns of its own: a one-layer line goes down its left
    column, perhaps with a bend at the end, and one that crosses layers goes to a via halfway.
    """
    layers = draw(st.integers(1, 8))
    height = draw(st.integers(3, 6))
    count = draw(st.integers(1, 12))
    answer = np.zeros((layers, height, 3 * count), np.int32)
    names = random.Random(draw(st.integers(0, 99))).sample(
        [a + b for a in "abz" for b in ("", "a", "q", "z")], count
    )
    lines, vias = [], []
    for number in range(1, count + 1):
        x = 3 * (number - 1)
        low, high = sorted(draw(st.tuples(*[st.integers(0, layers - 1)] * 2)))
        if low == high:
            ends = Cell(low, 0, x), Cell(low, height - 1, x + draw(st.integers(0, 1)))
            answer[low, :, x] = number
            answer[ends[1]] = number
        else:
            y = draw(st.integers(1, height - 2))
            ends = Cell(low, 0, x), Cell(high, height - 1, x)
            vias.append(Via(names[number - 1], y, x, low, high))
            answer[low, : y + 1, x] = number
            answer[high, y:, x] = number
            answer[low : high + 1, y, x] = number
        lines.append(Line(number, draw(st.sampled_from([ends, ends[::-1]]))))
    problem = Problem(3 * count, height, layers, tuple(lines), tuple(vias))
    assert violations(problem, answer) == []
    name = draw(st.sampled_from(["Q1", "board", "v1.2", "a b", "盤"]))
    return DrawnBoard(name, problem, draw(st.sampled_from([None, answer])))


@settings(max_examples=40)
@given(board=boards())
def test_round_trip(board: DrawnBoard, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Tests that a board comes back from its spreadsheet as it was."""
    path = tmp_path_factory.getbasetemp() / "round_trip.xlsx"
    (back,) = read_workbook(write(path, board))
    assert same(back, board)


def test_forms_of_a_cell(tmp_path: Path) -> None:
    """Tests that full-width letters and digits, blanks, capitals and 3.0 are read as meant."""
    path = write(tmp_path / "board.xlsx", DrawnBoard("Q", PROBLEM, ANSWER))
    workbook = load_workbook(path)
    workbook["Q.1"]["A1"] = 4.0
    workbook["Q.1"]["D4"] = "Ｂ ＝ ２"
    workbook["Q.1"]["B4"] = " １"
    workbook["Q.2"]["B4"] = 0
    workbook["Q.2"]["Z40"] = "a note"
    workbook.create_sheet("empty")
    workbook.save(path)
    (board,) = read_workbook(path)
    assert same(board, DrawnBoard("Q", PROBLEM, ANSWER))


def value(sheet: str, cell: str, content: Any) -> Callable[[Workbook], None]:
    """Return a change of one cell."""

    def change(workbook: Workbook) -> None:
        workbook[sheet][cell] = content

    return change


def merge(workbook: Workbook) -> None:
    workbook["Q.2"].merge_cells("A5:B6")


def title(old: str, new: str) -> Callable[[Workbook], None]:
    def change(workbook: Workbook) -> None:
        workbook[old].title = new

    return change


def drop(sheet: str) -> Callable[[Workbook], None]:
    def change(workbook: Workbook) -> None:
        del workbook[sheet]

    return change


def blank(workbook: Workbook) -> None:
    for sheet in workbook.worksheets:
        sheet.delete_rows(1, 9)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (value("Q.2", "A1", None), "sheet 'Q.2', cell A1: found nothing, expected the number of"),
        (value("Q.1", "A2", "x"), "sheet 'Q.1', cell A2: found 'x', expected the number of column"),
        (value("Q.1", "A1", 2**40), "cell A1: found '1099511627776', expected the number of rows"),
        (value("Q.1", "A1", 300000), "cell A1: found 300000 rows of 4 cells on 3 layers"),
        (value("Q.2", "A1", 5), "sheet 'Q.2', cell A1: found 5 rows, expected 4, as on"),
        (value("Q.1", "C1", "B"), "cell C1: found 'B', expected A for a drawing with answer"),
        (value("Q.3", "C1", None), "sheet 'Q.3', cell C1: found no mark, expected A on all"),
        (value("Q.1", "D1", None), "cell D1: found nothing, expected the layer, from 1 to 3"),
        (value("Q.3", "D1", 2), "sheet 'Q.3', cell D1: found layer 2 on a sheet of this name"),
        (value("Q.2", "F1", 9), "sheet 'Q.2', cell F1: found '9', expected the number of layers"),
        (value("Q.1", "B4", "=1"), "cell B4: found '=1', expected a line's number, a via such as"),
        (value("Q.1", "B4", True), "cell B4: found 'True', expected a line's number"),
        (value("Q.1", "B4", 1.5), "cell B4: found '1.5', expected a line's number"),
        (value("Q.1", "B4", -1), "cell B4: found '-1', expected a line's number"),
        (value("Q.1", "D4", "b"), "cell D4: found 'b', expected the line that takes the via"),
        (value("Q.1", "D4", 2), "sheet 'Q.2', cell D4: found via 'b' on this layer alone"),
        (value("Q.2", "D6", 1), "sheet 'Q.3', cell D6: found via 'a', also at D6 of layer 1"),
        (value("Q.3", "C6", "a=1"), "cell C6: found via 'a', also at D6 of layer 2, expected"),
        (value("Q.1", "B5", None), "cell E7: found line 1 with 3 ends (B4 of layer 1, B6"),
        (value("Q.1", "B7", 4), "cell B7: found line 4 with 1 ends (B7 of layer 1)"),
        (merge, "sheet 'Q.2', cell A5: found merged cells A5:B6, expected cells of the board"),
        (title("Q.2", "R.2"), "sheet 'Q.1', cell F1: found 3 layers, but no sheet 'Q.2'"),
        (title("Q.2", "Q"), "sheet 'Q', cell D1: found layer 2 on a sheet of this name"),
        (drop("Q.3"), "sheet 'Q.1', cell F1: found 3 layers, but no sheet 'Q.3'"),
        (title("Q.2", "-o.2"), "sheet '-o.2', cell A1: found a sheet of this name"),
        (blank, "found empty sheets only"),
    ],
)  # fmt: skip
def test_mistakes(change: Callable[[Workbook], None], message: str, tmp_path: Path) -> None:
    """Tests that a mistake is told with file, sheet and cell, what was found and expected."""
    path = write(tmp_path / "board.xlsx", DrawnBoard("Q", PROBLEM, ANSWER))
    workbook = load_workbook(path)
    change(workbook)
    workbook.save(path)
    with pytest.raises(FileError) as error:
        read_workbook(path)
    assert str(error.value).startswith(f"{path}: ")
    assert message in str(error.value)


def test_needless_via(tmp_path: Path) -> None:
    """Tests that a via without a line that crosses layers is told."""
    lines = (replace(PROBLEM.lines[0]), Line(2, (Cell(0, 2, 3), Cell(0, 0, 1))))
    problem = replace(PROBLEM)
    object.__setattr__(problem, "lines", lines)  # No such problem can be made.
    with pytest.raises(FileError, match="found 2 vias for 1 lines with ends on different layers"):
        read_workbook(write(tmp_path / "board.xlsx", DrawnBoard("Q", problem)))


def archive(**entries: bytes) -> bytes:
    """Pack entries, the same at any second: tests are named for the bytes in every process."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as file:
        for name, content in entries.items():
            file.writestr(zipfile.ZipInfo(name), content, zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "found no spreadsheet (BadZipFile"),
        (b"SIZE 4X4X3\n", "found no spreadsheet (BadZipFile"),
        (archive(), "found no spreadsheet (KeyError"),
        (archive(bomb=b" " * (MAX_UNPACKED + 1)), "found 16777217 bytes when unpacked"),
        (archive(any=b"<a>" + b"<c/>" * MAX_OBJECTS + b"</a>"), "found more than 450000 XML"),
        (archive(sheet=b'<mergeCell ref="A1:XFD1048576"/>'), "and merged or linked cells"),
        (archive(sheet=b'<x:mergeCell xmlns:x="y" ref="A1:&#88;FD1048576"/>'), "found more than"),
        (archive(sheet='<hyperlink ref="A1:XFD1048576"/>'.encode("utf-16")), "found more than"),
    ],
)
def test_no_spreadsheet(content: bytes, message: str, tmp_path: Path) -> None:
    """Tests that a file that is no spreadsheet, or would fill the memory, is told in a sentence."""
    path = tmp_path / "board.xlsx"
    path.write_bytes(content)
    with pytest.raises(FileError) as error:
        read_workbook(str(path))
    assert message in str(error.value)


def test_huge_dimensions(tmp_path: Path) -> None:
    """Tests that a far away note does not make a board, or a reader, larger."""
    path = write(tmp_path / "board.xlsx", DrawnBoard("Q", PROBLEM, ANSWER))
    workbook = load_workbook(path)
    workbook["Q.1"]["XFD1048576"] = "far away"
    workbook.save(path)
    (board,) = read_workbook(path)
    assert same(board, DrawnBoard("Q", PROBLEM, ANSWER))


@pytest.mark.parametrize(
    ("name", "fit"),
    [("Q1", "Q1"), ("../a:b", "a_b"), ("_", "board"), ("x" * 40, "x" * 29), ("盤 1.", "盤 1")],
)
def test_sheet_name(name: str, fit: str) -> None:
    """Tests that any name is made one that a board may have."""
    assert sheet_name(name) == fit
