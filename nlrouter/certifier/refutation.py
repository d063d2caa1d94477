"""Why a line cannot take a via: what follows from pairs of choices that exclude each other.

Every step is one that a certificate can show: a line is taken whose vias are nearly all excluded,
and each of them is refuted in its turn, until two lines are left that would have to cross.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nlrouter.engine.bounds.choices import matched, with_via
from nlrouter.engine.bounds.conflicts import Conflicts
from nlrouter.engine.nets.choice import Choice
from nlrouter.engine.nets.nets import Nets

ChoiceKey = tuple[int, int, int]
"""Class, line of the class, via of the class."""


@dataclass(frozen=True)
class Passing:
    """Two choices are made that exclude each other: their nets cannot pass at the price.

    Parameters
    ----------
    nets
        A pair of nets for each layer that the two lines share.
    """

    nets: tuple[tuple[int, int], ...]


@dataclass(frozen=True)
class Tries:
    """Every via that a line has left is refuted.

    Parameters
    ----------
    line
        Its class and its place in the class.
    children
        For each via left to it the reason; None where the lines then have not a via each.
    """

    line: tuple[int, int]
    children: tuple[Refutation | None, ...]


Refutation = Passing | Tries


@dataclass(frozen=True)
class RefuterConfig:
    """Settings of the search for refutations."""

    widths: tuple[int, ...] = (0, 1, 2)
    """Vias that may stay open to a line when it is tried: first what follows at once, as short
    proofs leave less to the longer ones."""
    most_steps: int = 40
    """Lines tried in one refutation; the check of each takes some hundredths of a second."""


class Refuter:
    """Finds choices that conflicts rule out, and why.

    Parameters
    ----------
    nets
        The part.
    conflicts
        Pairs of choices that exclude each other.
    """

    def __init__(
        self, nets: Nets, conflicts: Conflicts, config: RefuterConfig | None = None
    ) -> None:
        self._nets = nets
        self._config = config or RefuterConfig()
        self._number = {(c, r, v): k for k, (c, r, v) in enumerate(conflicts.choices.tolist())}
        via = conflicts.choices[:, [0, 2]]
        # That two lines cannot share a via is no matter of prices, and taken care of by itself.
        shared = (via[:, None] == via).all(axis=2)
        self._excluded = conflicts.excluded & ~shared
        self._steps = 0

    def narrow(self, choice: Choice) -> tuple[Choice, list[tuple[ChoiceKey, Refutation | None]]]:
        """Return what is left of a choice, and what is not, one by one, with the reasons."""
        found: list[tuple[ChoiceKey, Refutation | None]] = []
        for width in self._config.widths:
            news = True
            while news:
                news = False
                for k, row, via in self._number:
                    if not choice[k][row, via] or choice[k][row].sum() == 1:
                        continue
                    self._steps = 0
                    refuted, reason = self._refute(with_via(choice, k, row, via), width)
                    if refuted:
                        found.append(((k, row, via), reason))
                        choice = tuple(allowed.copy() for allowed in choice)
                        choice[k][row, via] = False
                        news = True
        return choice, found

    def _refute(self, choice: Choice, width: int) -> tuple[bool, Refutation | None]:
        """Return whether a choice is none, and why; None where lines have not a via each."""
        if not matched(choice):
            return True, None
        made = [
            (k, row, int(np.argmax(allowed[row])))
            for k, allowed in enumerate(choice)
            for row in np.flatnonzero(allowed.sum(axis=1) == 1).tolist()
        ]
        numbers = [self._number[key] for key in made]
        pairs = np.argwhere(self._excluded[np.ix_(numbers, numbers)])
        if len(pairs):
            i, j = pairs[0].tolist()
            return True, self._passing(made[i], made[j])
        self._steps += 1
        if self._steps > self._config.most_steps:
            return False, None
        excluded = self._excluded[numbers].any(axis=0)
        best: tuple[int, int, tuple[int, int]] | None = None
        for k, allowed in enumerate(choice):
            for row, left in enumerate(allowed):
                vias = np.flatnonzero(left).tolist()
                if len(vias) > 1:
                    open_ = sum(not excluded[self._number[k, row, via]] for via in vias)
                    best = min(best or (open_, len(vias), (k, row)), (open_, len(vias), (k, row)))
        if best is None or best[0] > width:
            return False, None
        k, row = best[2]
        reasons = []
        for via in np.flatnonzero(choice[k][row]).tolist():
            refuted, reason = self._refute(with_via(choice, k, row, via), width)
            if not refuted:
                return False, None
            reasons.append(reason)
        return True, Tries((k, row), tuple(reasons))

    def _passing(self, one: ChoiceKey, other: ChoiceKey) -> Passing:
        layer = self._nets.layer
        first, second = (
            (self._nets.classes[k].lower[row], self._nets.classes[k].upper[row])
            for k, row, _ in (one, other)
        )
        return Passing(
            tuple((int(i), int(j)) for i in first for j in second if layer[i] == layer[j])
        )
