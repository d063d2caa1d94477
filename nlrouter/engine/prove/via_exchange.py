"""Lines of an answer that might exchange their vias, by what that would cost at the least.

With the vias of an answer settled, the dual of each layer finds prices of its cells, and at these
what every line would pay for every via. Lines that exchange vias pay the difference, and by the
same prices no routing with the new vias costs less. Cyclic exchanges are looked at: a line takes
the via of a second one, that one the via of a third, and the last one that of the first (R. Ahuja,
Ö. Ergun, J. Orlin, A. Punnen, A survey of very large-scale neighborhood search techniques, 2002).

The more lines take part, the less the prices ask, and the farther off they are. So the best of each
length are priced anew, and those that then promise most have turns with the best of other lengths.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

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
    again: int = 30
    """Rounds with other vias: with 10, the exchange that made 435 of 430 came fourth of its length,
    with 30 first."""
    longest: int = 8
    """Lines of an exchange at the most: of those that were wanted most have three, some seven."""
    few: int = 10
    """Exchanges of each length that are priced anew: the one of seven lines was the seventh."""
    most: int = 8
    """Exchanges that are found, one or two of each length: what made an answer cheaper was mostly
    the first of its length, and where none of eight did, none of 100 did."""
    beam: int = 100
    """Beginnings of cycles from each line that are kept at each length."""
    starts: int = 64
    """Lines that cycles begin at, those first that gain most by taking another via."""


@dataclass(frozen=True)
class Exchange:
    """Some lines of a class, and the via that each of them is to take.

    Parameters
    ----------
    bound
        No routing costs less in which they take these and all other lines keep theirs.
    span
        Index of the class.
    lines, vias
        Places in the class.
    """

    bound: float
    span: int
    lines: NDArray[np.intp]
    vias: NDArray[np.intp]

    def applied(self, assignment: Assignment) -> Assignment:
        """Return an assignment after the exchange."""
        changed = assignment[self.span].copy()
        changed[self.lines] = self.vias
        return (*assignment[: self.span], changed, *assignment[self.span + 1 :])


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
        The most promising exchanges, once all are priced: none whose bound is the routing's cost or
        more, of all lengths in turn the one of the least bound first.
    """

    def __init__(
        self, nets: Nets, routing: Routing, config: ViaExchangeConfig | None = None
    ) -> None:
        self.found: list[Exchange] | None = None
        self._nets = nets
        self._routing = routing
        self._config = config or ViaExchangeConfig()
        self._prices = np.zeros(nets.free.shape)
        self._values = np.zeros(nets.layers)
        self._layers = np.unique(nets.layer).tolist()
        self._drawn: list[Exchange] | None = None
        self._priced: list[Exchange] = []

    def step(self, deadline: Deadline) -> None:
        """Do a piece of work: price a layer, draw exchanges, or price one of these anew."""
        vias = self._routing.assignment
        if self._layers:
            z = self._layers.pop()
            layer = self._priced_layer(z, vias, self._config.rounds, deadline)
            self._prices[z], self._values[z] = layer.prices[0], layer.value
        elif self._drawn is None:
            self._drawn = self._draw()
        elif self._drawn:
            drawn = self._drawn.pop()
            self._priced.append(replace(drawn, bound=self._bound(drawn, deadline)))
        elif self.found is None:
            self.found = self._in_turns()

    def _priced_layer(self, z: int, vias: Assignment, rounds: int, deadline: Deadline) -> Dual:
        """Return the dual of a layer with some vias, from the prices that are known of it."""
        nets = self._nets.layer_alone(z, self._nets.targets(vias))
        dual = Dual(nets, config=self._config.dual)
        dual.resume(self._prices[z : z + 1], dual.cuts, priced=bool(self._values[z]))
        dual.improve(deadline, rounds)
        return dual

    def _bound(self, exchange: Exchange, deadline: Deadline) -> float:
        """Return what an exchange costs at least by prices of its own."""
        span, value = self._nets.classes[exchange.span], float(self._values.sum())
        vias = exchange.applied(self._routing.assignment)
        for z in self._nets.layer[[span.lower[0], span.upper[0]]]:
            layer = self._priced_layer(int(z), vias, self._config.again, deadline)
            value += layer.value - self._values[z]
        return max(value, exchange.bound)

    def _draw(self) -> list[Exchange]:
        """Return the best exchanges of each length at the prices of the routing's vias."""
        dual = Dual(self._nets, config=self._config.dual)
        dual.prices = self._prices
        drawn: list[Exchange] = []
        for i, chosen in enumerate(self._routing.assignment):
            costs = dual.via_costs(i)[:, chosen]
            for extra, lines in cycles(costs - np.diag(costs)[:, None], self._config):
                bound = float(self._values.sum()) + extra
                drawn.append(Exchange(bound, i, lines, chosen[np.roll(lines, -1)]))
        return [exchange for alike in self._by_length(drawn) for exchange in alike]

    def _in_turns(self) -> list[Exchange]:
        """Return the best exchanges that are priced, those of all lengths in turn."""
        alike = self._by_length(self._priced)
        ranked = [(rank, k) for k, length in enumerate(alike) for rank in range(len(length))]
        return [alike[k][rank] for rank, k in sorted(ranked)[: self._config.most]]

    def _by_length(self, exchanges: list[Exchange]) -> list[list[Exchange]]:
        """Return the best exchanges of each length that may make the routing cheaper."""
        alike: list[list[Exchange]] = [[] for _ in range(self._config.longest + 1)]
        for exchange in sorted(exchanges, key=lambda exchange: exchange.bound):
            if ceil_bound(exchange.bound) < self._routing.cost:
                alike[len(exchange.lines)].append(exchange)
        return [length[: self._config.few] for length in alike]


def cycles(
    dearer: NDArray[np.float64], config: ViaExchangeConfig
) -> list[tuple[float, NDArray[np.intp]]]:
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
    for first in np.argsort(step.min(axis=1), kind="stable")[: config.starts] if size > 1 else []:
        lines, extra = np.array([[first]]), np.zeros(1)
        for length in range(2, min(config.longest, size) + 1):
            longer = extra[:, None] + step[lines[:, -1]]
            np.put_along_axis(longer, lines, np.inf, axis=1)
            row, last = np.unravel_index(_least(longer, config.beam), longer.shape)
            lines, extra = np.column_stack([lines[row], last]), longer[row, last]
            closed = extra + dearer[last, first]
            for k in _least(closed, config.few):
                cycle = np.roll(lines[k], -int(lines[k].argmin()))
                if np.isfinite(closed[k]):
                    found[length][tuple(cycle.tolist())] = float(closed[k])
    return [
        (extra, np.array(cycle))
        for alike in found
        for cycle, extra in sorted(alike.items(), key=lambda pair: pair[1])[: config.few]
    ]


def _least(values: NDArray[np.float64], count: int) -> NDArray[np.intp]:
    """Return the flat places of the least values, the least first."""
    flat = values.ravel()
    if count < len(flat):
        places = np.argpartition(flat, count)[:count]
        return places[np.argsort(flat[places], kind="stable")]
    return np.argsort(flat, kind="stable")
