"""The rules of NumberLink as it is played, on one layer, where lines may run beside themselves.

Two rule sets besides the contest's, which `rules` judges: ``nikoli``, where cells may stay empty,
and ``flow``, where none may. In both a line may touch itself, so that the numbers of the cells do
not tell where it runs; where only these are known, a way through all cells of a line is looked for.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from nlrouter.answer import Answer
from nlrouter.checker.rules import Violation, violations
from nlrouter.problem import Cell, Line, Problem, size_text
from nlrouter.rule_sets import Rules
from nlrouter.strokes import Strokes

Place = tuple[int, int]
"""Row and column of a cell."""

MOST_STEPS = 200_000
"""Steps of the search for a way through a line's cells; a drawing tells it without."""


class CannotTell(Exception):
    """No way through a line's cells was found in reasonable time, nor that there is none."""


def violations_by(
    problem: Problem, answer: Answer, rules: Rules, strokes: Strokes | None = None
) -> list[Violation]:
    """Find the mistakes of an answer by a rule set.

    Parameters
    ----------
    problem
        The board; of one layer, unless the rules are the contest's.
    answer
        The numbers of its cells.
    rules
        The rule set.
    strokes
        Where the lines run; None if only the numbers are known, as by the contest's rules, which
        leave nothing open.

    Returns
    -------
    list
        The violations, line by line. Empty exactly if the answer is correct.

    Raises
    ------
    ValueError
        If the board has several layers and the rules are for one.
    CannotTell
        If only the numbers are known, and a way through them is too hard to find.
    """
    if rules is Rules.ADC:
        return violations(problem, answer) or _undrawn(answer, strokes)
    if problem.layers > 1:
        raise ValueError(f"rules {rules}: found a board of {problem.layers} layers, expected one")
    if answer.shape != problem.shape:
        text = f"the answer's SIZE is {size_text(answer.shape)}, the problem's is {problem.size}"
        return [Violation("size", None, None, text)]
    found = _numbers(problem, answer)
    joined = None if strokes is None else strokes.joined()
    for y, x in joined or ():
        if not answer[0, y, x]:
            cell = Cell(0, y, x)
            found.append(Violation("loose", None, cell, f"a line without a number at {cell}"))
    for line in problem.lines:
        fault = _ends(line, answer) or _line(line, answer, joined)
        if fault is not None:
            found.append(fault)
    if rules is Rules.FLOW and not answer.all():
        empty = np.argwhere(answer == 0).tolist()
        cell = Cell(*empty[0])
        more = f" and {len(empty) - 1} more" if len(empty) > 1 else ""
        found.append(Violation("unfilled", None, cell, f"the cell {cell}{more} is empty"))
    return found


def _undrawn(answer: Answer, strokes: Strokes | None) -> list[Violation]:
    """What is drawn joins all neighbours of one number, as their line touches itself nowhere."""
    if strokes is None:
        return []
    marked = strokes.cells_that_differ(Strokes.between_equals(answer))
    if not marked.any():
        return []
    y, x = np.argwhere(marked).tolist()[0]
    cell = Cell(0, y, x)
    text = f"LINE#{answer[cell]} is cut or loose at {cell}"
    return [Violation("cut", int(answer[cell]), cell, text)]


def _numbers(problem: Problem, answer: Answer) -> list[Violation]:
    """Each number is a line's."""
    count = len(problem.lines)
    wrong = np.argwhere((answer < 0) | (answer > count)).tolist()
    if not wrong:
        return []
    cell = Cell(*wrong[0])
    text = f"number {answer[cell]} at {cell}: there are LINE#1 to LINE#{count} only"
    return [Violation("number", None, cell, text)]


def _ends(line: Line, answer: Answer) -> Violation | None:
    """The ends carry the line's number."""
    for end in line.ends:
        if answer[end] != line.number:
            text = f"LINE#{line.number}: its end {end} carries {answer[end]}"
            return Violation("end", line.number, end, text)
    return None


def _line(line: Line, answer: Answer, joined: dict[Place, list[Place]] | None) -> Violation | None:
    """All cells of a line's number are on one way from end to end."""
    start, stop = ((end.y, end.x) for end in line.ends)
    cells = {(y, x) for _, y, x in np.argwhere(answer == line.number).tolist()}
    if joined is None:
        if _way(cells, start, stop) is None:
            text = f"LINE#{line.number}: no way from end to end leads through all of its cells"
            return Violation("way", line.number, line.ends[0], text)
        return None
    before, at, seen = None, start, {start}
    while at != stop:
        onward = [near for near in joined.get(at, ()) if near != before]
        if len(onward) != 1 or onward[0] not in cells or onward[0] in seen:
            cell = Cell(0, *at)
            branches = "branches" if len(onward) > 1 else "ends"
            text = f"LINE#{line.number} {branches} at {cell} and does not reach its other end"
            return Violation("cut", line.number, cell, text)
        before, at = at, onward[0]
        seen.add(at)
    if len(joined[stop]) > 1:
        text = f"LINE#{line.number} does not stop at its end {line.ends[1]}"
        return Violation("passed", line.number, line.ends[1], text)
    if rest := cells - seen:
        cell = Cell(0, *min(rest))
        text = f"a piece of LINE#{line.number} hangs loose at {cell}"
        return Violation("loose", line.number, cell, text)
    return None


def strokes_of(problem: Problem, answer: Answer) -> Strokes:
    """Return where the lines of an answer on one layer run, of which only the numbers are known.

    Raises
    ------
    ValueError
        If no way leads through all cells of a line.
    CannotTell
        If that is too hard to find out.
    """
    strokes = Strokes.none(problem.height, problem.width)
    for line in problem.lines:
        start, stop = ((end.y, end.x) for end in line.ends)
        cells = {(y, x) for _, y, x in np.argwhere(answer == line.number).tolist()}
        way = _way(cells, start, stop)
        if way is None:
            raise ValueError(f"LINE#{line.number}: no way from end to end leads through its cells")
        for first, second in pairwise(way):
            strokes.join(first, second)
    return strokes


def _way(cells: set[Place], start: Place, stop: Place) -> list[Place] | None:
    """Find a way from start to stop through all cells, each once."""
    if not {start, stop} <= cells:
        return None
    near = {
        (y, x): [c for c in ((y, x + 1), (y + 1, x), (y, x - 1), (y - 1, x)) if c in cells]
        for y, x in cells
    }
    left = set(cells) - {start}
    way, choices = [start], [iter(near[start])]
    steps = 0
    while choices:
        if not left and way[-1] == stop:
            return way
        steps += 1
        if steps > MOST_STEPS:
            raise CannotTell("where the lines run has to be drawn, as a pzprv3 file has it")
        onward = None
        if way[-1] != stop and (
            len(way) < 2 or _can_be_left(near[way[-2]], left, near, way[-1], stop)
        ):
            onward = next((c for c in choices[-1] if c in left), None)
        if onward is None:
            choices.pop()
            left.add(way.pop())
        else:
            way.append(onward)
            left.remove(onward)
            choices.append(iter(near[onward]))
    return None


def _can_be_left(
    cells: list[Place], left: set[Place], near: dict[Place, list[Place]], at: Place, stop: Place
) -> bool:
    """Whether each of some cells has still two neighbours to come from and go to."""
    return all(
        cell not in left or cell == stop or sum(c in left or c == at for c in near[cell]) > 1
        for cell in cells
    )
