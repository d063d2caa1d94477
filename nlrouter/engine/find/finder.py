"""Finds answers to one part of a board, and better and better ones.

A negotiation of all nets, from the dual's prices and vias, comes first; then small groups of
nets negotiate anew, and lines swap their vias, as long as nothing gets worse. When that no
longer helps, it starts over with other vias and other noise; the best routing is kept, and what it
came by on the way is put together.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.find.config import FinderConfig
from nlrouter.engine.find.displace import Runs
from nlrouter.engine.find.displace_bundles import BundleRuns
from nlrouter.engine.find.draft import Draft
from nlrouter.engine.find.drawn import Drawn, choice_beside
from nlrouter.engine.find.negotiate import seed_random
from nlrouter.engine.find.negotiate_lines import negotiate_lines
from nlrouter.engine.find.neighbourhoods import Neighbourhoods
from nlrouter.engine.find.recombine import Pool, recombined
from nlrouter.engine.nets.nets import Assignment, Nets
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.schedule.adaptive import AdaptiveChoice
from nlrouter.engine.schedule.luby import luby


class Finder(Neighbourhoods):
    """The search for answers to one part.

    Parameters
    ----------
    nets
        The part.
    seed
        Seed of its random choices.
    config
        Settings.

    Attributes
    ----------
    best
        The cheapest routing found so far, or None.
    drawn
        What the first routing is to start from, or None.
    draft
        While there is no routing, what came closest to one, or None.
    pool
        The routings that it turned away from, and those from elsewhere.
    """

    def __init__(self, nets: Nets, seed: int, config: FinderConfig | None = None) -> None:
        config = config or FinderConfig()
        super().__init__(nets, seed, config)
        self.best: Routing | None = None
        self.drawn: Drawn | None = None
        self.draft: Draft | None = None
        self.idle = 0
        self.started = False
        self._fruitless = 0
        self._starts = 1
        self._fresh = True
        self._home: Routing | None = None
        self._rested = 0
        self.pool = Pool(nets, self.config.pool)
        self._root = nets.count**0.5
        swaps = [self._swap_vias, self._chain_vias] if nets.classes else []
        self._repairs = AdaptiveChoice([self._improve, *swaps], self.random)
        self._savings = AdaptiveChoice([self._improve, self._improve_windows, *swaps], self.random)
        self._record: tuple[int, int] | None = None
        self._runs = Runs(nets, self.config.displace)
        self._bundles = BundleRuns(nets, self.config.bundle)
        self._turn = self._repair = 0

    @property
    def flagging(self) -> bool:
        """Whether the best routing has been the best for long, or there has long been none."""
        return self._fruitless > self.config.flags * self._root

    @property
    def pausing(self) -> bool:
        """Whether the best routing has been the best for a while."""
        return self._fruitless > self.config.pauses * self._root

    @property
    def _patience(self) -> float:
        """Steps without improvement after which it starts over."""
        if not self.overlaps.any():
            return self.config.patience * self._root
        return self.config.stuck * luby(self._starts) * self._root

    @property
    def _resting(self) -> bool:
        """Whether vias have had their time since the last kick."""
        known = bool(self.nets.classes) and self._home is not None
        return known and self._rested > self.config.rest * self._root

    def step(self, deadline: Deadline) -> bool:
        """Do a small piece of work; return whether a better routing was found."""
        self._fruitless += 1
        seed_random(self.random.getrandbits(31))
        deadline.work(self.config.step_seconds)
        if not self.started and self._opens_with_bundles():
            if not self._displace_bundles():
                return False
        elif not self.started:
            self._start(deadline)
        elif self.idle > self._patience:
            if not self._recombine():
                self._turn_elsewhere()
        elif self._resting:
            if not self._recombine():
                self._leave()
                self._move(deadline)
        else:
            self._move(deadline)
        return self._note()

    def _turn_elsewhere(self) -> None:
        """Start over, or go back to the best routing, in turns."""
        if self._home is not None:
            self.pool.add(self._home)
        self._fresh = not self._fresh
        if self._fresh or self.best is None:
            self._start_over()
        else:
            self._resume()

    def _recombine(self) -> bool:
        """Put together what it came by; go to what comes of it if that is better than the best."""
        if self._home is None or self.best is None:
            return False
        mixture = recombined(self.nets, self.best, self._home)
        mixture = self.pool.improved(mixture, self.random)
        if mixture.cost >= self.best.cost:
            return False
        self._go_to(mixture)
        return True

    def _move(self, deadline: Deadline) -> None:
        """Try some neighbours of the routing as it stands."""
        overlaps, cost = self._standing()
        if overlaps and self.best is None:
            self._turn += 1
            if self._turn % self.config.bundle_turn == 1 and self._bundles.worth:
                self._displace_bundles()
                return
            if self._displaces():
                self._displace()
                return
        choice = self._repairs if overlaps else self._savings
        neighbourhood = choice.pick()
        neighbourhood(deadline)
        now = self._standing()
        choice.credit(neighbourhood, overlaps - now[0] if overlaps else cost - now[1])

    def adopt(self, routing: Routing) -> bool:
        """Take up a routing found elsewhere; return whether it is better than the best."""
        self.pool.add(routing)
        if self.best is not None and self.best.cost <= routing.cost:
            return False
        self.best = routing
        self._fruitless = 0
        # A first answer from elsewhere may be far from what a negotiation is about to settle.
        overlaps, cost = self._standing()
        if not self.started or overlaps == 0 or routing.cost <= self.config.far * cost:
            self._resume()
        return True

    def _resume(self) -> None:
        """Go back to the best routing."""
        assert self.best is not None
        self._go_to(self.best)
        self.idle = 0
        self._record = self._standing()
        self._home = self.best
        self._rested = 0

    def _leave(self) -> None:
        """Start from the best routing since the last start once more, mostly with a kick."""
        home = self._home
        assert home is not None
        overlaps, cost = self._standing()
        if overlaps or cost > home.cost:
            self._go_to(home)
        # What is as good is home from now on: from elsewhere, kicks lead elsewhere.
        self._home = Routing(*self._copy(), home.cost)
        self._rested = 0
        # Where few nets go through vias, groups and windows need the time.
        open_nets = 2 * sum(len(span.vias) for span in self.nets.classes)
        if self.random.random() < open_nets / self.nets.count:
            self._kick_vias()

    def _start(self, deadline: Deadline) -> None:
        """Route everything for the first time."""
        dual = Dual(self.nets, config=self.config.dual)
        rounds = dual.rounds_within(self.config.dual_seconds, self.config.dual_rounds)
        relaxed = dual.improve(deadline, rounds)
        self.prices = dual.prices
        self.started = True
        if self.best is None and self.drawn is not None:
            self._route_missing(dual, self.drawn)
        elif self.best is None:
            self._route_all(relaxed.assignment, 0.0)

    def _route_missing(self, dual: Dual, drawn: Drawn) -> None:
        """Take up the nets that are drawn, and route the others for the first time."""
        beside = dual.restricted(choice_beside(drawn))
        self._set_assignment(beside.route(dual.prices, dual.cuts).assignment)
        self._make_room(max((len(path) for path in drawn.paths if path is not None), default=0))
        pressure = self.config.negotiate.pressure(noise=0.0)
        for z, members in enumerate(self.members):
            prices = self.prices[z].copy()
            missing = []
            for net in members:
                path = drawn.paths[net]
                if path is None:
                    missing.append(net)
                else:
                    self.lengths[net] = len(path)
                    self.paths[net, : len(path)] = path
                    prices[path[1:-1]] += self.config.in_the_way
            if missing:
                self._negotiate_layer(
                    z, np.array(missing, np.int32), prices, pressure, self.config.rounds
                )
            self._measure(z)

    def _start_over(self) -> None:
        """Route everything anew, with other vias."""
        self._starts += 1
        if self.overlaps.any() and self._starts % 2 == 0:
            # The other layers have come to rest, and may be no trouble.
            self._negotiate(np.flatnonzero(self.overlaps), self.config.negotiate.noise)
            return
        self._route_all(self._other_vias(), self.config.negotiate.noise)

    def _other_vias(self) -> Assignment:
        """Return vias to start over with.

        While there is no answer they are such as lines come to negotiate; then such as shaken
        prices suggest, which are cheaper.
        """
        if self.best is None and self.nets.classes and self.small:
            return negotiate_lines(self.nets, self.prices, self.config.negotiate_lines)
        dual = Dual(self.nets, config=self.config.dual)
        noise = np.random.default_rng(self.random.getrandbits(32))
        shaken = self.prices + noise.exponential(self.config.shake, self.prices.shape)
        return dual.route(shaken, dual.cuts).assignment

    def _route_all(self, assignment: Assignment, noise: float) -> None:
        """Negotiate all nets with the given vias."""
        self._set_assignment(assignment)
        self._negotiate(np.arange(self.nets.layers), noise)

    def _negotiate(self, layers: NDArray[np.intp], noise: float) -> None:
        """Route all nets of some layers anew, whatever there is."""
        pressure = self.config.negotiate.pressure(noise)
        rounds = self.config.rounds if self.small else self.config.box_rounds
        for z in layers:
            if len(members := self.members[z]):
                self._negotiate_layer(z, members, self.prices[z], pressure, rounds)
            self._measure(z)
        self.idle = 0
        self._record = None
        self._home = None

    def _displaces(self) -> bool:
        """Whether lines push each other out in this step, or are repaired as they overlap."""
        if not self.small or self.idle < self.config.repair_idle * self._root:
            return False  # On a large layer, boxes start over instead.
        self._repair += 1
        return self._repair % self.config.repair_turn > 0

    def _opens_with_bundles(self) -> bool:
        """Whether a first run of bundles comes before everything else."""
        known = self.best is not None or self.drawn is not None
        return not known and self._bundles.opens

    def _displace_bundles(self) -> bool:
        """Let bundles push each other out for a while; take what comes out, if all have a way."""
        routing = self._bundles.step(np.random.default_rng(self.random.getrandbits(32)))
        if routing is not None:
            self._go_to(routing)
        return routing is not None

    def _displace(self) -> None:
        """Let lines push each other out for a while; take what comes out if all have a path."""
        rng = np.random.default_rng(self.random.getrandbits(32))
        routing = self._runs.step(Draft(*self._copy(), 0), self.prices, rng)
        if routing is not None:
            self._go_to(routing)

    def _note(self) -> bool:
        """Keep the books; return whether the routing is the best so far."""
        standing = self._standing()
        if self._record is None or standing < self._record:
            self._record = standing
            self.idle = 0
        else:
            self.idle += 1
        overlaps, cost = standing
        self._rested += 1
        if not overlaps and (self._home is None or cost < self._home.cost):
            self._home = Routing(*self._copy(), cost)
            self._rested = 0
        if overlaps and self.best is None:
            if self.draft is None or overlaps < self.draft.overlaps:
                self.draft = Draft(*self._copy(), overlaps)
            return False
        if overlaps or (self.best is not None and self.best.cost <= cost):
            return False
        self.best = Routing(*self._copy(), cost)
        self._fruitless = 0
        return True
