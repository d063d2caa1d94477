"""Tests of the forms of other puzzle programs: round trips, variants, and every way to be wrong."""

import numpy as np
import pytest
from hypothesis import given, settings

from nlrouter.files.answer_file import parse_answer, parse_drawing
from nlrouter.files.errors import FileError
from nlrouter.files.grid_file import format_grid_answer
from nlrouter.files.problem_file import format_problem, parse_problem, read_problem
from nlrouter.files.pzpr_file import format_pzprv3
from nlrouter.problem import Problem
from nlrouter.rule_sets import Rules
from tests.puzzle_boards import all_answers, boards

SMALL = Problem(3, 2, 1, [((0, 0, 1), (0, 1, 1)), ((2, 0, 1), (2, 1, 1))])


@pytest.mark.parametrize("form", ["address", "pzprv3", "grid"])
@given(problem=boards())
@settings(max_examples=1000)
def test_problem_round_trip(form: str, problem: Problem) -> None:
    """Tests that each form gives back the board that was written in it."""
    assert parse_problem(format_problem(problem, form), form) == _in_reading_order(problem)


def _in_reading_order(problem: Problem) -> Problem:
    """Return a board whose lines name the upper or else the left end first, as a drawing does."""
    ends = [sorted((end.y, end.x) for end in line.ends) for line in problem.lines]
    lines = [((a[1], a[0], 1), (b[1], b[0], 1)) for a, b in ends]
    return Problem(problem.width, problem.height, 1, lines)


@given(problem=boards(most_side=4))
@settings(max_examples=200)
def test_answer_round_trip(problem: Problem) -> None:
    """Tests that answers come back, with the lines where the form has them."""
    for answer, strokes in all_answers(problem, Rules.NIKOLI):
        grid = format_grid_answer(answer, len(problem.lines))
        assert np.array_equal(parse_answer(grid, "grid"), answer)
        read, drawn = parse_drawing(format_pzprv3(problem, strokes), "pzprv3")
        assert np.array_equal(read, answer)
        assert drawn is not None and not drawn.cells_that_differ(strokes).any()


def test_many_lines_round_trip() -> None:
    """Tests numbers of two and three digits in every form, and of an answer in a grid."""
    problem = Problem(40, 30, 1, [((x, 2 * y, 1), (x, 2 * y + 1, 1)) for y in range(15)
                                  for x in range(40)])  # fmt: skip
    for form in "address", "pzprv3", "grid":
        assert parse_problem(format_problem(problem, form), form) == problem
    answer = np.repeat(np.arange(1, 601).reshape(15, 40), 2, axis=0)[None]
    assert np.array_equal(parse_answer(format_grid_answer(answer, 600), "grid"), answer)


@pytest.mark.parametrize(
    "text",
    [
        "https://puzz.link/p?numlin/3/2/1g21g2",
        "https://puzz.link/p?numlin/3/2/1g21g2\n",
        "http://pzv.jp/p.html?numlin/3/2/1g21g2",
        "http://pzprxs.vercel.app/p?numberlink/3/2/1G21G2",
        "https://puzz.link/p.html?numlin_edit/3/2/1g21g2",
        "numlin/3/2/1g21g2",
        "https://puzz.link/p?numlin/3/2/-07g+7b7-07g+7b7",
        "pzprv3\nnumlin\n2\n3\n1 . 2 \n1 . 2 \n0 0 \n0 0 \n0 0 0 \n",
        "pzprv3\r\nnumlin\r\n2\r\n3\r\n1 . 2\r\n1 . 2\r\n",
        "pzprv3.1/numlin/2/3/1 . 2 /1 . 2 /1 -1 /0 0 /0 1 0 /",
        "A.B\nA.B\n",
        "a-b\r\na-b",
        "3 2\n1.2\n1.2\n",
        "3 2\n1.2\n1.2\n0 0\n",
        "0.9\n0.9\n",
        "1 . 2\n1 . 2\n",
        "1,,2\n1,,2\n",
        "3 2\n7 0 123\n7 0 123\n",
        "5, -, x\n5, -, x\n",
        "３.４\n３.４\n",
    ],
)
def test_variants(text: str) -> None:
    """Tests that every form is told by its content, and lines are numbered by their labels."""
    assert parse_problem(text, "board") == SMALL


