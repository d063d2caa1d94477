"""The branch and bound: a tree of decisions about vias and sides over one dual.

A node leaves some vias to some lines and settles on which side some nets pass each other; its bound
is mostly that of its dual. Whatever can be done with a node is a `Method`; the node of the least
bound is worked on, by the first method that has anything to do. A layer whose vias are all settled
is the same tree on fewer nets.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from heapq import nsmallest
from math import inf
from operator import attrgetter
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.charges import TOLERANCE
from nlrouter.engine.bounds.curves import draw_curves
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.favourites import led
from nlrouter.engine.nets.domains import full_domains
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import NO_ANSWER, Routing
from nlrouter.engine.prove.loans import Lender
from nlrouter.engine.prove.node import Leaf, Node
from nlrouter.engine.prove.questions import Questions
from nlrouter.tally import Tallies

if TYPE_CHECKING:
    from nlrouter.engine.prove.config import TreeConfig

MOST_DRAWN = 20
"""Sets of curves that are kept, the last ones used: up to 2 MB each."""

_BOUND = attrgetter("bound")


class Method(ABC):
    """Something that can be done with a node: to raise its bound, or to replace it by others.

    Before it is called, every routing that costs less than the limit is in an open node of the
    tree, and the node's bound holds. The same must be true afterwards, so a method may

    - raise ``node.bound``: by `Node.show` to what a dual shows, or by setting it to what anything
      else proves of all routings in it, `Nets.constant` included; to infinity if there is none. It
      never falls, and nodes below begin with it,
    - give ``node.dual`` other prices, or tie nets in it,
    - replace the node by others (`Tree.replace`) whose decisions, taken together, leave out no
      routing that costs less than the limit,
    - keep a routing that it comes upon (`Tree.keep`).

    A net ``i`` of ``tree.nets`` leads on ``layer[i]`` from cell ``source[i]`` to
    ``node.dual.target[i]``, which is `OPEN` (of ``nets/nets.py``) while its via is;
    ``node.settled`` says that none is. A cell is ``row * stride + column`` on the framed board,
    where ``free``, ``(layers, cells)``, is false of walls, ends and vias. A routing costs
    ``constant`` and, for each net, its bends and its cells without the ends.

    It is a piece of work of at most some tenths of a second; what takes more than a thousandth is
    told to ``deadline.work``, in seconds of a typical machine (see ``schedule/work.py``). `Prices`
    is the example to begin with. One is made for each tree, without arguments, and for each node
    that another process works on: a node can be pickled.

    Attributes
    ----------
    name
        By which it is switched off and counted.
    told
        Whether a certificate tells what it proves, as it does of duals (``node.shown``) and of the
        decisions in ``node.py``; if not, it is left out where one is kept.
    """

    name: str
    told = True

    @abstractmethod
    def work(self, tree: Tree, node: Node, deadline: Deadline, upper: int | None) -> bool:
        """Work on a node; return whether there was anything to do.

        If so the step is over, and the next one asks the methods anew, in their order; if not, the
        call is not counted, and the method after this one is asked.

        Parameters
        ----------
        tree, node
            The tree, and its node of the least bound.
        deadline
            When to stop at the latest.
        upper
            The limit: only routings that cost less are of interest. None while there is none.
        """


class Tree:
    """The branch and bound of a part, or of one layer.

    Parameters
    ----------
    nets
        What is to be routed.
    methods
        What can be done with a node, in the order of trying.
    config
        Settings.
    tallies
        Where is counted what the methods cost and gain.
    prices
        ``(layers, cells)`` prices to start from, or None.
    keeps
        Whether nodes that are done with are kept, for a certificate.
    lender
        Lends nodes to other processes; None: nothing is lent.

    Attributes
    ----------
    bound
        No routing costs less, as a float; infinite where there is none.
    routing
        The cheapest routing that a method came upon, or None.
    nodes
        The open nodes: every routing that costs less than the limit is in one of them.
    branched
        Whether any node was branched on.
    seconds_lent
        Time for which other processes have worked on nodes.
    """

    def __init__(
        self,
        nets: Nets,
        methods: Sequence[Method],
        config: TreeConfig,
        tallies: Tallies,
        prices: NDArray[np.float64] | None = None,
        *,
        keeps: bool = False,
        lender: Lender | None = None,
    ) -> None:
        self.nets = nets
        self.config = config
        self.tallies = tallies
        self.bound = 0.0
        self.routing: Routing | None = None
        self.seconds_lent = 0.0
        root = Dual(nets, full_domains(nets), config.dual)
        if prices is not None:
            root.prices = prices
        self.nodes = [Node(root)]
        self.branched = False
        self._methods = methods
        self._at: Node | None = None
        self._drawn: dict[bytes, Questions] = {}
        self._done: list[Leaf] | None = [] if keeps else None
        self._lender = lender or Lender()

    @property
    def least(self) -> Node | None:
        """The node of the least bound, of those that are here; None if there is none."""
        here = (node for node in self.nodes if not node.lent)
        return min(here, key=_BOUND, default=None)

    @property
    def stuck(self) -> bool:
        """Whether its bound cannot rise any more by this tree's means."""
        least = min(self.nodes, key=_BOUND, default=None)
        return least is not None and least.stuck

    def idle(self, upper: int | None) -> bool:
        """Return whether others work on all that there is to do."""
        lent = any(node.lent for node in self.nodes)
        return lent and not any(node.open(upper) for node in self.nodes)

    @property
    def leaves(self) -> list[Leaf]:
        """What a proof of the bound needs: the nodes that are open, and those that are done."""
        return [*(self._done or []), *(node.leaf for node in self.nodes)]

    def step(self, deadline: Deadline, upper: int | None) -> None:
        """Do a piece of work on the node of the least bound, unless that is ``upper`` or more.

        Parameters
        ----------
        deadline
            When to stop at the latest.
        upper
            Only routings that cost less are of interest; None where any is.
        """
        node = self.least
        if node is None or not node.open(upper):
            return
        self.lend(upper, self._lender.left, but=node)
        if self._at is not node and self._at is not None:
            self._at.dual.rest()
        self._at = node
        for method in self._methods:
            before = self.bound
            with self.tallies.at_work(method.name) as tally:
                worked = method.work(self, node, deadline, upper)
                tally.calls -= not worked
            if worked:
                self.raise_bound()
                if self.bound < NO_ANSWER:
                    tally.raised += self.bound - before
                return
        node.stuck = True

    def lend(self, upper: int | None, most: int, but: Node | None = None) -> None:
        """Lend nodes to other processes, as many as there is room for.

        Parameters
        ----------
        upper
            The limit; while there is none, nothing is lent.
        most
            How many, at the most.
        but
            One that stays here.
        """
        most = min(most, self._lender.left)
        if upper is None or most <= 0:
            return
        free = (n for n in self.nodes if n is not but and not n.layered and n.open(upper))
        for node in nsmallest(most, free, key=_BOUND):
            self._lender.lend(self, node, upper)

    def drop(self, upper: int) -> None:
        """Be done with the nodes that are of no interest any more, as the limit never rises."""
        done = [node for node in self.nodes if node.bound > upper - 1 + TOLERANCE]
        if done:
            self.nodes = [node for node in self.nodes if node not in done]
            if self._done is not None:
                self._done += [node.leaf for node in done]

    def replace(self, node: Node, below: list[Node]) -> None:
        """Let others take the place of a node: all routings in it that matter are in them."""
        self.branched |= len(below) != 1
        self.nodes = [other for other in self.nodes if other is not node] + below

    def keep(self, routing: Routing | None) -> None:
        """Take note of a routing, if it is the best."""
        if routing and (self.routing is None or routing.cost < self.routing.cost):
            self.routing = routing

    def questions(self, dual: Dual) -> Questions:
        """Return the questions about the nets whose ends are settled in a dual, or favourites.

        A net's curve depends on its ends alone, so what is settled already stays as it is.
        """
        key = dual.leads.tobytes()
        known = self._drawn.pop(key, None)
        if known is None:
            nets = self.nets
            # Curves are compared by paths: nets with settled sides may take walks.
            plain = Dual(nets, led(nets, dual.leads, dual.domains), dual.config)
            relaxed = plain.route(plain.prices)
            curves = draw_curves(
                nets.source, dual.leads, relaxed.paths, relaxed.lengths, nets.cells, nets.stride,
                nets.layer,
            )  # fmt: skip
            known = Questions(nets, curves)
            while len(self._drawn) >= MOST_DRAWN:
                del self._drawn[next(iter(self._drawn))]
        self._drawn[key] = known  # As the last one used.
        return known

    def raise_bound(self) -> None:
        """Raise the bound to the least one of all open nodes."""
        self.bound = max(self.bound, min((node.bound for node in self.nodes), default=inf))
