"""Colours of lines: the same in every picture of a board, and apart where lines come close.

They are chosen from the problem alone, so that page, picture and animation, before and after,
show a line in one colour. Which lines will lie beside each other is not known then, only likely.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from nlrouter.drawing.nearness import nearness
from nlrouter.problem import Problem

LIGHT = (
    "#0100f9",
    "#ff5c05",
    "#0080a5",
    "#c42e62",
    "#e14fff",
    "#285e46",
    "#805500",
    "#003576",
    "#a19260",
    "#581a3e",
    "#b98396",
    "#611900",
)
"""Colours of lines on `PAPER`, as CSS hex, the most vivid first: small boards get those."""

DARK = (
    "#005fff",
    "#ffd3d7",
    "#01afff",
    "#dd0000",
    "#866475",
    "#92ff00",
    "#fcebb2",
    "#cbddff",
    "#e78a00",
    "#f8788e",
    "#cb00a3",
    "#83694f",
)
"""The colours of `LIGHT`, one by one about the same hue, for `DARK_PAPER`.

Both found by annealing: the least CIEDE2000 of two colours is 18 to normal eyes, and 12 to
red-blind and green-blind ones (Machado et al. 2009); the contrast (WCAG 2) to the paper is 3 or
more.
"""

PAPER, DARK_PAPER = "#ffffff", "#1c1f26"
"""What boards are drawn on. The dark one may be darker, but not lighter."""

TERMINAL = (33, 208, 36, 175, 178, 74, 160, 247)
"""Okabe's and Ito's colours for colour-blind readers, as the nearest of the 256 of a terminal
that can be read on black and on white."""

_TERMINAL_HEX = (
    "#0087ff",
    "#ff8700",
    "#00af87",
    "#d787af",
    "#d7af00",
    "#5fafd7",
    "#d70000",
    "#9e9e9e",
)

_VISIONS = (
    ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)),
    ((0.1523, 1.0526, -0.2049), (0.1145, 0.7863, 0.0992), (-0.0039, -0.0481, 1.0520)),
    ((0.3673, 0.8606, -0.2280), (0.2801, 0.6725, 0.0474), (-0.0118, 0.0429, 0.9689)),
)
"""What normal, red-blind and green-blind eyes make of linear RGB (Machado et al. 2009)."""

_TO_LMS = (
    (0.4122214708, 0.5363325363, 0.0514459929),
    (0.2119034982, 0.6806995451, 0.1073969566),
    (0.0883024619, 0.2817188376, 0.6299787005),
)
_TO_LAB = (
    (0.2104542553, 0.7936177850, -0.0040720468),
    (1.9779984951, -2.4285922050, 0.4505937099),
    (0.0259040371, 0.7827717662, -0.8086757660),
)
"""Oklab (Ottosson 2020), in which Euclid's distance is about what the eye sees."""

_TOLD_APART = 0.15
"""Distance in Oklab from which on a pair of colours is as good as any other: of 0.12 to 0.4 the
one with the fewest touching lines of one colour in the answers to our boards."""

_PREFERENCE = 0.3
"""Nearness for whose sake no line gets the last colour instead of the first one."""

_SWEEPS = 12
"""Rounds of swaps; a board of 400 lines settles in about six."""

_LEAST_GAIN = 1e-9
"""What rounding alone does not make."""

MOST_LINES = 4000
"""From which on colours simply follow the numbers: nearness takes a table of all pairs."""


def colours(problem: Problem, dark: bool = False) -> tuple[str, ...]:
    """Choose the colours of a board's lines.

    Parameters
    ----------
    problem
        The board. Nothing else counts: each answer to it gets the same colours.
    dark
        For `DARK_PAPER` instead of `PAPER`. A line's hue is about the same on both.

    Returns
    -------
    tuple
        A CSS colour ``#rrggbb`` for each line, in the order of `Problem.lines`.
    """
    chosen = DARK if dark else LIGHT
    return tuple(chosen[index] for index in _indices(problem, (LIGHT, DARK)))


