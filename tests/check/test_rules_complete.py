"""Tests that an answer has no violation exactly if it is correct, against another definition.

The other definition builds answers instead of judging them: a via for each line that needs
one, a path for each pair of cells to join, and whatever combinations of those do not meet.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise, permutations, product

import networkx as nx
import numpy as np
import pytest
from drawing import CORPUS, SHAFT, SHAFT_LAYERS, TOWER, TOWER_LAYERS, draw, needs_corpus
from hypothesis import given, settings
from hypothesis import strategies as st

from nlrouter.answer import Answer
from nlrouter.check.contest import judge
from nlrouter.check.rules import violations
from nlrouter.files.answer_file import format_answer, read_answer
from nlrouter.files.problem_file import parse_problem, read_problem
from nlrouter.problem import Cell, Problem

BOARDS = {
    "two lines on one layer": "SIZE 3X3\nLINE_NUM 2\nLINE#1 (0,0)-(2,2)\nLINE#2 (1,0)-(2,0)\n",
    "neighbours": "SIZE 4X2\nLINE_NUM 2\nLINE#1 (0,0)-(1,0)\nLINE#2 (3,0)-(3,1)\n",
    "no answer": "SIZE 2X2\nLINE_NUM 2\nLINE#1 (0,0)-(1,1)\nLINE#2 (0,1)-(1,0)\n",
    "vias alone": "SIZE 2X2X2\nLINE_NUM 2\nLINE#1 (0,0,1) (0,1,2)\nLINE#2 (1,1,1) (1,0,2)\n"
    "VIA#a (1,0,1) (0,0,2)\nVIA#b (0,1,1) (1,1,2)\n".replace("(1,0,1) (0,0,2)", "(0,1,1)"),
    "one via with a middle": "SIZE 2X2X3\nLINE_NUM 1\nLINE#1 (0,0,1) (0,0,3)\n"
    "VIA#a (1,1,1) (1,1,2) (1,1,3)\n",
    "four layers": "SIZE 2X1X4\nLINE_NUM 1\nLINE#1 (0,0,4) (0,0,1)\n"
    "VIA#a (1,0,1) (1,0,2) (1,0,3) (1,0,4)\n",
    "one column": "SIZE 1X4X2\nLINE_NUM 1\nLINE#1 (0,0,1) (0,3,2)\nVIA#a (0,2,1) (0,2,2)\n",
    "line beside a via": "SIZE 3X1X3\nLINE_NUM 2\nLINE#1 (0,0,1) (0,0,3)\nLINE#2 (0,0,2) (1,0,2)\n"
    "VIA#a (2,0,1) (2,0,2) (2,0,3)\n",
    "choice of vias": "SIZE 4X1X2\nLINE_NUM 2\nLINE#1 (0,0,1) (0,0,2)\nLINE#2 (3,0,1) (3,0,2)\n"
    "VIA#a (1,0,1) (1,0,2)\nVIA#b (2,0,1) (2,0,2)\n",
}
