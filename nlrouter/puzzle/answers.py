"""The answers of a board with one layer, by any rule set, and whether there is only one.

First a full board is looked for by a sweep, which is a matter of milliseconds, and if need be by a
satisfiability solver. Then another answer is looked for or refuted. By the rules ``adc`` and
``nikoli`` it is enough to look at one drawing of all that local moves make of each other, the
shortest and lowest (see `sweep`): any answer can be turned into such a one, so that where the only
one is full, no other answer can be; and where it is not, `flipped` and `lengthened` tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from math import inf

import numpy as np
from numpy.typing import NDArray
from pysat.solvers import Solver

from nlrouter.answer import Answer
from nlrouter.deadline import Deadline
from nlrouter.problem import Problem
from nlrouter.puzzle.clauses import Clauses
from nlrouter.puzzle.drawing import (
    answer_along,
    can_be_filled,
    ends_of,
    flipped,
    lengthened,
    shortened,
)
from nlrouter.puzzle.sweep import E, S, sweep
from nlrouter.rule_sets import Rules
from nlrouter.strokes import Strokes


@dataclass(frozen=True)
class AnswersConfig:
    """Settings of the search."""

    full_nodes: tuple[int, ...] = (20_000, 200_000, 1_000_000)
    """Cells that a sweep for a full board fills, round by round, for each turn of the board: of
    well made puzzles up to 25x40 the first round or two find it."""
    lowest_nodes: tuple[int, ...] = (5_000, 50_000, 2_000_000)
    """The same of a sweep for another answer, which may leave cells empty. Between the last two
    rounds the solver has its `first_conflicts`."""
    most_wide: int = 12
    """Columns of a board up to which the last of those rounds is tried: its states grow with them,
    while a strip of 10x310 is nothing to it."""
    full_conflicts: int = 50_000
    """Conflicts until the solver gives up filling a board: 50x50 takes 10,000."""
    first_conflicts: int = 20_000
    """Conflicts until a sweep of the last round has its turn."""
    slice_conflicts: int = 1_000
    """Conflicts between two looks at the clock: some hundredths of a second."""
    node_seconds: float = 6e-8
    """Work of a sweep for a cell, for a `WorkClock`."""
    conflict_seconds: float = 5e-5
    """Work of the solver for a conflict."""
    clause_seconds: float = 2e-6
    """Work of making a clause."""
    solver: str = "glucose4"
    """The solver. CaDiCaL 1.9.5 takes 1.1 to 2 times as long for the proofs of eight boards."""


class Verdict(StrEnum):
    """What is known of a board's answers."""

    ONLY_ONE = "only one answer"
    SEVERAL = "several answers"
    NONE = "no answer"
    NOT_KNOWN = "not known"


@dataclass(frozen=True, eq=False)
class Drawing:
    """An answer: the numbers of its cells, and where its lines run.

    Parameters
    ----------
    answer
        ``(1, height, width)`` line numbers, 0 where empty.
    strokes
        The sides that lines cross. By the rules ``adc`` the numbers tell them.
    """

    answer: Answer
    strokes: Strokes


@dataclass(frozen=True, eq=False)
class Answers:
    """Answers of a board, and what is known of there being others.

    Parameters
    ----------
    verdict
        What is proven.
    drawings
        Different answers, as many as were asked for or found.
    """

    verdict: Verdict
    drawings: tuple[Drawing, ...]

    @property
    def differing(self) -> NDArray[np.bool_] | None:
        """Mark the cells, ``(height, width)``, in which lines of two answers run differently."""
        if len(self.drawings) < 2:
            return None
        first, second = self.drawings[:2]
        return first.strokes.cells_that_differ(second.strokes)


def find_answers(
    problem: Problem,
    rules: Rules,
    deadline: Deadline,
    *,
    limit: int = 2,
    known: Strokes | None = None,
    config: AnswersConfig = AnswersConfig(),
) -> Answers:
    """Look for answers, whatever they cost, until there are enough or no others.

    Parameters
    ----------
    problem
        The board, of one layer.
    rules
        What makes an answer.
    deadline
        When to stop; it may pass by a fraction of a second.
    limit
        How many different answers are enough. With 1, only that there is none is ever proven.
    known
        Where the lines of a correct answer run, if there is one already.
    config
        Settings.
    """
    search = _Search(problem, rules, deadline, limit, config)
    if known is not None:
        search.take(known)
    verdict = search.run()
    return Answers(
        verdict,
        tuple(Drawing(answer_along(search.ends, found), found) for found in search.found),
    )


