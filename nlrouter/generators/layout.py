"""What all kinds of boards are made of: columns of vias, and a problem told from its answer."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Iterable, Mapping, Sequence

from nlrouter.answer import Answer
from nlrouter.problem import Cell, Line, Problem, Via

MAX_VIAS = 26 + 26 * 26
"""Most vias of a board, as a name is one or two letters."""

ATTEMPTS = 10
"""How often a board is begun anew; where that is not enough, hundreds seldom are."""

Made = tuple[Problem, Answer]
"""A problem and its hidden answer, which obeys the rules."""

Column = tuple[int, int, int, int]
"""Place of a via: y, x, bottom and top."""

Spans = Sequence[tuple[int, int]] | None
"""The spans (bottom, top) that vias are drawn from; None for any two layers."""


class NoBoard(ValueError):
    """No board as asked for was found, which does not prove that there is none."""


class DeadEnd(Exception):
    """An attempt leads to no board as asked for; the message says why."""


def attempt(make: Callable[[], Made]) -> Made:
    """Return the first board that comes out of some attempts.

    Raises
    ------
    NoBoard
        If all of them end in a `DeadEnd`; the message is that of the last.
    """
    reason = ""
    for _ in range(ATTEMPTS):
        try:
            return make()
        except DeadEnd as dead_end:
            reason = str(dead_end)
    raise NoBoard(f"no such board found in {ATTEMPTS} attempts: {reason}")


def draw_span(layers: int, spans: Spans, rng: random.Random) -> tuple[int, int]:
    """Draw the span of a via: one of those given, or any two layers."""
    if spans:
        return rng.choice(spans)
    bottom, top = sorted(rng.sample(range(layers), 2))
    return bottom, top


def problem_of(
    answer: Answer, ends: Mapping[int, tuple[Cell, Cell]], columns: Iterable[Column]
) -> Problem:
    """Return the problem of an answer; the order of its vias tells nothing of their lines.

    Parameters
    ----------
    answer
        The answer.
    ends
        The ends of each line by its number.
    columns
        The places of the vias.
    """
    layers, height, width = answer.shape
    lines = (Line(number, pair) for number, pair in sorted(ends.items()))
    vias = (Via(_via_name(i), *column) for i, column in enumerate(sorted(columns)))
    return Problem(width, height, layers, tuple(lines), tuple(vias))


def _via_name(index: int) -> str:
    """Return a via's name: a to z, then aa, ab and so on."""
    letters = string.ascii_lowercase
    first, second = divmod(index, len(letters))
    return letters[first - 1] + letters[second] if first else letters[second]
