"""Takes vias out of a node that no better answer uses: by reduced costs, and by conflicts."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.choices import possible, probed, propagate
from nlrouter.engine.bounds.conflicts import ConflictConfig, find_conflicts
from nlrouter.engine.bounds.fixing import allowed_vias
from nlrouter.engine.nets.choice import Choice
from nlrouter.engine.prove.via_node import Node


@dataclass(frozen=True)
class ViaNarrowingConfig:
    """Settings of when conflicts are looked for."""

    conflicts: ConflictConfig = field(default_factory=ConflictConfig)
    again: float = 0.85
    """Share of a node's gap when conflicts were looked for at which they are once more. With 0.5
    adc2016 Q12 is not proven within 60 s where the last answers come one by one."""
    share: float = 0.2
    """Share of the time up to which conflicts are looked for below the root. Without a limit, half
    of the time goes there on 21x28x2 with 18 vias, and the bound is 1 lower after 40 s."""


class ViaNarrowing:
    """What takes vias out of the nodes of a tree, and the time that it has had."""

    def __init__(self, config: ViaNarrowingConfig) -> None:
        self._config = config
        self._searched = 0.0

    def narrow(self, node: Node, deadline: Deadline, upper: int, spent: float) -> bool:
        """Take vias out of a node; return whether there were any, or it is not to be looked at.

        Parameters
        ----------
        node
            The node.
        deadline
            When to stop at the latest.
        upper
            Cost of the best known routing.
        spent
            Seconds of which conflicts have a share; `inf` where there is no limit.
        """
        allowed = allowed_vias(node.dual, upper - 1)
        return _restrict(node, allowed, upper) or self._exclude(node, deadline, upper, spent)

    def _exclude(self, node: Node, deadline: Deadline, upper: int, spent: float) -> bool:
        """Take vias out by what two lines pay for not crossing; return whether there were any."""
        gap = upper - node.bound
        if gap > self._config.again * node.sought or self._searched > self._config.share * spent:
            return False
        node.sought = gap
        start = deadline.elapsed()
        found = find_conflicts(node.dual, upper - 1, deadline, self._config.conflicts)
        self._searched += deadline.elapsed() - start
        if found is None:
            return False
        node.conflicts = found if node.conflicts is None else node.conflicts.joined(found)
        fewer = _restrict(node, probed(node.dual.choice, node.conflicts), upper)
        if fewer and not node.sided:
            node.sought = inf
        return fewer


def _restrict(node: Node, choice: Choice, upper: int) -> bool:
    """Leave a node only some vias and what follows; return whether that is less than it had."""
    choice = propagate(choice, node.conflicts)
    if not possible(choice):
        node.bound = upper
        return True
    if all((a == b).all() for a, b in zip(choice, node.dual.choice, strict=True)):
        return False
    node.dual = node.dual.restricted(choice)
    return True
