"""On which side nets pass each other: nets tied in a node, and branches on questions.

Whatever vias the other lines take, two nets of one layer whose ends are settled pass each other on
one of two sides (see ``bounds.sides``), so nets are tied while vias are open. Questions wait until
all vias are settled: before, the choice of a via raises the bound more.
"""

from __future__ import annotations

from nlrouter.deadline import Deadline
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.engine.prove.asking import PricedCase, ask
from nlrouter.engine.prove.node import Decision, Node
from nlrouter.engine.prove.questions import Case, Question
from nlrouter.engine.prove.tree import Method, Tree

MOST_COVER_SIZE = 40_000_000
"""Nets squared times cells of a layer up to which questions in covers are asked: nets are
lifted about all ends, which takes 0.7 s and 56 MB on adc2016 Q18 (8.5 million), and 13 s and
3 GB on 100x100 with 200 nets."""


class Bonds(Method):
    """Ties nets that do not agree on which side they pass each other."""

    name = "bonds"

    def work(self, tree: Tree, node: Node, deadline: Deadline, upper: int | None) -> bool:
        """Tie nets in the node, as far as there is room, once it has walks on average."""
        dual = node.dual
        if not dual.averages.walks or not _may_tie(tree, node, upper):
            return False
        tied = dual.sided([])
        if not tied.tie(tree.questions(dual).pairs(dual, dual.config.bonds.doubt)):
            return False
        node.dual = tied
        return True


class Sides(Method):
    """Branches on the side on which two nets pass each other."""

    name = "sides"

    def work(self, tree: Tree, node: Node, deadline: Deadline, upper: int | None) -> bool:
        """Settle sides that settle themselves, and replace the node by the cases of another."""
        if not (_may_ask(tree, node) and node.dual.steady):
            return False
        found = tree.questions(node.dual).doubtful(node.dual, tree.config.ask.doubt)
        return _ask(tree, node, found, deadline, upper)


class Covers(Method):
    """Branches on the side in the double cover of an end; see ``bounds.covers``."""

    name = "covers"

    def work(self, tree: Tree, node: Node, deadline: Deadline, upper: int | None) -> bool:
        """Replace the node by the cases of a question."""
        nets, dual = tree.nets, node.dual
        if not (_may_ask(tree, node) and dual.converged):
            return False
        if nets.count**2 * nets.cells > MOST_COVER_SIZE:
            return False
        return _ask(tree, node, tree.questions(dual).crossing(dual), deadline, upper)


def _may_tie(tree: Tree, node: Node, upper: int | None) -> bool:
    """Return whether nets may be tied: of settled layers, else before vias are few."""
    if node.dual.curves is None or node.dual.value >= INFINITE / 2:
        return False
    if not tree.nets.classes:
        return True
    return upper is not None and (node.sided or not node.has_few(tree.config.few_ways))


def _may_ask(tree: Tree, node: Node) -> bool:
    """Return whether questions may be asked: once vias are settled, of the layers."""
    return not tree.nets.classes and _may_tie(tree, node, None)


def _ask(
    tree: Tree,
    node: Node,
    found: list[tuple[float, Question]],
    deadline: Deadline,
    upper: int | None,
) -> bool:
    """Replace a node by the cases of the best question; return whether there was one.

    Where one of two cases costs too much the other is settled without a choice, for all such
    questions at once.
    """
    dual = node.dual
    cases, settled = ask(dual, tree.questions(dual), found, upper, tree.config.ask, deadline)
    if not cases and not settled:
        return False
    below: list[Node] = []
    known: tuple[Decision, ...] = ()
    passages: Case = []
    for kept, dear in settled:
        below.append(_below(node, dear, known, passages))
        known = (*known, *kept.decisions)
        passages += kept.case
    if cases:
        below += [_below(node, case, known, passages) for case in cases]
    else:
        below.append(node.below(dual.sided(passages), *known))
    tree.replace(node, below)
    return True


def _below(node: Node, case: PricedCase, known: tuple[Decision, ...], passages: Case) -> Node:
    """Return the node of a case, with what is settled besides."""
    dual = case.dual.sided(passages) if passages else case.dual
    below = node.below(dual, *known, *case.decisions)
    below.show(case.value, case.dual)
    return below
