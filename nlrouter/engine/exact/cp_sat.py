"""The board as an integer program, solved by CP-SAT: the plainest exact model of what is asked for.

To be read first: everything else in the engine finds or proves the same in other ways, and is
tested against this. A *net* is the piece of a line on one layer (see ``nets``). For each net there
is a Boolean per *arc*, a step from a cell to a neighbour, and the taken arcs are a flow of one
unit from the net's source to its target (multicommodity flow):

- *path connectivity*: one arc leaves the source, one enters the target, and what enters a free cell
  leaves it; at most one arc of all nets enters a free cell, so that paths do not meet;
- *vias*: a Boolean per line and via of its span, one for each line and one for each via; both nets
  of a line end in the via that the line takes;
- *cost*: a path pays 1 for each free cell that it enters and 1 for each bend, which is a Boolean
  per net and cell: it must hold where the net enters along one axis and leaves along the other.

The flow may hold loops apart from the paths. They cost, so that an optimal one has none; those of
other solutions are left out when the paths are read.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from queue import Empty, SimpleQueue

import numpy as np
from numpy.typing import NDArray
from ortools.sat.python import cp_model

from nlrouter.deadline import Deadline
from nlrouter.engine.exact.config import FlowConfig
from nlrouter.engine.nets.nets import OPEN, Nets
from nlrouter.engine.nets.routing import NO_ANSWER, Routing
from nlrouter.engine.paths.shortcut import cut_short
from nlrouter.result import ceil_bound

Paths = Sequence[NDArray[np.int32] | None]
"""The cells of each net's path, its ends included; None where it is not known."""


@dataclass(frozen=True)
class Known:
    """What is known of some nets.

    Parameters
    ----------
    routing
        The best routing found, or None.
    bound
        No routing costs less: inner cells and bends. `NO_ANSWER` where there is none at all.
    """

    routing: Routing | None
    bound: int


class CpSatModel:
    """Variables, constraints and objective for some nets.

    Parameters
    ----------
    nets
        The nets. Those of a line over two layers may have open targets, or a via for a target.
    """

    def __init__(self, nets: Nets) -> None:
        self.program = cp_model.CpModel()
        self._nets = nets
        self._steps = (1, -1, nets.stride, -nets.stride)  # Along x, then along y.
        self._arcs: list[dict[tuple[int, int], cp_model.IntVar]] = []
        self._bends: list[dict[int, cp_model.IntVar]] = []
        self._entered: defaultdict[tuple[int, int], list[cp_model.IntVar]] = defaultdict(list)
        self._takes = [self._matching(len(span.vias)) for span in nets.classes]

    def _matching(self, count: int) -> list[list[cp_model.IntVar]]:
        """Each line of a class takes one via, and each via is taken by one line."""
        takes = [[self._boolean() for _ in range(count)] for _ in range(count)]
        for row in (*takes, *zip(*takes, strict=True)):
            self.program.add_exactly_one(row)
        return takes

    def add_net(self, net: int) -> None:
        """Add the flow of the next net, and what it costs."""
        nets, program = self._nets, self.program
        free, source = nets.free[nets.layer[net]], int(nets.source[net])
        goals = self._goals(net)
        arcs = {
            (cell, cell + step): self._boolean()
            for cell in (source, *np.flatnonzero(free).tolist())
            for step in self._steps
            if free[cell + step] or cell + step in goals
        }
        # By cell and axis, 0 for x and 1 for y.
        leaving: defaultdict[tuple[int, int], list[cp_model.IntVar]] = defaultdict(list)
        entering: defaultdict[tuple[int, int], list[cp_model.IntVar]] = defaultdict(list)
        for (cell, following), arc in arcs.items():
            axis = int(abs(following - cell) != 1)
            leaving[cell, axis].append(arc)
            entering[following, axis].append(arc)
        program.add_exactly_one(leaving[source, 0] + leaving[source, 1])
        for cell, reached in goals.items():
            program.add(sum(entering[cell, 0] + entering[cell, 1]) == reached)
        bends = {}
        for cell in np.flatnonzero(free).tolist():
            in_x, in_y, out_x, out_y = (
                sum(flow[cell, axis]) for flow in (entering, leaving) for axis in (0, 1)
            )
            program.add(in_x + in_y == out_x + out_y)
            bends[cell] = self._boolean()
            program.add(in_x - out_x <= bends[cell])
            program.add(out_x - in_x <= bends[cell])
            self._entered[int(nets.layer[net]), cell] += entering[cell, 0] + entering[cell, 1]
        self._arcs.append(arcs)
        self._bends.append(bends)

    def _goals(self, net: int) -> dict[int, cp_model.IntVar | int]:
        """Return the cells where a net may end, each with whether it does."""
        goals: dict[int, cp_model.IntVar | int] = {}
        for span, takes in zip(self._nets.classes, self._takes, strict=True):
            for side in (span.lower, span.upper):
                for line in np.flatnonzero(side == net):
                    goals = dict(zip(span.via_cells.tolist(), takes[line], strict=True))
        target = int(self._nets.target[net])
        if target in goals:
            self.program.add(goals[target] == 1)
        return goals if target == OPEN or target in goals else {target: 1}

    def finish(self) -> None:
        """Keep the nets apart, and ask for the least cost, once all nets are there."""
        for arcs in self._entered.values():
            self.program.add_at_most_one(arcs)
        entered = [arc for arcs in self._entered.values() for arc in arcs]
        bends = [bend for of_net in self._bends for bend in of_net.values()]
        self.program.minimize(sum(entered + bends))

    def hint(self, paths: Paths) -> None:
        """Have the search start from some paths."""
        for path, arcs, bends in zip(paths, self._arcs, self._bends, strict=True):
            if path is not None:
                cells = path.tolist()
                taken = set(pairwise(cells))
                for pair, arc in arcs.items():
                    self.program.add_hint(arc, pair in taken)
                bent = set(path[1:-1][np.diff(path, 2) != 0].tolist())
                for cell, bend in bends.items():
                    self.program.add_hint(bend, cell in bent)

    def read(self, solution: Sequence[int]) -> Routing:
        """Return the routing of a solution, without its loops and detours."""
        paths = []
        for source, arcs in zip(self._nets.source.tolist(), self._arcs, strict=True):
            after = {cell: following for (cell, following), arc in arcs.items()
                     if solution[arc.index]}  # fmt: skip
            path = [source]
            while path[-1] in after:
                path.append(after[path[-1]])
            paths.append(cut_short(path, self._steps))
        assignment = tuple(
            np.array([[solution[take.index] for take in row] for row in takes]).argmax(axis=1)
            for takes in self._takes
        )
        return Routing.along(paths, assignment)

    def _boolean(self) -> cp_model.IntVar:
        return self.program.new_bool_var("")


