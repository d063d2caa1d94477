"""Does pieces of a proof that another process has lent; keeps nothing that a bound rests on."""

from __future__ import annotations

from nlrouter.deadline import Deadline
from nlrouter.engine.nets.routing import NO_ANSWER, Routing
from nlrouter.engine.prove.prover import Prover
from nlrouter.engine.prove.side_tree import SideTree
from nlrouter.engine.prove.via_share import LayerShare, Left, Share, ViaNode, ViaShare


class _Helper(Prover):
    """A prover that works on the nodes of others."""

    def explore(self, share: ViaShare, deadline: Deadline) -> list[ViaNode]:
        """Work on a node of another process; return the open nodes in its place.

        Where the vias are settled, layers are proven; else the lender proves the layers of what
        comes out, as several nodes may share them.
        """
        # The lender's limit and no other: it takes it that all below it is in what is returned.
        upper = share.upper
        most = NO_ANSWER if upper is None else upper
        self._nodes = []
        self._hold(share.node, share.node.bound)
        settled = self._nodes[0].settled
        while True:
            due = [node for node in self._nodes if node.settled == settled]
            node = min(due, key=lambda node: node.bound, default=None)
            if node is None or node.bound >= most:
                break
            start = deadline.elapsed()
            if settled:
                self._prove_layers(node, deadline, upper)
            else:
                self._settle_vias(node, deadline, upper)
            self._turns.charge(self._advance, deadline.elapsed() - start)
            known = self.routing is not None and node.bound >= self.routing.cost
            if known or deadline.passed():
                break
        return [node.packed() for node in self._nodes]


class Assistant:
    """Works on shares of the proof of one part.

    Parameters
    ----------
    prover
        A prover of the part, whose settings are used.
    """

    def __init__(self, prover: Prover) -> None:
        self._prover = _Helper(prover.nets, prover.seed, prover.config)
        self._tree: tuple[bytes, SideTree] | None = None

    @property
    def routing(self) -> Routing | None:
        """The best routing found on the way, or None."""
        return self._prover.routing

    def do(self, share: Share, deadline: Deadline) -> Left:
        """Work on a share until the deadline or its end; return the open nodes in its place."""
        work = share.work
        if isinstance(work, LayerShare):
            tree = self._tree_of(work)
            nodes = tree.explore(work.side, deadline)
            return Left(nodes, frozenset({"prove"}), tree.routing)
        left = self._prover.explore(work, deadline)
        return Left(left, frozenset(self._prover.phases))

    def _tree_of(self, work: LayerShare) -> SideTree:
        """Return a side tree of the share's layer: the last one, where it is the same layer."""
        nets = self._prover.nets
        key = bytes([work.layer]) + work.target[nets.layer == work.layer].tobytes()
        if self._tree is None or self._tree[0] != key:
            layer = nets.layer_alone(work.layer, work.target)
            self._tree = key, SideTree(layer, None, self._prover.config.layer.tree)
        return self._tree[1]
