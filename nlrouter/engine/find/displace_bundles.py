"""Bundles of lines that push each other out until all have a way.

Buses fill a layer as single lines fill a small one: as lines, they are hundreds that have to find
the same order over and over; as bundles, a few dozen that are as wide as they are. A bundle moves
as a square whose sides are its width, and its lines lie in what the square sweeps over, in an order
that does not change: who is leftmost at one end is so at the other. That also says by which ways a
bundle can enter a block of vias, and which of its lines takes which via. Otherwise this is
`displace`.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.find.bundle_drawing import Block, block_of, corners_of, draw_line
from nlrouter.engine.find.bundle_kernel import displace_bundles
from nlrouter.engine.find.displace import DisplaceConfig
from nlrouter.engine.nets.bundles import Bundle, Bundles, apart, bundles_of
from nlrouter.engine.nets.nets import Assignment, Nets
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.paths.shortcut import cut_short
from nlrouter.engine.schedule.luby import luby


@dataclass(frozen=True)
class BundleConfig:
    """Settings of the displacement of bundles."""

    displace: DisplaceConfig = field(default_factory=DisplaceConfig)
    """Of the fight; within wide ranges, none of these matters for bundles."""
    together: float = 0.5
    """Share of the lines that are to be in bundles: else it is the others that make it hard."""
    opens_at: int = 12
    """Lines of the smallest part that bundles come first for: before all others the kernels would
    be compiled for parts that are answered at once anyway."""
    open_cells: int = 6_000_000
    """Cells that all moves may search before others have their turn: some seconds, enough for
    boards of 72x72x4."""
    most_states: int = 30_000_000
    """Bundles times layers times states of a layer: more would take more than 120 MB."""
    moves: int = 20
    """Moves per bundle of a run, times Luby's sequence: none of 102 runs took more than 10."""
    step_cells: int = 100_000
    """Cells that the moves of a step search, each a layer or two: some hundredths of a second."""


class BundleDisplacement:
    """The fight of bundles for a complete routing.

    Parameters
    ----------
    nets
        The part.
    bundles
        Its lines.
    rng
        Draws the noise and the order.
    aligned
        Whether bundles move by their widths, as if drawn on a coarse grid, where there is a way
        for them at all; otherwise by single cells.
    config
        Settings.

    Attributes
    ----------
    lost
        A bundle that has no way whatever the others do, or none that does not cross itself; -1 if
        none is known.
    """

    def __init__(
        self,
        nets: Nets,
        bundles: Bundles,
        rng: np.random.Generator,
        *,
        aligned: bool,
        config: DisplaceConfig | None = None,
    ) -> None:
        self.nets = nets
        self.bundles = bundles
        self.config = config or DisplaceConfig()
        stride = nets.stride
        blocks: list[Block] = []
        width: list[int] = []
        first: list[int] = []
        for i, span in enumerate(nets.classes):
            first.append(len(blocks))
            for places in bundles.vias[i]:
                blocks.append(block_of(tuple(span.via_cells[list(places)].tolist()), stride))
                width.append(len(places))
        first.append(len(blocks))
        self._first = first
        self._block_width = np.array(width, np.int64)
        layer: list[int] = []
        begin: list[int] = []
        end: list[int] = []
        legs, open_to = [], []
        for bundle in bundles.bundles:
            own = [-1, -1]
            for k, members in enumerate(bundle.nets):
                own[k] = len(layer)
                layer.append(int(nets.layer[members[0]]))
                begin.append(len(blocks))
                blocks.append(block_of(bundle.ends[k], stride))
                end.append(-1)
            if bundle.span < 0:
                end[-1] = len(blocks)
                blocks.append(block_of(bundle.ends[1], stride))
            legs.append(own)
            open_to.append(first[bundle.span : bundle.span + 2] if bundle.span >= 0 else [0, 0])
        self._legs = np.array(legs, np.int64)
        self._layer, self._begin, self._end = (np.array(x, np.int64) for x in (layer, begin, end))
        self._open = np.array(open_to, np.int64)
        self._squares = np.array([block.squares for block in blocks], np.int64)
        self._signs = np.array([block.signs for block in blocks], np.int64)
        self._pivots = np.array([block.pivots for block in blocks])
        self._width = np.array([bundle.width for bundle in bundles.bundles], np.int64)
        self._by = self._width.copy() if aligned else np.ones_like(self._width)
        shape = nets.free.shape
        self.base = np.where(nets.free, 1.0 + self.config.noise * rng.random(shape), 0.0)
        self.cost = self.base.copy()
        walls = (~nets.free).astype(np.float64).reshape(nets.layers, -1, stride)
        sums = np.pad(walls.cumsum(axis=1).cumsum(axis=2), ((0, 0), (1, 0), (1, 0)))
        self._walls = sums.reshape(nets.layers, -1)
        self.owner = np.full(shape, -1, np.int64)
        self.fights = np.zeros(shape)
        self.holder = np.full(max(1, len(width)), -1, np.int64)
        self.block_fights = np.zeros(max(1, len(width)))
        count = len(bundles.bundles)
        self.pride = np.ones(count)
        self.block = np.full(count, -1, np.int64)
        self.mirror = np.ones(count, np.int64)
        self.track = np.zeros((len(layer), 4 * nets.cells), np.int32)
        self.count = np.full(len(layer), -1, np.int64)
        self.out = np.zeros(len(layer), np.int64)
        self.queue = rng.permutation(count)
        self.head = np.array([0, count], np.int64)
        self.lost = -1

    @property
    def waiting(self) -> int:
        """How many bundles have no way."""
        return int(self.head[1])

    def move(self, moves: int) -> bool:
        """Let waiting bundles take their ways; return whether all have one."""
        config = self.config
        while self.lost < 0:
            lost = displace_bundles(
                moves, self._legs, self._layer, self._begin, self._end, self._width, self._by,
                self._open, self._squares, self._signs, self._pivots, self._block_width,
                self.nets.stride, self.nets.free, self._walls, config.charge, config.gain,
                config.pride, config.most_pride, config.faith, self.base, self.cost, self.owner,
                self.fights, self.holder, self.block_fights, self.pride, self.block, self.mirror,
                self.track, self.count, self.out, self.queue, self.head,
            )  # fmt: skip
            if lost < 0:
                break
            if self._by[lost] == 1:
                self.lost = lost
            self._by[lost] = 1
        if self.waiting == 0 and self.lost < 0:
            self.lost = self._crossing()
        return self.waiting == 0 and self.lost < 0

    def _crossing(self) -> int:
        """Return a bundle whose way crosses itself; -1 if there is none.

        The search keeps apart how a square comes to a place, so it may come there twice, to enter
        a block of vias from the side that its lines' order asks for.
        """
        paths = self.paths()
        for b, bundle in enumerate(self.bundles.bundles):
            for members in bundle.nets:
                cells = np.concatenate([paths[net] for net in members])
                if len(np.unique(cells)) < len(cells):
                    return b
        return -1

    def assignment(self) -> Assignment:
        """Return the vias taken, once all bundles have a way."""
        taken = [np.zeros(len(span.vias), np.intp) for span in self.nets.classes]
        for b, bundle in enumerate(self.bundles.bundles):
            if bundle.span >= 0:
                taken[bundle.span][list(bundle.rows)] = self._vias(b, bundle)
        return tuple(taken)

    def _vias(self, b: int, bundle: Bundle) -> tuple[int, ...]:
        """Return the places of a bundle's vias in its class, line by line."""
        block = self.block[b] - self._first[bundle.span]
        return self.bundles.vias[bundle.span][block][:: self.mirror[b]]

    def paths(self) -> list[NDArray[np.int32]]:
        """Return the cells of each net's path, ends included; empty where it has none."""
        paths: list[NDArray[np.int32]] = [np.empty(0, np.int32)] * self.nets.count
        steps = 1, -1, self.nets.stride, -self.nets.stride
        for b, bundle in enumerate(self.bundles.bundles):
            for k, members in enumerate(bundle.nets):
                leg = self._legs[b, k]
                if self.count[leg] < 0:
                    continue
                stops = bundle.ends[1]
                if bundle.span >= 0:
                    cells = self.nets.classes[bundle.span].via_cells
                    stops = tuple(cells[list(self._vias(b, bundle))].tolist())
                block = self._begin[leg]
                track = self.track[leg, : self.count[leg]].tolist()
                corners = corners_of(track, int(self.out[leg]))
                sign = self._signs[block, track[0] & 3]
                for i, net in enumerate(members):
                    rank = i if sign > 0 else bundle.width - 1 - i
                    path = draw_line(
                        bundle.ends[k][i], stops[i], corners, rank, bundle.width, self.nets.stride
                    )
                    if path[0] != self.nets.source[net]:
                        path.reverse()
                    # In narrow turns of its bundle a line may touch itself.
                    paths[net] = cut_short(path, steps)
        return paths