class Refutation:
    """Refutes, slice by slice, that a board of one layer has another answer than one known.

    The only answer by the contest's rules is the cheapest.

    Parameters
    ----------
    problem
        The board.
    answer
        Its answer, correct by the contest's rules.
    config
        Settings.
    """

    def __init__(
        self, problem: Problem, answer: Answer, config: AnswersConfig = AnswersConfig()
    ) -> None:
        self._search = _Search(problem, Rules.ADC, Deadline(0.0), 2, config)
        self._search.take(Strokes.between_equals(answer))

    def step(self, deadline: Deadline) -> Verdict:
        """Go on until a deadline, which may pass by a fraction of a second."""
        self._search.deadline = deadline
        if self.other is None and self._search.lowest():
            return Verdict.ONLY_ONE
        return Verdict.NOT_KNOWN if self.other is None else Verdict.SEVERAL

    @property
    def other(self) -> Answer | None:
        """Another answer, whatever it costs, if one was come upon."""
        search = self._search
        return answer_along(search.ends, search.found[1]) if search.enough else None


def _turned(flip: bool, quarters: int, board: NDArray[np.int64]) -> NDArray[np.int64]:
    """Turn a board by quarters, and mirror it if asked to."""
    return np.rot90(board[:, ::-1] if flip else board, quarters)


TURNS: tuple[Callable[[NDArray[np.int64]], NDArray[np.int64]], ...] = tuple(
    partial(_turned, flip, quarters) for quarters in range(4) for flip in (False, True)
)
"""The turned and mirrored boards."""


class _Search:
    """The answers found so far."""

    def __init__(
        self,
        problem: Problem,
        rules: Rules,
        deadline: Deadline,
        limit: int,
        config: AnswersConfig,
    ) -> None:
        self.ends = ends_of(problem)
        self.rules = rules
        self.deadline = deadline
        self.limit = limit
        self.config = config
        self.found: list[Strokes] = []
        self._steps = self._lowest_steps()

    def run(self) -> Verdict:
        """Find answers; return what is known in the end."""
        none_is_full = self._fill()
        flow = self.rules is Rules.FLOW
        if not (self.found or none_is_full or flow):
            _Solver(self, lowest=True, full=True).run(self.config.full_conflicts)
        complete = flow and not (self.found or can_be_filled(self.ends))
        if not (self.enough or complete):
            complete = self._all() if flow or self.limit > 2 else self.lowest()
        if len(self.found) > 1:
            return Verdict.SEVERAL
        if not complete:
            return Verdict.NOT_KNOWN
        return Verdict.ONLY_ONE if self.found else Verdict.NONE

    @property
    def enough(self) -> bool:
        """Whether as many answers are found as were asked for."""
        return len(self.found) >= self.limit

    def take(self, strokes: Strokes) -> None:
        """Keep an answer that is another than those found before."""
        if self.rules is Rules.ADC:
            strokes = shortened(self.ends, strokes)
        if not self.enough and all(strokes.cells_that_differ(one).any() for one in self.found):
            self.found.append(strokes)

    def _fill(self) -> bool:
        """Sweep for an answer that fills the board; return whether there is proven to be none."""
        if not can_be_filled(self.ends):
            return True
        for nodes in self.config.full_nodes:
            for complete in self._sweeps(nodes, full=True):
                if self.found or complete:
                    return not self.found
        return False

    def _sweeps(self, nodes: int, *, full: bool) -> Iterator[bool]:
        """Sweep the board in each direction that suits, and keep the answers.

        Yields whether there is at most one drawing of the kind, and it is kept.
        """
        numbers = np.arange(self.ends.size).reshape(self.ends.shape)
        for turn in TURNS:
            ends, cells = turn(self.ends), turn(numbers)
            if ends.shape[1] > ends.shape[0] or self.deadline.passed():
                continue
            result = sweep(ends, full=full, most_nodes=nodes, most_found=min(2, self.limit))
            self.deadline.work(self.config.node_seconds * result.nodes)
            for sides in result.sides:
                self.take(_strokes(cells, sides.reshape(cells.shape), self.ends.shape))
            yield result.complete

    def lowest(self) -> bool:
        """Look for another of the lowest drawings; return whether there is proven to be none.

        Where the time is up, the next call goes on from there.
        """
        for complete in self._steps:
            if complete or self.enough:
                return complete and self._moved()
            if self.deadline.passed():
                break
        return False

    def _lowest_steps(self) -> Iterator[bool]:
        """Take one step after another, without end; yield whether there is no other drawing."""
        *first, last = self.config.lowest_nodes
        for nodes in first:
            yield from self._sweeps(nodes, full=False)
        solver = _Solver(self, lowest=True, full=False)
        yield solver.run(self.config.first_conflicts)
        if min(self.ends.shape) <= self.config.most_wide:
            yield from self._sweeps(last, full=False)
        while True:
            yield solver.run(self.config.first_conflicts)

    def _moved(self) -> bool:
        """Move lines of the only lowest drawing; return whether there is proven to be no other."""
        if not self.found or self.enough or answer_along(self.ends, self.found[0]).all():
            return not self.enough
        longer = lengthened(self.ends, self.found[0])
        other = flipped(self.ends, self.found[0]) or (
            longer if self.rules is Rules.NIKOLI else None
        )
        if other is not None:
            self.take(other)
            return False
        return longer is None or self._all()

    def _all(self) -> bool:
        """Look for all answers, one by one; return whether there is proven to be no other."""
        return _Solver(self, lowest=False, full=False).run()


