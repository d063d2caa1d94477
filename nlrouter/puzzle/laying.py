"""First answers that need not fill the board, by laying line beside line as a person would.

The solver looks at the sides in the order of a front that moves across the board, and decides each
for a line. So it has an answer at once or hardly ever, depending on the front. It starts over with
others, giving up after numbers of conflicts that no other schedule beats by more than a logarithmic
factor (M. Luby, A. Sinclair, D. Zuckerman, Optimal speedup of Las Vegas algorithms, 1993).
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from math import cos, pi, sin

import numpy as np
from numpy.typing import NDArray
from pysat.solvers import Solver

from nlrouter.luby import luby
from nlrouter.puzzle.clauses import Clauses
from nlrouter.puzzle.drawing import Ends
from nlrouter.rule_sets import Rules
from nlrouter.strokes import Strokes

SOLVER = "cadical195"
"""Glucose, MiniSat and MapleSAT hardly ever succeed."""


@dataclass(frozen=True)
class LayingConfig:
    """Settings of the tries."""

    try_conflicts: int = 300
    """Conflicts of the shortest try: a good front needs 0 to 600."""
    inward: float = 0.3
    """Share of fronts that move from the border inwards; boards differ in which they prefer."""


@dataclass(frozen=True)
class Front:
    """The order in which a solver is to look at the sides.

    Parameters
    ----------
    angle
        Direction in which the front moves, in radians.
    inward
        Whether places nearer to the border come first whatever the direction.
    """

    angle: float
    inward: bool = False

    def rank(self, y: NDArray[np.float64], x: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return how early places are met; the first has the lowest."""
        front = cos(self.angle) * x + sin(self.angle) * y
        if not self.inward or not len(y):
            return front
        margin = np.minimum(np.minimum(y, y.max() - y), np.minimum(x, x.max() - x))
        return margin * (np.ptp(front) + 1.0) + front


def lay(
    ends: Ends, rules: Rules, config: LayingConfig
) -> Iterator[tuple[Strokes | None, int, int]]:
    """Try one front after another, without end.

    Yields an answer or None, and how many clauses and conflicts that took. Lines may touch
    themselves by the rules ``adc``, too.
    """
    generator = random.Random(0)
    height, width = ends.shape
    right, down = np.indices((height, width - 1)), np.indices((height - 1, width))
    y = np.concatenate([right[0].ravel(), down[0].ravel() + 0.5])
    x = np.concatenate([right[1].ravel() + 0.5, down[1].ravel()])
    for number in count(1):
        front = Front(generator.uniform(0.0, 2 * pi), generator.random() < config.inward)
        place = np.argsort(np.argsort(front.rank(y, x), kind="stable"), kind="stable")
        # The lowest drawings are found sooner on small boards, any on large ones.
        clauses = Clauses(ends, rules, lowest=number % 2 == 0, full=False, order=place)
        with Solver(name=SOLVER) as solver:
            # The stable mode alone keeps to the order of the variables from the start.
            solver.configure({"stabilizeonly": 1})
            for block in clauses.blocks:
                solver.append_formula(block.tolist(), no_return=True)
            solver.set_phases(list(range(1, len(place) + 1)))
            solver.conf_budget(config.try_conflicts * luby((number + 1) // 2))
            found = clauses.read(solver.get_model())[0] if solver.solve_limited() else None
            conflicts = solver.accum_stats()["conflicts"]
        yield found, sum(map(len, clauses.blocks)), conflicts
