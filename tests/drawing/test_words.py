"""Tests of what pictures say in each language."""

from __future__ import annotations

import re

import numpy as np

from nlrouter.checker.rules import Violation
from nlrouter.drawing.scene import compose
from nlrouter.drawing.words import JAPANESE, columns, wrap
from nlrouter.files.problem_file import parse_problem
from nlrouter.problem import Cell

FLAT = parse_problem("SIZE 5X3\nLINE_NUM 2\nLINE#1 (0,0)-(4,0)\nLINE#2 (0,2)-(4,2)\n", "flat")
GOOD = np.array([[[1, 1, 1, 1, 1], [0, 0, 0, 0, 0], [2, 2, 2, 2, 2]]], dtype=np.int32)


def test_japanese_captions() -> None:
    """Tests that cost, bound, gap and status are told in Japanese."""
    head, told = compose(FLAT, GOOD, "flat", bound=9, words=JAPANESE).caption
    assert head == "flat   5X3X1、線 2 本、ビア 0 個"
    cost = "コスト 10 = 線長 10 + 折れ曲がり 0"
    assert told == f"{cost}   下界 9   ギャップ 10.0 %   最適かどうかは未証明"


def test_each_rule_has_japanese_words() -> None:
    """Tests that no violation is told in English among Japanese words."""
    rules = re.findall("``([a-z-]+)``", Violation.__doc__ or "")
    assert len(rules) >= 16
    for rule in rules:
        told = JAPANESE.violation(Violation(rule, 3, Cell(1, 2, 4), "english"))
        assert told.startswith("LINE#3 第 2 層 (4,2): ")
        assert "english" not in told


def test_rows_fit() -> None:
    """Tests that rows are as wide as they may be, a Japanese character taking two columns."""
    assert columns("aあ") == 3
    text = "線が 途中で 切れています。 " * 5 + "and so on, and so on " * 5
    rows = wrap(text, 24)
    assert max(map(columns, rows)) <= 24
    assert "".join("".join(rows).split()) == "".join(text.split())


def test_no_break_spaces_hold() -> None:
    """Tests that what belongs together stays in one row, with plain blanks."""
    assert wrap("aa\u00a0bb cc\u00a0dd", 8) == ["aa bb", "   cc dd"]
