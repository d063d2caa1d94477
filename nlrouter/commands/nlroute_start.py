"""What ``--start`` and ``--fix`` give ``nlroute`` to begin with."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from nlrouter.answer import Answer
from nlrouter.checker.usable import usable
from nlrouter.files.answer_file import read_answer, require_shape
from nlrouter.files.errors import FileError
from nlrouter.problem import Problem


def read_start(
    path: str, fixed: frozenset[int], problem: Problem, complain: Callable[[str], None]
) -> Answer:
    """Read the lines to start from.

    Parameters
    ----------
    path
        The answer file, complete or partial; ``-`` is standard input.
    fixed
        Numbers of the lines to be kept.
    problem
        The board.
    complain
        Told of everything in the file that cannot be used.

    Returns
    -------
    Answer
        The correct lines, 0 elsewhere.

    Raises
    ------
    FileError
        If the file is no answer of the problem's size, or if a line to be kept is missing.
    """
    drawing = read_answer(path)
    require_shape(path, drawing, problem)
    count = len(problem.lines)
    if strangers := sorted(number for number in fixed if not 1 <= number <= count):
        raise FileError("--fix", None, f"line {strangers[0]}", f"numbers from 1 to {count}")
    start, dropped = usable(problem, drawing)
    for sentence in dropped:
        complain(f"{path}: {sentence}")
    if missing := sorted(fixed.difference(np.unique(start).tolist())):
        expected = "each line that --fix names, complete and correct"
        raise FileError(path, None, f"no line {missing[0]} that could be kept", expected)
    return start
