"""Finds answers to one part of a board, and better and better ones.

A negotiation of all nets, from the dual's prices and vias, comes first; then small groups of
nets negotiate anew, and lines swap their vias, as long as nothing gets worse. When that no
longer helps, it starts over with other vias and other noise; the best routing is kept.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual import Dual, DualConfig
from nlrouter.engine.find.box import BoxConfig, sharing
from nlrouter.engine.find.displace import DisplaceConfig, Runs
from nlrouter.engine.find.displace_bundles import BundleConfig, BundleRuns
from nlrouter.engine.find.draft import Draft
from nlrouter.engine.find.drawn import Drawn, choice_beside
from nlrouter.engine.find.improve import ImproveConfig, improve, rework
from nlrouter.engine.find.negotiate import NO_LIMIT, NegotiateConfig, seed_random
from nlrouter.engine.find.via_moves import (
    ViaMoveConfig,
    draw_chain,
    draw_kick,
    draw_swap,
    present_prices,
)
from nlrouter.engine.find.windows import WindowConfig, improve_window
from nlrouter.engine.find.working import Working
from nlrouter.engine.nets.nets import Assignment, Nets
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.schedule.adaptive import AdaptiveChoice
from nlrouter.engine.schedule.luby import luby


@dataclass(frozen=True)
class FinderConfig:
    """Settings of the search for answers."""

    dual: DualConfig = field(default_factory=DualConfig)
    negotiate: NegotiateConfig = field(default_factory=NegotiateConfig)
    improve: ImproveConfig = field(default_factory=ImproveConfig)
    box: BoxConfig = field(default_factory=BoxConfig)
    displace: DisplaceConfig = field(default_factory=DisplaceConfig)
    bundle: BundleConfig = field(default_factory=BundleConfig)
    window: WindowConfig = field(default_factory=WindowConfig)
    via_move: ViaMoveConfig = field(default_factory=ViaMoveConfig)
    step_seconds: float = 0.05
    """Work of a step, for a `WorkClock`."""
    rounds: int = 150
    """Rounds of the first negotiation; what is not settled by then is repaired in groups."""
    dual_rounds: int = 150
    """Rounds of the dual before the first negotiation: prices that are about right will do."""
    dual_seconds: float = 2.0
    """Work of the dual before the first negotiation at the most, which counts on large boards."""
    in_the_way: float = 3.0
    """Price of a drawn net's cell for one that is missing: detours of some cells are better."""
    box_rounds: int = 40
    """Rounds of the first negotiation of a large layer: what is left is settled sooner in boxes."""
    box_tries: int = 5
    """Negotiations in each box of a large layer."""
    tries: int = 15
    """Negotiations of a group per step: a few hundredths of a second."""
    repair_turn: int = 4
    """Of so many steps without an answer, one repairs overlaps; in the others lines push others
    out."""
    repair_idle: float = 1.0
    """Steps without fewer overlaps, times the square root of the nets, before lines push each other
    out: on boards with room, repair is done by then, and keeps what is good."""
    bundle_turn: int = 2
    """Of so many steps without an answer, bundles of lines push each other out in one, where most
    lines are in bundles: mostly the first few such steps are enough."""
    windows: int = 6
    """Windows per step: a few hundredths of a second as well."""
    swap_size: int = 8
    """Nets ripped up on a layer when two lines swap vias; one more for each further line."""
    swap_slack: int = 60
    """What a swap may cost on one layer in the hope that the other makes up for it."""
    patience: int = 150
    """Steps without improvement, times the square root of the nets, before starting over."""
    rest: float = 2.0
    """Steps without improvement, times the square root of the nets, before a kick: vias that are
    going to get better mostly do so at once."""
    stuck: int = 8
    """The same while nets overlap, times Luby's sequence: where repair is going to get there, it
    mostly does so at once."""
    far: float = 1.5
    """How much dearer an answer from elsewhere may be to give up an own, unsettled one for it."""
    shake: float = 0.15
    """Random share of the prices when starting over."""


