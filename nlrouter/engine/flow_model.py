"""Exact routing of some nets: a multicommodity flow model for CP-SAT.

A Boolean per net and usable *arc*, a step from a cell to a neighbour; what enters a free cell
leaves it, no free cell is entered twice, and a bend Boolean per net and cell pays for the
difference of what enters and leaves along the same axis. The relaxation of that is as strong
as the flow on states (cell, axis), and smaller. A net whose via is open ends in any via that
the matching of lines with vias, one Boolean per pair, gives to its line.

Arcs are numbered by where they start: ``[net, direction, cell]``. Knows no other method; what
it is given (prices turned into ``allowed``, cuts, a hint) only spares it work.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from ortools.sat.python import cp_model

from nlrouter.deadline import Deadline
from nlrouter.engine.cuts import Cut
from nlrouter.engine.nets import OPEN, Assignment, Nets
from nlrouter.engine.paths import INFINITE, NO_TOLLS, search
from nlrouter.result import Status, ceil_bound

Paths = list[NDArray[np.int32]]
"""Cells of each net's path, its ends included."""

VARIANT = 0
EXTRA: dict = {}
ABSENT = -1
"""In place of a variable that the model does without."""


@dataclass(frozen=True)
class FlowConfig:
    """Settings of the solver."""

    linearization_level: int = 2
    """All constraints in the relaxation: it is what proves; level 1 leaves out the clauses."""
    add_lp_constraints_lazily: bool = False
    """The relaxation starts complete; added one by one, its bound lags for minutes."""
    symmetry_level: int = 0
    """Boards have no symmetry worth the search for it."""
    poll: float = 0.05
    """Seconds between looks at ``should_stop``; the solver itself takes as long to stop."""


@dataclass(frozen=True)
class FlowResult:
    """How a solve ended.

    Parameters
    ----------
    status
        `Status.OPTIMAL` or `Status.INFEASIBLE` (no routing within ``upper``) where proven.
    paths
        Path of each member, or None without an answer.
    assignment
        The vias taken, or None without an answer.
    cost
        Inner cells and bends of the paths, or None.
    bound
        No routing of the members over allowed cells costs less.
    """

    status: Status
    paths: Paths | None
    assignment: Assignment | None
    cost: int | None
    bound: int


def solve_flow(
    nets: Nets,
    members: NDArray[np.int32],
    target: NDArray[np.int32],
    free: NDArray[np.bool_],
    deadline: Deadline,
    *,
    allowed: NDArray[np.bool_] | None = None,
    upper: int | None = None,
    cuts: Sequence[Cut] = (),
    hint: Paths | None = None,
    seed: int = 0,
    config: FlowConfig = FlowConfig(),
    on_answer: Callable[[Paths, Assignment, int], None] | None = None,
    on_bound: Callable[[int], None] | None = None,
    should_stop: Callable[[], bool] | None = None,
) -> FlowResult:
    """Route some nets as cheaply as possible.

    Parameters
    ----------
    nets
        The board.
    members
        The nets to route.
    target
        ``(nets,)`` where each net leads to; `OPEN` for members whose via is to be chosen among
        the vias of their class that no other net's target is. Both nets of a line are open,
        and members, or neither is.
    free
        ``(layers, cells)`` bool, cells that neither ends, vias nor other nets occupy.
    deadline
        When to stop at the latest.
    allowed
        ``(nets, cells)`` bool, free cells that a net may use; None for all.
    upper
        Cost of the members above which no answer is wanted.
    cuts
        Crossing cuts; those of other nets are left aside.
    hint
        Path of each member to start from.
    seed
        Random seed.
    config
        Settings.
    on_answer
        Called in a thread of the solver with the paths, the assignment and the cost of every
        better answer.
    on_bound
        Called in a thread of the solver with every better bound.
    should_stop
        Asked now and then, in another thread, whether to stop early.

    Returns
    -------
    FlowResult
        The best routing, and the bound.
    """
    matchings = _matchings(nets, members, target)
    through = _through_costs(nets, members, target, free, allowed, matchings)
    least = through.min(axis=(1, 2))
    bound = ceil_bound(float(least.sum()))
    limit = INFINITE / 2 if upper is None else upper
    if bound > limit:
        return FlowResult(Status.INFEASIBLE, None, None, None, 0 if upper is None else upper + 1)
    usable = through <= (limit - least.sum() + least)[:, None, None]
    model = _FlowModel(nets, members, target, free, matchings, usable)
    model.build(upper, cuts)
    if hint is not None:
        model.add_hint(hint)
    solve = _Solve(model, bound, on_answer, on_bound)
    return solve.run(deadline, should_stop, seed, config, upper)


