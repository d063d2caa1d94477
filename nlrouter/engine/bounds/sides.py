"""Which side of each other two nets pass: a choice that planarity leaves, and its price.

Give every net a *curve* between its ends, drawn once and for all between the cells (see
``curves``). Of two nets i, j of one layer, the closed curves (path of i + curve of i) and (path
of j + curve of j) cross an even number of times, and the paths do not meet. So, modulo 2,

    (crossings of path i with curve j) + (crossings of path j with curve i)
        = (crossings of curve i with curve j),

which leaves just two cases: the *side* of i against j, 0 or 1, says how often its path crosses
the curve of j, modulo 2, and that of j against i follows. Another curve would shift a side by
a constant only.

A settled side is no relaxation: the cheapest path with given sides is found exactly, by a
search whose states carry a bit for each of them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Passage:
    """What is settled of a net's path: the parity of its crossings with a curve.

    Parameters
    ----------
    name
        What tells the curve from others.
    crossed
        ``(2, 2, cells)`` bool, per sheet the edges that the curve crosses an odd number of times.
    parity
        The wanted one.
    turn
        The name of the net's passage whose parity tells the sheet; None outside of covers.
    """

    name: Name
    crossed: NDArray[np.bool_]
    parity: int
    turn: Name | None = None


Name = tuple[int, int]
"""A net or -1, and an end or -1: the curve of a net, the ray of an end, or the one in its cover."""


class Passages(NamedTuple):
    """The passages of all nets as the kernels take them, a row for each net that has any."""

    row: NDArray[np.int32]
    """``(nets,)`` row of a net in the others, -1 if it has no passages."""
    marks: NDArray[np.int64]
    """``(rows, 2, 2, cells)``; this and the following as in `Sought`."""
    sheet_of: NDArray[np.int64]
    """``(rows, most)``."""
    bits: NDArray[np.int64]
    """``(rows,)``, as all that follow."""
    plain: NDArray[np.int64]
    want: NDArray[np.int64]
    active: NDArray[np.int64]
    """The parities that a search heeds from the start, a bit set; changed by searches."""
    searches: NDArray[np.int64]
    """How many searches there were."""


def as_bits(
    passages: list[tuple[Passage, ...]], heeded: list[frozenset[Name]], cells: int
) -> Passages:
    """Write the passages of all nets as bits.

    Parameters
    ----------
    passages
        Those of each net.
    heeded
        The names of those that searches are to heed from the start.
    cells
        Numbers of the layer.
    """
    members = [net for net, passed in enumerate(passages) if passed]
    row = np.full(len(passages), -1, np.int32)
    row[members] = np.arange(len(members))
    most = max((len(passed) for passed in passages), default=0)
    marks = np.zeros((len(members), 2, 2, cells), np.int64)
    sheet_of = np.zeros((len(members), most), np.int64)
    bits, plain, want, active, searches = (np.zeros(len(members), np.int64) for _ in range(5))
    for r, net in enumerate(members):
        ordered = _in_order(passages[net])
        place = {passage.name: bit for bit, passage in enumerate(ordered)}
        bits[r] = len(ordered)
        plain[r] = sum(passage.turn is None for passage in ordered)
        for bit, passage in enumerate(ordered):
            marks[r] |= passage.crossed.astype(np.int64) << bit
            want[r] |= passage.parity << bit
            active[r] |= int(passage.name in heeded[net]) << bit
            if passage.turn is not None:
                sheet_of[r, bit] = place[passage.turn]
    return Passages(row, marks, sheet_of, bits, plain, want, active, searches)


def heeded_of(passages: list[tuple[Passage, ...]], written: Passages) -> list[frozenset[Name]]:
    """Return the names of the passages of each net that searches have come to heed."""
    return [
        frozenset(
            passage.name
            for bit, passage in enumerate(_in_order(passed))
            if int(written.active[r]) >> bit & 1
        )
        for r, passed in zip(written.row, passages, strict=True)
    ]


def _in_order(passed: tuple[Passage, ...]) -> list[Passage]:
    """Return the passages of a net in the order of their bits: those in covers last."""
    return sorted(passed, key=lambda passage: passage.turn is not None)
