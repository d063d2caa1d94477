"""Finds answers to one part of a board, and better and better ones.

A negotiation of all nets, from the dual's prices and vias, comes first. Where that leaves overlaps,
lines bid for vias if many choose among some, and an answer that fills every cell is looked for if
lines may. Then small groups of nets negotiate anew, and lines swap their vias, as long as nothing
gets worse. When that no longer helps, it starts over with other vias and other noise; the best
routing is kept.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.exact.full_answer import FullAnswer
from nlrouter.engine.find.bidding import Bidding
from nlrouter.engine.find.config import FinderConfig
from nlrouter.engine.find.displace import Runs
from nlrouter.engine.find.draft import Draft
from nlrouter.engine.find.drawn import Drawn, domains_beside
from nlrouter.engine.find.groups import Groups
from nlrouter.engine.find.negotiate import seed_random
from nlrouter.engine.find.via_chains import ViaChains
from nlrouter.engine.find.via_swaps import ViaSwaps
from nlrouter.engine.find.working import Neighbourhood, Standing, Working
from nlrouter.engine.nets.nets import Assignment, Nets
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.schedule.work import FINDER_STEP
from nlrouter.luby import luby
from nlrouter.tally import Tallies

NEIGHBOURHOODS: tuple[type[Neighbourhood], ...] = (Groups, ViaSwaps, ViaChains)
"""What is tried on a routing."""


class Finder:
    """The search for answers to one part.

    Parameters
    ----------
    nets
        The part.
    seed
        Seed of its random choices.
    config
        Settings.
    tallies
        Where is counted what each method costs and gains.

    Attributes
    ----------
    best
        The cheapest routing found so far, or None.
    drawn
        What the first routing is to start from, or None.
    draft
        While there is no routing, what came closest to one, or None.
    working
        The routing that it works on.
    """

    def __init__(
        self,
        nets: Nets,
        seed: int,
        config: FinderConfig | None = None,
        tallies: Tallies | None = None,
    ) -> None:
        self.nets = nets
        self.config = config = config or FinderConfig()
        self.tallies = Tallies() if tallies is None else tallies
        self.working = Working(nets, seed, config)
        self.random = self.working.random
        self.best: Routing | None = None
        self.drawn: Drawn | None = None
        self.draft: Draft | None = None
        self.idle = 0
        self.started = False
        self._starts = 1
        self._turns = 0
        self._root = nets.count**0.5
        known = [neighbourhood() for neighbourhood in NEIGHBOURHOODS]
        self._ways = [each for each in known if each.share(nets) and self._uses(each.name)]
        self._shares = [way.share(nets) for way in self._ways]
        self._of_layers = [
            share * (not way.of_vias) for way, share in zip(self._ways, self._shares, strict=True)
        ]
        crowded = [z for z, members in enumerate(self.working.members) if len(members) > 1]
        self._layers = crowded if any(self._of_layers) else []
        self._record: Standing | None = None
        self._runs = Runs(nets, config.displace)
        self._bidding: Bidding | None = None
        self._biddings = 0
        self._bid_share = config.bidding.share(nets) if self._uses("bidding") else 0.0
        self._full = FullAnswer(nets)

    def _uses(self, method: str) -> bool:
        """Return whether a method is not switched off."""
        return method not in self.tallies.without

    @property
    def _patience(self) -> float:
        """Steps without improvement after which it turns elsewhere."""
        if (z := self.working.focus) is not None:
            return float(self.config.trial_patience * len(self.working.members[z]) ** 0.5)
        if not self.working.overlaps.any():
            return self.config.patience * self._root
        return self.config.stuck * luby(self._starts) * self._root

    def step(self, deadline: Deadline) -> bool:
        """Do a small piece of work; return whether a better routing was found."""
        seed_random(self.random.getrandbits(31))
        deadline.work(FINDER_STEP)
        if not self.started:
            with self.tallies.at_work("negotiation"):
                self._start(deadline)
        elif self._bidding is not None:
            self._bid()
        elif self.idle > self._patience:
            self._turn_elsewhere()
        else:
            self._move(deadline)
        return self._note()

    def _turn_elsewhere(self) -> None:
        """Try layers of the best routing anew, start over with other vias, go back to the best."""
        if self.best is None:
            self._start_over()
            return
        layers, vias = self._layers, bool(self.nets.classes)
        trials = max(self.config.trials, len(layers)) if layers else 0
        turn = self._turns % (trials + vias + 1)
        self._turns += 1
        if turn == trials and vias:
            self._start_over()
            return
        self._resume()
        if turn < trials:
            with self.tallies.at_work("negotiation"):
                self._try_layer(layers[self._turns % len(layers)])

    def _try_layer(self, z: int) -> None:
        """Negotiate a layer anew, the others and the vias being as they are."""
        self._negotiate(np.array([z]), self.config.negotiate.noise)
        self.working.focus = z

    def _move(self, deadline: Deadline) -> None:
        """Try some neighbours of the routing as it stands."""
        if self.best is None and self.working.overlaps.any():
            if self._full.due and self._uses("full answers"):
                self._fill(deadline)
                return
            often = self.random.random() >= self._bid_share
            if self.idle >= self._root and often and self._uses("displacement"):
                self._displace()
                return
        if not self._ways:  # All are switched off.
            return
        shares = self._shares if self.working.focus is None else self._of_layers
        (way,) = self.random.choices(self._ways, shares)
        with self.tallies.at_work(way.name) as tally:
            way.change(self.working)
            overlaps, cost = self.working.standing
            tally.better += overlaps == 0 and (self.best is None or cost < self.best.cost)

    def compile_ahead(self) -> None:
        """Compile what routes groups, by one that cannot be taken: it may leave -1 overlaps."""
        self.working.set_assignment(tuple(np.arange(len(span.vias)) for span in self.nets.classes))
        self.working.rework(self.working.pick_layer(), (), 1, 0, -1)

    def adopt(self, routing: Routing) -> bool:
        """Take up a routing found elsewhere; return whether it is better than the best."""
        if self.best is not None and self.best.cost <= routing.cost:
            return False
        self.best = routing
        # Vias from elsewhere may be far from those with which a negotiation is about to settle.
        overlaps, cost = self.working.standing
        near = not self.nets.classes or routing.cost <= self.config.far * cost
        if not self.started or overlaps == 0 or near:
            self._resume()
        return True

    def _resume(self) -> None:
        """Go back to the best routing."""
        assert self.best is not None
        self.working.focus = None
        self.working.go_to(self.best)
        self.idle = 0
        self._record = self.working.standing

    def _start(self, deadline: Deadline) -> None:
        """Route everything for the first time."""
        dual = Dual(self.nets, config=self.config.dual)
        relaxed = dual.improve(deadline.after(self.config.dual_seconds), self.config.rounds)
        self.working.prices = dual.prices
        self.started = True
        if self.best is None and self.drawn is not None:
            self._route_missing(dual, self.drawn)
        elif self.best is None:
            self._route_all(relaxed.assignment, 0.0)
            if self.working.overlaps.any() and self._bid_share > 0:
                self._let_bid()

    def _route_missing(self, dual: Dual, drawn: Drawn) -> None:
        """Take up the nets that are drawn, and route the others anew."""
        working = self.working
        working.set_assignment(dual.restricted(domains_beside(drawn)).route(dual.prices).assignment)
        working.make_room(max((len(path) for path in drawn.paths if path is not None), default=0))
        pressure = self.config.negotiate.pressure(noise=0.0)
        for z, members in enumerate(working.members):
            prices = working.prices[z].copy()
            missing = []
            for net in members:
                path = drawn.paths[net]
                if path is None:
                    missing.append(net)
                else:
                    working.lengths[net] = len(path)
                    working.paths[net, : len(path)] = path
                    prices[path[1:-1]] += self.config.in_the_way
            if missing:
                working.negotiate_layer(z, np.array(missing, np.int32), prices, pressure)
            working.measure(z)

    def _start_over(self) -> None:
        """Route everything anew, with other vias."""
        self.working.focus = None
        self._starts += 1
        if self.random.random() < self._bid_share:
            self._let_bid()
            return
        with self.tallies.at_work("negotiation"):
            if self.working.overlaps.any() and self._starts % 2 == 0:
                # The other layers have come to rest, and may be no trouble.
                self._negotiate(np.flatnonzero(self.working.overlaps), self.config.negotiate.noise)
            else:
                self._route_all(self._other_vias(), self.config.negotiate.noise)

    def _let_bid(self) -> None:
        """Begin a negotiation of lines, slower than the one before."""
        config = self.config.bidding
        rounds = min(config.most_rounds, config.rounds << self._biddings)
        self._biddings += 1
        rng = np.random.default_rng(self.random.getrandbits(32))
        self._bidding = Bidding(self.nets, self.working.prices, rounds, rng, config)

    def _bid(self) -> None:
        """Go on with the negotiation of lines; take up what comes out in the end."""
        assert self._bidding is not None
        with self.tallies.at_work("bidding") as tally:
            if not self._bidding.step():
                return
            dual = Dual(self.nets, config=self.config.dual)
            dual.prices = self.working.prices
            self._route_missing(dual, self._bidding.drawn())
            tally.better += not self.working.overlaps.any()
        self._bidding = None
        self.idle = 0
        self._record = None

    def _other_vias(self) -> Assignment:
        """Return vias to start over with: such as shaken prices suggest."""
        dual = Dual(self.nets, config=self.config.dual)
        noise = np.random.default_rng(self.random.getrandbits(32))
        prices = self.working.prices
        shaken = prices + noise.exponential(self.config.shake, prices.shape)
        return dual.route(shaken).assignment

    def _route_all(self, assignment: Assignment, noise: float) -> None:
        """Negotiate all nets with the given vias."""
        self.working.set_assignment(assignment)
        self._negotiate(np.arange(self.nets.layers), noise)

    def _negotiate(self, layers: NDArray[np.intp], noise: float) -> None:
        """Route all nets of some layers anew, whatever there is."""
        working, pressure = self.working, self.config.negotiate.pressure(noise)
        for z in layers:
            if len(members := working.members[z]):
                working.negotiate_layer(z, members, working.prices[z], pressure)
            working.measure(z)
        self.idle = 0
        self._record = None

    def _fill(self, deadline: Deadline) -> None:
        """Go on with the search for a routing that fills every cell, and take it up."""
        with self.tallies.at_work("full answers") as tally:
            routing = self._full.step(deadline)
            if routing is not None:
                self.working.go_to(routing)
                tally.better += 1

    def _displace(self) -> None:
        """Let lines push each other out for a while; take what comes out if all have a path."""
        working, rng = self.working, np.random.default_rng(self.random.getrandbits(32))
        with self.tallies.at_work("displacement") as tally:
            routing = self._runs.step(Draft(*working.copy(), 0), working.prices, rng)
            if routing is not None:
                working.go_to(routing)
                tally.better += 1

    def _note(self) -> bool:
        """Keep the books; return whether the routing is the best so far."""
        standing = self.working.standing
        if self._record is None or standing < self._record:
            self._record = standing
            self.idle = 0
        else:
            self.idle += 1
        overlaps, cost = standing
        if overlaps and self.best is None:
            if self.draft is None or overlaps < self.draft.overlaps:
                self.draft = Draft(*self.working.copy(), overlaps)
            return False
        if overlaps or (self.best is not None and self.best.cost <= cost):
            return False
        self.best = Routing(*self.working.copy(), cost)
        return True
