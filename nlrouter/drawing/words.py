"""What pictures say, in English and in Japanese."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass

from nlrouter.answer import Cost
from nlrouter.checker.rules import Violation
from nlrouter.problem import Cell, Problem


@dataclass(frozen=True)
class Words:
    """The phrases of one language.

    Parameters
    ----------
    layer
        Names a layer, numbered from 1.
    head
        Names a board: its title, and what is on it.
    frame
        Names one of several answers to a board: its title, which, and of how many.
    cost
        Tells the cost of an answer.
    correct, optimal, feasible
        The status of a correct answer; `feasible` where its cost may be above the least.
    bound, gap
        Tell a bound, and the gap in percent.
    wrong
        Tells how many violations there are.
    violation
        Tells a violation.
    more
        Tells how many violations are not told.
    vias
        Starts a list of vias.
    """

    layer: Callable[[int], str]
    head: Callable[[str, Problem], str]
    frame: Callable[[str, int, int], str]
    cost: Callable[[Cost], str]
    correct: str
    optimal: str
    feasible: str
    bound: Callable[[int], str]
    gap: Callable[[float], str]
    wrong: Callable[[int], str]
    violation: Callable[[Violation], str]
    more: Callable[[int], str]
    vias: str


def _size(problem: Problem) -> str:
    return problem.size


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


ENGLISH = Words(
    layer=lambda number: f"layer {number}",
    head=lambda title, problem: (
        f"{title}   {_size(problem)}, {_count(len(problem.lines), 'line')}, "
        f"{_count(len(problem.vias), 'via')}"
    ),
    frame=lambda title, index, count: f"{title}, answer {index} of {count}",
    cost=lambda cost: f"cost {cost.total} = {cost.length} cells + {cost.bends} bends",
    correct="correct",
    optimal="optimal",
    feasible="feasible",
    bound=lambda bound: f"bound {bound}",
    gap=lambda percent: f"gap {percent:.1f} %",
    wrong=lambda count: f"wrong: {_count(count, 'violation')}",
    violation=lambda violation: violation.text,
    more=lambda count: f"and {count} more",
    vias="vias (layers, line):",
)

_BROKEN_RULES = {
    "size": "回答の大きさが問題と違います",
    "empty": "回答が空です",
    "missing": "この番号のマスが 1 つもありません",
    "end": "線の端に番号がありません",
    "number": "この番号の線はありません",
    "via-shared": "ビアのマスの番号がそろっていません",
    "via-needless": "両端が同じ層にあるのにビアを使っています",
    "via-none": "層をまたぐのにビアを使っていません",
    "via-two": "2 つ以上のビアを使っています",
    "via-span": "使っているビアの層が、線の両端の層と違います",
    "via-middle": "ビアの途中の層から線が出ています",
    "passed": "線の端またはビアで止まっていません",
    "cut": "途中で切れています",
    "branch": "枝分かれしているか、自分自身に接しています",
    "layer": "両端のない層にマスがあります",
    "loose": "どこにもつながらない切れ端があります",
}
"""What is wrong, by `Violation.rule`."""


def _violation_in_japanese(violation: Violation) -> str:
    text = _BROKEN_RULES.get(violation.rule, violation.text)
    if violation.cell is not None:
        text = f"{_cell_in_japanese(violation.cell)}: {text}"
    return text if violation.line is None else f"LINE#{violation.line} {text}"


def _cell_in_japanese(cell: Cell) -> str:
    return f"第 {cell.z + 1} 層 ({cell.x},{cell.y})"


JAPANESE = Words(
    layer=lambda number: f"第 {number} 層",
    head=lambda title, problem: (
        f"{title}   {_size(problem)}、線 {len(problem.lines)} 本、ビア {len(problem.vias)} 個"
    ),
    frame=lambda title, index, count: f"{title}、回答 {index}/{count}",
    cost=lambda cost: f"コスト {cost.total} = 線長 {cost.length} + 折れ曲がり {cost.bends}",
    correct="正しい回答",
    optimal="最適",
    feasible="最適かどうかは未証明",
    bound=lambda bound: f"下界 {bound}",
    gap=lambda percent: f"ギャップ {percent:.1f} %",
    wrong=lambda count: f"誤りが {count} 個あります",
    violation=_violation_in_japanese,
    more=lambda count: f"ほかに {count} 個",
    vias="ビア (層、線):",
)

LANGUAGES = {"en": ENGLISH, "ja": JAPANESE}
"""By the code of ISO 639."""


def columns(text: str) -> int:
    """Return the columns that a text takes in a terminal: Japanese characters take two."""
    return sum(1 + _is_wide(char) for char in text)


def wrap(text: str, width: int) -> list[str]:
    """Break a text into rows of at most so many `columns`, all but the first indented.

    It is not broken at a no-break space, which becomes a blank.
    """
    # What `textwrap` counts as one character more.
    filled = "".join(char + "\0" if _is_wide(char) else char for char in text)
    rows = textwrap.wrap(filled, max(8, width), subsequent_indent="   ")
    return [row.replace("\0", "").replace("\u00a0", " ") for row in rows]


def _is_wide(char: str) -> bool:
    return unicodedata.east_asian_width(char) in "WF"
