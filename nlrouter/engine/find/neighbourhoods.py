"""What a finder tries on the routing that it works on: groups, windows and other vias.

When it tries which of them is up to the finder.
"""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.find.box import passing, sharing
from nlrouter.engine.find.config import FinderConfig
from nlrouter.engine.find.improve import improve, overlaps_of, rework
from nlrouter.engine.find.negotiate import NO_LIMIT
from nlrouter.engine.find.via_moves import draw_chain, draw_kick, draw_swap, present_prices
from nlrouter.engine.find.windows import improve_window
from nlrouter.engine.find.working import Working
from nlrouter.engine.nets.nets import Nets


class Neighbourhoods(Working):
    """A routing as it stands, and ways to change it a little.

    Parameters
    ----------
    nets
        The part.
    seed
        Seed of all random choices.
    config
        Settings.

    Attributes
    ----------
    prices
        ``(layers, cells)`` what cells cost beyond 1, by the dual.
    """

    def __init__(self, nets: Nets, seed: int, config: FinderConfig) -> None:
        super().__init__(nets, config.box)
        self.config = config
        self.random = random.Random(seed)
        self.prices = np.zeros(nets.free.shape)
        self._via_costs: dict[int, NDArray[np.float64]] = {}

    @property
    def small(self) -> bool:
        """Whether its layers are their own boxes."""
        return self.nets.cells <= self.config.box.cells

    def _improve_windows(self, deadline: Deadline) -> None:
        """Route what lies in some windows of a layer as cheaply as can be."""
        z = self.random.choice([z for z, members in enumerate(self.members) if len(members)])
        # A net may come to pass through all of the window.
        self._make_room(min(self.nets.cells, int(self.lengths.max()) + self.config.window.cells))
        for _ in range(self.config.windows):
            self.costs[z] -= improve_window(
                self.nets, self.members[z], self.paths, self.lengths, self.random, deadline,
                self.config.window,
            )  # fmt: skip

    def _improve(self, deadline: Deadline) -> None:
        """Let groups of nets of one layer negotiate anew."""
        troubled = np.flatnonzero(self.overlaps)
        layers = troubled if len(troubled) else [z for z, m in enumerate(self.members) if len(m)]
        z = int(self.random.choice(layers))
        members = self.members[z]
        if not self.lengths[members].all():
            return
        settings = self.config.improve
        tries = self.config.tries if self.small else self.config.box_tries
        for k in range(self.config.tries // tries):
            box = self._box(z, self._pick_net(z), self.prices[z])
            smallest, largest = settings.smallest, settings.largest
            if k == 0 and self.overlaps[z] and not self.small:
                # Starting over, which small boards do as a whole when repair is stuck.
                smallest = largest = len(box.members)
            improve(
                box.members, box.source, box.target, box.free, box.price, box.stride, smallest,
                largest, settings.rounds, settings.negotiate.pressure(), tries, box.paths,
                box.lengths,
            )  # fmt: skip
            self._put_back(z, box)

    def _pick_net(self, z: int) -> NDArray[np.int32]:
        """Pick a net of a layer for a box to be cut around: one that overlaps if there is any."""
        members = self.members[z]
        if self.small:  # The layer is its own box.
            return members[:0]
        if self.overlaps[z]:
            members = members[sharing(members, self.paths, self.lengths, self.nets.cells)]
        return members[[self.random.randrange(len(members))]]

    def _costs_of_vias(self, i: int) -> NDArray[np.float64]:
        """Return ``(n, n)`` what each line of a class pays for each via by the dual's prices."""
        # A search per net, which on large boards a first answer is not to wait for.
        if i not in self._via_costs:
            dual = Dual(self.nets, config=self.config.dual)
            dual.prices = self.prices
            self._via_costs[i] = dual.via_costs(i, self.config.via_move.far)
        return self._via_costs[i]

    def _swap_vias(self, deadline: Deadline) -> None:
        """Let lines swap vias, a few times."""
        for _ in range(self.config.tries):
            i, first = self._pick_line()
            chosen, costs = self.assignment[i], self._costs_of_vias(i)
            self._change_vias(
                i, *draw_swap(costs, chosen, first, self.random, self.config.via_move)
            )

    def _chain_vias(self, deadline: Deadline) -> None:
        """Let chains of lines take each other's vias, a few times."""
        i, first = self._pick_line()
        chosen, settings = self.assignment[i], self.config.via_move
        present = present_prices(
            self.nets, self.nets.classes[i], self._costs_of_vias(i), chosen, first, self.paths,
            self.lengths, self.random, settings,
        )  # fmt: skip
        troubled = bool(self.overlaps.any())
        for _ in range(self.config.tries):
            self._change_vias(
                i, *draw_chain(present, chosen, self.random, settings, focused=troubled)
            )

    def _kick_vias(self) -> None:
        """Let several lines take other vias, whatever it costs."""
        i, first = self._pick_line()
        chosen, costs = self.assignment[i], self._costs_of_vias(i)
        kick = draw_kick(costs, chosen, first, self.random, self.config.via_move)
        self._change_vias(i, *kick, kicked=True)

    def _change_vias(
        self, i: int, lines: NDArray[np.intp], vias: NDArray[np.intp], *, kicked: bool = False
    ) -> None:
        """Give lines of a class other vias, if it is a kick or makes nothing worse, or hardly."""
        span = self.nets.classes[i]
        chosen = self.assignment[i]
        moved = vias != chosen[lines]
        lines, vias = lines[moved], vias[moved]
        given_up = chosen[lines]
        nets = np.concatenate([span.lower[lines], span.upper[lines]])
        layers = np.unique(self.nets.layer[nets])
        standing = self.overlaps.copy(), self.costs.copy(), self.lengths.copy()
        drawn = []
        before = self._standing()
        uphill = int(self.random.expovariate(1 / self.config.uphill))
        self._take_vias(i, lines, vias)
        settings = self.config.improve
        size = self.config.swap_size + max(0, len(lines) - 2)
        kept = True
        for z in layers:
            moved_here = nets[self.nets.layer[nets] == z]
            box = self._box(z, moved_here, self.prices[z])
            drawn.append((box.nets, self.paths[box.nets]))
            places = np.flatnonzero(np.isin(box.nets, moved_here)).astype(np.int32)
            limit = NO_LIMIT
            if not kicked and not before[0]:
                # What the last layer may cost is known; the others may hope for it.
                left = before[1] + uphill - int(self.costs.sum())
                limit = left if z == layers[-1] else self.config.swap_slack
            left, _ = rework(
                places, size, box.members, box.source, box.target, box.free, box.price,
                box.stride, settings.rounds, settings.negotiate.pressure(), limit, box.paths,
                box.lengths,
            )  # fmt: skip
            if left >= 0:
                self._put_back(z, box)
            if left < 0 or (not kicked and self.overlaps.sum() > before[0]):
                kept = False
                break
        after = self._standing()
        # While nets overlap, cost is of no account: moving on is what helps.
        worse = after[0] > before[0] or (before[0] == 0 and after[1] > before[1] + uphill)
        if not kept or (worse and not kicked):
            self.overlaps, self.costs, self.lengths = standing
            for members, rows in drawn:
                self.paths[members, : rows.shape[1]] = rows
            self._take_vias(i, lines, given_up)

    def _pick_line(self) -> tuple[int, int]:
        """Pick a line to give another via, mostly near an overlap, if any: class and place."""
        classes = self.nets.classes
        troubled = self.overlaps > 0
        focused = troubled.any() and self.random.random() < self.config.via_move.focus
        if focused and (lines := self._lines_in_trouble()):
            return self.random.choice(lines)
        if troubled.any():
            near = [
                i
                for i, span in enumerate(classes)
                if troubled[self.nets.layer[[span.lower[0], span.upper[0]]]].any()
            ]
        else:
            near = list(range(len(classes)))
        sizes = [len(classes[i].vias) for i in near]
        i = self.random.choices(near, sizes)[0] if near else self.random.randrange(len(classes))
        return i, self.random.randrange(len(classes[i].vias))

    def _lines_in_trouble(self) -> list[tuple[int, int]]:
        """Return the lines of classes that pass near some overlap: class and place."""
        z = int(self.random.choice(np.flatnonzero(self.overlaps)))
        members, stride = self.members[z], self.nets.stride
        held = np.zeros(self.nets.cells, np.int32)
        overlaps_of(members, self.paths, self.lengths, held)
        shared = np.flatnonzero(held > 1)
        if not len(shared):
            return []  # A net has no path.
        place, reach = int(self.random.choice(shared)), self.config.via_move.reach
        near = np.zeros(self.nets.count, np.bool_)
        near[members] = passing(members, self.paths, self.lengths, stride, place, reach)
        return [
            (i, int(row))
            for i, span in enumerate(self.nets.classes)
            for row in np.flatnonzero(near[span.lower] | near[span.upper])
        ]
