"""Does pieces of a proof that another process has lent; keeps nothing that a bound rests on."""

from __future__ import annotations

from nlrouter.deadline import Deadline
from nlrouter.engine.prove.prover import Prover
from nlrouter.engine.prove.side_tree import SideTree
from nlrouter.engine.prove.via_share import LayerShare, Left, Share


class Assistant:
    """Works on shares of the proof of one part.

    Parameters
    ----------
    prover
        A prover of the part, whose settings are used.
    """

    def __init__(self, prover: Prover) -> None:
        self._nets = prover.nets
        self._seed = prover.seed
        self._config = prover.config
        self._tree: tuple[bytes, SideTree] | None = None

    def do(self, share: Share, deadline: Deadline) -> Left:
        """Work on a share until the deadline or its end; return the open nodes in its place."""
        work = share.work
        if isinstance(work, LayerShare):
            return self._tree_of(work).explore(work.side, deadline)
        return Prover(self._nets, self._seed, self._config).explore(work, deadline)

    def _tree_of(self, work: LayerShare) -> SideTree:
        """Return a side tree of the share's layer: the last one, where it is the same layer."""
        key = bytes([work.layer]) + work.target[self._nets.layer == work.layer].tobytes()
        if self._tree is None or self._tree[0] != key:
            nets = self._nets.layer_alone(work.layer, work.target)
            self._tree = key, SideTree(nets, None, self._config.layer.tree)
        return self._tree[1]