class _Solver:
    """A satisfiability solver that looks for answers other than those found."""

    def __init__(self, search: _Search, *, lowest: bool, full: bool) -> None:
        self._search = search
        self._clauses = Clauses(search.ends, search.rules, lowest=lowest, full=full)
        self._told = 0  # Answers that it knows of.
        config = search.config
        self._solver = Solver(name=config.solver)
        for block in self._clauses.blocks:
            search.deadline.work(config.clause_seconds * len(block))
            self._solver.append_formula(block.tolist(), no_return=True)

    def run(self, most: float = inf) -> bool:
        """Find answers until there are enough; return whether there is proven to be no other.

        Parameters
        ----------
        most
            Conflicts until it pauses.
        """
        search, config = self._search, self._search.config
        conflicts = 0
        while conflicts < most and not (search.enough or search.deadline.passed()):
            for strokes in search.found[self._told :]:
                self._solver.add_clause([-side for side in self._clauses.crossed(strokes)])
            self._told = len(search.found)
            before = self._solver.accum_stats()["conflicts"]
            self._solver.conf_budget(config.slice_conflicts)
            solved = self._solver.solve_limited()
            spent = 1 + self._solver.accum_stats()["conflicts"] - before
            search.deadline.work(config.conflict_seconds * spent)
            conflicts += spent
            if solved is False:
                return True
            if solved:
                strokes, loops = self._clauses.read(self._solver.get_model())
                if loops and search.rules is Rules.FLOW:
                    for loop in loops:
                        self._solver.add_clause([-side for side in loop])
                else:
                    self._solver.add_clause([-side for side in self._clauses.crossed(strokes)])
                    search.take(strokes)
        return False


def _strokes(cells: NDArray[np.int64], sides: NDArray[np.int64], shape: tuple[int, ...]) -> Strokes:
    """Return what a sweep drew on a turned board, whose cells have these numbers on the board."""
    strokes = Strokes.none(*shape)
    for side, first, second in (E, cells[:, :-1], cells[:, 1:]), (S, cells[:-1], cells[1:]):
        crossed = sides[: first.shape[0], : first.shape[1]] & side != 0
        for one, other in zip(first[crossed].tolist(), second[crossed].tolist(), strict=True):
            strokes.join(divmod(one, shape[1]), divmod(other, shape[1]))
    return strokes
