"""Whether a routing is one: asked of every routing that a board takes up, whoever found it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import Routing


def fault(nets: Nets, routing: Routing) -> str:
    """Return what is wrong with a routing of a part, in words; empty if nothing is.

    Each line of a class takes a via of its own; each net has a path from its source to its
    target, cell by cell, through free cells that no other net of its layer holds.
    """
    for span, chosen in zip(nets.classes, routing.assignment, strict=True):
        if sorted(chosen.tolist()) != list(range(len(span.vias))):
            return f"vias {chosen.tolist()} are not shared out one to one"
    target = nets.targets(routing.assignment)
    if all(map(len, routing.paths)) and _sound(nets, routing.paths, target):
        return ""
    held = np.zeros(nets.free.shape, np.bool_)
    for net, path in enumerate(routing.paths):
        if not len(path) or path[0] != nets.source[net] or path[-1] != target[net]:
            return f"net {net} does not reach its target"
        steps = np.abs(np.diff(path))
        if not ((steps == 1) | (steps == nets.stride)).all():
            return f"the path of net {net} is cut"
        z, inner = nets.layer[net], path[1:-1]
        if not nets.free[z, inner].all():
            return f"net {net} passes through a cell that is not free"
        if held[z, inner].any() or len(np.unique(inner)) < len(inner):
            return f"net {net} passes through a cell that is taken"
        held[z, inner] = True
    return ""


def _sound(nets: Nets, paths: list[NDArray[np.int32]], target: NDArray[np.int32]) -> bool:
    """Whether nothing is wrong with paths: all at once, as large parts have thousands."""
    if not paths:
        return True
    cells = np.concatenate(paths)
    last = np.cumsum([len(path) for path in paths]) - 1
    first = np.concatenate([[0], last[:-1] + 1])
    steps = np.abs(np.diff(cells))
    steps[last[:-1]] = 1
    inner = np.ones(len(cells), np.bool_)
    inner[first] = inner[last] = False
    places = (np.repeat(nets.layer, last - first + 1) * nets.cells + cells)[inner]
    return bool(
        (cells[first] == nets.source).all()
        and (cells[last] == target).all()
        and np.isin(steps, (1, nets.stride)).all()
        and nets.free.ravel()[places].all()
        and len(np.unique(places)) == len(places)
    )
