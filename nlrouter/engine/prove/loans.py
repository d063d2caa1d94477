"""Nodes of a part's trees that other processes work on for a while.

A node is lent with its dual alone; what comes back takes its place, with the decisions on the way
to it put before those below. It stays in its tree meanwhile: nothing is lost with a process.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from nlrouter.deadline import Deadline
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.prove.node import Node

if TYPE_CHECKING:
    from nlrouter.engine.prove.tree import Tree

LOAN_SECONDS = 0.5
"""Time that a node is worked on at once: to send it there and back takes some milliseconds."""

GLANCE = 0.005
"""Seconds to wait where all is lent."""


Loan = tuple[Node, int]
"""A node that is lent, without decisions, and the limit: only what costs less is of interest."""

Result = tuple[list[Node], Routing | None, float]
"""The nodes that take its place, a routing come upon that costs less, and the seconds spent."""


class Lender:
    """What a proof has lent.

    Attributes
    ----------
    room
        How many nodes may be lent at once.
    send
        Sends a loan, as bytes, with its number.
    """

    def __init__(self) -> None:
        self.room = 0
        self.send: Callable[[int, bytes], None] | None = None
        self._lent: dict[int, tuple[Tree, Node]] = {}
        self._count = 0

    @property
    def left(self) -> int:
        """How many more there is room for."""
        return self.room - len(self._lent)

    def pause(self) -> None:
        """Wait a moment for what is lent."""
        time.sleep(GLANCE)

    def lend(self, tree: Tree, node: Node, upper: int) -> None:
        """Lend a node of a tree."""
        assert self.send is not None
        node.dual.rest()
        node.lent = True
        self._count += 1
        self._lent[self._count] = tree, node
        loan: Loan = replace(node, decisions=(), lent=False), upper
        self.send(self._count, pickle.dumps(loan))

    def take_back(self, number: int, result: bytes | None) -> None:
        """Put what has come of a node in its place; None if its process was lost."""
        tree, node = self._lent.pop(number)
        node.lent = False
        if result is None:
            return
        found: Result = pickle.loads(result)
        nodes, routing, seconds = found
        tree.seconds_lent += seconds
        tree.keep(routing)
        if any(node is other for other in tree.nodes):  # Else it has been done with meanwhile.
            tree.replace(node, [_below(tree, node, each) for each in nodes])
            tree.raise_bound()


def _below(tree: Tree, node: Node, found: Node) -> Node:
    """Return a node that has come of another, sharing with it what is the same."""
    dual = found.dual
    dual.passages = [
        (*own, *more[len(own) :])
        for own, more in zip(node.dual.passages, dual.passages, strict=True)
    ]
    if dual.curves is not None:
        dual.curves = tree.questions(dual).curves
    found.decisions = (*node.decisions, *found.decisions)
    return found


def work_on(make: Callable[[Node], Tree], loan: bytes, deadline: Deadline) -> bytes:
    """Work on a node that was lent; return what came of it.

    Parameters
    ----------
    make
        Makes a tree of a node.
    loan
        The node and its limit, as sent.
    deadline
        When to stop at the latest.
    """
    given: Loan = pickle.loads(loan)
    lent, upper = given
    tree = make(lent)
    ended = deadline.within(LOAN_SECONDS)
    while not ended.passed() and (node := tree.least) is not None:
        if node.layered or not node.open(upper):  # Who has lent it proves the layers.
            break
        tree.step(deadline, upper)  # To its end: half of its rounds are worth less than half.
    for node in tree.nodes:
        node.dual.rest()
    result: Result = tree.nodes, tree.routing, ended.elapsed()
    return pickle.dumps(result)
