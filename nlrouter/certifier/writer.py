"""Writes the proof of a part as a certificate has it, from what the search has kept of it.

The leaves of a tree, each with the decisions on the way to it, are put together to the tree again.
What follows from conflicts of vias is written step by step (see ``via_reasons``).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from nlrouter.certificate import (
    MOST_NUMBER,
    CellCases,
    CoverCases,
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
from nlrouter.certifier.cores import cores_of
from nlrouter.certifier.cover_side import differs
from nlrouter.certifier.via_reasons import ChoiceKey, Removal, removals
from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.bonds import Tolls
from nlrouter.engine.bounds.choices import possible, with_via
from nlrouter.engine.bounds.conflicts import Conflicts
from nlrouter.engine.bounds.dual import PRICE_UNIT
from nlrouter.engine.nets.domains import Domains, full_domains
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.prove.node import CellLeft, Leaf, SideTaken, ViasLeft, ViaTaken
from nlrouter.engine.prove.proof import Proof
from nlrouter.result import ceil_bound


def part_proof(proof: Proof, places: tuple[tuple[int, ...], ...], deadline: Deadline) -> PartProof:
    """Write what a proof shows of a part.

    Parameters
    ----------
    proof
        The proof, which has kept what it needs.
    places
        The layers, for each of the parts of the board that are alike.
    deadline
        When to do without what takes long.
    """
    return _PartWriter(proof.nets, deadline).written(proof, places)


class _PartWriter:
    """Writes the proof of a part."""

    def __init__(self, nets: Nets, deadline: Deadline) -> None:
        self._nets = nets
        self._deadline = deadline
        self._prices: dict[bytes, int] = {}
        self._rows: list[tuple[int, ...]] = []
        self._nodes: list[Node] = []
        self._late: list[tuple[int, Leaf, Domains]] = []

    def written(self, proof: Proof, places: tuple[tuple[int, ...], ...]) -> PartProof:
        """Return the proof of the part."""
        self._proof(proof, range(self._nets.layers), full_domains(self._nets))
        roots: dict[int, int] = {}
        # A layer's tree comes after all cases that share it.
        for index, leaf, domains in self._late:
            for z, layer in enumerate(leaf.proofs):
                if id(layer) not in roots:
                    roots[id(layer)] = self._proof(layer, [z], domains)
            self._nodes[index] = LayerSum(tuple(roots[id(layer)] for layer in leaf.proofs))
        goal = min(max(proof.bound, 0), MOST_NUMBER)
        return PartProof(places, goal, tuple(self._rows), tuple(self._nodes))

    def _proof(self, proof: Proof, layers: Sequence[int], domains: Domains) -> int:
        """Write what proves the bound of some layers by themselves; return its index."""
        if proof.maxsat is not None and proof.maxsat.bound > ceil_bound(proof.tree.bound):
            cores = cores_of(proof.maxsat, self._choices(layers, domains), self._deadline)
            if cores is not None:
                return self._add(cores)
        return self._tree(proof.tree.leaves, 0, layers, domains)

    def _choices(self, layers: Sequence[int], domains: Domains) -> int:
        """Return how many choices are left in a case of some layers: all of what is elsewhere."""
        here = set(self._members(layers).tolist())
        return sum(
            int(allowed.sum()) if here.intersection((*span.lower, *span.upper)) else allowed.size
            for span, allowed in zip(self._nets.classes, domains, strict=True)
        )

    def _tree(self, leaves: list[Leaf], depth: int, layers: Sequence[int], domains: Domains) -> int:
        """Write the tree of some leaves that agree on ``depth`` decisions; return its index.

        Parameters
        ----------
        leaves, depth
            The leaves of the tree.
        layers
            The part's numbers of their layers.
        domains
            The vias that the case leaves to the lines.
        """
        leaf = leaves[0]
        if depth == len(leaf.decisions):
            index = self._priced(leaf.prices, layers, leaf.tolls)
            if leaf.proofs and sum(proof.bound for proof in leaf.proofs) >= ceil_bound(leaf.bound):
                self._late.append((index, leaf, domains))
            return index
        match leaf.decisions[depth]:
            case ViasLeft() as left:
                return self._narrowed(left, leaves, depth, layers, domains)
            case ViaTaken(line=line, conflicts=conflicts):
                return self._by_via(line, conflicts, leaves, depth, layers, domains)
            case SideTaken() | CellLeft() as decision:
                return self._by_answer(decision, leaves, depth, layers, domains)

    def _by_answer(
        self,
        decision: SideTaken | CellLeft,
        leaves: list[Leaf],
        depth: int,
        layers: Sequence[int],
        domains: Domains,
    ) -> int:
        """Write the two cases of a decision, and what is below; return the index."""
        index = self._add(LayerSum(()))
        first, second = (
            self._tree(
                [leaf for leaf in leaves if _answer(leaf, depth) == answer],
                depth + 1,
                layers,
                domains,
            )
            for answer in (0, 1)
        )
        members = self._members(layers).tolist()
        if isinstance(decision, CellLeft):
            i, j = decision.nets
            y, x = divmod(decision.cell, self._nets.stride)
            cell = (y - 1) * (self._nets.stride - 2) + x - 1
            self._nodes[index] = CellCases((members[i], members[j]), cell, (first, second))
            return index
        i, j, end = question = decision.question
        if end < 0:
            self._nodes[index] = SideCases((members[i], members[j]), (first, second))
            return index
        which, other = divmod(end, len(members))
        about = members[other], which
        if j < 0:
            self._nodes[index] = TurnCases(members[i], about, (first, second))
            return index
        (z,) = layers
        nets = self._nets.layer_alone(z, self._target(domains))
        turns = {
            decision.question: decision.answer
            for decision in leaves[0].decisions[:depth]
            if isinstance(decision, SideTaken)
        }
        turn_i, turn_j = turns[i, -1, end], turns[j, -1, end]
        both = (second, first) if differs(nets, question, (turn_i, turn_j)) else (first, second)
        self._nodes[index] = CoverCases((members[i], members[j]), about, both)
        return index

    def _members(self, layers: Sequence[int]) -> NDArray[np.intp]:
        """Return the part's numbers of the nets on some layers."""
        return np.flatnonzero(np.isin(self._nets.layer, layers))

    def _target(self, domains: Domains) -> NDArray[np.int32]:
        """Return the targets of all nets where every line has a single via left."""
        return self._nets.targets(tuple(np.argmax(allowed, axis=1) for allowed in domains))

    def _narrowed(
        self,
        left: ViasLeft,
        leaves: list[Leaf],
        depth: int,
        layers: Sequence[int],
        domains: Domains,
    ) -> int:
        """Write that lines have fewer vias left, and what is below; return the index."""
        dear = [
            (i, row, via)
            for i, (has, cheap) in enumerate(zip(domains, left.dear, strict=True))
            for row, via in np.argwhere(has & ~cheap).tolist()
        ]
        kept = tuple(has & cheap for has, cheap in zip(domains, left.dear, strict=True))
        steps = removals(kept, left.domains, left.conflicts)
        index = self._add(LayerSum(())) if dear else len(self._nodes)
        child = self._after(steps, kept, left.conflicts, leaves, depth + 1, layers)
        if dear:
            prices = self._prices_of(left.prices, layers, left.tolls)
            self._nodes[index] = ViaPrices(prices, tuple(dear), child)
        return index

    def _by_via(
        self,
        line: tuple[int, int],
        conflicts: Conflicts | None,
        leaves: list[Leaf],
        depth: int,
        layers: Sequence[int],
        domains: Domains,
    ) -> int:
        """Write a case for each via of a line, and what is below; return the index."""
        index = self._add(LayerSum(()))
        children = []
        for via in np.flatnonzero(domains[line[0]][line[1]]).tolist():
            taken = _taken(domains, (*line, via))
            steps = removals(taken, taken, conflicts)
            below = [leaf for leaf in leaves if _answer(leaf, depth) == via]
            children.append(self._after(steps, taken, conflicts, below, depth + 1, layers))
        self._nodes[index] = ViaCases(line, tuple(children))
        return index

    def _after(
        self,
        steps: Sequence[Removal],
        domains: Domains,
        conflicts: Conflicts | None,
        leaves: list[Leaf],
        depth: int,
        layers: Sequence[int],
    ) -> int:
        """Write what is taken out of domains, step by step, and the tree of the rest."""
        if not steps:
            return self._tree(leaves, depth, layers, domains)
        index = self._add(LayerSum(()))
        left = tuple(allowed.copy() for allowed in domains)
        reasons = self._reasons(steps, left, conflicts)
        # Where nothing is left there is nothing to prove.
        rest = self._tree(leaves, depth, layers, left) if possible(left) else self._unmatched()
        self._nodes[index] = ViaChoices(tuple(step.choice for step in steps), (*reasons, rest))
        return index

    def _reasons(
        self, steps: Sequence[Removal], left: Domains, conflicts: Conflicts | None
    ) -> list[int]:
        """Write why choices cannot be made, and take them out in place; return the indices."""
        reasons = []
        for step in steps:
            reasons.append(self._reason(step, left, conflicts))
            i, row, via = step.choice
            left[i][row, via] = False
        return reasons

    def _reason(self, step: Removal, domains: Domains, conflicts: Conflicts | None) -> int:
        """Write why a choice cannot be made; return the index."""
        if step.line is None and not step.steps:
            return self._unmatched()
        assert conflicts is not None
        if step.line == step.choice[:2]:
            return self._passing(step.choice, step.choice, conflicts)
        taken = _taken(domains, step.choice)
        index = self._add(LayerSum(()))
        if step.line is not None:
            i, row = step.line
            vias = np.flatnonzero(taken[i][row]).tolist()
            children = [self._passing(step.choice, (i, row, via), conflicts) for via in vias]
            self._nodes[index] = ViaCases(step.line, tuple(children))
            return index
        choices = tuple(below.choice for below in step.steps)
        reasons = self._reasons(step.steps, taken, conflicts)
        self._nodes[index] = ViaChoices(choices, (*reasons, self._unmatched()))
        return index

    def _passing(self, one: ChoiceKey, other: ChoiceKey, conflicts: Conflicts) -> int:
        """Write that two choices exclude each other, or one itself; return the index."""
        nets, layer = self._nets, self._nets.layer
        mine, theirs = (
            (nets.classes[i].lower[row], nets.classes[i].upper[row]) for i, row, _ in (one, other)
        )
        place = conflicts.choices.tolist().index(list(one))
        others = (conflicts.beside[place],) if one == other else theirs
        # Beside none, a choice is too dear alone.
        pairs = [(int(i), int(j)) for i in mine for j in others if j >= 0 and layer[i] == layer[j]]
        index = len(self._nodes)
        for below, pair in enumerate(pairs, 1):
            self._add(SideCases(pair, (index + below, index + below)))
        self._priced(conflicts.prices, range(nets.layers), conflicts.tolls)
        return index

    def _unmatched(self) -> int:
        """Write that lines and vias cannot be matched, which shows at any prices."""
        return self._priced(np.zeros(self._nets.free.shape), range(self._nets.layers))

    def _priced(
        self,
        prices: NDArray[np.float64],
        layers: Sequence[int],
        tolls: Tolls = (),
    ) -> int:
        """Write the bound by some prices; return the index."""
        return self._add(self._prices_of(prices, layers, tolls))

    def _prices_of(
        self,
        prices: NDArray[np.float64],
        layers: Sequence[int],
        tolls: Tolls = (),
    ) -> Prices:
        """Return the bound by prices of some layers, whose nets are numbered by themselves."""
        rows = []
        board = prices.reshape(len(layers), -1, self._nets.stride)[:, 1:-1, 1:-1]
        for row in np.rint(board * PRICE_UNIT).astype(np.int64):
            key = row.tobytes()
            if key not in self._prices:
                self._prices[key] = len(self._rows)
                self._rows.append(tuple(row.ravel().tolist()))
            rows.append(self._prices[key])
        members = self._members(layers)
        bonds = tuple(
            (int(members[i]), int(members[j]), round(toll * PRICE_UNIT))
            for (i, j), toll in tolls
            if toll
        )
        return Prices(tuple(rows), bonds)

    def _add(self, node: Node) -> int:
        self._nodes.append(node)
        return len(self._nodes) - 1


def _answer(leaf: Leaf, depth: int) -> int:
    """Return how a leaf's decision of some depth went, among those that are alike."""
    decision = leaf.decisions[depth]
    assert not isinstance(decision, ViasLeft)
    return decision.via if isinstance(decision, ViaTaken) else decision.answer


def _taken(domains: Domains, key: ChoiceKey) -> Domains:
    """Return a copy of what is left where a line takes a via, before anything follows."""
    return tuple(allowed.copy() for allowed in with_via(domains, *key))
