"""The multicommodity flow model of some nets, as CP-SAT has it.

A Boolean per net and arc: what enters a free cell leaves it, and no free cell is entered twice.
A bend Boolean per net and cell pays for the difference between what enters and what leaves
along x; in the relaxation that is as strong as a flow on states (cell, axis), with half the
variables. A net whose via is open ends in the via that the matching, a Boolean per line and
via, gives to its line.

Knows what a routing is, and not how one is searched for.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from ortools.sat.python import cp_model

from nlrouter.engine.exact.flow_arcs import steps
from nlrouter.engine.nets.matching import Matching
from nlrouter.engine.nets.nets import OPEN, Assignment, Nets
from nlrouter.engine.paths.shortcut import cut_short

Paths = list[NDArray[np.int32]]
"""Cells of each member's path, its ends included."""

ABSENT = -1
"""Stands for a variable that the model does without."""


class FlowConstraints:
    """Variables, constraints and objective for some nets.

    Written straight into the model's protocol buffer, in half the time that CP-SAT's own
    expressions take.

    Parameters
    ----------
    nets, members, target, free, upper
        See `flow_model.solve_flow`.
    matchings
        Lines and vias that are to be matched, per span class.
    usable
        ``(members, 4, cells)`` bool, the arcs that there are.
    """

    def __init__(
        self,
        nets: Nets,
        members: NDArray[np.int32],
        target: NDArray[np.int32],
        free: NDArray[np.bool_],
        matchings: Sequence[Matching],
        usable: NDArray[np.bool_],
        upper: int | None,
    ) -> None:
        self.model = cp_model.CpModel()
        self._proto = self.model.proto
        self._variables = 0
        self._nets = nets
        self._members = members
        self._target = target
        self._free = free
        self._passable = free[nets.layer[members]]
        self._matchings = matchings
        self._steps = steps(nets.stride)
        self._leave = self._add_variables(usable)
        self._enter = np.empty_like(self._leave)
        for direction, step in enumerate(self._steps):
            self._enter[:, direction] = np.roll(self._leave[:, direction], step, axis=1)
        touched = (self._leave != ABSENT) | (self._enter != ABSENT)
        both_axes = touched[:, :2].any(axis=1) & touched[:, 2:].any(axis=1)
        self._bend = self._add_variables(both_axes & self._passable)
        self._match = [
            self._add_variables(np.ones((len(matching.lines), len(matching.vias)), np.bool_))
            for matching in matchings
        ]
        self._leave_sources()
        self._reach_targets()
        self._reach_vias()
        self._match_vias()
        self._conserve_flow()
        self._pay_bends()
        self._share_cells()
        self._minimize_cost(upper)

    def _leave_sources(self) -> None:
        """Each net leaves its source once."""
        source = self._nets.source[self._members]
        self._add_rows(self._leave[np.arange(len(source)), :, source], 1, 1)

    def _reach_targets(self) -> None:
        """Each net whose target is settled enters it once."""
        target = self._target[self._members]
        settled = np.flatnonzero(target != OPEN)
        self._add_rows(self._enter[settled, :, target[settled]], 1, 1)

    def _reach_vias(self) -> None:
        """Both nets of a line enter the via that the line takes, and no other."""
        for matching, match in zip(self._matchings, self._match, strict=True):
            for side in matching.sides:
                enter = self._enter[side[:, None], :, matching.cells]
                rows = np.concatenate([enter, match[:, :, None]], axis=2).reshape(-1, 5)
                self._add_rows(rows, 0, 0, (1, 1, 1, 1, -1))

    def _match_vias(self) -> None:
        """Each line takes one via, and each via one line."""
        for match in self._match:
            self._add_rows(match, 1, 1)
            self._add_rows(match.T, 1, 1)

    def _conserve_flow(self) -> None:
        """A net leaves each free cell as often as it enters it."""
        net, cell = np.nonzero(self._passable & (self._leave != ABSENT).any(axis=1))
        rows = np.hstack([self._enter[net, :, cell], self._leave[net, :, cell]])
        self._add_rows(rows, 0, 0, (1, 1, 1, 1, -1, -1, -1, -1))

    def _pay_bends(self) -> None:
        """A net that enters a cell along x and does not leave it so bends, and vice versa."""
        net, cell = np.nonzero(self._bend != ABSENT)
        enter, leave = self._enter[net, :2, cell], self._leave[net, :2, cell]
        bend = self._bend[net, cell][:, None]
        self._add_rows(np.hstack([enter, leave, bend]), -2, 0, (1, 1, -1, -1, -1))
        self._add_rows(np.hstack([leave, enter, bend]), -2, 0, (1, 1, -1, -1, -1))

    def _share_cells(self) -> None:
        """At most one net enters a free cell."""
        layer = self._nets.layer[self._members]
        for z in np.unique(layer):
            enter = self._enter[layer == z].reshape(-1, self._nets.cells)
            wanted = self._free[z] & ((enter != ABSENT).sum(axis=0) > 1)
            self._add_rows(enter[:, wanted].T, 0, 1)

    def _minimize_cost(self, upper: int | None) -> None:
        """Inner cells and bends are as few as possible, and no more than ``upper``."""
        entered = self._enter.transpose(0, 2, 1)[self._passable]
        paid = np.concatenate([entered[entered != ABSENT], self._bend[self._bend != ABSENT]])
        self._proto.objective.vars.extend(paid.tolist())
        self._proto.objective.coeffs.extend([1] * len(paid))
        if upper is not None:
            self._proto.objective.domain.extend((0, upper))

    def _add_variables(self, wanted: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Add a Boolean wherever one is wanted; return their indices, `ABSENT` elsewhere."""
        count = int(np.count_nonzero(wanted))
        index = np.full(wanted.shape, ABSENT, np.int32)
        index[wanted] = np.arange(self._variables, self._variables + count)
        self._variables += count
        for _ in range(count):
            self._proto.variables.add().domain.extend((0, 1))
        return index

    def _add_rows(
        self, rows: NDArray[np.int32], low: int, high: int, signs: tuple[int, ...] = (1,)
    ) -> None:
        """Add ``low <= sum(signs * row) <= high`` for each row of variables."""
        present = rows != ABSENT
        stops = np.cumsum(present.sum(axis=1)).tolist()
        variables = rows[present].tolist()
        factors = np.broadcast_to(signs, rows.shape)[present].tolist()
        for start, stop in pairwise([0, *stops]):
            linear = self._proto.constraints.add().linear
            linear.vars.extend(variables[start:stop])
            linear.coeffs.extend(factors[start:stop])
            linear.domain.extend((low, high))

    def hint(self, paths: Paths) -> None:
        """Have the search start from an answer."""
        ones = []
        for i, path in enumerate(paths):
            moves = np.diff(path)
            directions = np.argmax(moves[:, None] == self._steps, axis=1)
            ones.append(self._leave[i, directions, path[:-1]])
            ones.append(self._bend[i, path[1:-1][moves[1:] != moves[:-1]]])
        for matching, match in zip(self._matchings, self._match, strict=True):
            ends = np.array([paths[i][-1] for i in matching.sides[0]], np.int32)
            ones.append(match[ends[:, None] == matching.cells])
        values = np.zeros(self._variables + 1, np.int64)  # The last takes what is `ABSENT`.
        values[np.concatenate(ones)] = 1
        self._proto.solution_hint.vars.extend(range(self._variables))
        self._proto.solution_hint.values.extend(values[:-1].tolist())

    def read(self, values: Sequence[int]) -> tuple[Paths, Assignment]:
        """Return the paths of a solution, without its loops and detours, and the vias taken."""
        taken = np.append(np.array(values, np.bool_), False)[self._leave]
        paths = []
        for i, net in enumerate(self._members):
            direction, cell = np.nonzero(taken[i])
            after = dict(zip(cell.tolist(), (cell + self._steps[direction]).tolist(), strict=True))
            path = [int(self._nets.source[net])]
            while path[-1] in after:
                path.append(after[path[-1]])
            paths.append(cut_short(path, self._steps.tolist()))
        assignment = []
        for span, matching in zip(self._nets.classes, self._matchings, strict=True):
            ends = self._target[span.lower].copy()
            ends[matching.lines] = [paths[i][-1] for i in matching.sides[0]]
            assignment.append(np.argmax(ends[:, None] == span.via_cells, axis=1))
        return paths, tuple(assignment)