@dataclass(frozen=True)
class _Matching:
    """Lines and vias of a span class that are to be matched.

    Parameters
    ----------
    sides
        Two arrays ``(n,)``, the lines' members (indices, not nets) below and above.
    lines, vias
        ``(n,)`` their indices in the class.
    cells
        ``(n,)`` the vias' cells.
    """

    sides: tuple[NDArray[np.intp], NDArray[np.intp]]
    lines: NDArray[np.intp]
    vias: NDArray[np.intp]
    cells: NDArray[np.int32]


def _matchings(
    nets: Nets, members: NDArray[np.int32], target: NDArray[np.int32]
) -> list[_Matching]:
    """Return what is to be matched of each span class."""
    member_of = np.full(nets.count, ABSENT)
    member_of[members] = np.arange(len(members))
    found = []
    for span in nets.classes:
        lines = np.flatnonzero((target[span.lower] == OPEN) & (member_of[span.lower] != ABSENT))
        vias = np.flatnonzero(~np.isin(span.via_cells, target[span.lower]))
        sides = (member_of[span.lower[lines]], member_of[span.upper[lines]])
        found.append(_Matching(sides, lines, vias, span.via_cells[vias]))
    return found


def _steps(stride: int) -> NDArray[np.int32]:
    """Return ``(4,)`` what a step adds to a cell: along x, then along y."""
    return np.array([1, -1, stride, -stride], np.int32)


def _through_costs(
    nets: Nets,
    members: NDArray[np.int32],
    target: NDArray[np.int32],
    free: NDArray[np.bool_],
    allowed: NDArray[np.bool_] | None,
    matchings: list[_Matching],
) -> NDArray[np.float64]:
    """Return ``(members, 4, cells)`` cost of each member's cheapest path through an arc.

    The members are routed as if they were alone; `INFINITE` or more where there is no path.
    """
    to_vias = {}
    for matching in matchings:
        for side in matching.sides:
            if len(side):
                z = nets.layer[members[side[0]]]
                every = [_distances(cell, free[z], nets.stride) for cell in matching.cells]
                to_vias |= dict.fromkeys(side.tolist(), np.min(every, axis=0))
    through = np.empty((len(members), 4, nets.cells))
    for i, net in enumerate(members):
        z = nets.layer[net]
        passable = free[z] if allowed is None else free[z] & allowed[net]
        before = _distances(nets.source[net], passable, nets.stride)
        after = to_vias[i] if i in to_vias else _distances(target[net], passable, nets.stride)
        after = np.where(free[z] & ~passable, INFINITE, after)
        half = np.where(free[z], 0.5, 0.0)
        for direction, step in enumerate(_steps(nets.stride)):
            axis = direction // 2
            there = np.roll(half + after[axis], -step)
            through[i, direction] = before[axis] + half + there
    return through


def _distances(start: int, passable: NDArray[np.bool_], stride: int) -> NDArray[np.float64]:
    """Return ``(2, cells)`` cost from a cell to others, half of them included, to leave by axis."""
    cells = len(passable)
    dist = np.empty(2 * cells)
    search(
        start, -1, passable, np.where(passable, 0.5, 0.0), NO_TOLLS, stride, dist,
        np.empty(2 * cells, np.int32), np.empty(8 * cells), np.empty(8 * cells, np.int32),
    )  # fmt: skip
    entered = dist.reshape(cells, 2).T
    return np.minimum(entered, entered[::-1] + 1.0)


