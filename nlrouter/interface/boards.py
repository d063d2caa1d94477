"""Makes boards: what ``nlgen`` does."""

from __future__ import annotations

from collections.abc import Iterable
from math import prod
from numbers import Integral
from typing import TYPE_CHECKING

from nlrouter.answer import Answer
from nlrouter.arguments import positive_seconds, share, whole_number
from nlrouter.deadline import Deadline, WorkClock
from nlrouter.files.text import MAX_LINES
from nlrouter.problem import MAX_CELLS, MAX_LAYERS, Problem
from nlrouter.rule_sets import Rules

if TYPE_CHECKING:
    from nlrouter.generators import Request


def generate(
    kind: str = "random",
    size: tuple[int, int, int] = (10, 10, 2),
    *,
    lines: int | None = None,
    vias: int | float | None = None,
    spans: str | Iterable[tuple[int, int]] = "any",
    fill: float | None = None,
    windiness: float | None = None,
    seed: int = 0,
    unique: bool | str = False,
    time_limit: float = 60.0,
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
    spans
        The layers that vias join: ``any``, ``adjacent``, ``through`` (all layers), or pairs of
        layers ``(bottom, top)``, from 1 as in the files.
    fill
        Share of the cells that the hidden answer fills.
    windiness
        How often lines turn where they could go straight on, from 0 to 1.
    seed
        The same seed makes the same board; from 0.
    unique
        Whether to cut lines until the board has only one answer, which is proven; for the kind
        ``full``. By the contest's rules, or on one layer by ``nikoli`` or ``flow``; see `answers`.
    time_limit
        For that proof, in seconds of work of a typical machine.

    Returns
    -------
    tuple
        The board and its hidden answer, which obeys the rules and is seldom the best; with
        ``unique``, the only one.

    Raises
    ------
    ValueError
        If no board can be as asked for; `NoBoard`, which is one, if none was found in a few
        attempts or in time.

    Examples
    --------
    >>> from nlrouter.interface.judging import check
    >>> board, answer = generate("random", (6, 5, 2), lines=4, seed=1)
    >>> board.shape, check(board, answer)
    ((2, 5, 6), [])
    >>> [via.span for via in generate("bus", (8, 8, 3), vias=2, spans=[(1, 3)])[0].vias]
    [(0, 2), (0, 2)]
    """
    from nlrouter.generators import KINDS, Request, make

    if kind not in KINDS:
        raise ValueError(f"kind {kind!r}: expected one of {', '.join(KINDS)}")
    width, height, layers = _size(size)
    request = Request(
        width,
        height,
        layers,
        lines=None if lines is None else whole_number(f"{lines=}", lines, 1, MAX_LINES),
        vias=_vias(vias),
        spans=_spans(spans, layers),
        fill=None if fill is None else share(f"{fill=}", fill),
        windiness=None if windiness is None else share(f"{windiness=}", windiness),
        seed=whole_number(f"{seed=}", seed, least=0),
    )
    if not unique:
        return make(kind, request)
    return _unique(kind, request, time_limit, "adc" if unique is True else str(unique))


def _unique(kind: str, request: Request, time_limit: float, rules: str) -> tuple[Problem, Answer]:
    """Make a board that has only one answer."""
    if rules not in set(Rules):
        raise ValueError(f"unique={rules!r}: expected one of {', '.join(Rules)}")
    if request.layers > 1 and rules != Rules.ADC:
        raise ValueError(f"unique: {rules} is for one layer, found {request.layers}")
    if kind != "full":
        raise ValueError(
            f"unique: found the kind {kind!r}, expected 'full': hardly a board with empty cells has"
            " only one answer"
        )
    seconds = positive_seconds(f"{time_limit=}", time_limit)
    from nlrouter.analyse.unique import make_unique_board

    return make_unique_board(request, Deadline(seconds, WorkClock()), Rules(rules))


def _size(size: tuple[int, int, int]) -> tuple[int, int, int]:
    """Return the size of a board, or refuse it before it fills the memory."""
    if len(size) != 3:
        raise ValueError(f"{size=}: expected columns, rows and layers")
    width, height, layers = (whole_number(f"{size=}", number, least=1) for number in size)
    if layers > MAX_LAYERS or prod((width, height, layers)) > MAX_CELLS:
        raise ValueError(f"{size=}: expected up to {MAX_LAYERS} layers and {MAX_CELLS} cells")
    return width, height, layers


def _vias(vias: int | float | None) -> int | float | None:
    """Return the number of lines through a via, or their share as a float."""
    if vias is None:
        return None
    if isinstance(vias, Integral):
        return whole_number(f"{vias=}", vias, least=0)
    return share(f"{vias=}", vias)


def _spans(
    spans: str | Iterable[tuple[int, int]], layers: int
) -> tuple[tuple[int, int], ...] | None:
    """Return pairs of layers, from 0, that vias may join; None for any."""
    if spans == "any" or (spans == "through" and layers == 1):
        return None
    if spans == "adjacent":
        return tuple((z, z + 1) for z in range(layers - 1))
    if spans == "through":
        return ((0, layers - 1),)
    if isinstance(spans, str):
        raise ValueError(f"{spans=}: expected any, adjacent, through or pairs of layers")
    return tuple(
        (whole_number(f"{bottom=}", bottom, least=1) - 1, whole_number(f"{top=}", top, least=1) - 1)
        for bottom, top in spans
    )
