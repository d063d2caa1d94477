"""Writes the certificate of a board's lower bound.

The search keeps no record of its proofs, and some of its ways to prove, such as CP-SAT, leave
none that could be checked. So the proof is done anew once the search has ended, by prices,
sides and vias alone, and with the search's answer to aim at. What this does not reach in its
time is marked as resting on the search's word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.certificate import (
    MOST_NUMBER,
    Certificate,
    CrossingCut,
    LayerSum,
    Node,
    PartProof,
    Prices,
    SideCases,
    ViaCases,
    ViaPrices,
    digest_of,
)
from nlrouter.check.certificate import MOST_DEPTH, verified_bound
from nlrouter.check.cost import bends
from nlrouter.deadline import Deadline
from nlrouter.engine.dual import Choice, Dual
from nlrouter.engine.fixing import allowed_vias
from nlrouter.engine.nets import OPEN, Nets, nets_of
from nlrouter.engine.parts import split
from nlrouter.engine.side_tree import SideTree
from nlrouter.grid import FREE, occupants
from nlrouter.problem import Problem
from nlrouter.result import ceil_bound

NO_ANSWER = 10**9
"""Bound of a case without an answer."""

DEEPEST = MOST_DEPTH // 2 - 1
"""Most cases of vias, and of sides, inside each other; below, the bound by prices must do."""


@dataclass(frozen=True)
class CertifyConfig:
    """Settings of the proof that goes into a certificate."""

    least_seconds: float = 10.0
    """Time for it at least, even if the search has used up its own."""
    most_seconds: float = 60.0
    """Time at most; what closes at all by prices, sides and vias mostly does within."""
    unit: int = 10**6
    """Prices are rounded to 1 / unit: a bound that just reaches a cost has to survive it."""
    rounds: int = 60
    """Rounds of a case's dual per step, as in the search."""
    step_seconds: float = 0.01
    """Work of a step besides what it calls, for a `WorkClock`."""


def certify(
    problem: Problem,
    answer: Answer | None,
    bound: int,
    word: str,
    deadline: Deadline,
    stopped: Callable[[], bool],
    config: CertifyConfig | None = None,
) -> Certificate:
    """Prove a lower bound anew, so that the proof can be checked.

    Parameters
    ----------
    problem
        The board; lines and vias match span by span.
    answer
        The best answer known, which the proof aims at.
    bound
        The bound that is claimed.
    word
        On whose word it is to be believed where the proof does not reach it.
    deadline
        That of the search; what is left of it may be used, within the limits of the settings.
    stopped
        Asked during the work whether to stop.
    """
    config = config or CertifyConfig()
    seconds = min(config.most_seconds, max(config.least_seconds, deadline.remaining()))
    deadline = Deadline(seconds, deadline.clock)
    nets = nets_of(problem)
    parts = split(nets)
    costs = None if answer is None else _layer_costs(problem, answer)
    places = [
        tuple(tuple(np.unique(nets.layer[members]).tolist()) for members, _ in part.places)
        for part in parts
    ]
    trees = []
    for part, where in zip(parts, places, strict=True):
        aim = NO_ANSWER
        if costs is not None:
            aim = min(int(costs[list(layers)].sum()) for layers in where)
        trees.append(ViaTree(part.nets, aim, config))
    todo = trees
    while todo and not (deadline.passed() or stopped()):
        # What a part leaves of its share goes to the others.
        for k, tree in enumerate(todo):
            slot = deadline.within(deadline.remaining() / (len(todo) - k))
            while not (tree.done or slot.passed() or stopped()):
                tree.step(slot)
        todo = [tree for tree in todo if not tree.done]
    proofs = tuple(
        ProofWriter(part.nets, config.unit).proof(tree, where)
        for part, tree, where in zip(parts, trees, places, strict=True)
    )
    certificate = Certificate(digest_of(problem), bound, 0, word, config.unit, proofs)
    verified = verified_bound(problem, certificate)
    return replace(
        certificate,
        bound=max(bound, verified),
        verified=verified,
        word=word if verified < bound else "",
    )


def _layer_costs(problem: Problem, answer: Answer) -> NDArray[np.int64]:
    """Return ``(layers,)`` what the nets of an answer cost on each layer."""
    inner = (answer > 0) & (occupants(problem) == FREE)
    return (inner.astype(np.int64) + bends(answer)).sum(axis=(1, 2))


