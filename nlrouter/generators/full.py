"""Full-board puzzles: boards whose hidden answer leaves no cell empty."""

from __future__ import annotations

import random

from nlrouter.generators.layout import MAX_VIAS, Made, Spans, attempt
from nlrouter.generators.packing import pack
from nlrouter.generators.partition import PartitionConfig


def fill_board(
    width: int,
    height: int,
    seed: int,
    *,
    layers: int = 1,
    lines: int | None = None,
    vias: int = 0,
    spans: Spans = None,
) -> Made:
    """Make a random board whose hidden answer fills every cell; see `partition` for the method.

    Parameters
    ----------
    width, height
        The size of the board.
    seed
        The same seed makes the same board.
    layers
        The number of layers.
    lines
        The number of lines; by default what comes out, about one in eight cells.
    vias
        How many lines go through a via.
    spans
        The spans (bottom, top), layers from 0, that vias are drawn from; None for any.

    Returns
    -------
    tuple
        The problem and its hidden answer, which obeys the rules; unless `lines` asks for more,
        each line has at least three cells.

    Raises
    ------
    ValueError
        If the board is too small; `NoBoard` if none was found in a few attempts.
    """
    least = PartitionConfig().shortest
    if min(width, height, layers) < 1 or width * height < least:
        raise ValueError(f"a full board has {least} cells or more on each layer")
    if not 0 <= vias <= MAX_VIAS or (lines is not None and not vias <= lines >= 1):
        raise ValueError(f"vias have to be from 0 to the number of lines, and up to {MAX_VIAS}")
    if vias and layers == 1:
        raise ValueError("a board of one layer has no vias")
    shape = layers, height, width
    rng = random.Random(seed)
    return attempt(lambda: pack(shape, rng, lines, vias, layers * height * width, spans))