class _FlowModel:
    """The model of some nets.

    Parameters
    ----------
    usable
        ``(members, 4, cells)`` bool, the arcs that there are.
    """

    def __init__(
        self,
        nets: Nets,
        members: NDArray[np.int32],
        target: NDArray[np.int32],
        free: NDArray[np.bool_],
        matchings: list[_Matching],
        usable: NDArray[np.bool_],
    ) -> None:
        self.nets = nets
        self.members = members
        self.target = target
        self.free = free
        self.matchings = matchings
        self.usable = usable
        self.steps = _steps(nets.stride)
        self.passable = free[nets.layer[members]]
        self.cp = cp_model.CpModel()
        self._proto = self.cp.proto
        self._variables = 0
        self.leave = self._add_variables(usable)
        self.enter = np.stack(
            [np.roll(self.leave[:, d], self.steps[d], axis=1) for d in range(4)], axis=1
        )
        along = ((self.leave >= 0) | (self.enter >= 0)).reshape(len(members), 2, 2, -1).any(2)
        self.bend = self._add_variables(along.all(axis=1) & self.passable)
        self.match = [
            self._add_variables(np.ones((len(m.lines), len(m.vias)), np.bool_)) for m in matchings
        ]

    def build(self, upper: int | None, cuts: Sequence[Cut]) -> None:
        """Add all constraints and the objective."""
        self._leave_sources()
        self._reach_targets()
        self._reach_vias()
        self._match_vias()
        self._conserve_flow()
        self._pay_bends()
        self._share_cells()
        self._add_cuts(cuts)
        self._minimize_cost(upper)

    def _leave_sources(self) -> None:
        """Each net leaves its source once."""
        source = self.nets.source[self.members]
        self._add_rows(self.leave[np.arange(len(source)), :, source], 1, 1)

    def _reach_targets(self) -> None:
        """Each net whose target is settled enters it once."""
        target = self.target[self.members]
        settled = np.flatnonzero(target != OPEN)
        self._add_rows(self.enter[settled, :, target[settled]], 1, 1)

    def _reach_vias(self) -> None:
        """Both nets of a line enter the via that the line takes, and no other."""
        for matching, match in zip(self.matchings, self.match, strict=True):
            for side in matching.sides:
                enter = self.enter[side[:, None], :, matching.cells]
                rows = np.concatenate([enter, match[:, :, None]], axis=2).reshape(-1, 5)
                self._add_rows(rows, 0, 0, (1, 1, 1, 1, -1))

    def _match_vias(self) -> None:
        """Each line takes one via, and each via is taken by one line."""
        for match in self.match:
            self._add_rows(match, 1, 1)
            self._add_rows(match.T, 1, 1)

    def _conserve_flow(self) -> None:
        """A net leaves each free cell as often as it enters it."""
        net, cell = np.nonzero(self.passable & (self.leave >= 0).any(axis=1))
        rows = np.hstack([self.enter[net, :, cell], self.leave[net, :, cell]])
        self._add_rows(rows, 0, 0, (1, 1, 1, 1, -1, -1, -1, -1))

    def _pay_bends(self) -> None:
        """A net that enters a cell along an axis and does not leave it so bends, or vice versa."""
        net, cell = np.nonzero(self.bend >= 0)
        bend = self.bend[net, cell][:, None]
        enter, leave = self.enter[net, :2, cell], self.leave[net, :2, cell]
        if VARIANT == 0:
            self._add_rows(np.hstack([enter, leave, bend]), -2, 0, (1, 1, -1, -1, -1))
            self._add_rows(np.hstack([leave, enter, bend]), -2, 0, (1, 1, -1, -1, -1))
        elif VARIANT == 1:
            back = self._add_variables(np.ones((len(net), 1), bool))
            self.back = back
            self._add_rows(np.hstack([enter, leave, bend, back]), 0, 0, (1, 1, -1, -1, -1, 1))
        elif VARIANT == 2:
            enter2, leave2 = self.enter[net, 2:, cell], self.leave[net, 2:, cell]
            self._add_rows(np.hstack([enter, leave, bend]), -2, 0, (1, 1, -1, -1, -1))
            self._add_rows(np.hstack([enter2, leave2, bend]), -2, 0, (1, 1, -1, -1, -1))
        elif VARIANT == 3:  # exact turn: implied upper bound too
            enter2, leave2 = self.enter[net, 2:, cell], self.leave[net, 2:, cell]
            self._add_rows(np.hstack([enter, leave, bend]), -2, 0, (1, 1, -1, -1, -1))
            self._add_rows(np.hstack([leave, enter, bend]), -2, 0, (1, 1, -1, -1, -1))
            self._add_rows(np.hstack([enter, leave, bend]), 0, 3, (1, 1, 1, 1, -1))
            self._add_rows(np.hstack([enter2, leave2, bend]), 0, 3, (1, 1, 1, 1, -1))

    def _share_cells(self) -> None:
        """At most one net enters a free cell."""
        layer = self.nets.layer[self.members]
        for z in np.unique(layer):
            enter = self.enter[layer == z].reshape(-1, self.nets.cells)
            shared = self.free[z] & ((enter >= 0).sum(axis=0) > 1)
            self._add_rows(enter[:, shared].T, 0, 1)

    def _add_cuts(self, cuts: Sequence[Cut]) -> None:
        """Together, two nets take at least one of a crossing cut's edges."""
        member_of = {net: i for i, net in enumerate(self.members.tolist())}
        for cut in cuts:
            if all(net in member_of for net in cut.nets):
                arcs = []
                for net, edges in zip(cut.nets, cut.edges, strict=True):
                    axis, cell = np.unique(edges, axis=0).T
                    leave = self.leave[member_of[net]]
                    arcs += [leave[2 * axis, cell], leave[2 * axis + 1, cell + self.steps[2 * axis]]]
                self._add_rows(np.concatenate(arcs)[None], 1, len(np.concatenate(arcs)))

    def _minimize_cost(self, upper: int | None) -> None:
        """Inner cells plus bends are as few as possible, and not above ``upper``."""
        entered = self.enter[np.broadcast_to(self.passable[:, None], self.enter.shape)]
        paid = np.concatenate([entered[entered >= 0], self.bend[self.bend >= 0]])
        if VARIANT == 1: paid = np.concatenate([paid, self.back.ravel()])
        objective = self._proto.objective
        objective.vars.extend(paid.tolist())
        objective.coeffs.extend([1] * len(paid))
        if upper is not None:
            objective.domain.extend([0, upper])

    def _add_variables(self, wanted: NDArray[np.bool_]) -> NDArray[np.int32]:
        """Add a Boolean where one is wanted; return their indices, `ABSENT` elsewhere."""
        index = np.full(wanted.shape, ABSENT, np.int32)
        count = int(wanted.sum())
        index[wanted] = np.arange(self._variables, self._variables + count)
        self._variables += count
        for _ in range(count):
            self._proto.variables.add().domain.extend((0, 1))
        return index

    def _add_rows(
        self, rows: NDArray[np.int32], low: int, high: int, signs: Sequence[int] = ()
    ) -> None:
        """Add ``low <= sum(signs * row) <= high`` for each row of variables; no signs are ones."""
        present = rows != ABSENT
        stops = np.cumsum(present.sum(axis=1)).tolist()
        variables = rows[present].tolist()
        factors = np.broadcast_to(signs or 1, rows.shape)[present].tolist()
        for start, stop in pairwise([0, *stops]):
            linear = self._proto.constraints.add().linear
            linear.vars.extend(variables[start:stop])
            linear.coeffs.extend(factors[start:stop])
            linear.domain.extend((low, high))

    def add_hint(self, paths: Paths) -> None:
        """Start from an answer."""
        ones = []
        for i, path in enumerate(paths):
            moves = np.diff(path)
            direction = np.argmax(moves[:, None] == self.steps, axis=1)
            ones.append(self.leave[i, direction, path[:-1]])
            ones.append(self.bend[i, path[1:-1][moves[1:] != moves[:-1]]])
        for matching, match in zip(self.matchings, self.match, strict=True):
            ends = np.array([paths[i][-1] for i in matching.sides[0]], np.int32)
            ones.append(match[ends[:, None] == matching.cells])
        values = np.zeros(self._variables + 1, np.int64)
        values[np.concatenate(ones)] = 1  # ABSENT marks the last, which is no variable.
        self._proto.solution_hint.vars.extend(range(self._variables))
        self._proto.solution_hint.values.extend(values[:-1].tolist())

    def read(self, values: Sequence[int]) -> tuple[Paths, Assignment, int]:
        """Return the paths of a solution, without loops and detours, the vias and the cost."""
        taken = np.zeros(self.usable.shape, np.bool_)
        taken[self.usable] = values[: int(self.usable.sum())]
        paths = []
        for i, net in enumerate(self.members):
            direction, cell = np.nonzero(taken[i])
            after = dict(zip(cell.tolist(), (cell + self.steps[direction]).tolist(), strict=True))
            path = [int(self.nets.source[net])]
            while path[-1] in after:
                path.append(after[path[-1]])
            paths.append(_cut_short(path, self.steps.tolist()))
        assignment = []
        for span, matching in zip(self.nets.classes, self.matchings, strict=True):
            chosen = np.argmax(self.target[span.lower][:, None] == span.via_cells, axis=1)
            for line, i in zip(matching.lines, matching.sides[0], strict=True):
                chosen[line] = np.flatnonzero(span.via_cells == paths[i][-1])[0]
            assignment.append(chosen)
        return paths, tuple(assignment), sum(map(_cost, paths))


