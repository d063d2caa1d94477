"""The public functions beside `route` and the readers and writers.

Each is what the command of the same purpose does, with the same checks; heavy modules are
loaded by the function that needs them.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from nlrouter.answer import Answer, Cost
from nlrouter.certificate import Certificate
from nlrouter.checker.rules import Violation, violations
from nlrouter.deadline import Deadline
from nlrouter.extras import require
from nlrouter.files.answer_file import format_answer
from nlrouter.files.atomic import write_atomically
from nlrouter.problem import Problem

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from nlrouter.routing.search import Result


def check(problem: Problem, answer: ArrayLike) -> list[Violation]:
    """Judge an answer by the rules, which are stricter than the contest's checker.

    Parameters
    ----------
    problem
        The board.
    answer
        ``(layers, height, width)`` line numbers, 0 where empty.

    Returns
    -------
    list of Violation
        What is wrong, in words and with the cell; empty for a correct answer.

    Examples
    --------
    >>> board = Problem(3, 1, 1, [((0, 0, 1), (2, 0, 1))])
    >>> check(board, [[[1, 1, 1]]])
    []
    >>> [violation.rule for violation in check(board, [[[1, 0, 1]]])]
    ['cut']
    """
    return violations(problem, _answer(answer))


def judge(problem: Problem, answer: ArrayLike) -> tuple[bool, float]:
    """Judge an answer as the contest's own checker does, holes included.

    Parameters
    ----------
    problem
        The board.
    answer
        ``(layers, height, width)`` line numbers, 0 where empty.

    Returns
    -------
    tuple
        The verdict and the quality, as its result line has them; ``(False, 0.0)`` for an answer
        of zeros alone, of which it says nothing.

    Raises
    ------
    ContestCheckerCrash
        Where it would have ended with an error.

    Examples
    --------
    >>> judge(Problem(3, 1, 1, [((0, 0, 1), (2, 0, 1))]), [[[1, 1, 1]]])
    (True, 0.3333333333333333)
    """
    from nlrouter.checker.contest import judge as judge_text

    verdicts = judge_text(problem, format_answer(_answer(answer), len(problem.lines)))
    return verdicts[0] if verdicts else (False, 0.0)


def cost(answer: ArrayLike) -> Cost:
    """Measure an answer: its filled cells and its bends.

    Examples
    --------
    >>> cost([[[1, 1], [0, 1]]])
    Cost(length=3, bends=1)
    """
    from nlrouter.checker.cost import measure

    return measure(_answer(answer))


def infeasible_reason(problem: Problem) -> str:
    """Return a reason why a board has no answer, in words; empty where none is seen at once.

    It takes milliseconds and misses much: `route` proves the rest.

    Examples
    --------
    >>> crossing = Problem(3, 3, 1, [((0, 1, 1), (2, 1, 1)), ((1, 0, 1), (1, 2, 1))])
    >>> infeasible_reason(crossing)
    'on layer 1, LINE#1 must cross LINE#2 as their ends alternate along the border'
    """
    from nlrouter.engine.nets.feasibility import infeasible_reason as reason

    return reason(problem, np.zeros(problem.shape, np.int32))


def draw(
    problem: Problem,
    answer: ArrayLike | None = None,
    output: str | os.PathLike[str] | None = None,
    *,
    title: str = "",
    bound: int | None = None,
    stack: bool = False,
    dark: bool = False,
    lang: str = "en",
) -> Figure:
    """Draw a board, with an answer, right or wrong, if there is one.

    Parameters
    ----------
    problem
        The board.
    answer
        ``(layers, height, width)`` line numbers, 0 where empty.
    output
        A file to write, as SVG, PNG or PDF by its ending.
    title
        What the caption starts with.
    bound
        A proven lower bound, to be told with a correct answer.
    stack
        Whether layers lie above each other at a slant, with vias as posts between them.
    dark
        Whether the paper is dark.
    lang
        Language of the caption, ``en`` or ``ja``.

    Returns
    -------
    matplotlib.figure.Figure
        The picture.

    Raises
    ------
    ValueError
        If the ending of ``output`` is none of these, the language unknown, or the board has
        more on it than a picture can show.
    FileError
        If it cannot be written.
    MissingExtra
        If matplotlib is not installed.
    """
    require("draw")
    from nlrouter.drawing.picture import FORMATS, render
    from nlrouter.drawing.picture import draw as draw_scene
    from nlrouter.drawing.scene import compose
    from nlrouter.drawing.words import LANGUAGES

    if lang not in LANGUAGES:
        raise ValueError(f"found language {lang!r}, expected {' or '.join(LANGUAGES)}")
    drawing = None if answer is None else _answer(answer)
    scene = compose(problem, drawing, title, bound=bound, words=LANGUAGES[lang])
    figure = draw_scene(scene, stack=stack, dark=dark)
    if output is not None:
        path = os.fspath(output)
        form = os.path.splitext(path)[1].removeprefix(".").lower()
        if form not in FORMATS:
            raise ValueError(f"{path}: expected an ending of {', '.join(FORMATS)}")
        write_atomically(path, render(figure, form))
    return figure


def generate(
    kind: str = "random",
    size: tuple[int, int, int] = (10, 10, 2),
    *,
    lines: int | None = None,
    vias: int | float | None = None,
    fill: float | None = None,
    windiness: float | None = None,
    seed: int = 0,
) -> tuple[Problem, Answer]:
    """Make a board that has an answer.

    Parameters
    ----------
    kind
        One of ``nlgen --kind``: ``random``, ``full``, ``bus``, ``detours``, ``channel``,
        ``switchbox``, ``escape``.
    size
        Columns, rows and layers.
    lines
        Number of lines; left to the kind by default, as are those that follow.
    vias
        How many of the lines go through a via: a number, or a share from 0.0 to 1.0.
    fill
        Share of the cells that the hidden answer fills.
    windiness
        How often lines turn where they could go straight on, from 0 to 1.
    seed
        The same seed makes the same board.

    Returns
    -------
    tuple
        The board and its hidden answer, which obeys the rules and is seldom the best.

    Raises
    ------
    ValueError
        If no board can be as asked for, or none was found in a few attempts.

    Examples
    --------
    >>> board, answer = generate("random", (6, 5, 2), lines=4, seed=1)
    >>> board.shape, check(board, answer)
    ((2, 5, 6), [])
    """
    from nlrouter.generators import KINDS, Request, make

    if kind not in KINDS:
        raise ValueError(f"kind {kind!r}: expected one of {', '.join(KINDS)}")
    width, height, layers = size
    request = Request(width, height, layers, lines, vias, fill=fill, windiness=windiness, seed=seed)
    return make(kind, request)


def certify(
    result: Result,
    *,
    time_limit: float = 30.0,
    better: Callable[[Answer], None] | None = None,
) -> Certificate:
    """Prove the lower bound of a result anew, or that there is no answer, for others to check.

    Parameters
    ----------
    result
        What `route` returned.
    time_limit
        Seconds at the most.
    better
        Called with a correct answer that costs less than the result's, if the proof comes upon one.

    Returns
    -------
    Certificate
        Its ``verified`` is what `verify` makes of it; what is missing to its ``bound`` rests on
        the search's word. Both are infinite where there is no answer.
    """
    from nlrouter.certifier.certify import certify_result

    return certify_result(result, "the search", Deadline(time_limit), better)


def verify(problem: Problem, certificate: Certificate) -> float:
    """Check a certificate, in whole numbers and with no code of the search.

    Parameters
    ----------
    problem
        The board that it is about.
    certificate
        The certificate.

    Returns
    -------
    float
        The lower bound that it proves: no answer to the board costs less. It is a whole number,
        or infinite where there is no answer.

    Raises
    ------
    Refused
        If it does not hold, is about another board, or takes too long to check.

    Examples
    --------
    >>> from nlrouter.routing.search import route
    >>> board = Problem(3, 2, 1, [((0, 0, 1), (2, 1, 1))])
    >>> verify(board, certify(route(board)))
    5
    """
    from nlrouter.checker.certificate.verify import verified_bound

    return verified_bound(problem, certificate)


def _answer(answer: ArrayLike) -> Answer:
    """Return an answer as an array of whole numbers."""
    array = np.asarray(answer)
    if not np.issubdtype(array.dtype, np.integer):
        raise ValueError(f"an answer holds whole numbers, found {array.dtype}")
    return array.astype(np.int32)