class BundleRuns:
    """Runs of the displacement of bundles, until one succeeds.

    Parameters
    ----------
    nets
        The part.
    config
        Settings.
    """

    def __init__(self, nets: Nets, config: BundleConfig) -> None:
        self.nets = nets
        self.config = config
        self._bundles = bundles_of(nets)
        self._fight: BundleDisplacement | None = None
        self._left = 0
        self._count = 0
        self._searched = 0
        legs = sum(len(bundle.nets) for bundle in self._bundles.bundles)
        self._possible = 4 * legs * nets.cells <= config.most_states

    @property
    def worth(self) -> bool:
        """Whether most lines are in bundles, each has a way, and the board is not too large."""
        return self._possible and self._bundles.together >= self.config.together

    @property
    def opens(self) -> bool:
        """Whether to begin with bundles: until the first run is over, where it is worth while."""
        begins = self._count == 0 or (self._count == 1 and self._left > 0)
        begins = begins and self._searched <= self.config.open_cells
        return begins and self.worth and self._bundles.lines >= self.config.opens_at

    def step(self, rng: np.random.Generator) -> Routing | None:
        """Go on with a run, or begin one; return the routing that comes out, if one does."""
        if self._fight is None or self._left <= 0:
            self._count += 1
            aligned = self._count % 2 == 1
            self._fight = BundleDisplacement(
                self.nets, self._bundles, rng, aligned=aligned, config=self.config.displace
            )
            self._left = self.config.moves * luby(self._count) * len(self._bundles.bundles)
        moves = max(1, self.config.step_cells // self.nets.cells)
        self._left -= moves
        self._searched += moves * self.nets.cells
        done = self._fight.move(moves)
        fight = self._fight
        if fight.lost >= 0:
            split = apart(self._bundles, fight.lost)
            self._possible &= split != self._bundles
            self._bundles = split
            self._fight = None
        if not done:
            return None
        self._fight = None
        return Routing.along(fight.paths(), fight.assignment())
