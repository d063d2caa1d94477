"""What a process sends another of a via tree: a node to work on, and what is left of it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nlrouter.engine.bounds.conflicts import Conflicts
from nlrouter.engine.bounds.cuts import Cuts
from nlrouter.engine.bounds.sides import Passage
from nlrouter.engine.nets.choice import Choice
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.prove.side_share import SideNode, SideShare


@dataclass(frozen=True)
class ViaNode:
    """An open node without what can be made anew.

    Parameters
    ----------
    choice
        The vias that are left.
    bound
        No routing of the node costs less.
    prices, cuts
        Those of its dual.
    priced
        Whether these have been improved at all.
    separations, conflicts, sought
        What has been done at the node.
    passages, bonds
        What is settled of each net's path, and the nets that are tied.
    """

    choice: Choice
    bound: int
    prices: NDArray[np.float64]
    cuts: Cuts
    priced: bool
    separations: int
    conflicts: Conflicts | None
    sought: float
    passages: list[tuple[Passage, ...]]
    bonds: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class ViaShare:
    """A node that is lent.

    Parameters
    ----------
    node
        The node.
    upper
        Only routings that cost less are of interest; None where any is.
    """

    node: ViaNode
    upper: int | None


@dataclass(frozen=True)
class LayerShare:
    """A node of a layer's side tree that is lent.

    Parameters
    ----------
    layer
        Number of the layer.
    target
        ``(nets,)`` targets of all nets of the part; those on the layer are settled.
    side
        The node.
    """

    layer: int
    target: NDArray[np.int32]
    side: SideShare


@dataclass(frozen=True)
class Share:
    """A piece of a part's proof that another process may do.

    Parameters
    ----------
    number
        By which the prover that lends it knows it.
    work
        What is to be done.
    """

    number: int
    work: ViaShare | LayerShare


@dataclass(frozen=True)
class Left:
    """What is left of a piece of work.

    Parameters
    ----------
    nodes
        The open nodes in the place of the one that was lent.
    phases
        What has raised their bounds, as in `Proof`.
    routing
        Of a layer: the best routing found on the way, or None.
    """

    nodes: list[ViaNode] | list[SideNode]
    phases: frozenset[str]
    routing: Routing | None = None
