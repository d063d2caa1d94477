"""Tests of calcudoku specs, their pictures, and the search for their answers."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from nlrouter.files.errors import FileError
from numplace.answer import from_rows
from numplace.cell import Cell
from numplace.check.rules import violations
from numplace.constraints.arithmetic import Arithmetic
from numplace.draw.calcudoku import draw_calcudoku
from numplace.files.calcudoku_spec import calcudoku, is_nylimb, read_calcudoku, write_calcudoku
from numplace.files.cannot_say import CannotSay
from numplace.result import Status
from numplace.shapes import frame
from numplace.solve.calcudoku import SquareSolver, difficulty
from numplace.solve.count import count_answers

DATA = Path(__file__).resolve().parents[1] / "data" / "numplace"
PICTURE = (DATA / "KEN-01.picture").read_text(encoding="utf-8")
SOLVED = ["KEN-01", "KEN-02", "KEN-03", "KEN-04", "KEN-07", "KEN-08"]
ALL = [*SOLVED, "KEN-05", "KEN-06"]

MALFORMED = {
    "M-KEN-01": ("A+3 A\nB+3\n", "x:2: found that row 2 has 1 cell, expected 2"),
    "M-KEN-02": ("A+3 A\n", "x:1: found that the puzzle has 1 row, expected 2"),
    "M-KEN-03": ("A A\nB+3 B\n", "x:1: found that group A has no clue"),
    "M-KEN-04": ("A+3 A+4\nB+3 B\n", "x:1: found that group A has two clues, +3 and +4"),
    "M-KEN-05": ("A+1 2\n2 1\n", "x:1: found that group A has one cell"),
    "M-KEN-06": ("A+3 B+3\nB A\n", "x:1: found that group A is not connected"),
    "M-KEN-07": ("A*0 A\nB+3 B\n", "x:1: found target 0 for '*'"),
    "M-KEN-08": ("3 A+3\n1 A\n", "x:1: found number 3, expected 1 to 2"),
    "M-KEN-09": ("A+3 A\nB?3 B\n", "x:2: found the character '?'"),
    "M-KEN-10": ("\n", "x: found no cells"),
    "M-KEN-12": ("1 " * 17 + "\n", "x:1: found that row 1 has 17 cells, expected at most 16"),
    "no operation": ("A3 A\n1 2\n", "x:1: found 'A3'"),
    "no target": ("A+ A\n1 2\n", "x:1: found 'A+'"),
    "ratio of nothing": ("1 A/0\n2 A\n", "x:1: found target 0 for '/'"),
    "too many rows": ("1 2\n2 1\n1 2\n", "x:3: found a row 3 of 2 cells"),
    "Nylimb": ("0 21 3\n21 3 0\n3 0 20\n", "x:1: found number 0, expected 1 to 3"),
}  # fmt: skip


def text_of(case: str, name: str = "puzzle.txt") -> str:
    """Return a file of a case."""
    return (DATA / case / name).read_text(encoding="utf-8")


def answer_of(case: str) -> dict[Cell, int]:
    """Return the known answer of a case."""
    return from_rows([[*map(int, row.split())] for row in text_of(case, "answer.txt").splitlines()])


@pytest.mark.parametrize("case", ALL)
def test_written_as_read(case: str) -> None:
    """Tests that a spec that was read is written as it was, letters included."""
    puzzle = read_calcudoku(text_of(case), case)
    assert write_calcudoku(puzzle) == text_of(case).rstrip("\n") + "\n"
    assert is_nylimb(puzzle) == (case in ("KEN-07", "KEN-08"))


def test_generous_reading() -> None:
    """Tests that tabs, CR-LF, blank lines before and anything after do not matter."""
    spread = "\r\n \r\n" + text_of("KEN-01").replace(" ", " \t ").replace("\n", "\r\n")
    assert read_calcudoku(spread.rstrip() + "\r\n \r\n?garbage", "x") == read_calcudoku(
        text_of("KEN-01"), "x"
    )
    repeated = "A+3 A+3\nb-1 b\n"
    assert write_calcudoku(read_calcudoku(repeated, "x")) == "A+3 A\nb-1 b\n"


def test_cases_of_letters_differ() -> None:
    """Tests that A and a are two groups."""
    puzzle = read_calcudoku("A+3 A\na+3 a\n", "x")
    groups = [each for each in puzzle.constraints if isinstance(each, Arithmetic)]
    assert [group.label for group in groups] == ["A", "a"]


@pytest.mark.parametrize("case", MALFORMED)
def test_malformed(case: str) -> None:
    """Tests that each mistake in a spec is told, with its line."""
    text, message = MALFORMED[case]
    with pytest.raises(FileError) as error:
        read_calcudoku(text, "x", nylimb=False)
    assert str(error.value).startswith(message)


def test_nylimb_has_nine_digits_at_most() -> None:
    """Tests that a Nylimb square of ten is refused."""
    row = " ".join("1234567890")
    with pytest.raises(FileError, match="10 rows in Nylimb mode, expected at most 9"):
        read_calcudoku(f"{row}\n" * 10, "x", nylimb=True)


def test_what_a_spec_cannot_say() -> None:
    """Tests that blocks, free cells and too many groups are refused, not lost."""
    square = calcudoku(4, [], {})
    blocks = [each for each in frame(2, 2) if each.kind == "block"]
    with pytest.raises(CannotSay, match="block 1"):
        write_calcudoku(square.with_constraints(blocks))
    with pytest.raises(CannotSay, match="r1c1 is in no group"):
        write_calcudoku(square)
    pairs = [
        Arithmetic((Cell(x, y), Cell(x + 1, y)), "+", 3) for y in range(14) for x in range(0, 14, 2)
    ]
    with pytest.raises(CannotSay, match="52 groups"):
        write_calcudoku(calcudoku(14, pairs, {}))


def test_picture_of_the_document() -> None:
    """Tests that the picture is that of the document, to the character."""
    puzzle = read_calcudoku(text_of("KEN-01"), "x")
    assert draw_calcudoku(puzzle, ascii_only=False) == PICTURE


def test_picture_with_values() -> None:
    """Tests that values stand where the document puts them, and change nothing else."""
    puzzle, answer = read_calcudoku(text_of("KEN-01"), "x"), answer_of("KEN-01")
    lines = draw_calcudoku(puzzle, answer, ascii_only=False).splitlines()
    empty = PICTURE.splitlines()
    for y in range(6):
        row = lines[4 * y + 2 - y]
        assert [row[6 * x + 3] for x in range(6)] == [str(answer[Cell(x, y)]) for x in range(6)]
        del lines[4 * y + 2 - y], empty[4 * y + 2 - y]
    assert lines == empty


def test_picture_in_ascii() -> None:
    """Tests that the ASCII picture has the same walls, and wide clues make wide cells."""
    puzzle = read_calcudoku("A*10000 A\nA 2\n", "x")
    assert draw_calcudoku(puzzle, ascii_only=True).splitlines() == [
        "+=============+",
        "|10000*:      |",
        "|      :      |",
        "|      :      |",
        "|......+======+",
        "|      |      |",
        "|      |  2   |",
        "|      |      |",
        "+======+======+",
    ]


@pytest.mark.parametrize("case", SOLVED)
def test_known_answer(case: str) -> None:
    """Tests that the search and CP-SAT find the known answer and no other."""
    puzzle = read_calcudoku(text_of(case), case)
    assert violations(puzzle, answer_of(case)) == []
    for result in (count_answers(puzzle), count_answers(puzzle, engine="cpsat")):
        assert result.status is Status.UNIQUE
        assert result.answers == (answer_of(case),)


def test_several_and_none() -> None:
    """Tests that two answers are both found, and that none is proven."""
    two = count_answers(read_calcudoku(text_of("KEN-05"), "x"), limit=5)
    assert len(two.answers) == 2 and two.exhausted
    assert count_answers(read_calcudoku(text_of("KEN-06"), "x")).status is Status.NONE


def test_targets_beyond_all_numbers() -> None:
    """Tests that huge targets neither overflow nor take long."""
    for clue in ("+" + "9" * 30, "*1000000000000000000000007", "/" + "9" * 300, "-77"):
        puzzle = read_calcudoku(f"A{clue} A A\nA A A\nA A A\n", "x", nylimb=False)
        assert count_answers(puzzle).status is Status.NONE
    nine_lines = 362880**9
    one_group = f"A*{nine_lines}" + " A" * 8 + ("\n" + "A " * 9) * 8
    assert count_answers(read_calcudoku(one_group, "x")).status is Status.SEVERAL


@pytest.mark.parametrize("nylimb", [False, True])
def test_search_agrees_with_all_squares(nylimb: bool) -> None:
    """Tests that the search finds just the squares whose numbers give the target."""
    shape = (Cell(0, 0), Cell(1, 0), Cell(1, 1))
    squares = count_answers(calcudoku(3, [], {}, nylimb=nylimb), None).answers
    for op, target in itertools.product("+-*/", (0, 1, 2, 3, 4, 6, 9, 24, 60)):
        group = Arithmetic(shape, op, target)
        if target == 0 and op in "*/":
            continue
        expected = [each for each in squares if group.holds([each[cell] for cell in shape])]
        puzzle = calcudoku(3, [group], {}, nylimb=nylimb)
        found = count_answers(puzzle, None, engine="sat")
        assert found.exhausted and len(found.answers) == len(expected)
        assert all(answer in expected for answer in found.answers)
        for answer in expected[:1]:
            other = SquareSolver(3, nylimb).other_answer(puzzle, answer, 1000)
            assert other != answer and (other in expected if expected[1:] else other is None)


def test_products_with_zero() -> None:
    """Tests that a product of 0, which only JSON can ask for, is made by a 0 in Nylimb mode."""
    shape = (Cell(0, 0), Cell(1, 0))
    squares = count_answers(calcudoku(2, [], {}, nylimb=True), None).answers
    group = Arithmetic(shape, "*", 0)
    expected = [each for each in squares if group.holds([each[cell] for cell in shape])]
    found = count_answers(calcudoku(2, [group], {}, nylimb=True), 20)
    assert found.exhausted and len(found.answers) == len(expected) > 0


def test_difficulty() -> None:
    """Tests that below the power of ten nothing had to be tried, and above something had."""
    easy = read_calcudoku(text_of("KEN-01"), "x")
    assert difficulty(easy, answer_of("KEN-01")) == len(easy.cells) - len(easy.givens) == 31
    # Two answers but for one given; without a clue that tells them apart, one cell is tried.
    open_square = calcudoku(2, [], {})
    assert difficulty(open_square, from_rows([[1, 2], [2, 1]])) == 14
