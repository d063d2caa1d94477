"""Tests of the walks around the walls of a layer."""

import numpy as np

from nlrouter.engine.nets.rims import rims


def walked(text: str) -> list[str]:
    """Return, rim by rim, the letters of the wall's cells in their order, from the least on.

    ``.`` is a free cell; what is outside the layer is ``#``.
    """
    layer = np.pad(np.array([list(row) for row in text.split()]), 1, constant_values="#")
    found = []
    for _, cells in rims(layer[1:-1, 1:-1] != "."):
        rim = "".join(layer.ravel()[cells])
        found.append(min(rim[k:] + rim[:k] for k in range(len(rim))))
    return sorted(found)


def test_border_and_what_stands_free() -> None:
    """Tests that the border has a rim, and each wall within the board one of its own."""
    assert walked("... .a. ...") == ["#" * 12, "aaaa"]


def test_corners_join() -> None:
    """Tests that cells that meet at a corner are one wall, with a disc on either side."""
    assert walked(".a.. b...") == ["#######baa", "##ab"]
    assert walked(".... .a.. ..b. ....") == ["#" * 16, "aaaabbbb"]


def test_side_of_a_corridor() -> None:
    """Tests that a cell between two walls is passed on both sides, and a dead end around."""
    assert walked("... aa.") == ["#######aaa"]
    assert walked(".....") == ["#" * 12]


def test_full_layer() -> None:
    """Tests that a layer without a free cell has no rim."""
    assert walked("ab cd") == []
