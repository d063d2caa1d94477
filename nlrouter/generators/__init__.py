"""Boards with a hidden answer, for tests, for benchmarks and for who wants a puzzle.

A board is made from its answer: routes are drawn first, by the rules, and only their ends and
vias are told. So every board here has an answer, but nobody says that it is the cheapest one.
Knows the data types alone: neither files, nor how a board is judged or routed.
"""

from nlrouter.generators.full import fill_board
from nlrouter.generators.kinds import KINDS, Request, make
from nlrouter.generators.layout import MAX_VIAS, Made, NoBoard
from nlrouter.generators.random_scatter import default_lines, generate

__all__ = [
    "KINDS",
    "MAX_VIAS",
    "Made",
    "NoBoard",
    "Request",
    "default_lines",
    "fill_board",
    "generate",
    "make",
]
