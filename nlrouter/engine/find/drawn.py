"""What a drawing has of the lines: their paths and vias, to start a search from.

The drawing's lines are correct, or not there at all (see `nlrouter.checker.usable`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.engine.find.draft import Draft
from nlrouter.engine.nets.domains import Domains
from nlrouter.engine.nets.nets import OPEN, Assignment, Nets, framed
from nlrouter.engine.nets.parts import Part
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.paths.cost import path_cost
from nlrouter.grid import follow
from nlrouter.problem import Cell


@dataclass(frozen=True)
class Drawn:
    """The nets that are drawn.

    Parameters
    ----------
    paths
        The cells of each net's path, ends included; None where it is missing.
    chosen
        Per span class, ``(n,)``: which of its vias each line takes, `OPEN` where it is missing.
    """

    paths: list[NDArray[np.int32] | None]
    chosen: Assignment

    def routing(self) -> Routing | None:
        """Return the routing, if no net is missing."""
        paths = [path for path in self.paths if path is not None]
        if len(paths) < len(self.paths):
            return None
        return Routing.along(paths, self.chosen)

    def draft(self, cells: int) -> Draft:
        """Return it as a draft of a part with so many framed cells to a layer."""
        assignment = []
        for taken in self.chosen:
            filled = taken.copy()
            filled[taken == OPEN] = np.setdiff1d(np.arange(len(taken)), taken)
            assignment.append(filled)
        paths = [np.empty(0, np.int32) if path is None else path for path in self.paths]
        missing = sum(path is None for path in self.paths)
        return Draft(paths, tuple(assignment), missing * cells)


def drawn_nets(nets: Nets, start: Answer) -> Drawn:
    """Read the nets of a board from a drawing."""
    board = framed(start)
    target = nets.target.copy()
    chosen = []
    for span in nets.classes:
        taken = np.full(len(span.vias), OPEN, np.intp)
        for row, net in enumerate(span.lower):
            places = np.flatnonzero(board[nets.layer[net], span.via_cells] == nets.line[net])
            if len(places):
                taken[row] = places[0]
                target[[net, span.upper[row]]] = span.via_cells[places[0]]
        chosen.append(taken)
    paths = [
        _path(start, int(nets.layer[net]), int(nets.source[net]), int(target[net]), nets.stride)
        for net in range(nets.count)
    ]
    return Drawn(paths, tuple(chosen))


def drawn_part(part: Part, board: Drawn) -> Drawn:
    """Return what is drawn of a part: of parts that are alike, the best one."""
    copies = [
        Drawn([board.paths[net] for net in members], tuple(board.chosen[i] for i in classes))
        for members, classes in part.places
    ]
    return min(copies, key=_merit)


def _merit(drawn: Drawn) -> tuple[int, int]:
    """Order drawings of the same part: nets missing, then cost."""
    paths = [path for path in drawn.paths if path is not None]
    return -len(paths), sum(path_cost(path, len(path)) for path in paths)


def _path(start: Answer, z: int, source: int, target: int, stride: int) -> NDArray[np.int32] | None:
    """Follow what is drawn of a net from its source, in framed cells, if it comes to its target."""
    y, x = divmod(source, stride)
    end = Cell(z, y - 1, x - 1)
    if not start[end]:
        return None
    path = [(cell.y + 1) * stride + cell.x + 1 for cell in follow(start, end)]
    return np.array(path, np.int32) if path[-1] == target else None


def domains_beside(drawn: Drawn) -> Domains:
    """Leave drawn lines the vias they have, and the other vias to the other lines."""
    domains = []
    for taken in drawn.chosen:
        missing = taken == OPEN
        allowed = np.repeat(missing[:, None], len(taken), axis=1)
        allowed[:, taken[~missing]] = False
        allowed[~missing, taken[~missing]] = True
        domains.append(allowed)
    return tuple(domains)
