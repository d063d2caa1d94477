"""Lagrangian dual: a price per cell, and what the lines would pay if they never met.

That no free cell holds two lines is relaxed with a price per cell. What is left falls apart
into a cheapest path per net and, per span class, a cheapest matching of lines with vias. Its
value less the prices is a lower bound for any prices. Crossing cuts (see ``cuts``) come in as
multipliers: they pay a net to take the edges that the cut's curves cross.

The prices are improved by the volume algorithm (F. Barahona and R. Anbil, The volume
algorithm: producing primal solutions with a subgradient method, 2000), which also keeps the
average of the paths taken, a near-optimal fractional flow of every net.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numba import njit
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from nlrouter.deadline import Deadline
from nlrouter.engine.cuts import Cut, Cuts
from nlrouter.engine.nets import OPEN, Assignment, Nets
from nlrouter.engine.paths import INFINITE, NO_TOLLS, arrive, search, trace


@dataclass(frozen=True)
class DualConfig:
    """Settings of the volume algorithm."""

    step: float = 0.7
    """Polyak step factor to start from; close to 1, as the target is only an estimate."""
    smallest_step: float = 0.004
    """Below this factor the prices no longer move by what a bound shows."""
    patience: int = 12
    """Rounds without a better bound before the step is cut down."""
    cut_down: float = 0.7
    """Factor on the step when patience ends; milder than halving, as rounds are cheap."""
    average: float = 0.12
    """Weight of the newest paths in the average flow at the start; the paper's 0.1."""
    smallest_average: float = 0.02
    """That weight in the end: a finer average for the separation of cuts."""
    overshoot: float = 0.01
    """Share of the bound by which the target lies above it while no answer is known."""


END_CHARGE = 16.0
"""Charge on either end of a net, taken off again: it keeps tolled edges there above nothing."""


@njit(cache=True)
def _overpaid(free, half, tolls, stride, ends):  # type: ignore[no-untyped-def]
    """Sum what tolls pay beyond an edge's own charge, over the edges a net could take.

    A path takes an edge at most once, so leaving these edges at nothing in the search and
    adding their sum keeps the bound valid.
    """
    total = 0.0
    for along in range(2):
        step = 1 if along == 0 else stride
        for cell in range(free.shape[0] - stride):
            if tolls[along, cell] < 0.0:
                other = cell + step
                if (free[cell] or ends[cell]) and (free[other] or ends[other]):
                    total += min(0.0, half[cell] + half[other] + tolls[along, cell])
    return total


@njit(cache=True)
def _route_nets(nets, layer, source, target, free, half, tolls, tolled, stride, paths, lengths, costs):  # type: ignore[no-untyped-def]  # noqa: E501
    """Route the given nets to their targets; fill ``paths``, ``lengths`` and ``costs``."""
    cells = free.shape[1]
    dist = np.empty(2 * cells)
    pred = np.empty(2 * cells, np.int32)
    heap_key = np.empty(8 * cells)
    heap_state = np.empty(8 * cells, np.int32)
    ends = np.zeros(cells, np.bool_)
    for net in nets:
        z = layer[net]
        toll = tolls[tolled[net]] if tolled[net] >= 0 else NO_TOLLS
        state = search(
            source[net], target[net], free[z], half[z], toll, stride, dist, pred, heap_key, heap_state
        )
        if state < 0:
            costs[net] = INFINITE
            lengths[net] = 0
            continue
        costs[net] = dist[state] - 2 * END_CHARGE
        if tolled[net] >= 0:
            ends[source[net]] = True
            ends[target[net]] = True
            costs[net] += _overpaid(free[z], half[z], toll, stride, ends)
            ends[source[net]] = False
            ends[target[net]] = False
        lengths[net] = trace(state, pred, paths[net])


@njit(cache=True)
def _reach_vias(nets, layer, source, via_cells, free, half, stride, preds, befores, costs):  # type: ignore[no-untyped-def]
    """Find the cheapest path of each net to each via; fill ``costs`` ``(nets, vias)``."""
    cells = free.shape[1]
    dist = np.empty(2 * cells)
    heap_key = np.empty(8 * cells)
    heap_state = np.empty(8 * cells, np.int32)
    for i in range(len(nets)):
        net = nets[i]
        z = layer[net]
        search(
            source[net], -1, free[z], half[z], NO_TOLLS, stride, dist, preds[i], heap_key, heap_state
        )
        for j in range(len(via_cells)):
            costs[i, j], befores[i, j] = arrive(
                via_cells[j], source[net], half[z], NO_TOLLS, stride, dist
            )


@njit(cache=True)
def _average(paths, lengths, layer, stride, weight, usage, flow):  # type: ignore[no-untyped-def]
    """Blend the paths into the average cell usage and the average edge flow."""
    usage *= 1.0 - weight
    flow *= 1.0 - weight
    for net in range(len(lengths)):
        z = layer[net]
        for k in range(1, lengths[net]):
            here = paths[net, k - 1]
            there = paths[net, k]
            along = 0 if abs(there - here) == 1 else 1
            flow[net, along, min(here, there)] += weight
            usage[z, there] += weight


@dataclass
class Routing:
    """The nets' cheapest paths at some prices.

    Parameters
    ----------
    value
        Sum of the costs of the paths, prices and tolls included; `INFINITE` or more if some
        net cannot reach its target.
    paths, lengths
        ``(nets, cells)`` cells of each path, ends included, and ``(nets,)`` how many.
    assignment
        The vias taken.
    """

    value: float
    paths: NDArray[np.int32]
    lengths: NDArray[np.int32]
    assignment: Assignment


