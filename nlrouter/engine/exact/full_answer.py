"""An answer that fills every cell of a part, by a satisfiability solver.

Boards on which lines have just the room that they need are hard for lines that bid for cells. But
where no cell may stay empty a solver is forced to most of what it does, the choice of vias
included. Most boards have no such answer, and nearly all of those are told by their colours.
"""

from __future__ import annotations

import numpy as np
from pysat.solvers import Solver

from nlrouter.deadline import Deadline
from nlrouter.engine.exact.maxsat import SLICE, SOLVER, MaxSatConfig
from nlrouter.engine.exact.sat_clauses import SatClauses, writable
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.schedule.work import CORE_CLAUSE, CORE_CONFLICT
from nlrouter.puzzle.laying import Front

MOST_CELLS = 12_000
"""Free cells of the most that is asked about, all of 36x36x8: that takes 2.7 s, a third of it to
write the clauses."""

MOST_CONFLICTS = 40_000
"""Conflicts after which it is given up: full boards up to 36x32x8 took 15,000 at the most."""


class FullAnswer:
    """The search for a routing of a part that leaves no cell empty, whatever it costs.

    Parameters
    ----------
    nets
        The part; vias may be open.

    Attributes
    ----------
    due
        Whether there may be one, and it is worth going on.
    """

    def __init__(self, nets: Nets) -> None:
        self._nets = nets
        self._solver: Solver | None = None
        self._conflicts = 0
        self.due = writable(nets, MOST_CELLS) and balanced(nets)

    def step(self, deadline: Deadline) -> Routing | None:
        """Go on for some hundredths of a second; return the routing, once it is found."""
        if self._solver is None:
            self._build(deadline)
        assert self._solver is not None
        self._solver.conf_budget(SLICE)
        solved = self._solver.solve_limited()
        spent = self._solver.accum_stats()["conflicts"]
        deadline.work((spent - self._conflicts) * CORE_CONFLICT)
        self._conflicts = spent
        self.due = solved is None and spent < MOST_CONFLICTS
        model = self._solver.get_model() if solved else None
        if not self.due:
            self._solver.delete()
        return None if model is None else Routing.along(*self._clauses.read(model))

    def _build(self, deadline: Deadline) -> None:
        """Make the solver."""
        self._clauses = clauses = SatClauses(self._nets, Front(MaxSatConfig.front))
        self._solver = Solver(name=SOLVER)
        for block in (*clauses.blocks, clauses.used[clauses.inner][:, None]):
            self._solver.append_formula(block.tolist(), no_return=True)
            deadline.work(len(block) * CORE_CLAUSE)


def balanced(nets: Nets) -> bool:
    """Return whether lines might fill every cell, by the colours of a chess board.

    Along a path the colours take turns, so that of its two ends and twice its cells between there
    are as many of either. So it is with all of a layer, whichever lines share which vias.
    """
    place = np.arange(nets.cells)
    colour = 1 - 2 * ((place // nets.stride + place % nets.stride) % 2)
    settled = nets.target >= 0
    for z in range(nets.layers):
        here = nets.layer == z
        ends = [nets.source[here], nets.target[here & settled]]
        ends += [
            span.via_cells
            for span in nets.classes
            for side in (span.lower, span.upper)
            if nets.layer[side[0]] == z
        ]
        if 2 * colour[nets.free[z]].sum() + colour[np.concatenate(ends)].sum() != 0:
            return False
    return True