@dataclass
class _Case:
    """A node of the branch and bound on vias: a leaf until ``children`` says otherwise.

    Parameters
    ----------
    dual
        Its prices, and the vias that it leaves to the lines.
    bound
        What the part costs at least in this case.
    line
        Class and line branched on, if any.
    dropped
        Class, line and via that its prices rule out, if any.
    layers
        The layers' trees, once all vias are settled.
    """

    dual: Dual
    bound: int = 0
    line: tuple[int, int] | None = None
    dropped: list[tuple[int, int, int]] = field(default_factory=list)
    children: list[_Case | None] = field(default_factory=list)
    layers: list[SideTree] = field(default_factory=list)


class ViaTree:
    """Best-first branch and bound on a part's vias, with every step kept.

    Parameters
    ----------
    nets
        The part.
    aim
        Cost of the best known routing: a case that costs as much is closed.
    """

    def __init__(self, nets: Nets, aim: int, config: CertifyConfig) -> None:
        self.nets = nets
        self.aim = aim
        self.config = config
        self.root = _Case(Dual(nets))
        self._open = [self.root]
        self._layers: dict[tuple[int, bytes], SideTree] = {}
        self._spent: dict[int, float] = {}

    @property
    def done(self) -> bool:
        """Whether every case is closed."""
        return all(case.bound >= self.aim for case in self._open)

    def step(self, deadline: Deadline) -> None:
        """Work on the case of the least bound."""
        deadline.work(self.config.step_seconds)
        case = min(self._open, key=lambda case: case.bound)
        if (case.dual.target != OPEN).all():
            self._prove_layers(case, deadline)
        elif not case.dual.converged:
            case.dual.improve(deadline, self.config.rounds, self.aim)
            case.bound = ceil_bound(min(case.dual.bound, NO_ANSWER))
        elif not self._drop(case):
            self._branch(case)

    def _prove_layers(self, case: _Case, deadline: Deadline) -> None:
        """Work on the layer of a settled case that had the least time."""
        if not case.layers:
            case.layers = [self._layer(case.dual, z) for z in range(self.nets.layers)]
        bounds = [_whole(tree.bound) for tree in case.layers]
        z = min(range(len(bounds)), key=lambda z: self._spent.get(id(case.layers[z]), 0.0))
        tree = case.layers[z]
        start = deadline.elapsed()
        tree.step(deadline, self.aim - 1 - sum(bounds) + bounds[z])
        spent = deadline.elapsed() - start
        self._spent[id(tree)] = self._spent.get(id(tree), 0.0) + spent
        case.bound = max(case.bound, sum(_whole(tree.bound) for tree in case.layers))

    def _layer(self, dual: Dual, z: int) -> SideTree:
        """Return the tree of a layer whose nets have these targets."""
        members = np.flatnonzero(self.nets.layer == z)
        target = dual.target[members]
        key = (z, target.tobytes())
        if key not in self._layers:
            nets = replace(
                self.nets,
                free=self.nets.free[z : z + 1],
                layer=np.zeros(len(members), np.int32),
                line=self.nets.line[members],
                source=self.nets.source[members],
                target=target,
                classes=(),
            )
            self._layers[key] = SideTree(nets, dual.prices[z : z + 1])
        return self._layers[key]

    def _drop(self, case: _Case) -> bool:
        """Take vias out that no better answer uses; return whether there were any."""
        left = allowed_vias(case.dual, self.aim - 1)
        for k, (before, after) in enumerate(zip(case.dual.choice, left, strict=True)):
            for row, via in zip(*np.nonzero(before & ~after), strict=True):
                case.dropped.append((k, int(row), int(via)))
        if case.dropped:
            self._replace(case, [left])
        return bool(case.dropped)

    def _branch(self, case: _Case) -> None:
        """Replace a case by one for each via that the line of the fewest may take."""
        choice = case.dual.choice
        _, k, row = min(
            (int(left.sum()), k, row)
            for k, allowed in enumerate(choice)
            for row, left in enumerate(allowed)
            if left.sum() > 1
        )
        case.line = k, row
        choices = []
        for via in np.flatnonzero(choice[k][row]):
            allowed = choice[k].copy()
            allowed[:, via] = False
            allowed[row] = False
            allowed[row, via] = True
            choices.append((*choice[:k], allowed, *choice[k + 1 :]))
        self._replace(case, choices)

    def _replace(self, case: _Case, choices: list[Choice]) -> None:
        """Let children take the place of a case; None stands for one that has no matching."""
        for choice in choices:
            possible = all(rows.any(axis=1).all() for rows in choice)
            child = _Case(case.dual.restricted(choice), case.bound) if possible else None
            case.children.append(child)
        self._open = [other for other in self._open if other is not case]
        self._open += [child for child in case.children if child is not None]


