"""Parts of a board that have nothing to do with each other.

Layers are tied only where two or more vias of one span wait to be shared out between them; a
span with a single via leaves no choice. Each set of layers tied together is a part and is
searched alone. Parts that are alike to the cell are searched once.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer, Cost
from nlrouter.engine.nets.nets import BoardNets, Nets
from nlrouter.engine.nets.routing import Routing


@dataclass(frozen=True)
class Part:
    """A set of layers that is routed alone.

    Parameters
    ----------
    nets
        Its nets, numbered anew.
    places
        Where it stands on the board, for each of the parts that are alike: the board's numbers
        of its nets and of its span classes.
    """

    nets: Nets
    places: list[tuple[NDArray[np.intp], NDArray[np.intp]]]

    @property
    def copies(self) -> int:
        """How many parts of the board are like this."""
        return len(self.places)


def split(nets: Nets) -> list[Part]:
    """Split a board into its parts."""
    settled = nets.target.copy()
    tied: list[tuple[int, int]] = []
    for span in nets.classes:
        if len(span.vias) == 1:
            settled[span.lower] = settled[span.upper] = span.via_cells[0]
        else:
            tied.append((nets.layer[span.lower[0]], nets.layer[span.upper[0]]))
    together = np.eye(nets.layers, dtype=np.bool_)
    for one, other in tied:
        together[together[one] | together[other]] |= together[one] | together[other]
    parts: dict[tuple[bytes, ...], Part] = {}
    for row in np.unique(together, axis=0)[::-1]:
        layers = np.flatnonzero(row)
        members = np.flatnonzero(np.isin(nets.layer, layers))
        if not len(members):
            continue
        new_number = np.full(nets.count, -1, np.int32)
        new_number[members] = np.arange(len(members))
        classes = np.array(
            [
                i
                for i, span in enumerate(nets.classes)
                if len(span.vias) > 1 and new_number[span.lower[0]] >= 0
            ],
            dtype=np.intp,
        )
        part = Nets(
            stride=nets.stride,
            free=nets.free[layers],
            layer=np.searchsorted(layers, nets.layer[members]).astype(np.int32),
            line=nets.line[members],
            source=nets.source[members],
            target=settled[members],
            classes=tuple(
                replace(
                    nets.classes[i],
                    lower=new_number[nets.classes[i].lower],
                    upper=new_number[nets.classes[i].upper],
                )
                for i in classes
            ),
        )
        shape = [part.free, part.layer, part.source, part.target]
        for span in part.classes:
            shape += [span.lower, span.upper, span.via_cells]
        key = tuple(array.tobytes() for array in shape)
        parts.setdefault(key, Part(part, [])).places.append((members, classes))
    return list(parts.values())


def merge(nets: BoardNets, parts: list[Part], routings: list[Routing]) -> tuple[Answer, Cost]:
    """Return the answer that the routings of all parts make, and its cost."""
    paths: list[NDArray[np.int32]] = [np.empty(0, np.int32)] * nets.count
    assignment = [np.zeros(len(span.vias), np.intp) for span in nets.classes]
    for part, routing in zip(parts, routings, strict=True):
        for members, classes in part.places:
            for net, path in zip(members, routing.paths, strict=True):
                paths[net] = path
            for i, chosen in zip(classes, routing.assignment, strict=True):
                assignment[i] = chosen
    answer = nets.answer(paths, tuple(assignment))
    length = int(np.count_nonzero(answer))
    total = nets.constant + sum(
        routing.cost * part.copies for routing, part in zip(routings, parts, strict=True)
    )
    return answer, Cost(length, total - length)
