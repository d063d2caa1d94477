from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import format_problem, parse_problem, read_problem
from nlrouter.problem import Cell, Line, Problem, Via

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpus"
needs_corpus = pytest.mark.skipif(not CORPUS.exists(), reason="the corpus is not beside us")

RULES_TEXT = """SIZE 4X4X3
LINE_NUM 2

LINE#1 (0,0,1) (3,3,3)
LINE#2 (3,2,1) (1,0,2)

VIA#a (2,2,1) (2,2,2) (2,2,3)
VIA#b (2,0,1) (2,0,2)
"""
RULES_PROBLEM = Problem(
    width=4,
    height=4,
    layers=3,
    lines=(
        Line(1, (Cell(0, 0, 0), Cell(2, 3, 3))),
        Line(2, (Cell(0, 2, 3), Cell(1, 0, 1))),
    ),
    vias=(Via("a", 2, 2, 0, 2), Via("b", 0, 2, 0, 1)),
)


def test_example_of_the_rules() -> None:
    """Tests that the rules' example reads as it looks, and is written as it was."""
    assert parse_problem(RULES_TEXT, "Q") == RULES_PROBLEM
    assert format_problem(RULES_PROBLEM) == RULES_TEXT


@pytest.mark.parametrize(
    "text",
    [
        RULES_TEXT.lower(),
        RULES_TEXT.replace("\n", "\r\n"),
        RULES_TEXT.replace("\n", "\r"),
        RULES_TEXT.replace("\n", " \t\n\n  \n"),
        RULES_TEXT.replace(") (", ")-("),
        RULES_TEXT.replace(") (", ") -\t("),
        RULES_TEXT.replace(" (0,0,1)", "  (00,0,01)").replace("#1", "#01"),
        RULES_TEXT.replace("(2,2,1) (2,2,2) (2,2,3)", "(2,2,2) (2,2,3) (2,2,1)"),
        RULES_TEXT.rstrip("\n"),
    ],
    ids=[
        "lower case",
        "CRLF",
        "CR",
        "blank lines and trailing blanks",
        "hyphens",
        "hyphens and blanks",
        "zero-padded numbers",
        "via cells in any order",
        "no newline at the end",
    ],
)
def test_other_spellings(text: str) -> None:
    """Tests that all spellings the rules allow read as the same problem."""
    assert parse_problem(text, "Q") == RULES_PROBLEM


def test_statements_in_any_order() -> None:
    """Tests that lines are sorted by number, while ends and vias stay in the file's order."""
    text = (
        "SIZE 4X4X3\nLINE_NUM 2\nVIA#zz (2,0,1) (2,0,2)\nLINE#2 (3,3,3) (0,0,1)\n"
        "LINE#1 (1,0,2) (3,2,1)\nVIA#B (2,2,1) (2,2,2) (2,2,3)\n"
    )
    problem = parse_problem(text, "Q")
    assert [line.number for line in problem.lines] == [1, 2]
    assert problem.lines[0].ends == (Cell(1, 0, 1), Cell(0, 2, 3))
    assert [via.name for via in problem.vias] == ["zz", "b"]


def test_two_dimensional_form() -> None:
    """Tests that the older form means one layer."""
    problem = parse_problem("SIZE 10X9\nLINE_NUM 1\nLINE#1 (8,1)-(8,8)\n", "Q")
    assert problem == Problem(10, 9, 1, (Line(1, (Cell(0, 1, 8), Cell(0, 8, 8))),))


def test_wrong_spans_are_well_formed() -> None:
    """Tests that a board no via of which fits its lines is read; others call it infeasible."""
    text = "SIZE 4X4X3\nLINE_NUM 1\nLINE#1 (0,0,1) (3,3,3)\nVIA#a (2,2,1) (2,2,2)\n"
    assert parse_problem(text, "Q").vias == (Via("a", 2, 2, 0, 1),)


