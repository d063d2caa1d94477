"""Lines of an answer that might exchange their vias, by what that would cost at the least.

With the vias of an answer settled, the dual of each layer finds prices of its cells, and at these
what every line would pay for every via. Lines that exchange vias pay the difference, and by the
same prices no routing with the new vias costs less. Cyclic exchanges are looked at: a line takes
the via of a second one, that one the via of a third, and the last one that of the first (R. Ahuja,
Ö. Ergun, J. Orlin, A. Punnen, A survey of very large-scale neighborhood search techniques, 2002).

The more lines take part, the less the prices ask, and the farther off they are. So the best of as
many lines are priced anew, and those that then promise most have turns with those of other sizes:
the first of two lines has the second turn, the first of three the third, the second of two the
fourth. Most exchanges that make an answer cheaper are of two or three lines.
After the first cycles come pairs of them that share no line, each as one exchange: an answer of 431
that no cycle made cheaper was two cycles of three lines away from one of 430.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual import Dual, DualConfig
from nlrouter.engine.nets.nets import Assignment, Nets
from nlrouter.engine.nets.routing import Routing
from nlrouter.result import ceil_bound


@dataclass(frozen=True)
class ViaExchangeConfig:
    """Settings of the search for exchanges."""

    dual: DualConfig = field(default_factory=DualConfig)
    rounds: int = 150
    """Rounds of the dual of a layer with the answer's vias: on 21x28 it converges in fewer."""
    again: int = 20
    """Rounds with other vias: with 10, the exchange that made 435 of 430 came fourth of its length,
    with 30 first; one that made 430 of 431 is fifth with 10, third with 15 or more."""
    longest: int = 8
    """Lines of an exchange at the most: of those that were wanted most have three, some seven."""
    kept: int = 30
    """Cycles of each length that exchanges are made of: of a pair that was wanted one was not among
    the first 10."""
    cycle_turns: int = 60
    """Turns in which cycles are drawn to be priced anew, 30 of two lines, 20 of three, 8 of seven:
    of those that were wanted one was the 11th of three lines, another the seventh of seven."""
    most: int = 12
    """Cycles, and then pairs, that are found at once: what makes an answer cheaper is mostly among
    the first two, but on 21x28x2 with 18 vias it was the 16th and the 23rd as well. So as many of
    both come again once these are taken."""
    beam: int = 100
    """Beginnings of cycles from each line that are kept at each length."""


class Cycle(NamedTuple):
    """Lines of a class of which each takes the via of the next, the last one that of the first."""

    extra: float
    """What they pay more at some prices."""
    span: int
    """Index of the class."""
    lines: tuple[int, ...]
    """Places in the class."""


@dataclass(frozen=True)
class Exchange:
    """Cycles that share no line.

    Parameters
    ----------
    bound
        No routing costs less in which these take each other's vias and all other lines keep theirs.
    cycles
        The cycles.
    """

    bound: float
    cycles: tuple[Cycle, ...]

    @property
    def size(self) -> int:
        """Number of lines that take another via."""
        return sum(len(cycle.lines) for cycle in self.cycles)

    def applied(self, assignment: Assignment) -> Assignment:
        """Return an assignment after the exchange."""
        vias = [chosen.copy() for chosen in assignment]
        for _, span, lines in self.cycles:
            vias[span][list(lines)] = assignment[span][list(lines[1:] + lines[:1])]
        return tuple(vias)