class Finder(Working):
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
    """

    def __init__(self, nets: Nets, seed: int, config: FinderConfig | None = None) -> None:
        config = config or FinderConfig()
        super().__init__(nets, config.box)
        self.config = config
        self.random = random.Random(seed)
        self.best: Routing | None = None
        self.drawn: Drawn | None = None
        self.draft: Draft | None = None
        self.prices = np.zeros(nets.free.shape)
        self._via_costs: dict[int, NDArray[np.float64]] = {}
        self.idle = 0
        self.started = False
        self._fruitless = 0
        self._starts = 1
        self._fresh = True
        self._home: Routing | None = None
        self._rested = 0
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
        return self._fruitless > self.config.patience / 4 * self.nets.count**0.5

    @property
    def small(self) -> bool:
        """Whether its layers are their own boxes."""
        return self.nets.cells <= self.config.box.cells

    @property
    def _patience(self) -> float:
        """Steps without improvement after which it starts over."""
        stuck = self.config.stuck * luby(self._starts)
        steps = stuck if self.overlaps.any() else self.config.patience
        return steps * self.nets.count**0.5

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
            self._fresh = not self._fresh
            if self._fresh or self.best is None:
                self._start_over(deadline)
            else:
                self._resume()
        else:
            rest = self.config.rest * self.nets.count**0.5
            if self.nets.classes and self._home is not None and self._rested > rest:
                self._leave(self._home)
            self._move(deadline)
        return self._note()

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

    def _leave(self, home: Routing) -> None:
        """Start from the best routing since the last start once more, mostly with a kick."""
        overlaps, cost = self._standing()
        if overlaps or cost > home.cost:
            self._go_to(home)
        # What is as good is home from now on: from elsewhere, kicks lead elsewhere.
        self._home = Routing(*self._copy(), home.cost)
        self._rested = 0
        # Where few nets go through vias, groups and windows need the time.
        open_nets = 2 * sum(len(span.vias) for span in self.nets.classes)
        if self.random.random() < open_nets / self.nets.count:
            i, first = self._pick_line()
            chosen, costs = self.assignment[i], self._costs_of_vias(i)
            kick = draw_kick(costs, chosen, first, self.random, self.config.via_move)
            self._change_vias(i, *kick, kicked=True)

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

    def _start_over(self, deadline: Deadline) -> None:
        """Route everything anew, with shaken prices and the vias that they suggest."""
        self._starts += 1
        if self.overlaps.any() and self._starts % 2 == 0:
            # The other layers have come to rest, and may be no trouble.
            self._negotiate(np.flatnonzero(self.overlaps), self.config.negotiate.noise)
            return
        dual = Dual(self.nets, config=self.config.dual)
        noise = np.random.default_rng(self.random.getrandbits(32))
        shaken = self.prices + noise.exponential(self.config.shake, self.prices.shape)
        relaxed = dual.route(shaken, dual.cuts)
        self._route_all(relaxed.assignment, self.config.negotiate.noise)

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
        i, _ = self._pick_line()
        chosen, settings = self.assignment[i], self.config.via_move
        present = present_prices(
            self.nets, self.nets.classes[i], self._costs_of_vias(i), chosen, self.paths,
            self.lengths, self.random, settings,
        )  # fmt: skip
        for _ in range(self.config.tries):
            self._change_vias(i, *draw_chain(present, chosen, self.random, settings))

    def _displaces(self) -> bool:
        """Whether lines push each other out in this step, or are repaired as they overlap."""
        if not self.small or self.idle < self.config.repair_idle * self.nets.count**0.5:
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

    def _change_vias(
        self, i: int, lines: NDArray[np.intp], vias: NDArray[np.intp], *, kicked: bool = False
    ) -> None:
        """Give lines of a class other vias, if that makes nothing worse or it is a kick."""
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
                left = before[1] - int(self.costs.sum())
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
        worse = after > before if before[0] == 0 else after[0] > before[0]
        if not kept or (worse and not kicked):
            self.overlaps, self.costs, self.lengths = standing
            for members, rows in drawn:
                self.paths[members, : rows.shape[1]] = rows
            self._take_vias(i, lines, given_up)

    def _pick_line(self) -> tuple[int, int]:
        """Pick a line to give another via: class and place; on a troubled layer if there is one."""
        classes = self.nets.classes
        troubled = self.overlaps > 0
        if troubled.any() and not self.small and (lines := self._lines_in_trouble()):
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
        """Return the lines of classes that start near some net that overlaps: class and place."""
        z = int(self.random.choice(np.flatnonzero(self.overlaps)))
        around = self._pick_net(z)
        stride, source = self.nets.stride, self.nets.source
        places = np.stack([source // stride, source % stride])
        near = np.abs(places - places[:, around]).max(axis=0) <= 2 * self.config.box.margin
        near &= self.nets.layer == z
        return [
            (i, int(row))
            for i, span in enumerate(self.nets.classes)
            for row in np.flatnonzero(near[span.lower] | near[span.upper])
        ]

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
