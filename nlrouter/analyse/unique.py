"""Boards with only one answer: the proof, and how a board is made one.

Answers differ if any cell does. All that obey the rules count, whatever they cost and however
many cells they leave empty, so that hardly a board has only one; but a full board does once its
lines are cut at the right places.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.deadline import Deadline
from nlrouter.engine.exact.maxsat import MaxSat
from nlrouter.engine.exact.sat_clauses import writable
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.routing import NO_ANSWER
from nlrouter.generators import Made, NoBoard, Request, make
from nlrouter.grid import follow
from nlrouter.problem import Cell, Line, Problem
from nlrouter.puzzle.answers import Verdict, find_answers
from nlrouter.result import Status
from nlrouter.rule_sets import Rules
from nlrouter.strokes import Strokes


@dataclass(frozen=True)
class UniqueConfig:
    """Settings of the search."""

    board_seconds: float = 0.1
    """Work of making a board, for a `WorkClock`; ten times as much where lines are long."""
    shortest: int = 3
    """Cells that both parts of a cut line have where possible: with two, nothing is open."""
    least: int = 2
    """Cells that they have at least."""


class Another(NamedTuple):
    """What is known of answers besides one.

    Parameters
    ----------
    status
        `Status.INFEASIBLE` where it is proven that there is none; `Status.FEASIBLE` with another
        answer; or `Status.UNKNOWN`.
    answer
        Another answer, or None.
    differs
        The cells in which its lines run differently, or None.
    """

    status: Status
    answer: Answer | None = None
    differs: NDArray[np.bool_] | None = None


def another_answer(
    problem: Problem,
    answer: Answer,
    deadline: Deadline,
    *,
    rules: Rules = Rules.ADC,
) -> Another:
    """Look for an answer that differs from a known one.

    Parameters
    ----------
    problem
        The board.
    answer
        An answer to it that is correct by the contest's rules, and by ``rules`` as well.
    deadline
        When to stop. At once where so many lines share a span that it cannot be told.
    rules
        What makes an answer; on several layers, the contest's rules.
    """
    if problem.layers == 1:
        return _another_on_layer(problem, answer, deadline, rules)
    nets = nets_of(problem)
    if not writable(nets, most_cells=nets.free.size):  # However many cells: only vias take minutes.
        return Another(Status.UNKNOWN)
    search = MaxSat(nets)
    search.forbid(_paths(nets, answer))
    routing = search.any_routing(deadline)
    if routing is None:
        none = search.bound >= NO_ANSWER
        return Another(Status.INFEASIBLE if none else Status.UNKNOWN)
    other = nets.answer(routing.paths, routing.assignment)
    return Another(Status.FEASIBLE, other, other != answer)


def _another_on_layer(
    problem: Problem, answer: Answer, deadline: Deadline, rules: Rules
) -> Another:
    """Look for another answer on the only layer."""
    known = Strokes.between_equals(answer)
    found = find_answers(problem, rules, deadline, known=known)
    if found.differing is not None:
        return Another(Status.FEASIBLE, found.drawings[1].answer, found.differing[None])
    only = found.verdict is Verdict.ONLY_ONE
    return Another(Status.INFEASIBLE if only else Status.UNKNOWN)


def make_unique_board(request: Request, deadline: Deadline, rules: Rules = Rules.ADC) -> Made:
    """Make full boards until one has, after cuts, only one answer and the lines asked for.

    Parameters
    ----------
    request
        What the board is to be like.
    deadline
        When to give up.
    rules
        What makes an answer.

    Returns
    -------
    tuple
        The problem and its only answer.

    Raises
    ------
    ValueError
        If no board can be as asked for; `NoBoard` if none was found in time.
    """
    if isinstance(request.vias, float) and request.lines is not None:
        request = replace(request, vias=round(request.vias * request.lines))
    rng = random.Random(request.seed)
    seed, cut = request.seed, 0
    while not deadline.passed():
        # Begun with so many lines less as the last board needed cuts.
        least = request.vias if isinstance(request.vias, int) else 0
        lines = None if request.lines is None else max(1, least, request.lines - cut)
        deadline.work(UniqueConfig().board_seconds)
        try:
            problem, answer = make("full", replace(request, lines=lines, seed=seed))
        except NoBoard:
            if not cut:
                raise
            cut //= 2  # So few lines do not fill the board.
            continue
        status, problem, answer = make_unique(problem, answer, deadline, rules=rules, seed=seed)
        if status is Status.OPTIMAL and request.lines in (None, len(problem.lines)):
            return problem, answer
        if status is Status.UNKNOWN and not deadline.passed():
            found = f"{len(problem.vias)} lines across layers"
            raise NoBoard(f"found {found}, too many to tell whether a board has only one answer")
        cut = 0 if lines is None else len(problem.lines) - lines
        seed = rng.getrandbits(31)
    lines_asked = "" if request.lines is None else f" with {request.lines} lines"
    raise NoBoard(f"no full board{lines_asked} that has only one answer was found in time")


def make_unique(
    problem: Problem,
    answer: Answer,
    deadline: Deadline,
    *,
    rules: Rules = Rules.ADC,
    seed: int = 0,
) -> tuple[Status, Problem, Answer]:
    """Cut lines of a board in two until it has only one answer.

    Another answer shows where: at cells that it gives to other lines.

    Parameters
    ----------
    problem, answer
        The board and the answer that it is to keep.
    deadline
        When to stop.
    rules
        What makes an answer.
    seed
        Seed of the choice among the places for a cut.

    Returns
    -------
    tuple
        The board and its answer after the cuts, and `Status.OPTIMAL` if it is proven that there
        is no other; `Status.FEASIBLE` if there is, but no line left to cut; `Status.UNKNOWN` if
        the time is up.
    """
    config = UniqueConfig()
    rng = random.Random(seed)
    while True:
        another = another_answer(problem, answer, deadline, rules=rules)
        if another.status is Status.INFEASIBLE:
            return Status.OPTIMAL, problem, answer
        if another.differs is None:
            return Status.UNKNOWN, problem, answer
        cuts = _cuts(problem, answer, another.differs, config.shortest)
        cuts = cuts or _cuts(problem, answer, another.differs, config.least)
        if not cuts:
            return Status.FEASIBLE, problem, answer
        problem, answer = _cut(problem, answer, *rng.choice(cuts))


def _cuts(
    problem: Problem, answer: Answer, differs: NDArray[np.bool_], shortest: int
) -> list[tuple[int, Cell, Cell, Cell]]:
    """List the places where lines can be cut beside a cell that differs.

    Of each, the line, its end from which the cut is seen, and the cells before and after it.
    """
    cuts = []
    for line in problem.lines:
        for end in line.ends:
            if not line.crosses_layers and end != line.ends[0]:
                continue  # It would see the same cuts from the other side.
            path = follow(answer, end)
            for i in range(shortest, len(path) - shortest + 1):
                before, after = path[i - 1], path[i]
                if differs[before] or differs[after]:
                    cuts.append((line.number, end, before, after))
    return cuts


def _cut(
    problem: Problem, answer: Answer, number: int, end: Cell, before: Cell, after: Cell
) -> tuple[Problem, Answer]:
    """Make the part of a line from an end up to a cut a line of its own, the last one."""
    new = len(problem.lines) + 1
    path = follow(answer, end)
    answer = answer.copy()
    for cell in path[: path.index(after)]:
        answer[cell] = new
    first, second = problem.lines[number - 1].ends
    kept = (after, second) if first == end else (first, after)
    lines = list(problem.lines)
    lines[number - 1] = Line(number, kept)
    lines.append(Line(new, (end, before)))
    return replace(problem, lines=tuple(lines)), answer


def _paths(nets: Nets, answer: Answer) -> list[NDArray[np.int32]]:
    """Return the path of each net in an answer, as framed cells."""
    paths = []
    for net in range(nets.count):
        y, x = divmod(int(nets.source[net]), nets.stride)
        path = follow(answer, Cell(int(nets.layer[net]), y - 1, x - 1))
        framed = [(cell.y + 1) * nets.stride + cell.x + 1 for cell in path]
        paths.append(np.array(framed, np.int32))
    return paths