class ViaExchanges:
    """The search for exchanges that may make a routing cheaper, step by step.

    Parameters
    ----------
    nets
        The part.
    routing
        The routing.
    config
        Settings.

    Attributes
    ----------
    found
        The most promising exchanges that were found last, for the caller to take from: none whose
        bound is the routing's cost or more, in the order of their turns. Further ones are found
        once these are taken.
    """

    def __init__(
        self, nets: Nets, routing: Routing, config: ViaExchangeConfig | None = None
    ) -> None:
        self.found: list[Exchange] = []
        self._nets = nets
        self._routing = routing
        self._config = config or ViaExchangeConfig()
        self._prices = np.zeros(nets.free.shape)
        self._values = np.zeros(nets.layers)
        self._layers = np.unique(nets.layer).tolist()
        self._kinds = [self._pairs, self._single]
        self._drawn: list[Exchange] = []
        self._priced: list[Exchange] = []
        self._left: list[Exchange] = []

    @property
    def done(self) -> bool:
        """Whether no step will find another exchange."""
        return not (self._layers or self._kinds or self._drawn or self._left)

    def step(self, deadline: Deadline) -> None:
        """Do a piece of work: price a layer, draw exchanges, price one anew, or find the rest."""
        vias = self._routing.assignment
        if self._layers:
            z = self._layers.pop()
            layer = self._priced_layer(z, vias, self._config.rounds, deadline)
            self._prices[z], self._values[z] = layer.prices[0], layer.value
        elif self._drawn:
            drawn = self._drawn.pop()
            self._priced.append(replace(drawn, bound=self._bound(drawn, deadline)))
            if not self._drawn:
                due = self._in_turn(self._priced)
                self.found = due[: self._config.most]
                self._left += due[self._config.most :]
                self._priced = []
        elif self._kinds:
            self._drawn = self._kinds.pop()()
        else:
            self.found = self._in_turn(self._left)[: 2 * self._config.most]
            self._left = []

    def _priced_layer(self, z: int, vias: Assignment, rounds: int, deadline: Deadline) -> Dual:
        """Return the dual of a layer with some vias, from the prices that are known of it."""
        nets = self._nets.layer_alone(z, self._nets.targets(vias))
        dual = Dual(nets, config=self._config.dual)
        dual.resume(self._prices[z : z + 1], priced=bool(self._values[z]))
        dual.improve(deadline, rounds)
        return dual

    def _bound(self, exchange: Exchange, deadline: Deadline) -> float:
        """Return what an exchange costs at least by prices of its own."""
        nets, known, value = self._nets, self._routing.assignment, float(self._values.sum())
        vias = exchange.applied(known)
        for z in np.unique(nets.layer[nets.targets(vias) != nets.targets(known)]).tolist():
            layer = self._priced_layer(z, vias, self._config.again, deadline)
            value += layer.value - self._values[z]
        return max(value, exchange.bound)

    def _single(self) -> list[Exchange]:
        """Return the best cycles at the prices of the routing's vias."""
        cycles = [self._exchange(cycle) for cycle in self._cycles()]
        return self._in_turn(cycles, self._config.cycle_turns)

    def _pairs(self) -> list[Exchange]:
        """Return the best pairs of such cycles."""
        pairs = [
            self._exchange(one, other)
            for one, other in combinations(self._cycles(), 2)
            if len(one.lines) + len(other.lines) <= self._config.longest
            and (one.span != other.span or set(one.lines).isdisjoint(other.lines))
        ]
        return self._in_turn(pairs, 2 * self._config.cycle_turns)

    def _cycles(self) -> list[Cycle]:
        """Return the cheapest cycles of each length."""
        dual = Dual(self._nets, config=self._config.dual)
        dual.prices = self._prices
        found: list[Cycle] = []
        for i, chosen in enumerate(self._routing.assignment):
            costs = dual.via_costs(i)[:, chosen]
            dearer = costs - np.diag(costs)[:, None]
            found += [Cycle(extra, i, lines) for extra, lines in cycles(dearer, self._config)]
        kept: Counter[int] = Counter()
        cheapest = []
        for cycle in sorted(found):
            if kept[len(cycle.lines)] < self._config.kept:
                kept[len(cycle.lines)] += 1
                cheapest.append(cycle)
        return cheapest

    def _exchange(self, *parts: Cycle) -> Exchange:
        """Return the exchange that is made of some cycles."""
        return Exchange(float(self._values.sum()) + sum(cycle.extra for cycle in parts), parts)

    def _in_turn(self, exchanges: list[Exchange], turns: int | None = None) -> list[Exchange]:
        """Return those that may make the routing cheaper, up to a turn, in the order of turns.

        The one of the k-th least bound among those of n lines has turn ``k * n``.
        """
        alike: Counter[int] = Counter()
        due = []
        for exchange in sorted(exchanges, key=lambda exchange: exchange.bound):
            alike[exchange.size] += 1
            turn = alike[exchange.size] * exchange.size
            if ceil_bound(exchange.bound) < self._routing.cost and (turns is None or turn <= turns):
                due.append((turn, exchange.size, exchange))
        return [exchange for *_, exchange in sorted(due, key=lambda each: each[:2])]


def cycles(
    dearer: NDArray[np.float64], config: ViaExchangeConfig
) -> list[tuple[float, tuple[int, ...]]]:
    """Find the cheapest cycles of each length by a beam search.

    Parameters
    ----------
    dearer
        ``(n, n)`` what a line (row) pays more for the via of another one (column).
    config
        Settings.

    Returns
    -------
    list of tuple
        What the lines of a cycle pay more, and the lines; each takes the via of the next.
    """
    size = len(dearer)
    step = np.where(np.eye(size, dtype=np.bool_), np.inf, dearer)
    found: list[dict[tuple[int, ...], float]] = [{} for _ in range(config.longest + 1)]
    for first in np.argsort(step.min(axis=1), kind="stable")[: config.beam] if size > 1 else []:
        lines, extra = np.array([[first]]), np.zeros(1)
        for length in range(2, min(config.longest, size) + 1):
            longer = extra[:, None] + step[lines[:, -1]]
            np.put_along_axis(longer, lines, np.inf, axis=1)
            row, last = np.unravel_index(_least(longer, config.beam), longer.shape)
            lines, extra = np.column_stack([lines[row], last]), longer[row, last]
            closed = extra + dearer[last, first]
            for k in _least(closed, config.kept):
                cycle = np.roll(lines[k], -int(lines[k].argmin()))
                if np.isfinite(closed[k]):
                    found[length][tuple(cycle.tolist())] = float(closed[k])
    return [
        (extra, cycle)
        for alike in found
        for cycle, extra in sorted(alike.items(), key=lambda pair: pair[1])[: config.kept]
    ]


def _least(values: NDArray[np.float64], count: int) -> NDArray[np.intp]:
    """Return the flat places of the least values, the least first."""
    flat = values.ravel()
    if count < len(flat):
        places = np.argpartition(flat, count)[:count]
        return places[np.argsort(flat[places], kind="stable")]
    return np.argsort(flat, kind="stable")
