"""The verdict of the organisers' checker ``nlcheck.py`` (September 2016), holes included.

It reads more than the file format allows and passes some answers that break the rules. What
it said decided the contest, so it is kept here to the letter, apart from `rules`, which says
what is right. The numbers of the checks are the original's.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

import numpy as np

from nlrouter.answer import Answer
from nlrouter.checker import CONTEST_RULES
from nlrouter.checker.cost import measure
from nlrouter.checker.pieces import pieces, same_neighbours
from nlrouter.problem import Cell, Problem, Via, size_text

_LINE_BREAK = re.compile(r"\r\n|\r|\n")
# Nine digits are more than any board has, and few enough for `int`.
_SIZE = re.compile(r"SIZE\s+([0-9]{1,9})X([0-9]{1,9})(?:X([0-9]{1,9}))?\b", re.IGNORECASE)
_LAYER = re.compile(r"LAYER\s+([0-9]{1,9})\b", re.IGNORECASE)
_NO_NUMBER = -1
_LARGEST = np.iinfo(np.int32).max


class ContestCheckerCrash(Exception):
    """The original stops on this text and gives no verdict; the message says where and why."""


class RuleMismatch(ValueError):
    """The rule asked for says nothing about boards like this one."""


def judge(problem: Problem, text: str, rule: str = "ADC2016") -> list[tuple[bool, float]]:
    """Judge every answer in a text as the contest's checker does.

    Known to pass although the rules forbid it: a line cut in the middle whose two pieces hang
    on its two ends, and anything in the last middle cell of a via over four or more layers
    that no other check sees.

    Parameters
    ----------
    problem
        The board.
    text
        The answer file's text. A blank line ends an answer; an answer of zeros alone is
        skipped; missing numbers are zeros; a token that is no number is -1, hence wrong.
    rule
        The year. The rules of 2014 and 2015 know boards of one layer only. There, the checks
        of 2016 that do not concern vias are applied, whatever the year.

    Returns
    -------
    list
        Per answer, whether it is correct, and its quality (0.0 if it is not).

    Raises
    ------
    ContestCheckerCrash
        Where the original stops without a verdict.
    RuleMismatch
        If the rule is for one layer and the board has several.
    ValueError
        If there is no such rule.
    """
    if rule not in CONTEST_RULES:
        raise ValueError(f"there is no rule {rule!r}, only {', '.join(CONTEST_RULES)}")
    if rule != "ADC2016" and problem.layers > 1:
        raise RuleMismatch(f"rule {rule} is for one layer, the board has {problem.layers}")
    return [_verdict(problem, sheet) for sheet in _read(text) if not sheet.is_blank]


@dataclass
class _Sheet:
    """An answer as read: a size that nothing has checked yet, and rows of up to that size."""

    shape: tuple[int, int, int]
    rows: dict[tuple[int, int], list[int]] = field(default_factory=dict)

    @property
    def is_blank(self) -> bool:
        """Whether there are zeros alone."""
        return not any(any(row) for row in self.rows.values())

    def answer(self) -> Answer:
        """Return the array, with zeros where rows are short or missing."""
        answer: Answer = np.zeros(self.shape, dtype=np.int32)
        for (z, y), row in self.rows.items():
            answer[z, y, : len(row)] = row
        return answer


def _read(text: str) -> list[_Sheet]:
    """Return the answers in a text, read as leniently as the original does."""
    sheets: list[_Sheet] = []
    z = y = 0
    for number, raw in enumerate(_LINE_BREAK.split(text.removeprefix("\ufeff")), start=1):
        line = raw.strip()
        if match := _SIZE.match(line):
            width, height, layers = (int(digits or 1) for digits in match.groups())
            sheets.append(_Sheet((layers, height, width)))
            z = y = 0
        elif match := _LAYER.match(line):
            z, y = int(match[1]) - 1, 0
        elif not line:
            if sheets and sheets[-1].rows:
                sheets.append(_Sheet(sheets[-1].shape))
            z = y = 0
        elif "," not in line:
            # The original prints such a line and goes on; it can print ASCII alone.
            if not line.isascii():
                raise ContestCheckerCrash(
                    f"line {number}: {line[:60]!r} is no row (a UnicodeEncodeError in the original)"
                )
        elif not sheets:
            raise ContestCheckerCrash(f"line {number}: a row before any SIZE")
        else:
            layers, height, width = sheets[-1].shape
            row = [_number(token) for token in line.split(",")]
            if not (-1 <= z < layers and y < height and len(row) <= width):
                raise ContestCheckerCrash(
                    f"line {number}: row {y + 1} of layer {z + 1} with {len(row)} numbers goes"
                    f" beyond SIZE {size_text(sheets[-1].shape)} (an IndexError in the original)"
                )
            sheets[-1].rows[z % layers, y] = row  # LAYER 0 is the last one, as -1 is numpy's.
            y += 1
    return sheets


def _number(token: str) -> int:
    """Return the number that a token stands for, -1 if none that a board could have."""
    try:
        value = int(token)
    except ValueError:
        return _NO_NUMBER
    return value if 0 <= value <= _LARGEST else _NO_NUMBER


def _verdict(problem: Problem, sheet: _Sheet) -> tuple[bool, float]:
    """Return the original's pair for one answer."""
    # Before the array is made: a SIZE out of all proportion must not cost the memory.
    if sheet.shape != problem.shape:
        return False, 0.0
    answer = sheet.answer()
    if _Checks(problem, answer).all_pass():
        return True, measure(answer).quality
    return False, 0.0


