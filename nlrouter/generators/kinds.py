"""The kinds of boards by name, and what each of them can be asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil

from nlrouter.generators.bus import STANDARD as BUS
from nlrouter.generators.bus import bus
from nlrouter.generators.channel import channel
from nlrouter.generators.detours import detours
from nlrouter.generators.escape import escape
from nlrouter.generators.full import fill_board
from nlrouter.generators.layout import MAX_VIAS, Made
from nlrouter.generators.random_scatter import STANDARD, default_fill, default_lines, generate

VIA_SHARE = 0.25
"""Share of lines through a via where none is asked for; the contest's boards have 0 to 1."""


@dataclass(frozen=True)
class Request:
    """What a board is to be like. What is None is left to the kind.

    Parameters
    ----------
    width, height, layers
        The size of the board.
    lines
        The number of lines.
    vias
        How many of them go through a via: a number, or a share as a float.
    spans
        The spans (bottom, top), layers from 0, that vias are drawn from.
    fill
        Share of the cells that the hidden answer fills.
    windiness
        How often lines turn where they could go straight on, from 0 to 1.
    seed
        The same seed makes the same board.
    """

    width: int
    height: int
    layers: int
    lines: int | None = None
    vias: int | float | None = None
    spans: tuple[tuple[int, int], ...] | None = None
    fill: float | None = None
    windiness: float | None = None
    seed: int = 0


@dataclass(frozen=True)
class Kind:
    """A kind of boards.

    Parameters
    ----------
    make
        Makes a board of which lines and vias are numbers.
    lines
        The number of lines where none is asked for.
    takes
        The fields of a request that only some kinds take.
    """

    make: Callable[[Request, int, int], Made]
    lines: Callable[[Request], int]
    takes: frozenset[str] = frozenset()


def make(kind: str, request: Request) -> Made:
    """Make a board.

    Parameters
    ----------
    kind
        One of `KINDS`.
    request
        What it is to be like.

    Returns
    -------
    tuple
        The problem and its hidden answer, which obeys the rules.

    Raises
    ------
    ValueError
        If no board can be as asked for; `NoBoard` if none was found in a few attempts.
    """
    chosen = KINDS[kind]
    for field in ("fill", "windiness"):
        if getattr(request, field) is not None and field not in chosen.takes:
            raise ValueError(f"a board of the kind {kind} comes with a {field} of its own")
    width, height, layers = request.width, request.height, request.layers
    lines = chosen.lines(request) if request.lines is None else request.lines
    vias = _vias(request, lines)
    if min(width, height, layers, lines) < 1:
        raise ValueError("width, height, layers and lines have to be 1 or more")
    if not 0 <= vias <= min(lines, MAX_VIAS):
        raise ValueError(f"vias have to be from 0 to the number of lines, and up to {MAX_VIAS}")
    if vias and layers == 1:
        raise ValueError("a board of one layer has no vias")
    for bottom, top in request.spans or ():
        if not 0 <= bottom < top < layers:
            raise ValueError(f"a via cannot join layers {bottom + 1} and {top + 1} of {layers}")
    if request.windiness is not None and not 0 <= request.windiness <= 1:
        raise ValueError("windiness has to be from 0 to 1")
    return chosen.make(request, lines, vias)


def _vias(request: Request, lines: int) -> int:
    """Return the number of vias that is asked for."""
    if request.vias is None:
        return min(round(VIA_SHARE * lines), MAX_VIAS) if request.layers > 1 else 0
    return round(request.vias * lines) if isinstance(request.vias, float) else request.vias


def _random(request: Request, lines: int, vias: int) -> Made:
    size = request.width, request.height, request.layers
    fill = default_fill(*size, lines) if request.fill is None else request.fill
    windiness = STANDARD.windiness if request.windiness is None else request.windiness
    return generate(
        *size, lines, vias, fill, request.seed, windiness=windiness, spans=request.spans
    )


def _full(request: Request, lines: int, vias: int) -> Made:
    return fill_board(
        request.width, request.height, request.seed, layers=request.layers, lines=request.lines,
        vias=vias, spans=request.spans,
    )  # fmt: skip


def _bus(request: Request, lines: int, vias: int) -> Made:
    windiness = BUS.windiness if request.windiness is None else request.windiness
    return bus(*_basics(request, lines, vias), windiness=windiness, spans=request.spans)


def _detours(request: Request, lines: int, vias: int) -> Made:
    return detours(*_basics(request, lines, vias), spans=request.spans)


def _channel(request: Request, lines: int, vias: int) -> Made:
    return channel(*_basics(request, lines, vias), sides=2, spans=request.spans)


def _switchbox(request: Request, lines: int, vias: int) -> Made:
    return channel(*_basics(request, lines, vias), sides=4, spans=request.spans)


def _escape(request: Request, lines: int, vias: int) -> Made:
    return escape(*_basics(request, lines, vias), spans=request.spans)


def _basics(request: Request, lines: int, vias: int) -> tuple[int, int, int, int, int, int]:
    return request.width, request.height, request.layers, lines, vias, request.seed


def _scatter_lines(request: Request) -> int:
    fill = STANDARD.fill if request.fill is None else request.fill
    return default_lines(request.width, request.height, request.layers, fill)


KINDS = {
    "random": Kind(
        _random,
        _scatter_lines,
        takes=frozenset({"fill", "windiness"}),
    ),
    "full": Kind(
        _full,
        lambda r: max(1, r.width * r.height * r.layers // 8),
    ),
    "bus": Kind(
        _bus,
        lambda r: max(2, r.layers * min(r.width, r.height) // 2),
        takes=frozenset({"windiness"}),
    ),
    "detours": Kind(
        _detours,
        lambda r: max(1, r.layers * min(r.width, r.height) // 3),
    ),
    "channel": Kind(
        _channel,
        lambda r: max(1, ceil(r.width * min(r.layers, 2) / 4)),
    ),
    "switchbox": Kind(
        _switchbox,
        lambda r: max(1, ceil((r.width + r.height) * min(r.layers, 2) / 5)),
    ),
    "escape": Kind(
        _escape,
        lambda r: max(1, (min(r.width, r.height) // 4) ** 2),
    ),
}
"""All kinds by name."""
