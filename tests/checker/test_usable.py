"""Tests of what is kept of a drawing to start from."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from nlrouter.answer import Answer
from nlrouter.checker.rules import violations
from nlrouter.checker.usable import usable
from nlrouter.files.problem_file import parse_problem

PROBLEM = parse_problem(
    "SIZE 4X4X3\nLINE_NUM 2\nLINE#1 (0,0,1) (3,3,3)\nLINE#2 (3,2,1) (1,0,2)\n"
    "VIA#a (2,2,1) (2,2,2) (2,2,3)\nVIA#b (2,0,1) (2,0,2)\n",
    "tower",
)
BOTH = ("1.22/1..2/1112/....", ".22./..../..1./....", "..../..../..1./..11")


def draw(*layers: str) -> Answer:
    """Return the drawing with these layers: rows divided by '/', a digit or '.' per cell."""
    return np.array(
        [[[int(c.replace(".", "0")) for c in row] for row in layer.split("/")] for layer in layers],
        dtype=np.int32,
    )


def test_complete_drawing() -> None:
    """Tests that a correct answer is kept as it is, without a word."""
    answer = draw(*BOTH)
    kept, dropped = usable(PROBLEM, answer)
    assert violations(PROBLEM, answer) == []
    assert np.array_equal(kept, answer) and dropped == []


@pytest.mark.parametrize("ends_drawn", [False, True])
def test_missing_line(ends_drawn: bool) -> None:
    """Tests that a line that is not drawn, or only as its ends, is missing without a word."""
    drawing = draw(*BOTH)
    drawing[drawing == 1] = 0
    if ends_drawn:
        drawing[0, 0, 0] = drawing[2, 3, 3] = 1
    kept, dropped = usable(PROBLEM, drawing)
    assert np.array_equal(kept, np.where(draw(*BOTH) == 2, 2, 0)) and dropped == []


@pytest.mark.parametrize(
    ("layers", "kept_lines", "sentence"),
    [
        (
            ("1.22/...2/1112/....", *BOTH[1:]),
            {2},
            "line 1 dropped: it is cut: the piece at (0,0) layer 1 does not reach VIA#a at (2,2) "
            "layer 1",
        ),
        (
            ("1.22/1..2/1112/....", ".22./..../..2./....", BOTH[2]),
            set(),
            "line 1 dropped: VIA#a does not carry one number: 1 on layer 1, 0 on layer 2, 1 on "
            "layer 3",
        ),
        (
            ("1.22/11.2/1112/....", *BOTH[1:]),
            {2},
            "line 1 dropped: it branches or touches itself at",
        ),
        (
            ("1.22/1..2/1111/....", *BOTH[1:]),
            set(),
            "line 1 dropped: it runs over an end of line 2 at (3,2) layer 1",
        ),
        (("1.22/1.92/1112/....", *BOTH[1:]), {1, 2}, "no line has the number 9: dropped"),
    ],
)
def test_wrong_line(layers: tuple[str, ...], kept_lines: set[int], sentence: str) -> None:
    """Tests that a wrong line is dropped with its fault, and only what is wrong."""
    kept, dropped = usable(PROBLEM, draw(*layers))
    assert dropped[0].startswith(sentence)
    drawn = draw(*layers)
    assert set(np.unique(kept).tolist()) - {0} == kept_lines
    assert np.array_equal(kept, np.where(np.isin(drawn, list(kept_lines)), drawn, 0))


def test_other_size() -> None:
    """Tests that nothing of a drawing of another size is kept."""
    kept, dropped = usable(PROBLEM, np.ones((1, 2, 3), np.int32))
    assert kept.shape == PROBLEM.shape and not kept.any()
    assert dropped == ["the answer's SIZE is 3X2X1, the problem's is 4X4X3"]


def check_kept(drawing: Answer) -> None:
    """Check that what is kept is drawn, correct, and told of where it is not all."""
    kept, dropped = usable(PROBLEM, drawing)
    assert np.array_equal(kept[kept > 0], drawing[kept > 0])
    there = set(np.unique(kept).tolist()) - {0}
    broken = [v for v in violations(PROBLEM, kept) if v.line in there or v.line is None]
    assert [v.rule for v in broken] in ([], ["empty"])
    for line in PROBLEM.lines:
        cells = {tuple(cell) for cell in np.argwhere(drawing == line.number).tolist()}
        told = any(text.startswith(f"line {line.number} dropped: ") for text in dropped)
        assert told == (line.number not in there and not cells <= set(line.ends))


@given(arrays(np.int32, PROBLEM.shape, elements=st.integers(-3, 5)))
def test_any_numbers(drawing: Answer) -> None:
    """Tests that numbers at random never crash, and that what is kept is correct."""
    check_kept(drawing)


@given(
    st.lists(
        st.tuples(st.integers(0, 2), st.integers(0, 3), st.integers(0, 3), st.integers(0, 3)),
        max_size=4,
    )
)
def test_any_changes(changes: list[tuple[int, int, int, int]]) -> None:
    """Tests the same of an answer with a few cells changed."""
    drawing = draw(*BOTH)
    for z, y, x, number in changes:
        drawing[z, y, x] = number
    check_kept(drawing)
