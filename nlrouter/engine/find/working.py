"""The routing that a finder works on: which may hold overlaps, and changes in place."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.find.box import Box, BoxConfig, box_around
from nlrouter.engine.find.improve import overlaps_of
from nlrouter.engine.find.negotiate import NO_LIMIT, TOO_LONG, Pressure, negotiate
from nlrouter.engine.nets.nets import Assignment, Nets
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.paths.cost import total_cost


class Working:
    """A routing of a part as it stands; empty at first.

    Parameters
    ----------
    nets
        The part.
    boxes
        How small pieces of large layers are worked on.

    Attributes
    ----------
    members
        Per layer, its nets.
    assignment, target
        Per span class the via of each line, and ``(nets,)`` where that makes the nets end.
    paths, lengths
        ``(nets, width)`` cells of each path, ends included, and ``(nets,)`` how many. On a large
        layer the width is what paths have needed so far, not what they might.
    overlaps, costs
        ``(layers,)`` overlaps (see `overlaps_of`), and inner cells plus bends.
    """

    def __init__(self, nets: Nets, boxes: BoxConfig | None = None) -> None:
        self.nets = nets
        self.boxes = boxes or BoxConfig()
        self.members = [
            np.flatnonzero(nets.layer == z).astype(np.int32) for z in range(nets.layers)
        ]
        self.assignment: list[NDArray[np.intp]] = []
        self.target = nets.target
        width = nets.cells if nets.cells <= self.boxes.cells else self.boxes.width
        self.paths = np.zeros((nets.count, width), np.int32)
        self.lengths = np.zeros(nets.count, np.int32)
        self.overlaps = np.zeros(nets.layers, np.int64)
        self.costs = np.zeros(nets.layers, np.int64)

    def _standing(self) -> tuple[int, int]:
        """Return overlaps and cost, in order of importance."""
        return int(self.overlaps.sum()), int(self.costs.sum())

    def _measure(self, z: int) -> None:
        members = self.members[z]
        held = np.zeros(self.nets.cells, np.int32)
        self.overlaps[z] = overlaps_of(members, self.paths, self.lengths, held)
        self.costs[z] = total_cost(members, self.paths, self.lengths)

    def _set_assignment(self, assignment: Assignment) -> None:
        self.assignment = [chosen.copy() for chosen in assignment]
        self.target = self.nets.targets(assignment)

    def _take_vias(self, i: int, lines: NDArray[np.intp], vias: NDArray[np.intp]) -> None:
        """Let lines of a class end at other vias."""
        span = self.nets.classes[i]
        self.assignment[i][lines] = vias
        self.target[span.lower[lines]] = self.target[span.upper[lines]] = span.via_cells[vias]

    def _go_to(self, routing: Routing) -> None:
        """Work on some routing from here on."""
        self._set_assignment(routing.assignment)
        self._make_room(max(map(len, routing.paths), default=0))
        for net, path in enumerate(routing.paths):
            self.lengths[net] = len(path)
            self.paths[net, : len(path)] = path
        for z in range(self.nets.layers):
            self._measure(z)

    def _make_room(self, length: int) -> None:
        """Make room for paths of a length."""
        room = self.paths.shape[1]
        if length > room:
            more = min(self.nets.cells, max(2 * room, length)) - room
            self.paths = np.pad(self.paths, ((0, 0), (0, more)))

    def _negotiate_layer(
        self,
        z: int,
        members: NDArray[np.int32],
        prices: NDArray[np.float64],
        pressure: Pressure,
        rounds: int,
    ) -> None:
        """Route nets of a layer anew, whatever the others do."""
        held = np.zeros(self.nets.cells, np.int32)
        while (
            negotiate(
                members, self.nets.source, self.target, self.nets.free[z], prices,
                self.nets.stride, pressure, rounds, NO_LIMIT, self.paths, self.lengths, held,
            )
            == TOO_LONG
        ):  # fmt: skip
            self._make_room(self.paths.shape[1] + 1)

    def _box(self, z: int, around: NDArray[np.int32], prices: NDArray[np.float64]) -> Box:
        """Return the box around some nets of a layer, ``(cells,)`` prices given."""
        return box_around(
            around, self.nets, z, self.members[z], self.target, prices, self.paths, self.lengths,
            self.boxes,
        )  # fmt: skip

    def _put_back(self, z: int, box: Box) -> None:
        """Take over what was done in a box of a layer."""
        self._make_room(int(box.lengths.max(initial=0)))
        box.put_back(self.nets.stride, self.paths, self.lengths)
        self._measure(z)

    def _copy(self) -> tuple[list[NDArray[np.int32]], Assignment]:
        """Return paths and vias as they stand."""
        paths = [self.paths[net, : self.lengths[net]].copy() for net in range(self.nets.count)]
        return paths, tuple(chosen.copy() for chosen in self.assignment)