def terminal_colours(problem: Problem) -> tuple[int, ...]:
    """Choose the colours of a board's lines in a terminal, of its 256, as `colours` does."""
    return tuple(TERMINAL[index] for index in _indices(problem, (_TERMINAL_HEX,)))


def text_on(colour: str) -> str:
    """Return ``#000000`` or ``#ffffff``, whichever is easier to read on a colour.

    The contrast (WCAG 2) is 4.5 or more on any colour.
    """
    luminance = float(_linear((colour,))[0] @ (0.2126, 0.7152, 0.0722))
    # 1.05 / (Y + 0.05) equals (Y + 0.05) / 0.05 there.
    return "#000000" if luminance > 0.1791 else "#ffffff"


@lru_cache(maxsize=16)
def _indices(problem: Problem, sets: tuple[tuple[str, ...], ...]) -> tuple[int, ...]:
    """Share out colours evenly, such that lines near each other get colours far apart.

    That is a quadratic assignment problem: lines go to places, each colour having the same
    number of them. Places are filled one line after another, those with most around them first,
    then two lines swap places as long as that is better.

    Parameters
    ----------
    problem
        The board.
    sets
        Palettes of equal length: colours must be apart in each.
    """
    lines, count = len(problem.lines), len(sets[0])
    if lines > MOST_LINES:
        return tuple(index % count for index in range(lines))
    alike = np.max([_alikeness(colours) for colours in sets], axis=0)
    uses = -(-lines // count)
    # Empty places are lines that are near to none.
    places = uses * count
    weights = np.zeros((places, places))
    weights[:lines, :lines] = nearness(problem)
    chosen = np.full(places, -1)
    free = np.full(count, uses)
    # Of each line in each colour.
    costs = np.tile(_PREFERENCE * np.arange(count) / count, (places, 1))
    costs[lines:] = 0.0
    for line in np.argsort(-weights.sum(axis=1), kind="stable"):
        colour = int(np.argmin(np.where(free > 0, costs[line], np.inf)))
        chosen[line] = colour
        free[colour] -= 1
        costs += weights[:, line, None] * alike[colour]
    for _ in range(_SWEEPS):
        if not _swap(weights, alike, chosen, costs):
            break
    return tuple(chosen[:lines].tolist())


def _swap(
    weights: NDArray[np.float64],
    alike: NDArray[np.float64],
    chosen: NDArray[np.int64],
    costs: NDArray[np.float64],
) -> bool:
    """Let each line swap its colour where that is best; return whether any did."""
    swapped = False
    every = np.arange(len(chosen))
    for line in every:
        own = chosen[line]
        change = costs[line, chosen] - costs[line, own] + costs[:, own] - costs[every, chosen]
        # That counted the pair itself as if only one of the two moved.
        change += weights[line] * (2 * alike[own, chosen] - alike[own, own] - alike[chosen, chosen])
        change[chosen == own] = 0.0
        other = int(np.argmin(change))
        if change[other] < -_LEAST_GAIN:
            new = chosen[other]
            moved = weights[:, other] - weights[:, line]
            costs += moved[:, None] * (alike[own] - alike[new])
            chosen[line], chosen[other] = new, own
            swapped = True
    return swapped


def _alikeness(colours: tuple[str, ...]) -> NDArray[np.float64]:
    """Return how hard each pair of colours is to tell apart, from 0 to 1, by the worst eyes."""
    seen = np.clip(np.array(_VISIONS) @ _linear(colours).T, 0.0, 1.0)
    lab = np.array(_TO_LAB) @ np.cbrt(np.array(_TO_LMS) @ seen)
    distances = np.linalg.norm(lab[:, :, :, None] - lab[:, :, None, :], axis=1).min(axis=0)
    return np.maximum(0.0, 1.0 - distances / _TOLD_APART) ** 2


def _linear(colours: tuple[str, ...]) -> NDArray[np.float64]:
    """Return linear RGB, a row for each colour, from 0 to 1."""
    rgb = np.array([list(bytes.fromhex(colour[1:])) for colour in colours]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
