"""Answers to layers on which nets stay in each other's way, from the search for puzzles.

Once each line has its via, a layer is a board of its own. Where lines have just the room that
they need, bids for cells leave an overlap or two for ever, and the search for puzzles has an answer
at once or hardly ever. So layers are asked about with the vias that they have. What comes out is an
answer, but a long one: repair goes on beside it, and only if that is stuck it is taken up.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.exact.only_answer import LAYER_SECONDS, OnlyAnswer
from nlrouter.engine.exact.sat_clauses import MOST_CELLS
from nlrouter.engine.find.config import LayerAnswersConfig
from nlrouter.engine.find.working import Working
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import Routing


class LayerAnswers:
    """The searches for any answer to a layer, the latest of each.

    Parameters
    ----------
    nets
        The part.
    config
        Settings.

    Attributes
    ----------
    routing
        The latest routing with answers on all layers on which nets overlapped, or None.
    """

    def __init__(self, nets: Nets, config: LayerAnswersConfig) -> None:
        self._usable = nets.layers > 1 and nets.free.sum(axis=1).max() <= MOST_CELLS
        self._config = config
        self._nets = nets
        self._latest: dict[int, tuple[bytes, OnlyAnswer]] = {}
        self._began: float | None = None
        self._spent = 0.0
        self.routing: Routing | None = None

    def due(self, deadline: Deadline, *, stuck: bool) -> bool:
        """Return whether it is their turn: until one is in vain, then once repair is stuck."""
        if stuck and self._began is None:
            self._began, self._spent = deadline.effort(), 0.0
        waited = 0.0 if self._began is None else deadline.effort() - self._began
        return self._usable and self._spent <= self._config.share * waited

    def step(self, working: Working, deadline: Deadline) -> bool:
        """Go on with a layer on which nets overlap; once all have answers, there is a routing.

        Returns whether there was anything to ask: a layer that is proven to have no answer with its
        vias is not asked about again. What is answered counts against no share of the time.
        """
        start = deadline.effort()
        troubled = np.flatnonzero(working.overlaps).tolist()
        searches = [self.search(z, working.target) for z in troubled]
        due = [each for each in searches if each.routing is None and each.worth(0.0, None)]
        asked = working.random.choice(due) if due else None
        if asked is not None:
            asked.step(deadline.within(LAYER_SECONDS))
        if asked is None or asked.routing is None:
            self._spent += deadline.effort() - start
        routings = [search.routing for search in searches if search.routing is not None]
        if len(routings) == len(troubled):
            self.routing = _with_layers(working, troubled, routings)
        return bool(due)

    def search(self, z: int, target: NDArray[np.int32]) -> OnlyAnswer:
        """Return the search for answers to a layer with these targets, as far as it has come."""
        key = target[self._nets.layer == z].tobytes()
        if z not in self._latest or self._latest[z][0] != key:
            self._latest[z] = key, OnlyAnswer(self._nets.layer_alone(z, target))
        return self._latest[z][1]


def _with_layers(working: Working, layers: list[int], routings: list[Routing]) -> Routing:
    """Return a routing as it stands, with others on some layers."""
    paths, assignment = working.copy()
    for z, routing in zip(layers, routings, strict=True):
        for net, path in zip(working.members[z], routing.paths, strict=True):
            paths[net] = path
    return Routing.along(paths, assignment)
