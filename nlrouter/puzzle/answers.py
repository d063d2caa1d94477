"""The answers of a board with one layer, by any rule set, and whether there is only one.

First a full board is looked for by a sweep, which is a matter of milliseconds, and if need be by a
satisfiability solver. Then another answer is looked for or refuted. By the rules ``adc`` and
``nikoli`` it is enough to look at one drawing of all that local moves make of each other, the
shortest and lowest (see `sweep`): any answer can be turned into such a one, so that where the only
one is full, no other answer can be, by ``flow`` neither; and where it is not, `flipped` and
`lengthened` tell.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from functools import partial
from itertools import islice, takewhile
from math import inf

import numpy as np
from numpy.typing import NDArray
from pysat.solvers import Solver

from nlrouter.answer import Answer
from nlrouter.certificate import PuzzleCertificate
from nlrouter.deadline import Deadline
from nlrouter.problem import Problem
from nlrouter.puzzle.clauses import Clauses
from nlrouter.puzzle.drawing import (
    Ends,
    answer_along,
    can_be_filled,
    ends_of,
    flipped,
    lengthened,
    shortened,
    unfilled,
)
from nlrouter.puzzle.laying import LayingConfig, lay
from nlrouter.puzzle.sweep import E, S, sweep
from nlrouter.rule_sets import Rules
from nlrouter.strokes import Strokes


@dataclass(frozen=True)
class AnswersConfig:
    """Settings of the search."""

    full_nodes: tuple[int, ...] = (20_000,)
    """Cells that a sweep for a full board fills, round by round, for each turn of the board: of
    well made puzzles up to 20x20 it is found. Of 25x42 to 50x50 the solver then has it in 0.04 to
    0.4 s, with rounds of 200,000 and a million before it in 0.06 to 0.8."""
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
    node_seconds: float = 5e-8
    """Work of a sweep for a cell, for a `WorkClock`."""
    conflict_seconds: float = 3e-5
    """Work of the solver for a conflict."""
    clause_seconds: float = 8e-7
    """Work of making a clause."""
    laying: LayingConfig = field(default_factory=LayingConfig)
    """First answers that leave cells empty."""
    solver: str = "glucose4"
    """The solver for answers. CaDiCaL 1.9.5 takes 1.1 to 3 times as long to fill large boards."""
    refuter: str = "cadical195"
    """The solver for another lowest drawing, once one is known: mostly there is none. Glucose 4
    takes 1.1 to 2 times as long for nine boards from 15x15 to 25x42, and 0.8 for two that are
    done in 0.2 s; but for 10x310, with many answers, it takes 0.7 s where this takes 3.3."""


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
    certificate
        What shows that there is none, or no other, if that was asked for and is known.
    """

    verdict: Verdict
    drawings: tuple[Drawing, ...]
    certificate: PuzzleCertificate | None = None

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
    search = Search(ends_of(problem), rules, limit, config)
    if known is not None:
        search.take(known)
    search.step(deadline)
    return Answers(
        search.verdict,
        tuple(Drawing(answer_along(search.ends, found), found) for found in search.found),
    )


def _turned(flip: bool, quarters: int, board: NDArray[np.int64]) -> NDArray[np.int64]:
    """Turn a board by quarters, and mirror it if asked to."""
    return np.rot90(board[:, ::-1] if flip else board, quarters)


TURNS: tuple[Callable[[NDArray[np.int64]], NDArray[np.int64]], ...] = tuple(
    partial(_turned, flip, quarters) for quarters in range(4) for flip in (False, True)
)
"""The turned and mirrored boards."""


