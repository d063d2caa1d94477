"""Boards and answers small enough to draw in a test."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from nlrouter.answer import Answer
from nlrouter.files.problem_file import parse_problem

CORPUS = Path(__file__).resolve().parents[2].parent / "shared" / "corpus"
needs_corpus = pytest.mark.skipif(not CORPUS.is_dir(), reason="the corpus is not beside us")

# Three layers, a line from the lowest to the highest, and one from the lowest to the next.
TOWER = parse_problem(
    "SIZE 4X4X3\nLINE_NUM 2\nLINE#1 (0,0,1) (3,3,3)\nLINE#2 (3,2,1) (1,0,2)\n"
    "VIA#a (2,2,1) (2,2,2) (2,2,3)\nVIA#b (2,0,1) (2,0,2)\n",
    "tower",
)
TOWER_LAYERS = ("1.22/1..2/1112/....", ".22./..../..1./....", "..../..../..1./..11")

# One layer, two lines.
FLAT = parse_problem("SIZE 5X3\nLINE_NUM 2\nLINE#1 (0,0)-(4,0)\nLINE#2 (0,2)-(4,2)\n", "flat")

# One line through a via of four layers, and one that has the via's third layer to itself.
SHAFT = parse_problem(
    "SIZE 3X2X4\nLINE_NUM 2\nLINE#1 (0,0,1) (0,0,4)\nLINE#2 (0,1,3) (2,1,3)\n"
    "VIA#a (1,0,1) (1,0,2) (1,0,3) (1,0,4)\n",
    "shaft",
)
SHAFT_LAYERS = ("11./...", ".1./...", ".1./222", "11./...")


def draw(*layers: str) -> Answer:
    """Return the answer with these layers: rows divided by '/', a digit or '.' per cell."""
    return np.array(
        [[[int(c.replace(".", "0")) for c in row] for row in layer.split("/")] for layer in layers],
        dtype=np.int32,
    )