def _cut_short(path: list[int], steps: list[int]) -> NDArray[np.int32]:
    """Return a path that does not touch itself: at each cell, step to its last neighbour."""
    position = {cell: i for i, cell in enumerate(path)}
    short = [path[0]]
    while short[-1] != path[-1]:
        short.append(path[max(position.get(short[-1] + step, 0) for step in steps)])
    return np.array(short, np.int32)


def _cost(path: NDArray[np.int32]) -> int:
    """Return inner cells plus bends."""
    return len(path) - 2 + int(np.count_nonzero(np.diff(path, 2)))


class _Solve(cp_model.CpSolverSolutionCallback):
    """One solve of a model: what it has found so far, and who is told."""

    def __init__(
        self,
        model: _FlowModel,
        bound: int,
        on_answer: Callable[[Paths, Assignment, int], None] | None,
        on_bound: Callable[[int], None] | None,
    ) -> None:
        super().__init__()
        self.model = model
        self.bound = bound
        self.best: tuple[Paths, Assignment, int] | None = None
        self.on_answer = on_answer
        self.on_bound = on_bound

    def run(
        self,
        deadline: Deadline,
        should_stop: Callable[[], bool] | None,
        seed: int,
        config: FlowConfig,
        upper: int | None,
    ) -> FlowResult:
        """Solve, and say how it ended."""
        solver = cp_model.CpSolver()
        parameters = solver.parameters
        parameters.num_workers = 1
        parameters.random_seed = seed
        parameters.max_time_in_seconds = deadline.remaining()
        parameters.catch_sigint_signal = False  # The solver would end Python's own handling.
        parameters.linearization_level = config.linearization_level
        parameters.add_lp_constraints_lazily = config.add_lp_constraints_lazily
        parameters.symmetry_level = config.symmetry_level
        for k, v in EXTRA.items():
            setattr(parameters, k, v)
        solver.best_bound_callback = self._better_bound
        status = solver.solve(self.model.cp, self)
        print(status)
        if self.best is None:
            return FlowResult(Status.UNKNOWN, None, None, None, self.bound)
        return FlowResult(Status.FEASIBLE, *self.best, self.bound)

    def on_solution_callback(self) -> None:
        """Note a better answer."""
        answer = self.model.read(list(self.response_proto.solution))
        if self.best is None or answer[2] < self.best[2]:
            self.best = answer
            if self.on_answer is not None:
                self.on_answer(*answer)

    def _better_bound(self, value: float) -> None:
        """Note a better bound."""
        bound = ceil_bound(value)
        if bound > self.bound:
            self.bound = bound
            if self.on_bound is not None:
                self.on_bound(bound)
