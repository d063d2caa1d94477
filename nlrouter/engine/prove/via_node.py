"""A node of the tree that settles vias and sides, and how it goes from process to process."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from nlrouter.engine.bounds.conflicts import Conflicts
from nlrouter.engine.bounds.dual import Dual, DualConfig
from nlrouter.engine.nets.nets import OPEN, Nets
from nlrouter.engine.prove.via_share import ViaNode


@dataclass
class Node:
    """A choice of vias and what is settled of paths, its dual and its bound.

    ``separations`` and ``conflicts`` say what has been done at it, and ``sought`` how far its bound
    was from the limit when conflicts were looked for.
    """

    dual: Dual
    bound: int
    separations: int = 0
    conflicts: Conflicts | None = None
    sought: float = inf

    @property
    def settled(self) -> bool:
        """Whether every line has its via."""
        return bool((self.dual.target != OPEN).all())

    @property
    def sided(self) -> bool:
        """Whether it is settled on which side some nets pass each other, or they are tied."""
        return bool(self.dual.engaged.any())

    def packed(self) -> ViaNode:
        """Return what another process needs of it."""
        dual = self.dual
        return ViaNode(
            dual.choice, self.bound, dual.prices, dual.cuts, bool(np.isfinite(dual.value)),
            self.separations, self.conflicts, self.sought, dual.passages, dual.bonds,
        )  # fmt: skip


def unpacked(packed: ViaNode, nets: Nets, least: int, config: DualConfig) -> Node:
    """Return a node of another process, whose bound is ``least`` if not more."""
    dual = Dual(nets, packed.choice, config)
    dual.resume(packed.prices, packed.cuts, priced=packed.priced)
    dual.passages, dual.bonds = packed.passages, packed.bonds
    bound = max(packed.bound, least)
    return Node(dual, bound, packed.separations, packed.conflicts, packed.sought)
