"""Answers of a layer whose ends are all settled, by the search for puzzles.

Layers on which lines have just the room that they need are hard for lines that bid for cells, but
the search for puzzles has an answer to most of them at once. Where that is the only one it is the
cheapest; and where there is none, that is proven.
"""

from __future__ import annotations

import numpy as np

from nlrouter.deadline import Deadline
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import NO_ANSWER, Routing
from nlrouter.puzzle.answers import AnswersConfig, Search, Verdict
from nlrouter.puzzle.drawing import WALL, ways_of
from nlrouter.rule_sets import Rules

MOST_SECONDS = 10.0
"""Work with an answer known, to prove that it is the only one: the boards of puzzle makers up to
26x18 take 3 at the most."""

SOLVER_ONLY = AnswersConfig(full_nodes=(), lowest_nodes=(0,), most_wide=0)
"""No sweeps: on 17 full layers of 15x15 to 36x36 they are 0.07 s ahead of the solver at the most,
but take a fifth of the time in which a first run compiles."""


class OnlyAnswer:
    """The search for two routings of a layer, whatever they cost.

    Parameters
    ----------
    nets
        The layer's nets, none of which has a via to choose.

    Attributes
    ----------
    bound
        What a routing costs at least: 0, or the cost of the only one, or `NO_ANSWER`.
    routing
        The first one found, or None.
    """

    def __init__(self, nets: Nets) -> None:
        self.bound = 0
        self.routing: Routing | None = None
        self._nets = nets
        self._free = int(nets.free.sum())
        ends = np.where(nets.free[0], 0, WALL)
        ends[nets.source] = ends[nets.target] = np.arange(1, nets.count + 1)
        self._search = Search(
            ends.reshape(-1, nets.stride)[1:-1, 1:-1], Rules.ADC, config=SOLVER_ONLY
        )

    def worth(self, spent: float, upper: int | None) -> bool:
        """Return whether to go on after so many seconds, with a routing of cost ``upper`` known.

        One that must leave cells empty is hardly ever the only one.
        """
        if self._search.done:
            return False
        return upper is None or (upper >= self._free and spent < MOST_SECONDS)

    def step(self, deadline: Deadline) -> None:
        """Go on until the first routing or a deadline; that may pass by a tenth of a second."""
        found = self._search.found
        self._search.step(deadline.unless(lambda: self.routing is None and len(found) > 0))
        if found and self.routing is None:
            ways = ways_of(self._search.ends, found[0])
            paths = []
            for net in range(self._nets.count):
                path = [(y + 1) * self._nets.stride + x + 1 for y, x in ways[net + 1]]
                forward = path[0] == self._nets.source[net]
                paths.append(np.array(path if forward else path[::-1], np.int32))
            self.routing = Routing.along(paths, ())
        if self._search.verdict is Verdict.ONLY_ONE:
            assert self.routing is not None
            self.bound = self.routing.cost
        elif self._search.verdict is Verdict.NONE:
            self.bound = NO_ANSWER