class Search:
    """A search for answers that can be interrupted and go on.

    Parameters
    ----------
    ends
        The ends and walls.
    rules
        What makes an answer.
    limit
        How many different answers are enough.
    config
        Settings.

    Attributes
    ----------
    found
        Where the lines of the answers found so far run.
    """

    def __init__(
        self, ends: Ends, rules: Rules, limit: int = 2, config: AnswersConfig = AnswersConfig()
    ) -> None:
        self.ends = ends
        self.rules = rules
        self.limit = limit
        self.config = config
        self.found: list[Strokes] = []
        self.deadline = Deadline(0.0)
        self._pieces = self._work()
        self._complete = False

    @property
    def verdict(self) -> Verdict:
        """What is known."""
        if len(self.found) > 1:
            return Verdict.SEVERAL
        if not self._complete:
            return Verdict.NOT_KNOWN
        return Verdict.ONLY_ONE if self.found else Verdict.NONE

    @property
    def done(self) -> bool:
        """Whether as many answers are found as were asked for, or there are no others."""
        return self._complete or len(self.found) >= self.limit

    def step(self, deadline: Deadline) -> None:
        """Go on until a deadline, which may pass by a fraction of a second."""
        self.deadline = deadline
        while not (self.done or deadline.passed()):
            self._complete = next(self._pieces, None) is None

    def take(self, strokes: Strokes) -> None:
        """Keep an answer that is another than those found before."""
        if self.rules is Rules.ADC:
            strokes = shortened(self.ends, strokes)
        new = all(strokes.cells_that_differ(one).any() for one in self.found)
        if new and len(self.found) < self.limit:
            self.found.append(strokes)

    def _work(self) -> Iterator[bool]:
        """Do one piece of work after another, to the proof that there is no other answer."""
        flow = self.rules is Rules.FLOW
        if can_be_filled(self.ends):
            yield from self._fill()
        elif flow:
            return
        if flow and self.found:
            # It is the only one that fills the board where no other by looser rules does not.
            looser = Search(self.ends, Rules.NIKOLI, 2, self.config)
            looser.take(self.found[0])
            yield from looser._pauses(self)
            if looser.verdict is Verdict.ONLY_ONE:
                return
            for strokes in looser.found:
                if not unfilled(self.ends, strokes):
                    self.take(strokes)
        if flow or self.limit > 2:
            yield from self._all()
            return
        yield from _until_complete(self._lowest())
        # Of the kind looked for there is the one found, or none.
        if not self.found or not unfilled(self.ends, self.found[0]):
            return
        longer = lengthened(self.ends, self.found[0])
        other = flipped(self.ends, self.found[0]) or (
            longer if self.rules is Rules.NIKOLI else None
        )
        if other is not None:
            self.take(other)
        elif longer is not None:
            yield from self._all()

    def _pauses(self, other: Search) -> Iterator[bool]:
        """Go on to the end, piece by piece, as a part of another search."""
        while not self.done:
            self.deadline = other.deadline
            self._complete = next(self._pieces, None) is None
            yield False

    def _fill(self) -> Iterator[bool]:
        """Look for an answer that fills the board, until there is one or is likely to be none."""
        for nodes in self.config.full_nodes:
            for complete in self._sweeps(nodes, full=True):
                yield False
                if self.found or complete:
                    return
        if self.rules is not Rules.FLOW:
            yield from _Solver(self, lowest=True, full=True).run(self.config.full_conflicts)

    def _lowest(self) -> Iterator[bool]:
        """Look for the lowest drawings; yield whether all of them are found."""
        *first, last = self.config.lowest_nodes
        for nodes in first:
            yield from self._sweeps(nodes, full=False)
        solver = _Solver(self, lowest=True, full=False)
        laid = self._laid()
        yield from _by_turns(solver.run(self.config.first_conflicts), laid)
        if min(self.ends.shape) <= self.config.most_wide:
            yield from self._sweeps(last, full=False)
        yield from _by_turns(solver.run(), laid)

    def _laid(self) -> Iterator[bool]:
        """Lay lines, try by try, until there is an answer."""
        config = self.config
        for strokes, clauses, conflicts in lay(self.ends, self.rules, config.laying):
            self.deadline.work(
                config.clause_seconds * clauses + config.conflict_seconds * conflicts
            )
            if strokes is not None:
                self.take(strokes)
            yield False
            if self.found:
                return

    def _all(self) -> Iterator[bool]:
        """Look for all answers, one by one."""
        return _until_complete(_Solver(self, lowest=False, full=False).run())

    def _sweeps(self, nodes: int, *, full: bool) -> Iterator[bool]:
        """Sweep the board in each direction that suits, and keep the answers.

        Yields whether there is at most one drawing of the kind, and it is kept.
        """
        numbers = np.arange(self.ends.size).reshape(self.ends.shape)
        for turn in TURNS:
            ends, cells = turn(self.ends), turn(numbers)
            if ends.shape[1] > ends.shape[0]:
                continue
            result = sweep(ends, full=full, most_nodes=nodes, most_found=min(2, self.limit))
            self.deadline.work(self.config.node_seconds * result.nodes)
            for sides in result.sides:
                self.take(_strokes(cells, sides.reshape(cells.shape), self.ends.shape))
            yield result.complete


