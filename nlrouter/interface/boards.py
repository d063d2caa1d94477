"""Makes boards, as ``nlgen`` does."""

from __future__ import annotations

from nlrouter.answer import Answer
from nlrouter.problem import Problem


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
