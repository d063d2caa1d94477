"""Answers to layers on which nets stay in each other's way, from the search for puzzles.

Once each line has its via, a layer is a board of its own. Where lines have just the room that they
need, bids for cells leave an overlap or two for ever, and the search for puzzles has an answer at
once or hardly ever. So layers are asked about with the vias that they have, and whatever comes out
is shortened later.
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


class LayerAnswers:
    """The searches for any answer to a layer, the latest of each.

    Parameters
    ----------
    nets
        The part.
    config
        Settings.
    """

    def __init__(self, nets: Nets, config: LayerAnswersConfig) -> None:
        self._usable = nets.layers > 1 and nets.free.sum(axis=1).max() <= MOST_CELLS
        self._config = config
        self._nets = nets
        self._latest: dict[int, tuple[bytes, OnlyAnswer]] = {}
        self._began: float | None = None
        self._spent = 0.0

    def due(self, deadline: Deadline) -> bool:
        """Return whether it is their turn."""
        if self._began is None:
            self._began = deadline.effort()
        waited = deadline.effort() - self._began
        return self._usable and self._spent <= self._config.share * waited

    def step(self, working: Working, deadline: Deadline) -> bool:
        """Go on with a layer on which nets overlap; once all of these have answers, take them.

        Not before: vias can hardly change where a layer is full. Returns whether there was anything
        to do: a layer that is proven to have no answer with its vias is not asked about again.
        """
        start = deadline.effort()
        troubled = np.flatnonzero(working.overlaps).tolist()
        searches = [self.search(z, working.target) for z in troubled]
        due = [each for each in searches if each.routing is None and each.worth(0.0, None)]
        if due:
            working.random.choice(due).step(deadline.within(LAYER_SECONDS))
        routings = [search.routing for search in searches if search.routing is not None]
        answered = len(routings) == len(troubled)
        if answered:
            for z, routing in zip(troubled, routings, strict=True):
                working.take_paths(z, routing.paths)
        self._spent += deadline.effort() - start
        return answered or bool(due)

    def search(self, z: int, target: NDArray[np.int32]) -> OnlyAnswer:
        """Return the search for answers to a layer with these targets, as far as it has come."""
        key = target[self._nets.layer == z].tobytes()
        if z not in self._latest or self._latest[z][0] != key:
            self._latest[z] = key, OnlyAnswer(self._nets.layer_alone(z, target))
        return self._latest[z][1]
