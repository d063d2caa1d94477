"""What of a drawing can be used: its lines that are correct as they stand.

A drawing is an array like an answer's, by hand or from a file, that may lack lines or have them
wrong. Whether one line is correct has nothing to do with the others: a cell holds one number, and
all that lines can do to each other is to take a cell of an end or a via.
"""

from __future__ import annotations

import numpy as np

from nlrouter.answer import Answer
from nlrouter.checker.rules import violations
from nlrouter.grid import occupants
from nlrouter.problem import Cell, Line, Problem


def usable(problem: Problem, drawing: Answer) -> tuple[Answer, list[str]]:
    """Keep the correct lines of a drawing.

    Parameters
    ----------
    problem
        The board.
    drawing
        Whole numbers, of whatever shape and values.

    Returns
    -------
    tuple
        The lines that are joined from end to end as the rules ask for, 0 elsewhere, of the
        problem's shape; and a sentence for each thing that was dropped. A line of which at most
        its ends are drawn is missing, which takes no sentence.
    """
    kept = np.zeros(problem.shape, np.int32)
    if drawing.shape != problem.shape:
        return kept, [violations(problem, drawing)[0].text]
    dropped = []
    strangers = np.setdiff1d(drawing, np.arange(len(problem.lines) + 1))
    if len(strangers):
        numbers = ", ".join(str(number) for number in strangers[:5].tolist())
        more = ", ..." if len(strangers) > 5 else ""
        dropped.append(f"no line has the number {numbers}{more}: dropped")
    ends = occupants(problem)
    doubtful = _doubtful(problem, drawing, ends)
    sound = [line.number for line in problem.lines if line.number not in doubtful]
    kept[...] = np.where(np.isin(drawing, sound), drawing, 0)
    for line in problem.lines:
        own = drawing == line.number
        if line.number not in doubtful or own.sum() <= sum(own[end] for end in line.ends):
            continue
        fault = _fault(problem, line, np.where(own, np.int32(line.number), np.int32(0)), ends)
        if not fault:
            kept[own] = line.number
        else:
            dropped.append(f"line {line.number} dropped: {fault}")
    return kept, dropped


def _doubtful(problem: Problem, drawing: Answer, ends: Answer) -> set[int]:
    """Return the numbers of lines that may be wrong, and of all that are.

    The checker looks at the lines together, which is much faster than one by one. But where lines
    take cells of each other, it blames one of them, and the right one need not be that.
    """
    doubtful = set(drawing[(ends > 0) & (drawing != ends)].tolist())
    for violation in violations(problem, drawing):
        if violation.line is not None:
            doubtful.add(violation.line)
    for via in problem.vias:
        numbers = {int(drawing[cell]) for cell in via.cells}
        if len(numbers) > 1:
            doubtful |= numbers
    return doubtful


def _fault(problem: Problem, line: Line, own: Answer, ends: Answer) -> str:
    """Say what is wrong with a line that is alone on the board; empty if nothing is."""
    for z, y, x in np.argwhere((own > 0) & (ends > 0) & (ends != line.number)).tolist():
        return f"it runs over an end of line {ends[z, y, x]} at {Cell(z, y, x)}"
    # The others are missing, and a via that is partly empty is this line's affair.
    for violation in violations(problem, own):
        if violation.line in (line.number, None):
            name = f"LINE#{line.number}"
            return violation.text.removeprefix(f"{name}: ").replace(f"{name} ", "it ")
    return ""
