"""Lines of a routing take other vias: their nets are routed anew, with what is in their way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.find.negotiate import NO_LIMIT

if TYPE_CHECKING:
    from nlrouter.engine.find.working import Working


class ViaChanges:
    """What changes of a part's vias have in common.

    Parameters
    ----------
    working
        The routing.
    """

    def __init__(self, working: Working) -> None:
        self.working = working
        self._costs: dict[int, NDArray[np.float64]] = {}

    def costs(self, i: int) -> NDArray[np.float64]:
        """Return ``(n, n)`` what each line of a class pays for each via by the dual's prices."""
        # A search per net, which on large boards a first answer is not to wait for.
        if i not in self._costs:
            config = self.working.config
            dual = Dual(self.working.nets, config=config.dual)
            dual.prices = self.working.prices
            self._costs[i] = dual.via_costs(i, config.via_move.far)
        return self._costs[i]

    @property
    def tries(self) -> int:
        """Changes of a step: more while nets overlap, as repair may hang on the vias."""
        config = self.working.config
        return config.tries if self.working.overlaps.any() else config.via_tries

    def pick_line(self) -> tuple[int, int]:
        """Pick a line to give another via: class and place."""
        classes, rng = self.working.nets.classes, self.working.random
        i = rng.choices(range(len(classes)), [len(span.vias) for span in classes])[0]
        return i, rng.randrange(len(classes[i].vias))

    def change(self, i: int, lines: NDArray[np.intp], vias: NDArray[np.intp]) -> None:
        """Give lines of a class other vias, if that makes nothing worse, or hardly."""
        working, config = self.working, self.working.config
        span, chosen = working.nets.classes[i], working.assignment[i]
        given_up = chosen[lines]
        nets = np.sort(np.concatenate([span.lower[lines], span.upper[lines]]))
        layers = np.unique(working.nets.layer[nets])
        known = working.overlaps.copy(), working.costs.copy(), working.lengths.copy()
        there = np.concatenate([working.members[z] for z in layers])
        before = working.paths[there, : working.lengths[there].max()]
        overlaps, cost = working.standing
        uphill = int(working.random.expovariate(1 / config.uphill))
        working.take_vias(i, lines, vias)
        size = config.swap_size + len(lines) - 2
        for z in layers:
            limit = NO_LIMIT  # While nets overlap: moving on is what helps.
            if not overlaps:
                # What the last layer may cost is known; the others may hope for it.
                left = cost + uphill - int(working.costs.sum())
                limit = left if z == layers[-1] else config.swap_slack
            most = overlaps - int(working.overlaps.sum() - working.overlaps[z])
            done = working.rework(z, nets[working.nets.layer[nets] == z], size, limit, most)
            if not done:
                break
        if not done:
            working.overlaps, working.costs, working.lengths = known
            working.paths[there, : before.shape[1]] = before
            working.take_vias(i, lines, given_up)
