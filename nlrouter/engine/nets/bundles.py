"""Lines that run side by side: bundles of nets whose ends lie next to each other.

A bus is drawn as lines whose ends form a row at both ends, in one order or its mirror image; if
it changes layers, its vias form a row or a diagonal. To route such lines one by one is to find
out over and over what a person sees at once: that they go the same way.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from nlrouter.engine.nets.nets import OPEN, Nets

Cells = tuple[int, ...]
"""Framed cells in a row, a column or a diagonal."""

Pair = tuple[int, int]
"""Two ends of a line, or those from which its two nets start."""


@dataclass(frozen=True)
class Bundle:
    """Lines that go together.

    Parameters
    ----------
    nets
        ``(one or two, lines)`` their nets, of each layer that the lines run on.
    ends
        ``(two, lines)`` their ends in the same order: each a row, a column or a diagonal. The
        second are on the layer of the last nets.
    span
        The class of the span whose vias they take; -1 where they stay on one layer.
    rows
        Places of the lines in the class.
    """

    nets: tuple[Cells, ...]
    ends: tuple[Cells, Cells]
    span: int = -1
    rows: tuple[int, ...] = ()

    @property
    def width(self) -> int:
        """How many lines there are."""
        return len(self.ends[0])

    def lines(self) -> list[Bundle]:
        """Return its lines alone."""
        first, second = self.ends
        return [
            Bundle(
                tuple((members[i],) for members in self.nets),
                ((first[i],), (second[i],)),
                self.span,
                self.rows[i : i + 1],
            )
            for i in range(self.width)
        ]


@dataclass(frozen=True)
class Bundles:
    """All lines of a part in bundles, many of them alone.

    Parameters
    ----------
    bundles
        Every line is in one of them.
    vias
        Per class the blocks of its vias: places in the class, in the order of a row, a column or
        a diagonal. There are as many of each width as there are bundles of the class.
    """

    bundles: tuple[Bundle, ...]
    vias: tuple[tuple[tuple[int, ...], ...], ...]

    @property
    def lines(self) -> int:
        """How many lines there are."""
        return sum(bundle.width for bundle in self.bundles)

    @property
    def together(self) -> float:
        """Share of the lines that are not alone."""
        wide = sum(bundle.width for bundle in self.bundles if bundle.width > 1)
        return wide / max(1, self.lines)


def bundles_of(nets: Nets) -> Bundles:
    """Find the lines that lie side by side at both ends."""
    plain: dict[tuple[int, Pair], int] = {}
    for net in np.flatnonzero(nets.target != OPEN).tolist():
        ends = int(nets.source[net]), int(nets.target[net])
        plain[int(nets.layer[net]), ends] = net
    on_layer = [
        _chains({ends for z, ends in plain if z == layer}, nets.stride, mirrored=True)
        for layer in range(nets.layers)
    ]
    starts = [
        list(zip(nets.source[span.lower].tolist(), nets.source[span.upper].tolist(), strict=True))
        for span in nets.classes
    ]
    through = [_chains(set(pairs), nets.stride) for pairs in starts]
    width = _usual(len(chain) for found in (*on_layer, *through) for chain in found)
    bundles = []
    for layer, found in enumerate(on_layer):
        for chain in _cut(found, width):
            members = tuple(
                plain[layer, pair] if (layer, pair) in plain else plain[layer, pair[::-1]]
                for pair in chain
            )
            bundles.append(Bundle((members,), _columns(chain)))
    vias = []
    for i, span in enumerate(nets.classes):
        cells = span.via_cells.tolist()
        blocks = _cut(_chains({(cell, cell) for cell in cells}, nets.stride), width)
        chains = _cut(through[i], width)
        if Counter(map(len, blocks)) != Counter(map(len, chains)):
            blocks, chains = _cut(blocks, 1), _cut(chains, 1)
        vias.append(tuple(tuple(cells.index(cell) for cell, _ in block) for block in blocks))
        for chain in chains:
            rows = tuple(starts[i].index(pair) for pair in chain)
            lower, upper = (tuple(side[list(rows)].tolist()) for side in (span.lower, span.upper))
            bundles.append(Bundle((lower, upper), _columns(chain), i, rows))
    return Bundles(tuple(bundles), tuple(vias))


def apart(bundles: Bundles, b: int) -> Bundles:
    """Return the same with the lines of a bundle alone, and those of its span if it has one."""
    span = bundles.bundles[b].span
    split: list[Bundle] = []
    for i, bundle in enumerate(bundles.bundles):
        if i == b or (span >= 0 and bundle.span == span):
            split += bundle.lines()
        else:
            split.append(bundle)
    vias = list(bundles.vias)
    if span >= 0:
        vias[span] = tuple((place,) for block in vias[span] for place in block)
    return Bundles(tuple(split), tuple(vias))


def _columns(chain: list[Pair]) -> tuple[Cells, Cells]:
    first, second = zip(*chain, strict=True)
    return first, second


def _usual(widths: Iterable[int]) -> int:
    """Return the width that most lines have: buses side by side look like a wider one."""
    lines = Counter[int]()
    for width in widths:
        if width > 1:
            lines[width] += width
    return max(lines, key=lambda width: (lines[width], -width), default=1)


def _cut(chains: list[list[Pair]], width: int) -> list[list[Pair]]:
    """Cut the chains that are longer than a width."""
    return [chain[i : i + width] for chain in chains for i in range(0, len(chain), width)]


def _chains(pairs: set[Pair], stride: int, *, mirrored: bool = False) -> list[list[Pair]]:
    """Return pairs of cells in chains: from pair to pair, both cells move by one step.

    Parameters
    ----------
    pairs
        The cells, no two the same; a pair may be one cell twice.
    stride
        Cells per framed row.
    mirrored
        Whether the two cells of a pair may be swapped.
    """
    steps = 1, stride, stride - 1, stride + 1
    left = pairs | {pair[::-1] for pair in pairs} if mirrored else set(pairs)
    chains = []
    for pair in sorted(pairs):
        if pair not in left:
            continue
        chain = [pair]
        for first in steps:
            others = [sign * s for s in steps for sign in (1, -1)]
            for second in others:
                run = _run(pair, first, second, left, mirrored=mirrored)
                if len(run) > len(chain):
                    chain = run
        left.difference_update(chain, [pair[::-1] for pair in chain] if mirrored else [])
        chains.append(chain)
    return chains


def _run(pair: Pair, first: int, second: int, left: set[Pair], *, mirrored: bool) -> list[Pair]:
    """Return the pairs in a straight run, in steps of the one cell and of the other."""
    run: list[Pair] = []
    while pair in left and not (mirrored and pair[::-1] in run):
        run.append(pair)
        pair = pair[0] + first, pair[1] + second
    return run
