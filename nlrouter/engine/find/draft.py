"""What a search without an answer has so far: nets that overlap, and the lines that need not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.deadline import Deadline
from nlrouter.engine.nets.nets import Assignment, BoardNets, Nets
from nlrouter.engine.nets.parts import Part, merge
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.paths.single import cheapest_path


@dataclass(frozen=True)
class Draft:
    """A routing of a part in which nets overlap, or have no path.

    Parameters
    ----------
    paths
        The cells of each net's path, ends included; empty where it has none.
    assignment
        The vias taken.
    overlaps
        Overused cells, and all cells of a layer for each net without a path.
    """

    paths: list[NDArray[np.int32]]
    assignment: Assignment
    overlaps: int


@dataclass(frozen=True)
class Settled:
    """As many lines of a part as go together.

    Parameters
    ----------
    routing
        Their paths, empty for missing nets, and cost; all vias are taken.
    missing
        The nets of the missing lines.
    """

    routing: Routing
    missing: NDArray[np.intp]


def partial_answer(nets: BoardNets, parts: list[Part], settled: list[Settled]) -> Answer:
    """Draw the lines of all parts, without those that any part is missing."""
    answer, _ = merge(nets, parts, [part.routing for part in settled])
    answer[np.isin(answer, missing_lines(nets, parts, settled))] = 0
    return answer


def missing_lines(nets: BoardNets, parts: list[Part], settled: list[Settled]) -> tuple[int, ...]:
    """Return the numbers of the lines that any part is missing."""
    lines = {
        int(line)
        for part, found in zip(parts, settled, strict=True)
        for members, _ in part.places
        for line in nets.line[members[found.missing]]
    }
    return tuple(sorted(lines))


def settle(nets: Nets, draft: Draft | None, deadline: Deadline) -> Settled:
    """Drop lines of a draft until none overlap, then route again what fits.

    After the deadline all that overlap are dropped at once, and nothing is routed any more.
    """
    if draft is None:
        vias = tuple(np.arange(len(span.vias)) for span in nets.classes)
        draft = Draft([np.empty(0, np.int32)] * nets.count, vias, 0)
    layer = nets.layer
    paths = list(draft.paths)
    held = np.zeros((nets.layers, nets.cells), np.int32)
    for net, path in enumerate(paths):
        held[layer[net], path[1:-1]] += 1

    def drop(line: int) -> None:
        for net in np.flatnonzero(nets.line == line):
            held[layer[net], paths[net][1:-1]] -= 1
            paths[net] = paths[net][:0]

    for line in {int(nets.line[net]) for net, path in enumerate(paths) if not len(path)}:
        drop(line)
    while (held > 1).any():
        shared = np.array(
            [(held[layer[net], path[1:-1]] > 1).sum() for net, path in enumerate(paths)]
        )
        sharing = np.bincount(nets.line, shared)
        worst = np.flatnonzero(sharing) if deadline.passed() else np.array([sharing.argmax()])
        for line in worst.tolist():
            drop(line)
    _route_missing(nets, nets.targets(draft.assignment), paths, held, deadline)
    missing = [net for net, path in enumerate(paths) if not len(path)]
    return Settled(Routing.along(paths, draft.assignment), np.array(missing, np.intp))


def _route_missing(
    nets: Nets,
    target: NDArray[np.int32],
    paths: list[NDArray[np.int32]],
    held: NDArray[np.int32],
    deadline: Deadline,
) -> None:
    """Route the lines without paths, one after the other, in the cells that no path holds."""
    layer = nets.layer
    for line in sorted({int(nets.line[net]) for net, path in enumerate(paths) if not len(path)}):
        if deadline.passed():
            break
        members = np.flatnonzero(nets.line == line).tolist()
        found = [
            cheapest_path(
                nets, net, int(target[net]), nets.free[layer[net]] & (held[layer[net]] == 0)
            )
            for net in members
        ]
        if all(len(path) for path in found):
            for net, path in zip(members, found, strict=True):
                paths[net] = path
                held[layer[net], path[1:-1]] += 1
