"""Whether a routing is one: asked of every routing that a board takes up, whoever found it."""

from __future__ import annotations

import numpy as np

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
