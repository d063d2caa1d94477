"""Tests that each mistake is told once, in words that help."""

from typing import Any

import numpy as np
import pytest

from nlrouter.answer import Answer
from nlrouter.checker.rules import Violation, violations
from nlrouter.files.problem_file import parse_problem
from nlrouter.problem import Cell, Problem
from tests.checker.drawing import FLAT, SHAFT, SHAFT_LAYERS, TOWER, TOWER_LAYERS, draw

BOTTOM, MIDDLE, TOP = TOWER_LAYERS

# Two lines across the same two layers, and vias enough of other spans.
SPANS = parse_problem(
    "SIZE 3X2X3\nLINE_NUM 2\nLINE#1 (0,0,1) (0,0,2)\nLINE#2 (0,1,1) (0,1,3)\n"
    "VIA#a (2,0,1) (2,0,2)\nVIA#b (2,1,1) (2,1,2) (2,1,3)\n",
    "spans",
)
# One line on one layer beside two that climb.
MIXED = parse_problem(
    "SIZE 4X3X2\nLINE_NUM 3\nLINE#1 (0,0,1) (3,0,1)\nLINE#2 (0,1,1) (0,1,2)\n"
    "LINE#3 (0,2,1) (0,2,2)\nVIA#a (3,1,1) (3,1,2)\nVIA#b (3,2,1) (3,2,2)\n",
    "mixed",
)


@pytest.mark.parametrize(
    ("problem", "answer"),
    [
        (TOWER, draw(*TOWER_LAYERS)),
        (SHAFT, draw(*SHAFT_LAYERS)),
        (FLAT, draw("11111/...../22222")),
        (FLAT, draw("11.11/.111./22222")),
        (SPANS, draw("111/222", "111/..2", ".../222")),
        (MIXED, draw("1111/2222/3333", "..../2222/3333")),
    ],
)
def test_correct_answers(problem: Problem, answer: Answer) -> None:
    """Tests that a correct answer has no violation."""
    assert violations(problem, answer) == []


@pytest.mark.parametrize(
    ("problem", "answer", "expected"),
    [
        pytest.param(
            FLAT,
            draw("11.11/...../22222"),
            "cut: LINE#1 is cut: the piece at (0,0) layer 1 does not reach its end (4,0) layer 1",
            id="cut",
        ),
        pytest.param(
            TOWER,
            draw("1.22/1..2/1.12/....", MIDDLE, TOP),
            "cut: LINE#1 is cut: the piece at (0,0) layer 1 does not reach VIA#a at (2,2) layer 1",
            id="cut before its via",
        ),
        pytest.param(
            TOWER,
            draw(BOTTOM, ".2../..../..1./....", TOP),
            "via-shared: VIA#b does not carry one number: 2 on layer 1, 0 on layer 2",
            id="via left half way",
        ),
        pytest.param(
            FLAT,
            draw("11111/..1../22222"),
            "branch: LINE#1 branches or touches itself at (2,0) layer 1",
            id="spur",
        ),
        pytest.param(
            FLAT,
            draw("11111/.111./22222"),
            "branch: LINE#1 branches or touches itself at (1,0) layer 1 and 3 more cells",
            id="touching",
        ),
        pytest.param(
            FLAT,
            draw("11111/1..../22222"),
            "passed: LINE#1 does not stop at its end (0,0) layer 1",
            id="end passed",
        ),
        pytest.param(
            TOWER,
            draw(BOTTOM, MIDDLE, "..../..1./..1./..11"),
            "passed: LINE#1 does not stop at VIA#a at (2,2) layer 3",
            id="via passed",
        ),
        pytest.param(
            TOWER,
            draw(BOTTOM, MIDDLE, "2.../..../..1./..11"),
            "layer: LINE#2 has its ends on layer 1 and 2 but a piece at (0,0) layer 3",
            id="layer of others",
        ),
        pytest.param(
            MIXED,
            draw("1111/2222/3333", "11../2222/3333"),
            "layer: LINE#1 has its ends on layer 1 but a piece at (0,0) layer 2 and 1 more cell",
            id="layer of others, one-layer line",
        ),
        pytest.param(
            TOWER,
            draw(BOTTOM, MIDDLE, "11../11../..1./..11"),
            "loose: a piece of LINE#1 hangs loose at (0,0) layer 3 and 3 more cells",
            id="loose ring",
        ),
        pytest.param(
            TOWER,
            draw(BOTTOM, ".22./..../.11./....", TOP),
            "via-middle: LINE#1 leaves VIA#a by its middle cell (2,2) layer 2",
            id="middle cell attached",
        ),
        pytest.param(
            TOWER,
            draw(BOTTOM, ".22./..../..../....", TOP),
            "via-shared: VIA#a does not carry one number: 1 on layer 1, 0 on layer 2, 1 on layer 3",
            id="middle cell empty",
        ),
        pytest.param(
            FLAT,
            draw("11111/7.7../22222"),
            "number: number 7 at (0,1) layer 1 and 1 more cell: there are LINE#1 to LINE#2 only",
            id="stranger",
        ),
        pytest.param(
            FLAT,
            draw("1111./...../22222"),
            "end: LINE#1: its end (4,0) layer 1 is empty",
            id="end empty",
        ),
        pytest.param(
            FLAT,
            draw("11112/...../22222"),
            "end: LINE#1: its end (4,0) layer 1 carries 2",
            id="end of another",
        ),
        pytest.param(
            FLAT,
            draw("11111/...../....."),
            "missing: LINE#2 is missing: no cell carries its number",
            id="missing",
        ),
        pytest.param(
            TOWER,
            draw(BOTTOM.replace("2", "."), MIDDLE.replace("2", "."), TOP),
            "missing: LINE#2 is missing: no cell carries its number",
            id="missing with its via",
        ),
        pytest.param(
            TOWER,
            draw("1..2/1..2/1112/....", ".2../..../..1./....", TOP),
            "via-none: LINE#2 joins layers 1 and 2 but takes no via (VIA#b unused)",
            id="no via",
        ),
        pytest.param(FLAT, draw("...../...../....."), "empty: the answer is empty", id="empty"),
        pytest.param(
            FLAT,
            draw("11111/22222"),
            "size: the answer's SIZE is 5X2X1, the problem's is 5X3X1",
            id="size",
        ),
    ],
)
def test_one_mistake(problem: Problem, answer: Answer, expected: str) -> None:
    """Tests that one mistake makes one violation, in words that name line and cell."""
    assert told(problem, answer) == [expected]