def test_two_columns() -> None:
    """Tests that a first row of two numbers is no size where the others do not fit it."""
    board = Problem(2, 2, 1, [((0, 0, 1), (0, 1, 1)), ((1, 0, 1), (1, 1, 1))])
    assert parse_problem("1 2\n1 2\n", "board") == board
    assert parse_problem("2 1\n1 1\n", "board") == Problem(2, 1, 1, [((0, 0, 1), (1, 0, 1))])


def test_zero_is_a_label_or_an_empty_cell() -> None:
    """Tests that 0 is a label where it is in two cells, or others are empty by another sign."""
    assert parse_problem("10001\n", "board") == Problem(5, 1, 1, [((0, 0, 1), (4, 0, 1))])
    two = Problem(4, 1, 1, [((1, 0, 1), (2, 0, 1)), ((0, 0, 1), (3, 0, 1))])
    assert parse_problem("1001\n", "board") == two
    with pytest.raises(FileError, match=r"found '0' in 3 cells"):
        parse_problem("1000.1\n", "board")


def test_address_in_place_of_a_file() -> None:
    """Tests that an address can stand where a file is named."""
    assert read_problem("https://puzz.link/p?numlin/3/2/1g21g2") == SMALL


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("AAB\nAAB\n", [[1, 1, 2], [1, 1, 2]]),
        ("A.B\nA.B\n", [[1, 0, 2], [1, 0, 2]]),
        ("1 0 12\n1 0 12\n", [[1, 0, 2], [1, 0, 2]]),
        ("pzprv3/numlin/2/3/1 . 2/1 . 2/1 0/1 0/0 1 1", [[1, 1, 2], [1, 1, 2]]),
        ("pzprv3/numlin/2/3/1 . 2/1 . 2/-1 -1/0 0/1 0 0", [[1, 0, 2], [1, 0, 2]]),
        ("pzprv3/numlin/2/3/1 . 2/1 . 2", [[1, 0, 2], [1, 0, 2]]),
    ],
)
def test_answers(text: str, answer: list[list[int]]) -> None:
    """Tests that answers are read in these forms too."""
    assert parse_answer(text, "answer").tolist() == [answer]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        # Addresses
        ("https://puzz.link/p?slither/3/2/1g21g2", "found 'https://puzz.link/p?slither/3/2/1g21g2'"
         ", expected an address with '?numlin/COLS/ROWS/CELLS'"),
        ("https://puzz.link/", "expected an address with"),
        ("https://puzz.link/p?numlin/3/2/1.21g2", "found a cell with an unknown number ('.') at "
         "(1,0), expected two cells of each number"),
        ("https://puzz.link/p?numlin/3/2/1g21g2g", "found more than 6 cells, expected those of"),
        ("https://puzz.link/p?numlin/3/2/1g2!g2", "found '!g2' for the cell at (0,1), expected"),
        ("https://puzz.link/p?numlin/3/2/-1", "found '-1' for the cell at (0,0), expected 0-9"),
        ("https://puzz.link/p?numlin/3/2/+1g1", "found '+1g1' for the cell at (0,0), expected 0-9"),
        ("https://puzz.link/p?numlin/0/2/", "found a board of 0 columns and 2 rows, expected"),
        ("https://puzz.link/p?numlin/9999/9999/1g1", "expected a board of 1 to 1048576 cells"),
        ("https://puzz.link/p?numlin/3/2/", "found no label or number on the board"),
        ("https://puzz.link/p?numlin/3/2/1g31g2", "found '3' in 1 cell ((2,0)), expected each label"
         " in exactly two cells, the ends of a line"),
        # pzprv3
        ("pzprv3\n", "found the end of the file, expected 'numlin'"),
        ("pzprv3\nslither\n2\n3\n", "b:2: found 'slither', expected 'numlin', the puzzle's name"),
        ("pzprv3\nnumlin\ntwo\n3\n", "b:3: found 'two', expected the number of rows"),
        ("pzprv3\nnumlin\n2\n0\n", "b:4: found a board of 0 columns and 2 rows"),
        ("pzprv3\nnumlin\n2\n3\n1 . 2\n", "found the end of the file, expected row 2"),
        ("pzprv3\nnumlin\n2\n3\n1 . 2\n1 .\n", "b:6: found '1 .' of length 2, expected row 2 of"),
        ("pzprv3\nnumlin\n2\n3\n1 . 2\n1 - 2\n", "b:6: found a cell with an unknown number ('-')"),
        ("pzprv3\nnumlin\n2\n3\n1 . x\n1 . x\n", "b:5: found 'x', expected a number, or '.' for"),
        ("pzprv3\nnumlin\n2\n3\n1 . 2\n1 1 2\n", "b:6: found '1' in 3 cells ((0,0), (0,1), (1,1))"),
        # Grids
        ("A.B\nA.\n", "b:2: found a row of 2 cells, expected 3 as in line 1 (or a problem that "
         "starts with SIZE)"),
        ("3 3\nA.B\nA.B\n", "b:1: found 2 rows of 3 cells, expected 3 rows of 3, as told here"),
        ("A.B\nAAB\n", "b:2: found 'A' in 3 cells ((0,0), (0,1), (1,1)), expected each label in"),
        ("A#B\nA#B\nA#B##", "b:3: found a row of 5 cells, expected 3 as in line 1"),
        ("...\n...\n", "b: found no label or number on the board, expected two ends of each line"),
        ("A\x07B\nA.B\n", "b:1: found '\\x07', expected a label, or '.' for an empty cell"),
        ('{"size": [3, 2]}', "in 1 cell ((0,0)), expected each label in"),
    ],
)  # fmt: skip
def test_malformed_problem(text: str, message: str) -> None:
    """Tests that what is wrong is told in one sentence, with its place."""
    with pytest.raises(FileError) as raised:
        parse_problem(text, "b")
    assert message in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("pzprv3/numlin/2/3/1 . 2/1 . 2/1 1/0 0/0 0 0", "a line at (0,0) that leads to 1 and 2"),
        ("pzprv3/numlin/2/3/1 . 2/1 . 2/0 0/0 0/0 1 0", "a line at (1,0) that leads to no number"),
        ("pzprv3/numlin/2/3/1 . 2/1 . 2/0 2/0 0/0 0 0", "found '2', expected a mark 0, 1 or -1"),
        ("pzprv3/numlin/2/3/1 . 2/1 . 2/0 0/0/0 0 0", "'0' of length 1, expected the marks beside "
         "the cells of row 2 of length 2"),
        ("pzprv3/numlin/2/3/1 . 2/1 . 2/0 0/0 0", "expected the marks below the cells of row 1"),
        ("A.B\nA\n", "b:2: found a row of 1 cell, expected 3 as in line 1"),
    ],
)  # fmt: skip
def test_malformed_answer(text: str, message: str) -> None:
    """Tests that what is wrong with an answer is told in one sentence."""
    with pytest.raises(FileError) as raised:
        parse_answer(text, "b")
    assert message in str(raised.value)


@pytest.mark.parametrize("form", ["address", "pzprv3", "grid"])
def test_what_a_form_cannot_hold(form: str) -> None:
    """Tests that layers and vias, and more numbers than the site has, are refused."""
    vias = {"a": [(1, 0, 1), (1, 0, 2)]}
    layers = Problem(2, 1, 2, [((0, 0, 1), (0, 0, 2))], vias)
    with pytest.raises(FileError, match=r"a board of 2 layers and 1 vias, expected one layer"):
        format_problem(layers, form)
    many = Problem(2, 1000, 1, [((0, y, 1), (1, y, 1)) for y in range(1000)])
    if form != "grid":
        with pytest.raises(FileError, match="found a board of 1000 lines, expected at most 999"):
            format_problem(many, form)
