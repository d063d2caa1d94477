"""Branch and bound on a part's vias, with every step kept: what a certificate is written from."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf

import numpy as np

from nlrouter.certifier.refutation import ChoiceKey, Refutation, Refuter
from nlrouter.checker.certificate.walks import MOST_SIDES
from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.choices import matched, propagate, with_via
from nlrouter.engine.bounds.conflicts import find_conflicts
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.fixing import allowed_vias
from nlrouter.engine.nets.choice import Choice
from nlrouter.engine.nets.nets import OPEN, Nets
from nlrouter.engine.nets.routing import NO_ANSWER
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.engine.prove.open_sides import OpenSides, OpenSidesConfig
from nlrouter.engine.prove.side_tree import SideTree, SideTreeConfig
from nlrouter.result import ceil_bound

CHECKABLE = SideTreeConfig(checkable=True, most_passages=MOST_SIDES)
CHECKABLE_OPEN = OpenSidesConfig(most_passages=MOST_SIDES)
"""What the check of a certificate follows: so many sides of a net."""


@dataclass(frozen=True)
class CertifyConfig:
    """Settings of the proof that goes into a certificate."""

    least_seconds: float = 25.0
    """Time for it at least, even if the search has used up its own: with its vias open, the dual
    of a contest's board alone takes up to 15 seconds."""
    most_seconds: float = 60.0
    """Time at most; what closes at all by prices, sides and vias mostly does within."""
    unit: int = 10**6
    """Prices are rounded to 1 / unit: a bound that just reaches a cost has to survive it."""
    rounds: int = 60
    """Rounds of a case's dual per step, as in the search."""
    step_seconds: float = 0.01
    """Work of a step besides what it calls, for a `WorkClock`."""
    cores_share: float = 0.4
    """Share of the time for cores, at the most: they give up by themselves after about a second
    where they do not come easily."""
    cores_slice: float = 0.2
    """Seconds between looks at whether they do."""
    cores_cells: int = 8000
    """Free cells of the largest part for cores."""


AS_LONG_AS_ALLOWED = CertifyConfig(least_seconds=0.0, most_seconds=inf)
"""For a proof with a time limit of its own, not what a search has left of one."""


@dataclass
class Case:
    """A node of the branch and bound on vias: a leaf until ``children`` says otherwise.

    Parameters
    ----------
    dual
        Its prices, and the vias that it leaves to the lines.
    bound
        What the part costs at least in this case.
    implied
        Class, line and via that what is left to the other lines takes away, beforehand.
    line
        Class and line branched on, if any.
    pair
        Nets of which the side is branched on, if any.
    dropped
        Class, line and via that its prices rule out, if any.
    refuted
        Those that what lines pay for not crossing rules out, if any, with the reasons.
    children
        The cases below; None for one that leaves the lines not a via each.
    layers
        The layers' trees, once all vias are settled.
    stuck
        Whether none of them can raise the bound any more.
    """

    dual: Dual
    bound: int = 0
    implied: list[ChoiceKey] = field(default_factory=list)
    line: tuple[int, int] | None = None
    pair: tuple[int, int] | None = None
    dropped: list[ChoiceKey] = field(default_factory=list)
    refuted: list[tuple[ChoiceKey, Refutation | None]] = field(default_factory=list)
    children: list[Case | None] = field(default_factory=list)
    layers: list[SideTree] = field(default_factory=list)
    stuck: bool = False

    @property
    def sided(self) -> bool:
        """Whether it is settled on which side some nets pass each other."""
        return any(self.dual.passages)