@pytest.mark.parametrize(
    ("problem", "answer", "expected"),
    [
        pytest.param(
            FLAT,
            draw("11211/...../22222"),
            [
                "cut: LINE#1 is cut: the piece at (0,0) layer 1"
                " does not reach its end (4,0) layer 1",
                "loose: a piece of LINE#2 hangs loose at (2,0) layer 1",
            ],
            id="another line's number",
        ),
        pytest.param(
            SPANS,
            draw("1../222", "1../..2", "1../222"),
            [
                "via-none: LINE#1 joins layers 1 and 2 but takes no via (VIA#a unused)",
                "layer: LINE#1 has its ends on layer 1 and 2 but a piece at (0,0) layer 3",
            ],
            id="no via, and elsewhere",
        ),
        pytest.param(
            SPANS,
            draw("1.2/222", "1.2/..2", ".../222"),
            [
                "via-none: LINE#1 joins layers 1 and 2 but takes no via",
                "via-two: LINE#2 takes more than one via: VIA#a and VIA#b",
            ],
            id="two vias",
        ),
        pytest.param(
            SPANS,
            draw("1.2/2.1", "1.2/..1", ".../2.1"),
            [
                "via-span: LINE#1 joins layers 1 and 2 but takes VIA#b, which joins layers 1 and 3",
                "via-span: LINE#2 joins layers 1 and 3 but takes VIA#a, which joins layers 1 and 2",
            ],
            id="swapped spans",
        ),
        pytest.param(
            SPANS,
            draw("111/222", "11./..1", ".../222"),
            [
                "via-shared: VIA#a does not carry one number: 1 on layer 1, 0 on layer 2",
                "via-shared: VIA#b does not carry one number: 2 on layer 1, 1 on layer 2,"
                " 2 on layer 3",
            ],
            id="shared vias",
        ),
        pytest.param(
            MIXED,
            draw("1111/2221/3333", "..../2221/3333"),
            [
                "via-needless: LINE#1 has both ends on one layer but takes VIA#a",
                "via-none: LINE#2 joins layers 1 and 2 but takes no via",
                "passed: LINE#1 does not stop at its end (3,0) layer 1",
            ],
            id="needless via",
        ),
    ],
)
def test_several_mistakes(problem: Problem, answer: Answer, expected: list[str]) -> None:
    """Tests that different mistakes all appear."""
    assert told(problem, answer) == expected


def test_violation_says_where() -> None:
    """Tests that programs find line and cell without reading the text."""
    (violation,) = violations(FLAT, draw("11111/1..../22222"))
    assert violation == Violation("passed", 1, Cell(0, 0, 0), violation.text)


@pytest.mark.parametrize(
    "shape", [(), (15,), (3, 5), (1, 5, 3), (2, 3, 5), (1, 1, 3, 5), (0, 0, 0)]
)
def test_wrong_shapes(shape: tuple[int, ...]) -> None:
    """Tests that an array of another shape is a violation, not a crash."""
    (violation,) = violations(FLAT, np.ones(shape, dtype=np.int32))
    assert violation.rule == "size"


@pytest.mark.parametrize("value", [-1, 3, 2**31 - 1, 2**40])
def test_strange_values(value: int) -> None:
    """Tests that no number slips through, however large."""
    answer: Any = draw("11111/...../22222").astype(np.int64)
    answer[0, 1, 2] = value
    (violation,) = violations(FLAT, answer)
    assert violation.text == (f"number {value} at (2,1) layer 1: there are LINE#1 to LINE#2 only")


def told(problem: Problem, answer: Answer) -> list[str]:
    return [f"{violation.rule}: {violation.text}" for violation in violations(problem, answer)]
