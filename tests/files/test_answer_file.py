import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nlrouter.answer import Answer
from nlrouter.files.answer_file import format_answer, parse_answer, read_answer
from nlrouter.files.errors import FileError

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpus"
needs_corpus = pytest.mark.skipif(not CORPUS.exists(), reason="the corpus is not beside us")

TEXT = """SIZE 3X2X2
LAYER 1
01,01,00
00,00,02
LAYER 2
00,12,00
00,00,00
"""
ANSWER = np.array([[[1, 1, 0], [0, 0, 2]], [[0, 12, 0], [0, 0, 0]]], dtype=np.int32)


def test_example() -> None:
    """Tests that an answer reads as it looks, and is written as it was."""
    answer = parse_answer(TEXT, "A")
    assert answer.dtype == np.int32
    assert np.array_equal(answer, ANSWER)
    assert format_answer(ANSWER, 12) == TEXT


@pytest.mark.parametrize(
    "text",
    [
        TEXT.lower(),
        TEXT.replace("\n", "\r\n"),
        TEXT.replace("\n", "\r"),
        TEXT.replace("\n", " \t\n"),
        re.sub(r"\b0(\d)", r"\1", TEXT),
        TEXT.replace(",", " , "),
        "\n \n" + TEXT + "\n \n",
        TEXT.rstrip("\n"),
    ],
    ids=[
        "lower case",
        "CRLF",
        "CR",
        "trailing blanks",
        "no padding",
        "blanks around commas",
        "blank lines around",
        "no newline at the end",
    ],
)
def test_other_spellings(text: str) -> None:
    """Tests that all spellings read as the same answer."""
    assert np.array_equal(parse_answer(text, "A"), ANSWER)


@pytest.mark.parametrize(("line_count", "row"), [(1, "01,00"), (99, "01,00"), (100, "001,000")])
def test_digits(line_count: int, row: str) -> None:
    """Tests that numbers have two digits below 100 lines, and three from 100."""
    answer = np.array([[[1, 0]]], dtype=np.int32)
    assert format_answer(answer, line_count) == f"SIZE 2X1X1\nLAYER 1\n{row}\n"


def test_two_dimensional_form() -> None:
    """Tests that the older form has one layer, with a LAYER line or without, as organisers do."""
    for layer in "", "LAYER 1\n":
        answer = parse_answer(f"SIZE 2X2\n{layer}01,01\n00,00\n", "A")
        assert np.array_equal(answer, [[[1, 1], [0, 0]]])


def test_one_column() -> None:
    """Tests that a row of a board one column wide, which has no comma, is read."""
    answer = parse_answer("SIZE 1X2X1\nLAYER 1\n01\n01\n", "A")
    assert np.array_equal(answer, [[[1], [1]]])


shapes = st.tuples(st.integers(1, 8), st.integers(1, 6), st.integers(1, 6))
answers = shapes.flatmap(lambda shape: arrays(np.int32, shape, elements=st.integers(0, 524288)))


@given(answers, st.integers(1, 2000))
def test_reads_what_it_writes(answer: Answer, line_count: int) -> None:
    """Tests that an answer survives being written and read."""
    assert np.array_equal(parse_answer(format_answer(answer, line_count), "A"), answer)


@given(answers, st.data())
def test_mutations_raise_nothing_else(answer: Answer, data: st.DataObject) -> None:
    """Tests that valid text with a piece replaced is read, or refused with a `FileError`."""
    text = format_answer(answer, 1)
    start = data.draw(st.integers(0, len(text)))
    stop = data.draw(st.integers(start, min(len(text), start + 20)))
    piece = data.draw(st.text(max_size=5) | st.text("0123456789,- \r\nXSIZELAYER", max_size=9))
    raises_only_file_errors(text[:start] + piece + text[stop:])


@given(st.text())
def test_arbitrary_text_raises_nothing_else(text: str) -> None:
    """Tests that any text is read, or refused with a `FileError`."""
    raises_only_file_errors(text)


def raises_only_file_errors(text: str) -> None:
    """Read a text; what is accepted must also survive being written."""
    try:
        answer = parse_answer(text, "A")
    except FileError as error:
        assert str(error).startswith("A")  # noqa: PT017 - it need not be refused.
    else:
        assert np.array_equal(parse_answer(format_answer(answer, 1), "A"), answer)


@needs_corpus
def test_corpus() -> None:
    """Tests that the rule document's answers are read, and written to equal answers."""
    paths = sorted(CORPUS.glob("sample/T99_A*.txt"))
    assert paths
    for path in paths:
        answer = read_answer(str(path))
        assert np.array_equal(parse_answer(format_answer(answer, 7), path.name), answer)


@needs_corpus
def test_corpus_byte_order_mark() -> None:
    """Tests that a byte-order mark changes nothing."""
    plain = read_answer(str(CORPUS / "sample" / "T99_A01.txt"))
    assert np.array_equal(read_answer(str(CORPUS / "sample" / "T99_A01_utf8bom.txt")), plain)