class ViaTree:
    """Best-first branch and bound on a part's vias, with every step kept.

    Parameters
    ----------
    nets
        The part.
    aim
        Cost of the best known routing, or `NO_ANSWER`: a case that costs as much is closed.
    """

    def __init__(self, nets: Nets, aim: int, config: CertifyConfig) -> None:
        self.nets = nets
        # No routing costs as much as one that fills the layers and bends in every cell, and 1.
        self.aim = min(aim, 2 * int(nets.free.sum()) + 1)
        self.config = config
        self.root = Case(Dual(nets))
        self._open = [self.root]
        self._sides = OpenSides(nets, CHECKABLE_OPEN)
        self._layers: dict[tuple[int, bytes], SideTree] = {}
        self._spent: dict[int, float] = {}

    @property
    def done(self) -> bool:
        """Whether every case is closed, or the one that decides the bound cannot be."""
        return self.bound >= self.aim or self._least.stuck

    @property
    def bound(self) -> int:
        """What the part costs at least."""
        return min((case.bound for case in self._open), default=NO_ANSWER)

    @property
    def _least(self) -> Case:
        """The case that decides the bound."""
        return min(self._open, key=lambda case: case.bound)

    def step(self, deadline: Deadline) -> None:
        """Work on the case of the least bound."""
        deadline.work(self.config.step_seconds)
        case = self._least
        if (case.dual.target != OPEN).all():
            self._prove_layers(case, deadline)
        elif self._sides.due(case.dual):
            self._improve(case, deadline)
        elif not (self._drop(case) or self._tighten(case, deadline)):
            self._branch(case)

    def _tighten(self, case: Case, deadline: Deadline) -> bool:
        """Do what may spare giving a line its via; return whether there was anything to do."""
        if not case.sided:
            return self._refute(case, deadline) or self._ask(case)
        if self._ask(case):
            return True
        if case.dual.converged:
            return False
        self._improve(case, deadline)
        return True

    def _improve(self, case: Case, deadline: Deadline) -> None:
        """Raise the bound of a case by better prices."""
        self._sides.improve(case.dual, deadline, self.config.rounds, self.aim)
        case.bound = max(case.bound, ceil_bound(min(case.dual.bound, NO_ANSWER)))

    def _prove_layers(self, case: Case, deadline: Deadline) -> None:
        """Work on the layer of a settled case that had the least time."""
        if not case.layers:
            case.layers = [self._layer(case.dual, z) for z in range(self.nets.layers)]
        bounds = [whole(tree.bound) for tree in case.layers]
        # One that is stuck takes no time, and would have every turn.
        work = [z for z, tree in enumerate(case.layers) if not tree.stuck]
        if not work:
            case.stuck = True
            return
        z = min(work, key=lambda z: self._spent.get(id(case.layers[z]), 0.0))
        tree = case.layers[z]
        start = deadline.elapsed()
        tree.step(deadline, self.aim - 1 - sum(bounds) + bounds[z])
        spent = deadline.elapsed() - start
        self._spent[id(tree)] = self._spent.get(id(tree), 0.0) + spent
        case.bound = max(case.bound, sum(whole(tree.bound) for tree in case.layers))

    def _layer(self, dual: Dual, z: int) -> SideTree:
        """Return the tree of a layer whose nets have these targets."""
        key = (z, dual.target[self.nets.layer == z].tobytes())
        if key not in self._layers:
            nets = self.nets.layer_alone(z, dual.target)
            self._layers[key] = SideTree(nets, dual.prices[z : z + 1], CHECKABLE)
        return self._layers[key]

    def _drop(self, case: Case) -> bool:
        """Take vias out that no better answer uses; return whether there were any."""
        left = allowed_vias(case.dual, self.aim - 1)
        case.dropped = _removed(case.dual.choice, left)
        if case.dropped:
            self._replace(case, [left])
        return bool(case.dropped)

    def _refute(self, case: Case, deadline: Deadline) -> bool:
        """Take vias out by what two lines pay for not crossing; return whether there were any."""
        conflicts = find_conflicts(case.dual, self.aim - 1, deadline)
        if conflicts is not None:
            left, case.refuted = Refuter(self.nets, conflicts).narrow(case.dual.choice)
            if case.refuted:
                self._replace(case, [left])
        return bool(case.refuted)

    def _ask(self, case: Case) -> bool:
        """Tie nets, or replace a case by those of a side; return whether that promises much."""
        tied = self._sides.tied(case.dual)
        if tied is not None:
            case.dual = tied
            return True
        asked = self._sides.ask(case.dual, case.bound, INFINITE)
        if asked.cases:
            i, j, _ = asked.cases[0].question
            case.pair = i, j
            for below in asked.cases:
                case.children.append(Case(below.dual, ceil_bound(min(below.bound, NO_ANSWER))))
            self._descend(case)
        return bool(asked.cases)

    def _branch(self, case: Case) -> None:
        """Replace a case by one for each via that the line of the fewest may take."""
        choice = case.dual.choice
        _, k, row = min(
            (int(left.sum()), k, row)
            for k, allowed in enumerate(choice)
            for row, left in enumerate(allowed)
            if left.sum() > 1
        )
        case.line = k, row
        choices = []
        for via in np.flatnonzero(choice[k][row]):
            choices.append(with_via(choice, k, row, int(via)))
        self._replace(case, choices)

    def _replace(self, case: Case, choices: list[Choice]) -> None:
        """Let children with these choices take the place of a case."""
        for choice in choices:
            child = None
            if matched(choice):
                left = propagate(choice, None)
                child = Case(case.dual.restricted(left), case.bound, _removed(choice, left))
            case.children.append(child)
        self._descend(case)

    def _descend(self, case: Case) -> None:
        """Go on with the children of a case instead of it."""
        self._open = [other for other in self._open if other is not case]
        self._open += [child for child in case.children if child is not None]


def _removed(before: Choice, after: Choice) -> list[ChoiceKey]:
    """Return what a choice has and a narrower one has not."""
    return [
        (k, int(row), int(via))
        for k, (had, has) in enumerate(zip(before, after, strict=True))
        for row, via in zip(*np.nonzero(had & ~has), strict=True)
    ]


def whole(bound: float) -> int:
    """Return a layer's bound as a whole number, not below 0."""
    return ceil_bound(min(max(bound, 0.0), NO_ANSWER))
