"""The board and its cases as the check of a certificate sees them.

Nets, layers and classes are numbered as ``nlrouter.certificate`` says.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from nlrouter.checker.certificate.curves import Ends
from nlrouter.checker.certificate.limits import Refused
from nlrouter.grid import FREE, occupants
from nlrouter.problem import Problem


@dataclass(frozen=True)
class SpanClass:
    """Lines and vias of one span: the lines' nets, -1 if not of the part, and the vias' cells."""

    lower: tuple[int, ...]
    upper: tuple[int, ...]
    vias: tuple[int, ...]


@dataclass(frozen=True)
class Layers:
    """What stands on some layers; equal for parts that are alike.

    Parameters
    ----------
    height, width
        Rows and columns of a layer.
    free
        For each layer the cells that hold no end and no via.
    layer, source, target
        For each net its layer, the end it starts from, and its other end; -1 if that is a via
        still to be chosen.
    classes
        The span classes of more than one via.
    """

    height: int
    width: int
    free: tuple[tuple[bool, ...], ...]
    layer: tuple[int, ...]
    source: tuple[int, ...]
    target: tuple[int, ...]
    classes: tuple[SpanClass, ...]


def spans_match(problem: Problem) -> bool:
    """Return whether each span has as many vias as lines; else the board has no answer."""
    vias = Counter(via.span for via in problem.vias)
    return vias == Counter(line.span for line in problem.lines if line.crosses_layers)


def layers_of(problem: Problem, chosen: tuple[int, ...]) -> Layers:
    """Return what stands on the chosen layers; lines and vias match span by span."""
    width = problem.width
    vias: dict[tuple[int, int], list[int]] = {}
    for via in problem.vias:
        vias.setdefault(via.span, []).append(via.y * width + via.x)
    lines = Counter(line.span for line in problem.lines if line.crosses_layers)
    layer: list[int] = []
    source: list[int] = []
    target: list[int] = []
    members: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for line in problem.lines:
        first, second = sorted(line.ends, key=lambda end: end.z)
        cells = [end.y * width + end.x for end in (first, second)]
        if not line.crosses_layers:
            if first.z in chosen:
                layer.append(chosen.index(first.z))
                source.append(cells[0])
                target.append(cells[1])
            continue
        pair = [-1, -1]
        for k, end in enumerate((first, second)):
            if end.z in chosen:
                pair[k] = len(layer)
                layer.append(chosen.index(end.z))
                source.append(cells[k])
                target.append(vias[line.span][0] if lines[line.span] == 1 else -1)
        if lines[line.span] > 1 and max(pair) >= 0:
            members.setdefault(line.span, []).append((pair[0], pair[1]))
    board = occupants(problem) == FREE
    return Layers(
        height=problem.height,
        width=width,
        free=tuple(tuple(board[z].ravel().tolist()) for z in chosen),
        layer=tuple(layer),
        source=tuple(source),
        target=tuple(target),
        classes=tuple(
            SpanClass(
                tuple(low for low, _ in pairs),
                tuple(high for _, high in pairs),
                tuple(vias[span]),
            )
            for span, pairs in members.items()
        ),
    )


Vias = tuple[tuple[frozenset[int], ...], ...]
"""For each class and line the vias left to it."""


@dataclass(frozen=True)
class Case:
    """The answers that a node speaks of, and the layers of the part on which it counts.

    ``vias`` has, per class and line, the vias left to it; ``sides`` the settled sides by
    net and other net, ``turns`` the settled turns by net and the cell of an end, and ``covers``
    the settled sides in covers by net, other net and the cell of the end; with each the turns of
    both nets are settled. ``left`` has nets and cells of their layers that they do without.
    """

    layers: tuple[int, ...]
    vias: Vias
    sides: dict[tuple[int, int], int] = field(default_factory=dict)
    turns: dict[tuple[int, int], int] = field(default_factory=dict)
    covers: dict[tuple[int, int, int], int] = field(default_factory=dict)
    left: frozenset[tuple[int, int]] = frozenset()

    @property
    def size(self) -> int:
        """How much is settled of nets' paths."""
        return len(self.sides) + len(self.turns) + len(self.covers) + len(self.left)


def every_via(board: Layers) -> Vias:
    """Return the vias left to each line of each class where no case is made of them."""
    return tuple(
        tuple(frozenset(range(len(span.vias))) for _ in span.lower) for span in board.classes
    )


def with_choice(vias: Vias, k: int, row: int, via: int) -> Vias | None:
    """Return the vias left where a line takes one of its own; None if another then has none."""
    rows = [left - {via} for left in vias[k]]
    rows[row] = frozenset({via})
    return (*vias[:k], tuple(rows), *vias[k + 1 :]) if all(rows) else None


def on_layer(board: Layers, case: Case, z: int, every: Vias) -> Case:
    """Return the case of one layer, without what the case says of others.

    What is proven of it is then valid in every case that says the same of this layer. ``every``
    is what `every_via` returns of the board.
    """
    vias = tuple(
        rows if any(net >= 0 and board.layer[net] == z for net in span.lower + span.upper) else all_
        for span, rows, all_ in zip(board.classes, case.vias, every, strict=True)
    )
    sides = {pair: side for pair, side in case.sides.items() if board.layer[pair[0]] == z}
    turns = {about: turn for about, turn in case.turns.items() if board.layer[about[0]] == z}
    covers = {about: side for about, side in case.covers.items() if board.layer[about[0]] == z}
    left = frozenset(about for about in case.left if board.layer[about[0]] == z)
    return Case((z,), vias, sides, turns, covers, left)


def targets_of(board: Layers, case: Case) -> list[int]:
    """Return the other end of each net, -1 where its via is open."""
    target = list(board.target)
    for span, rows in zip(board.classes, case.vias, strict=True):
        for row, left in enumerate(rows):
            if len(left) == 1:
                (via,) = left
                for net in (span.lower[row], span.upper[row]):
                    if net >= 0:
                        target[net] = span.vias[via]
    return target


def cell_of_end(board: Layers, case: Case, net: int, end: tuple[int, int]) -> int:
    """Return the cell of an end that must be settled, of another net on a net's layer."""
    other, which = end
    target = targets_of(board, case)
    known = max(net, other) < len(target) and which <= 1
    if not (known and net != other and board.layer[net] == board.layer[other]):
        raise Refused(f"end {which} of net {other} is none that net {net} could turn about")
    cell = target[other] if which else board.source[other]
    if cell < 0:
        raise Refused(f"end {which} of net {other} is not settled")
    return cell


def ends_of(board: Layers, case: Case, i: int, j: int) -> tuple[Ends, Ends]:
    """Return the ends of two nets that must be settled, on one layer, and not the same."""
    target = targets_of(board, case)
    if not (max(i, j) < len(target) and i != j and board.layer[i] == board.layer[j]):
        raise Refused(f"nets {i} and {j} are not two nets of one layer")
    if target[i] < 0 or target[j] < 0:
        raise Refused(f"nets {i} and {j} do not both have settled ends")
    return (board.source[i], target[i]), (board.source[j], target[j])
