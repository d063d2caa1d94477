"""Writes what a tree of cases proves as the proof of a part."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nlrouter.certificate import (
    MOST_NUMBER,
    CoverCases,
    CrossingCut,
    LayerSum,
    Node,
    PartProof,
    Prices,
    SideCases,
    TurnCases,
    ViaCases,
    ViaChoices,
    ViaPrices,
)
from nlrouter.certifier.cover_side import differs
from nlrouter.certifier.frame import unframed
from nlrouter.certifier.refutation import Passing, Refutation, Tries
from nlrouter.certifier.via_tree import Case, ViaTree, whole
from nlrouter.checker.certificate.limits import CheckLimits
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.prove.side_tree import Leaf, SideTree

DEEPEST = CheckLimits().depth // 2 - 1
"""Most cases of vias, and of sides, inside each other; below, the bound by prices must do."""


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
        goal = min(max(tree.bound, 0), MOST_NUMBER)
        roots: dict[int, int] = {}
        # A layer's tree comes after all cases that share it.
        for index, layers in self._late:
            for z, side_tree in enumerate(layers):
                if id(side_tree) not in roots:
                    roots[id(side_tree)] = self._sides(z, side_tree.leaves, 0)
            self._nodes[index] = LayerSum(tuple(roots[id(layer)] for layer in layers))
        return PartProof(places, goal, tuple(self._prices), tuple(self._cuts), tuple(self._nodes))

    def _add(self, node: Node) -> int:
        self._nodes.append(node)
        return len(self._nodes) - 1

    def _case(self, case: Case, depth: int) -> int:
        """Write a case and what is below; return its index."""
        if case.implied:
            index = self._add(LayerSum(()))
            none = self._unmatched(case.dual)
            below = self._own(case, depth + 1)
            self._nodes[index] = ViaChoices(
                tuple(case.implied), (*[none] * len(case.implied), below)
            )
            return index
        return self._own(case, depth)

    def _own(self, case: Case, depth: int) -> int:
        """Write a case without what is implied, and what is below; return its index."""
        prices = self._priced(case.dual, range(self._nets.layers))
        index = self._add(prices)
        if case.layers and sum(whole(tree.bound) for tree in case.layers) >= case.bound:
            self._late.append((index, case.layers))
        elif case.children and depth < DEEPEST:
            reasons = [self._refuted(reason, case.dual) for _, reason in case.refuted]
            children = tuple(
                self._unmatched(case.dual) if child is None else self._case(child, depth + 1)
                for child in case.children
            )
            if case.line:
                self._nodes[index] = ViaCases(case.line, children)
            elif case.pair:
                self._nodes[index] = SideCases(case.pair, (children[0], children[1]))
            elif case.dropped:
                self._nodes[index] = ViaPrices(prices, tuple(case.dropped), children[0])
            else:
                choices = tuple(choice for choice, _ in case.refuted)
                self._nodes[index] = ViaChoices(choices, (*reasons, *children))
        return index

    def _unmatched(self, dual: Dual) -> int:
        """Write why a case is none that leaves the lines not a via each; return the index."""
        prices = self._priced(dual, range(self._nets.layers))
        return self._add(Prices(prices.layers))

    def _refuted(self, reason: Refutation | None, dual: Dual) -> int:
        """Write why a choice is none, by a dual's prices; return the index."""
        match reason:
            case None:
                return self._unmatched(dual)
            case Tries():
                index = self._add(LayerSum(()))
                children = tuple(self._refuted(child, dual) for child in reason.children)
                self._nodes[index] = ViaCases(reason.line, children)
                return index
            case Passing():
                index = len(self._nodes)
                for below, pair in enumerate(reason.nets, 1):
                    self._add(SideCases(pair, (index + below, index + below)))
                self._add(self._priced(dual, range(self._nets.layers)))
                return index

    def _sides(self, z: int, leaves: list[Leaf], depth: int) -> int:
        """Write the tree of a layer from its leaves, which agree on ``depth`` decisions."""
        decisions, dual = leaves[0]
        if depth in (len(decisions), DEEPEST):
            return self._add(self._priced(dual, [z]))
        members = np.flatnonzero(self._nets.layer == z)
        question, _ = decisions[depth]
        i, j, end = question
        index = self._add(LayerSum(()))
        first, second = (
            self._sides(z, [leaf for leaf in leaves if leaf[0][depth][1] == answer], depth + 1)
            for answer in (0, 1)
        )
        if end < 0:
            pair = int(members[i]), int(members[j])
            self._nodes[index] = SideCases(pair, (first, second))
            return index
        which, other = divmod(end, len(members))
        about = int(members[other]), which
        if j < 0:
            self._nodes[index] = TurnCases(int(members[i]), about, (first, second))
        else:
            both = (second, first) if differs(dual, question) else (first, second)
            self._nodes[index] = CoverCases((int(members[i]), int(members[j])), about, both)
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
        bonds = tuple((int(members[i]), int(members[j])) for i, j in dual.bonds)
        return Prices(tuple(rows), tuple(cuts), bonds)

    def _edges(self, edges: NDArray[np.int32]) -> tuple[tuple[int, int], ...]:
        """Return the edges without the frame."""
        return tuple((int(axis), unframed(cell, self._nets.stride)) for axis, cell in edges)