@dataclass
class Dual:
    """Prices of a board's cells, the bound that they prove, and the search for better ones.

    Parameters
    ----------
    nets
        The board.
    fixed
        An assignment of vias that is not to be changed, or None to choose the best.
    config
        Settings.
    """

    nets: Nets
    fixed: Assignment | None = None
    config: DualConfig = field(default_factory=DualConfig)

    def __post_init__(self) -> None:
        nets = self.nets
        self.target = nets.target if self.fixed is None else nets.targets(self.fixed)
        self.settled = np.flatnonzero(self.target != OPEN).astype(np.int32)
        self.prices = np.zeros(nets.free.shape)
        self.cuts = Cuts(nets.count, nets.cells)
        self.bound = -np.inf
        self.usage = np.zeros(nets.free.shape)
        self.flow = np.zeros((nets.count, 2, nets.cells), np.float32)
        self._weight = self.config.average
        self._step = self.config.step
        self._fresh = True

    def route(self, prices: NDArray[np.float64], cuts: Cuts) -> Routing:
        """Route every net as cheaply as the prices and the cuts' multipliers have it."""
        nets = self.nets
        half = np.where(nets.free, 0.5 + 0.5 * prices, END_CHARGE)
        paths = np.empty((nets.count, nets.cells), np.int32)
        lengths = np.zeros(nets.count, np.int32)
        costs = np.zeros(nets.count)
        tolls, tolled = cuts.tolls()
        _route_nets(
            self.settled, nets.layer, nets.source, self.target, nets.free, half, tolls, tolled,
            nets.stride, paths, lengths, costs,
        )  # fmt: skip
        value = float(costs[self.settled].sum())
        assignment = []
        for i, span in enumerate(nets.classes):
            if self.fixed is not None:
                assignment.append(self.fixed[i])
                continue
            sides = []
            for members in (span.lower, span.upper):
                n = len(members)
                preds = np.empty((n, 2 * nets.cells), np.int32)
                befores = np.empty((n, n), np.int32)
                matrix = np.empty((n, n))
                _reach_vias(
                    members, nets.layer, nets.source, span.via_cells, nets.free, half,
                    nets.stride, preds, befores, matrix,
                )  # fmt: skip
                sides.append((members, preds, befores, matrix - 2 * END_CHARGE))
            total = np.minimum(sides[0][3] + sides[1][3], INFINITE)
            rows, chosen = linear_sum_assignment(total)
            value += float(total[rows, chosen].sum())
            assignment.append(chosen)
            for members, preds, befores, _ in sides:
                for row, net in enumerate(members):
                    before = befores[row, chosen[row]]
                    if before >= 0:
                        length = trace(before, preds[row], paths[net])
                        paths[net, length] = span.via_cells[chosen[row]]
                        lengths[net] = length + 1
        return Routing(value, paths, lengths, tuple(assignment))

    def improve(self, deadline: Deadline, rounds: int, upper: float | None = None) -> Routing:
        """Improve prices and multipliers until they converge or time or rounds are up.

        Parameters
        ----------
        deadline, rounds
            When to stop at the latest.
        upper
            Cost of a known answer, which guides the step length.

        Returns
        -------
        Routing
            The nets' paths at the best prices found in this call.
        """
        nets, config = self.nets, self.config
        prices, cuts = self.prices, self.cuts
        best: Routing | None = None
        best_value = -np.inf
        waited = 0
        for _ in range(rounds):
            routing = self.route(prices, cuts)
            value = nets.constant + routing.value - prices.sum() + cuts.multipliers.sum()
            if self._fresh or best is None:
                weight = 1.0 if self._fresh else self._weight
                self._fresh = False
            else:
                weight = self._weight
            _average(
                routing.paths, routing.lengths, nets.layer, nets.stride, weight,
                self.usage, self.flow,
            )  # fmt: skip
            if value > best_value + 1e-9:
                waited = waited if value < best_value + 1e-3 * max(1.0, abs(value)) ** 0.5 else 0
                best, best_value = routing, value
                self.prices, self.cuts = prices, cuts
                self.bound = max(self.bound, value)
            else:
                waited += 1
            if waited > config.patience:
                waited = 0
                self._step *= config.cut_down
                self._weight = max(config.smallest_average, self._weight * config.cut_down)
            if self._step < config.smallest_step or deadline.passed() or value >= INFINITE:
                break
            if upper is not None and np.ceil(self.bound - 1e-6) >= upper:
                break
            slope = np.where(nets.free, self.usage - 1.0, 0.0)
            slope[(self.prices <= 0) & (slope < 0)] = 0.0
            cut_slope = 1.0 - self.cuts.activity(self.flow)
            cut_slope[(self.cuts.multipliers <= 0) & (cut_slope < 0)] = 0.0
            norm = float((slope**2).sum() + (cut_slope**2).sum())
            if norm < 1e-9:
                break
            goal = best_value * (1 + config.overshoot) + 1.0
            if upper is not None:
                goal = min(goal, upper)
            step = self._step * max(goal - value, 0.05) / norm
            prices = np.maximum(0.0, self.prices + step * slope)
            cuts = self.cuts.moved(step * cut_slope)
        assert best is not None
        return best

    def add_cuts(self, found: list[Cut]) -> None:
        """Add cuts, with multipliers of 0."""
        self.cuts = self.cuts.extended(found)
        self._step = max(self._step, 0.3 * self.config.step)


def bound_of(value: float) -> int:
    """Round a bound up to the next whole cost, with room for floating-point error."""
    return int(np.ceil(value - 1e-6))