class _Checks:
    """The original's checks on one answer; there is no check 6."""

    def __init__(self, problem: Problem, answer: Answer) -> None:
        self.problem = problem
        self.answer = answer
        in_x, in_y = same_neighbours(answer)
        self.degree = in_x + in_y
        self.piece_of = pieces(answer)
        self.ends = {end for line in problem.lines for end in line.ends}
        self.via_at = {cell: via for via in problem.vias for cell in via.cells}

    def all_pass(self) -> bool:
        """Whether the answer counts as correct."""
        return (
            self.check_1()
            and self.check_2()
            and self.check_3()
            and self.check_4()
            and self.check_5()
            and all(self.check_7(via) for via in self.problem.vias)
        )

    def check_1(self) -> bool:
        """Whether the ends carry their numbers."""
        return all(
            self.answer[end] == line.number for line in self.problem.lines for end in line.ends
        )

    def check_2(self) -> bool:
        """Whether there are only numbers of lines."""
        return bool(self.answer.min() >= 0 and self.answer.max() <= len(self.problem.lines))

    def check_3(self) -> bool:
        """Whether each end has exactly one neighbour."""
        return all(self.degree[end] == 1 for end in self.ends)

    def check_4(self) -> bool:
        """Whether nothing branches."""
        return bool(self.degree.max() < 3)

    def check_5(self) -> bool:
        """Whether all hangs on ends: on one end is enough, so a cut line passes."""
        hanging = {cell for end in self.ends for cell in self.piece_of[end]}
        return all(
            cell in hanging or (cell in self.via_at and self.degree[cell] == 0)
            for cell in self.piece_of
        )

    def check_7(self, via: Via) -> bool:
        """Whether a via joins two ends; the last middle cell of two or more goes unseen."""
        bottom, *middle, top = via.cells
        if len(middle) > 1:
            middle.pop()
        number = self.answer[bottom]
        return (
            number != 0
            and all(self.answer[cell] == number for cell in (*middle, top))
            and self.degree[bottom] == self.degree[top] == 1
            and all(self.degree[cell] == 0 for cell in middle)
            and self._leads_to_an_end(bottom, via)
            and self._leads_to_an_end(top, via)
        )

    def _leads_to_an_end(self, cell: Cell, via: Via) -> bool:
        """Whether the piece at a via's cell holds an end of a line and no other via."""
        piece = self.piece_of[cell]
        return any(near in self.ends for near in piece) and all(
            self.via_at.get(near, via) is via for near in piece
        )