def _whole(bound: float) -> int:
    """Return a layer's bound as a whole number, not below 0."""
    return ceil_bound(min(max(bound, 0.0), NO_ANSWER))


class ProofWriter:
    """Writes the proof of a part."""

    def __init__(self, nets: Nets, unit: int) -> None:
        self._nets = nets
        self._unit = unit
        self._prices: dict[tuple[int, ...], int] = {}
        self._cuts: dict[CrossingCut, int] = {}
        self._nodes: list[Node] = []
        self._late: list[tuple[int, list[SideTree]]] = []

    def proof(self, tree: ViaTree, places: tuple[tuple[int, ...], ...]) -> PartProof:
        """Return the proof that a tree makes."""
        self._case(tree.root, 0)
        roots: dict[int, int] = {}
        # A layer's tree comes after all cases that share it.
        for index, layers in self._late:
            for z, side_tree in enumerate(layers):
                if id(side_tree) not in roots:
                    roots[id(side_tree)] = self._sides(z, side_tree.leaves, 0)
            self._nodes[index] = LayerSum(tuple(roots[id(layer)] for layer in layers))
        return PartProof(places, tuple(self._prices), tuple(self._cuts), tuple(self._nodes))

    def _add(self, node: Node) -> int:
        self._nodes.append(node)
        return len(self._nodes) - 1

    def _case(self, case: _Case, depth: int) -> int:
        """Write a case and what is below; return its index."""
        prices = self._priced(case.dual, range(self._nets.layers))
        index = self._add(prices)
        if case.layers and sum(_whole(tree.bound) for tree in case.layers) >= case.bound:
            self._late.append((index, case.layers))
        elif (case.dropped or case.line) and depth < DEEPEST:
            children = tuple(
                index if child is None else self._case(child, depth + 1) for child in case.children
            )
            if case.line:
                self._nodes[index] = ViaCases(case.line, children)
            else:
                self._nodes[index] = ViaPrices(prices, tuple(case.dropped), children[0])
        return index

    def _sides(
        self, z: int, leaves: list[tuple[tuple[tuple[int, int, int], ...], Dual]], depth: int
    ) -> int:
        """Write the tree of a layer from its leaves, which agree on ``depth`` decisions."""
        decisions, dual = leaves[0]
        if depth in (len(decisions), DEEPEST):
            return self._add(self._priced(dual, [z]))
        members = np.flatnonzero(self._nets.layer == z)
        i, j, _ = decisions[depth]
        index = self._add(LayerSum(()))
        first, second = (
            self._sides(z, [leaf for leaf in leaves if leaf[0][depth][2] == side], depth + 1)
            for side in (0, 1)
        )
        self._nodes[index] = SideCases((int(members[i]), int(members[j])), (first, second))
        return index

    def _priced(self, dual: Dual, layers: Sequence[int]) -> Prices:
        """Return the bound by a dual's prices; its layers are the given ones of the part."""
        board = dual.prices.reshape(len(layers), -1, self._nets.stride)[:, 1:-1, 1:-1]
        rows = []
        for prices in np.minimum(np.rint(board * self._unit), MOST_NUMBER).astype(np.int64):
            key = tuple(prices.ravel().tolist())
            rows.append(self._prices.setdefault(key, len(self._prices)))
        members = np.flatnonzero(np.isin(self._nets.layer, list(layers)))
        cuts = []
        for cut, multiplier in zip(dual.cuts.cuts, dual.cuts.multipliers, strict=True):
            whole = min(round(multiplier * self._unit), MOST_NUMBER)
            if whole:
                i, j = (int(members[net]) for net in cut.nets)
                one, other = (self._edges(edges) for edges in cut.edges)
                crossing = CrossingCut((i, j), (one, other))
                cuts.append((self._cuts.setdefault(crossing, len(self._cuts)), whole))
        return Prices(tuple(rows), tuple(cuts))

    def _edges(self, edges: NDArray[np.int32]) -> tuple[tuple[int, int], ...]:
        """Return the edges without the frame."""
        return tuple((int(axis), self._unframed(int(cell))) for axis, cell in edges)

    def _unframed(self, cell: int) -> int:
        row, column = divmod(cell, self._nets.stride)
        return (row - 1) * (self._nets.stride - 2) + column - 1