@st.composite
def problems(draw: st.DrawFn) -> Problem:
    """Draw a well-formed problem: vias first, then ends in cells that are left."""
    width, height = draw(st.integers(2, 6)), draw(st.integers(2, 6))
    layers = draw(st.integers(1, 8))
    columns = [(y, x) for y in range(height) for x in range(width)]

    vias = []
    names = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=2)
    places = st.tuples(names, st.sampled_from(columns))
    unique = (lambda place: place[0], lambda place: place[1])
    via_count = 3 if layers > 1 else 0
    for name, (y, x) in draw(st.lists(places, unique_by=unique, max_size=via_count)):
        bottom = draw(st.integers(0, layers - 2))
        vias.append(Via(name, y, x, bottom, draw(st.integers(bottom + 1, layers - 1))))

    taken = {cell for via in vias for cell in via.cells}
    board = [Cell(z, y, x) for z in range(layers) for y, x in columns]
    free = draw(st.permutations([cell for cell in board if cell not in taken]))
    lines: list[Line] = []
    crossing = 0
    for first, second in zip(free[0:20:2], free[1:20:2], strict=False):
        line = Line(len(lines) + 1, (first, second))
        if not line.crosses_layers or crossing < len(vias):
            lines.append(line)
            crossing += line.crosses_layers
    assume(lines)
    return Problem(width, height, layers, tuple(lines), tuple(vias[:crossing]))


@given(problems())
def test_reads_what_it_writes(problem: Problem) -> None:
    """Tests that a problem survives being written and read."""
    assert parse_problem(format_problem(problem), "Q") == problem


@given(problems(), st.data())
def test_mutations_raise_nothing_else(problem: Problem, data: st.DataObject) -> None:
    """Tests that valid text with a piece replaced is read, or refused with a `FileError`."""
    text = format_problem(problem)
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, min(len(text), start + 20)))
    piece = data.draw(st.text(max_size=5) | st.text("0123456789(),-# \r\nXSIZELNUVA_", max_size=9))
    raises_only_file_errors(text[:start] + piece + text[stop:])


@given(st.text())
@example("SIZE " + "9" * 5000 + "X1\nLINE_NUM 1")
@example("SIZE 9X9\nLINE_NUM 1\nLINE#" + "9" * 5000 + " (0,0) (1,1)")
def test_arbitrary_text_raises_nothing_else(text: str) -> None:
    """Tests that any text is read, or refused with a `FileError`."""
    raises_only_file_errors(text)


def raises_only_file_errors(text: str) -> None:
    """Read a text; what is accepted must also survive being written."""
    try:
        problem = parse_problem(text, "Q")
    except FileError as error:
        assert str(error).startswith("Q")  # noqa: PT017 - it need not be refused.
    else:
        assert parse_problem(format_problem(problem), "Q") == problem


def corpus_boards() -> list[Path]:
    """List the corpus's problem files."""
    boards = sorted(CORPUS.glob("sample/NL_Q*.txt"))
    for folder in "adc2016", "adc2015", "adc2015_2d":
        boards += sorted((CORPUS / folder).glob("*.txt"))
    return boards


@needs_corpus
def test_corpus() -> None:
    """Tests that every board of the contests is read, and written to an equal problem."""
    boards = corpus_boards()
    assert boards
    for path in boards:
        problem = read_problem(str(path))
        assert parse_problem(format_problem(problem), path.name) == problem


@needs_corpus
def test_corpus_forms_agree() -> None:
    """Tests that the 2-D and the 3-D form of a board read as equal problems."""
    flat = sorted((CORPUS / "adc2015_2d").glob("*.txt"))
    assert flat
    for path in flat:
        assert read_problem(str(path)) == read_problem(str(CORPUS / "adc2015" / path.name))


@needs_corpus
def test_corpus_byte_order_mark() -> None:
    """Tests that a byte-order mark changes nothing."""
    plain = read_problem(str(CORPUS / "sample" / "NL_Q01.txt"))
    assert read_problem(str(CORPUS / "sample" / "NL_Q01_utf8bom.txt")) == plain