def _until_complete(pieces: Iterator[bool]) -> Iterator[bool]:
    """Do pieces of work until one tells that this was all."""
    return takewhile(lambda complete: not complete, pieces)


def _by_turns(pieces: Iterator[bool], others: Iterator[bool]) -> Iterator[bool]:
    """Do a piece of work of other kind after each of some, as long as there are."""
    for complete in pieces:
        yield complete
        yield from islice(others, 1)


class _Solver:
    """A satisfiability solver that looks for answers other than those found."""

    def __init__(self, search: Search, *, lowest: bool, full: bool) -> None:
        self._search = search
        self._clauses = Clauses(search.ends, search.rules, lowest=lowest, full=full)
        self._told = 0  # Answers that it knows of.
        config = search.config
        refutes = lowest and bool(search.found)
        self._solver = Solver(name=config.refuter if refutes else config.solver)
        for block in self._clauses.blocks:
            search.deadline.work(config.clause_seconds * len(block))
            self._solver.append_formula(block.tolist(), no_return=True)

    def run(self, most: float = inf) -> Iterator[bool]:
        """Find answers, slice by slice; yield whether there is proven to be no other.

        Parameters
        ----------
        most
            Conflicts until it pauses.
        """
        search, config = self._search, self._search.config
        complete = False
        while most > 0 and not complete:
            for strokes in search.found[self._told :]:
                self._forbid(self._clauses.crossed(strokes))
            self._told = len(search.found)
            before = self._solver.accum_stats()["conflicts"]
            self._solver.conf_budget(config.slice_conflicts)
            solved = self._solver.solve_limited()
            spent = 1 + self._solver.accum_stats()["conflicts"] - before
            search.deadline.work(config.conflict_seconds * spent)
            most -= spent
            if solved:
                self._read()
            complete = solved is False
            yield complete

    def _read(self) -> None:
        """Keep the answer of a model, and look no more for what is in it."""
        strokes, loops = self._clauses.read(self._solver.get_model())
        if loops and self._search.rules is Rules.FLOW:
            for loop in loops:
                self._forbid(loop)
        else:
            self._forbid(self._clauses.crossed(strokes))
            self._search.take(strokes)

    def _forbid(self, sides: list[int]) -> None:
        """Let no further answer cross all of some sides."""
        self._solver.add_clause([-side for side in sides])


def _strokes(cells: NDArray[np.int64], sides: NDArray[np.int64], shape: tuple[int, ...]) -> Strokes:
    """Return what a sweep drew on a turned board, whose cells have these numbers on the board."""
    strokes = Strokes.none(*shape)
    for side, first, second in (E, cells[:, :-1], cells[:, 1:]), (S, cells[:-1], cells[1:]):
        crossed = sides[: first.shape[0], : first.shape[1]] & side != 0
        for one, other in zip(first[crossed].tolist(), second[crossed].tolist(), strict=True):
            strokes.join(divmod(one, shape[1]), divmod(other, shape[1]))
    return strokes
