"""The routing that a finder works on: which may hold overlaps, and changes in place."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nlrouter.engine.find.config import FinderConfig
from nlrouter.engine.find.group_kernels import overlaps_of, rework
from nlrouter.engine.find.negotiate import NO_LIMIT, TOO_LONG, Layer, Paths, Pressure, negotiate
from nlrouter.engine.find.via_change import ViaChanges
from nlrouter.engine.nets.nets import Assignment, Nets
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.paths.cost import total_cost

FIRST_WIDTH = 1500
"""Cells that a path has room for at first, all of 36x36; a longer one on a larger layer makes
more."""

Standing = tuple[int, int]
"""Overlaps and cost, in order of importance."""


class Neighbourhood(ABC):
    """A way to change a routing, hardly ever for the worse.

    Before and after it is called, `Working.target` is what the assignment says, each path leads
    from its net's source to its target over free cells of its layer or has length 0, and
    ``overlaps`` and ``costs`` are up to date. It may change paths, vias and both, of any layer.
    `Working.rework` does so and measures the layer; whoever changes paths by himself calls
    `Working.measure`. It is a piece of work of some milliseconds to hundredths of a second, in
    which it draws all that is random from `Working.random`. `Groups` is the example to begin with.

    Attributes
    ----------
    name
        By which it is switched off and counted.
    of_vias
        Whether it changes vias: of no use where there are none to choose from.
    """

    name: str
    of_vias = False

    def share(self, nets: Nets) -> float:
        """Return how often it is to be tried: where few nets lead to vias, others need the time."""
        return nets.open_share if self.of_vias else 1.0

    @abstractmethod
    def change(self, working: Working) -> None:
        """Change the routing a little."""


class Working:
    """A routing of a part as it stands; empty at first.

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
    members
        Per layer, its nets.
    assignment, target
        Per span class the via of each line, and ``(nets,)`` where that makes the nets end.
    paths, lengths
        ``(nets, width)`` cells of each path, ends included, and ``(nets,)`` how many, 0 without a
        path; what is beyond is left over from before. A cell is ``row * nets.stride + column`` in
        a frame of walls. The width is what paths have needed so far.
    overlaps, costs
        ``(layers,)`` overlaps (see `overlaps_of`), and inner cells plus bends.
    prices
        ``(layers, cells)`` what cells cost beyond 1, by the dual.
    vias
        Changes of its vias.
    focus
        The only layer to be changed, or None.
    """

    def __init__(self, nets: Nets, seed: int, config: FinderConfig) -> None:
        self.nets = nets
        self.config = config
        self.random = random.Random(seed)
        self.members = [
            np.flatnonzero(nets.layer == z).astype(np.int32) for z in range(nets.layers)
        ]
        self.assignment: list[NDArray[np.intp]] = []
        self.target = nets.target
        self.paths = np.zeros((nets.count, min(nets.cells, FIRST_WIDTH)), np.int32)
        self.lengths = np.zeros(nets.count, np.int32)
        self.overlaps = np.zeros(nets.layers, np.int64)
        self.costs = np.zeros(nets.layers, np.int64)
        self.prices = np.zeros(nets.free.shape)
        self.vias = ViaChanges(self)
        self.focus: int | None = None

    @property
    def standing(self) -> Standing:
        """Overlaps and cost."""
        return int(self.overlaps.sum()), int(self.costs.sum())

    def measure(self, z: int) -> None:
        """Take note of the overlaps and the cost of a layer as it stands."""
        members = self.members[z]
        held = np.zeros(self.nets.cells, np.int32)
        self.overlaps[z] = overlaps_of(members, self.paths, self.lengths, held)
        self.costs[z] = total_cost(members, self.paths, self.lengths)

    def pick_layer(self) -> int:
        """Pick a layer at random: one on which nets overlap, if there is any."""
        if self.focus is not None:
            return self.focus
        troubled = np.flatnonzero(self.overlaps).tolist()
        return self.random.choice(troubled or [z for z, m in enumerate(self.members) if len(m)])

    def set_assignment(self, assignment: Assignment) -> None:
        """Let lines end at other vias; no path is changed."""
        self.assignment = [chosen.copy() for chosen in assignment]
        self.target = self.nets.targets(assignment)

    def take_vias(self, i: int, lines: NDArray[np.intp], vias: NDArray[np.intp]) -> None:
        """Let lines of a class end at other vias; no path is changed."""
        span = self.nets.classes[i]
        self.assignment[i][lines] = vias
        self.target[span.lower[lines]] = self.target[span.upper[lines]] = span.via_cells[vias]

    def go_to(self, routing: Routing) -> None:
        """Work on some routing from here on."""
        self.set_assignment(routing.assignment)
        for z, members in enumerate(self.members):
            self.take_paths(z, [routing.paths[net] for net in members])

    def take_paths(self, z: int, paths: list[NDArray[np.int32]]) -> None:
        """Let the nets of a layer take other paths to where they end."""
        self.make_room(max(map(len, paths), default=0))
        for net, path in zip(self.members[z], paths, strict=True):
            self.lengths[net] = len(path)
            self.paths[net, : len(path)] = path
        self.measure(z)

    def make_room(self, length: int) -> None:
        """Make room for paths of a length."""
        room = self.paths.shape[1]
        if length > room:
            more = min(self.nets.cells, max(2 * room, length)) - room
            self.paths = np.pad(self.paths, ((0, 0), (0, more)))

    def negotiate_layer(
        self,
        z: int,
        members: NDArray[np.int32],
        prices: NDArray[np.float64],
        pressure: Pressure,
    ) -> None:
        """Route nets of a layer anew, whatever the others do; the layer is not measured."""
        layer = self.layer(z)._replace(price=prices)
        held, rounds = np.zeros(self.nets.cells, np.int32), self.config.rounds
        while negotiate(members, layer, self.routed, pressure, rounds, NO_LIMIT, held) == TOO_LONG:
            self.make_room(self.paths.shape[1] + 1)

    def rework(self, z: int, nets: ArrayLike, size: int, dearer: int, most: int) -> bool:
        """Route nets of a layer anew together, and measure it, or change nothing.

        Parameters
        ----------
        z
            The layer.
        nets
            The numbers of those of this layer to start from, which may have other targets by now;
            with none, one is drawn.
        size
            How many in all, at the most: the others touch them, or nearly so. With ``len(nets)``
            just these, which are never fewer.
        dearer
            By how much their cost may rise; `NO_LIMIT` where overlaps are what counts.
        most
            Overlaps that the layer may have then.

        Returns
        -------
        bool
            Whether it was done.
        """
        settings, members = self.config.rework, self.members[z]
        self.make_room(2 * int(self.lengths[members].max()))
        places = np.searchsorted(members, nets).astype(np.int32)
        overlaps, cost = rework(
            places, size, members, self.layer(z), self.routed,
            settings.negotiate.pressure(), settings.rounds, dearer, most,
        )  # fmt: skip
        if overlaps >= 0:
            self.overlaps[z], self.costs[z] = overlaps, cost
        return bool(overlaps >= 0)

    def layer(self, z: int) -> Layer:
        """Return a layer as the kernels take it."""
        nets = self.nets
        return Layer(nets.source, self.target, nets.free[z], self.prices[z], nets.stride)

    @property
    def routed(self) -> Paths:
        """The paths as the kernels take them, and change them in place."""
        return Paths(self.paths, self.lengths)

    def copy(self) -> tuple[list[NDArray[np.int32]], Assignment]:
        """Return paths and vias as they stand."""
        paths = [self.paths[net, : self.lengths[net]].copy() for net in range(self.nets.count)]
        return paths, tuple(chosen.copy() for chosen in self.assignment)