def size_of(nets: Nets) -> int:
    """Return about how many arcs the model of some nets has."""
    return 4 * int(nets.free.sum(axis=1)[nets.layer].sum())


def solve(
    nets: Nets,
    deadline: Deadline,
    *,
    start: Paths | None = None,
    seed: int = 0,
    config: FlowConfig | None = None,
) -> Generator[Known, None, None]:
    """Route some nets at the least cost.

    Parameters
    ----------
    nets
        The nets, all of which are routed.
    deadline
        When to stop.
    start
        Paths to start from.
    seed
        Random seed of the solver.
    config
        Settings.

    Yields
    ------
    Known
        What is known: whenever it is more than before, now and then in between, and at the end.
        The solver works on in a thread of its own until the deadline, or until this is closed.
    """
    config = config or FlowConfig()
    known = Known(None, 0)
    yield known
    model = CpSatModel(nets)
    for net in range(nets.count):
        if deadline.passed():
            return
        model.add_net(net)
        yield known
    model.finish()
    if start is not None:
        model.hint(start)
    solver = _solver(config, seed, deadline)
    news: SimpleQueue[Sequence[int] | float] = SimpleQueue()
    solver.best_bound_callback = news.put
    with ThreadPoolExecutor(1) as pool:
        run = pool.submit(solver.solve, model.program, _Listener(news))
        try:
            while not (run.done() and news.empty()):
                try:
                    known = _taken_up(known, model, news.get(timeout=config.poll_seconds))
                except Empty:
                    if deadline.stopped():
                        solver.stop_search()
                yield known
        finally:
            _end(run, solver, config.poll_seconds)
    deadline.work(solver.response_proto.deterministic_time)
    status = run.result()
    assert status != cp_model.MODEL_INVALID
    if status == cp_model.INFEASIBLE:
        known = Known(None, NO_ANSWER)
    elif status == cp_model.OPTIMAL:
        known = _taken_up(known, model, solver.best_objective_bound)
    yield known


def _taken_up(known: Known, model: CpSatModel, news: Sequence[int] | float) -> Known:
    """Return what is known after a solution or a bound."""
    if isinstance(news, float):
        return Known(known.routing, max(known.bound, ceil_bound(news)))
    routing = model.read(news)
    if known.routing is None or routing.cost < known.routing.cost:
        return Known(routing, known.bound)
    return known


def _end(run: Future[cp_model.CpSolverStatus], solver: cp_model.CpSolver, seconds: float) -> None:
    """Have a run end; it is told again each time, as it may not have begun."""
    while not run.done():
        solver.stop_search()
        try:
            run.result(timeout=seconds)
        except TimeoutError:
            continue


def _solver(config: FlowConfig, seed: int, deadline: Deadline) -> cp_model.CpSolver:
    """Return a solver with all its settings."""
    solver = cp_model.CpSolver()
    parameters = solver.parameters
    # Several share the cores with heuristics that do not prove; these settings decide everything.
    parameters.num_workers = 1
    parameters.random_seed = seed
    if deadline.counts_work:
        parameters.max_deterministic_time = deadline.remaining()
    else:
        parameters.max_time_in_seconds = deadline.remaining()
    # The solver's own handling of an interrupt would put an end to Python's.
    parameters.catch_sigint_signal = False
    parameters.linearization_level = config.linearization_level
    parameters.add_lp_constraints_lazily = config.add_lp_constraints_lazily
    return solver


class _Listener(cp_model.CpSolverSolutionCallback):
    """Passes solutions on."""

    def __init__(self, news: SimpleQueue[Sequence[int] | float]) -> None:
        super().__init__()
        self._news = news

    def on_solution_callback(self) -> None:
        """Pass on the values of all variables."""
        self._news.put(list(self.response_proto.solution))
