"""Routes a board: the search, with a checker at its door.

What the engine says of its answers is not believed here: an answer counts once it has passed
the checker, a status once cost and bound support it.
"""

from __future__ import annotations

import logging
import os
import signal
import threading
import warnings
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from importlib import import_module
from math import inf
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from nlrouter.answer import Answer, as_answer
from nlrouter.arguments import positive_seconds, whole_number
from nlrouter.certificate import Certificate
from nlrouter.checker.usable import usable
from nlrouter.cores import cores
from nlrouter.deadline import WALL, Deadline, WorkClock
from nlrouter.engine.task import Task
from nlrouter.engines import Engine, EngineName, engine_named
from nlrouter.files.errors import FileError
from nlrouter.keep.history import History
from nlrouter.keep.store import AnswerStore, WrongAnswer
from nlrouter.notebook import svg_of
from nlrouter.problem import Problem
from nlrouter.result import Observer, Outcome, Progress, Standing, unobserved
from nlrouter.signals import stop_on_signals
from nlrouter.stopping import Ends
from nlrouter.tally import Tallies

if TYPE_CHECKING:
    from nlrouter.engine.config import RouterConfig

LOG = logging.getLogger("nlrouter")


@dataclass(frozen=True, eq=False)
class Result(Outcome):
    """How a search ended, its answer checked and the rest confirmed.

    See `Outcome` for what else it holds. A notebook shows it as a picture.

    Parameters
    ----------
    certificate
        What proves the bound, or that there is no answer; None if that was not wanted.
    """

    certificate: Certificate | None = field(default=None, repr=False)

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> bool:
        """Check the answer once more and write it to a file, as ``nlroute -o`` does.

        Parameters
        ----------
        path
            The answer file. A correct answer of the same board that is there already gives way
            only to a cheaper one.
        force
            Whether the file's content does not count.

        Returns
        -------
        bool
            Whether the file now holds this answer; False where its own is as good.

        Raises
        ------
        ValueError
            If there is no answer.
        WrongAnswer
            If it breaks a rule of the board.
        FileError
            If it cannot be written.
        """
        if self.answer is None:
            raise ValueError(f"no answer to save: the board is {self.status}")
        store = AnswerStore(self.problem, os.fspath(path), force=force)
        store.offer(self.answer)
        return store.kept is None

    def _repr_svg_(self) -> str | None:
        """Return the picture that a notebook shows."""
        return svg_of(self.problem, self.answer, title=str(self.status), bound=self.lower_bound)


class CannotLoad(RuntimeError):
    """The engine cannot be loaded."""


def route(
    problem: Problem,
    *,
    time_limit: float = 60.0,
    workers: int | None = None,
    seed: int = 0,
    deterministic: bool = False,
    start: ArrayLike | None = None,
    fixed: Iterable[int] = (),
    output: str | os.PathLike[str] | None = None,
    history: str | os.PathLike[str] | None = None,
    force: bool = False,
    on_progress: Observer | None = None,
    stop: Ends | threading.Event | None = None,
    engine: EngineName = "portfolio",
    certify: bool = False,
    config: RouterConfig | None = None,
) -> Result:
    """Search for the best answer to a board, and for a proof that it is.

    Ctrl-C ends the search and keeps what it has; a second one leaves with `KeyboardInterrupt`.
    Every better answer or bound is told to the logger ``nlrouter`` as well, at the level ``INFO``.

    Parameters
    ----------
    problem
        The board.
    time_limit
        Seconds at the most; ``inf`` for none, 0 to keep to what ``start`` has.
    workers
        Processes to use, 1 or more; as many as there are cores by default.
    seed
        Seed of all random choices, from 0.
    deterministic
        Whether the time limit counts work, in seconds of a typical machine, and equal seeds
        give equal results everywhere. One process does it all.
    start
        A drawing to start from, ``(layers, height, width)`` line numbers, 0 where empty,
        complete or not. Lines that are wrong are dropped, with a warning.
    fixed
        Numbers of lines of ``start`` that stay as they are. Answer, cost and bound are then
        those of the board on which they do.
    output
        An answer file that always holds the best answer so far, as with ``nlroute -o``.
    history
        A folder for every better answer, ``0001.txt`` first, as with ``nlroute --history``.
    force
        Whether what ``output`` holds already does not count, and an earlier history in the folder
        is removed.
    on_progress
        Called with every better answer or bound, all of them checked, and now and then in
        between. It runs in this process and thread.
    stop
        Ends the search before its time: a criterion such as ``GapReached(0.01) |
        NoImprovement(20)``, which is asked at each moment, or an event, when it is set. With an
        event Ctrl-C is left to the caller.
    engine
        ``cp-sat`` for one integer program per part of the board, solved by CP-SAT in one thread of
        this process: the plainest exact method, for boards of modest size.
    certify
        Whether the result has a certificate of its bound, or that there is no answer.
    config
        All settings of the engine.

    Returns
    -------
    Result
        The best answer, checked, and what is proven of it.

    Raises
    ------
    ValueError
        If ``start`` has another shape than the board, a fixed line is missing from it, or a number
        is out of range; if there is no such engine; if ``certify`` is asked for with fixed lines or
        with CP-SAT, which leaves no proof.
    FileError
        If ``output`` cannot be written, or holds something that is no answer; if ``history``
        cannot be used, has files of an earlier one, or would take the place of ``output``.

    Examples
    --------
    >>> problem = Problem(3, 2, 1, [((0, 0, 1), (2, 0, 1)), ((0, 1, 1), (2, 1, 1))])
    >>> result = route(problem, time_limit=10, workers=1)
    >>> result.status, result.cost
    (<Status.OPTIMAL: 'optimal'>, Cost(length=6, bends=0))
    >>> result.answer.tolist()
    [[[1, 1, 1], [2, 2, 2]]]
    """
    if start is None or time_limit != 0:
        time_limit = positive_seconds(f"{time_limit=}", time_limit)
    workers, seed = checked_settings(workers, seed)
    config = with_engine(engine_named(f"{engine=}", engine), config)
    numbers = frozenset(fixed)
    if certify and numbers:
        raise ValueError("certify: not with fixed lines; a certificate is for the whole board")
    if certify and engine != Engine.PORTFOLIO:
        raise ValueError(f"certify: not with {engine=}, which leaves no proof")
    task = Task(problem, _start_of(problem, start, numbers), numbers, workers, seed, config)
    path = None if output is None else os.fspath(output)
    store = AnswerStore(problem, path, force=force, fixed=task.kept)
    kept_answers = None
    if history is not None:
        others = {"the file of output": path}
        kept_answers = History(os.fspath(history), len(problem.lines), others, force=force)
    clock = WorkClock() if deterministic else WALL
    event, ends = (stop, None) if isinstance(stop, threading.Event) else (None, stop)
    with nullcontext(event) if event else stop_on_interrupt() as stopped:
        deadline = Deadline(time_limit, clock, stopped.is_set)
        observer = _heard(on_progress or unobserved, ends, stopped)
        result = search(task, store, deadline, observer, history=kept_answers, certify=certify)
    LOG.info("%s", result)
    return result


def _heard(observer: Observer, ends: Ends | None, stop: threading.Event) -> Observer:
    """Return an observer that also tells the log of news, and stops where a criterion says so."""
    latest = Standing()

    def observe(progress: Progress) -> None:
        nonlocal latest
        news = progress.standing
        if news != latest:
            latest = news
            seconds, phase = progress.seconds, progress.phase
            LOG.info("%.1f s: %s, bound %s, by %s", seconds, news.cost, news.bound, phase)
        observer(progress)
        if ends is not None and ends(progress):
            stop.set()

    return observe


def with_engine(engine: Engine, config: RouterConfig | None = None) -> RouterConfig | None:
    """Return settings in which an engine is chosen, where that is not the usual one.

    Raises
    ------
    CannotLoad
        If a library of the engine cannot be loaded.
    """
    if engine is Engine.PORTFOLIO:
        return config
    return replace(config or _loaded("config").RouterConfig(), engine=engine)


def search(
    task: Task,
    store: AnswerStore,
    deadline: Deadline,
    observer: Observer,
    *,
    complain: Callable[[str], None] | None = None,
    history: History | None = None,
    certify: bool = False,
) -> Result:
    """Search with a store for the answers: what `route` and ``nlroute`` have in common.

    Parameters
    ----------
    task
        What is asked.
    store
        Checks each answer, and keeps the best one.
    deadline
        When to stop. With a `WorkClock`, equal seeds give equal results.
    observer
        Told of each moment, with the answer that the store holds then.
    complain
        Told in a sentence of every answer that was wrong or could not be written; it warns by
        default.
    history
        Takes every better answer that the store has.
    certify
        See `route`.

    Returns
    -------
    Result
        How it ended.

    Raises
    ------
    CannotLoad
        If a library of the engine cannot be loaded.
    """
    say = complain or warn
    latest: Answer | None = None
    best, improved = store.cost, None

    def offer(answer: Answer | None) -> None:
        nonlocal latest
        offer_to(store, answer, say)
        if history is None or store.answer is None or store.answer is latest:
            return
        latest = store.answer
        try:
            history.add(latest)
        except FileError as error:
            say(str(error))

    def observe(progress: Progress) -> None:
        nonlocal best, improved
        offer(progress.answer)
        if store.cost != best:
            best, improved = store.cost, progress.seconds
        observer(replace(progress, answer=store.answer, cost=store.cost, improved=improved))

    if certify:
        task = replace(task, config=_writing_proofs(task.config))
    outcome = search_unchecked(task, deadline, observe)
    offer(outcome.answer)
    result = confirmed(outcome, store, say)
    return certified(result) if certify else result


def search_unchecked(task: Task, deadline: Deadline, observer: Observer = unobserved) -> Outcome:
    """Search by the engine, and take its word; for the parameters and errors see `search`."""
    tallies = Tallies()
    outcome = _close_small(task, deadline, observer, tallies)
    outcome = outcome or _loaded("router").route(task, deadline, observer)
    return replace(outcome, methods={**tallies, **outcome.methods})


def _loaded(name: str) -> ModuleType:
    """Return a module of the engine, which takes a second to load, and to compile half a minute."""
    try:
        return import_module(f"nlrouter.engine.{name}")
    except (ImportError, OSError) as error:  # Mostly a library that finds no memory.
        raise CannotLoad(f"the search cannot be loaded: {error}".splitlines()[0]) from error


def offer_to(store: AnswerStore, answer: Answer | None, say: Callable[[str], None]) -> None:
    """Offer an answer, if it is one, to a store; say what is wrong with it or with the file."""
    if answer is None:
        return
    try:
        store.offer(answer)
    except WrongAnswer as error:
        say(f"internal error: an answer that breaks the rules was dropped: {error}")
    except FileError as error:
        say(str(error))


def _close_small(
    task: Task, deadline: Deadline, observer: Observer, tallies: Tallies
) -> Outcome | None:
    """Try to close a board at once, unless there is a drawing to start from or CP-SAT to do it."""
    config = task.config
    if config is not None and (config.engine is not Engine.PORTFOLIO or config.write):
        return None
    if config is not None and config.without & {"maxsat", "small boards"}:
        return None
    # Not for a file that cannot be read: even the little that this takes is slow to load.
    from nlrouter.engine.small import close_small

    if not np.array_equal(task.start, task.kept):
        return None
    small = None if config is None else config.small
    return close_small(task.problem, deadline, observer, task.start, tallies, small)


def confirmed(outcome: Outcome, store: AnswerStore, say: Callable[[str], None]) -> Result:
    """Return a result with the answer that passed the check, and what that leaves of the rest.

    ``say`` is told if the store's answer refutes what the outcome says is proven.
    """
    claimed = replace(outcome.standing, cost=store.cost)
    known = replace(claimed, cost=store.kept or store.cost)
    if known.cost is not None and known.is_contradictory:
        proof = "a proof of infeasibility" if known.infeasible else f"bound {known.bound}"
        say(f"internal error: {proof} dropped, an answer costs {known.cost.total}")
        claimed = Standing(store.cost)
    return Result(**vars(outcome) | {"answer": store.answer, "standing": claimed})


def _writing_proofs(config: RouterConfig | None) -> RouterConfig:
    """Return settings with which a search writes what proves its bounds."""
    usual = _loaded("config").RouterConfig()
    from nlrouter.certifier.certify import write_part

    return replace(config or usual, write=write_part)


def certified(result: Result) -> Result:
    """Return a result with the certificate of its bound, or that there is no answer."""
    from nlrouter.certifier.certify import certificate_of

    certificate = certificate_of(result)
    standing, verified = result.standing, certificate.verified
    if not standing.infeasible and verified == inf:
        standing = Standing(standing.cost, None, infeasible=True)
    elif not standing.infeasible and verified > (standing.bound or 0):
        standing = replace(standing, bound=int(verified))
    return replace(result, standing=standing, certificate=certificate)


def _start_of(problem: Problem, drawing: ArrayLike | None, fixed: frozenset[int]) -> Answer:
    """Return the correct lines of a drawing, those to be kept among them."""
    if drawing is None:
        lines = np.zeros(problem.shape, np.int32)
    else:
        array = as_answer(drawing, problem.shape, "start")
        lines, dropped = usable(problem, array)
        for sentence in dropped:
            warn(f"start: {sentence}")
    if fixed and drawing is None:
        raise ValueError("fixed: needs a start, where the lines are drawn")
    count = len(problem.lines)
    if strangers := sorted(number for number in fixed if not 1 <= number <= count):
        raise ValueError(f"fixed: line {strangers[0]}, expected numbers from 1 to {count}")
    return lines


def checked_settings(workers: int | None, seed: int) -> tuple[int, int]:
    """Return the number of processes, by default one per core, and the seed.

    Raises
    ------
    ValueError
        If one is no whole number, or out of range.
    """
    processes = cores() if workers is None else whole_number(f"{workers=}", workers, least=1)
    return processes, whole_number(f"{seed=}", seed, least=0)


def stop_on_interrupt() -> AbstractContextManager[threading.Event]:
    """Return an event that Ctrl-C sets; a second one leaves with `KeyboardInterrupt`."""
    interrupt = signal.default_int_handler
    return stop_on_signals(lambda: interrupt(signal.SIGINT, None), [signal.SIGINT])


def warn(sentence: str) -> None:
    """Warn whoever called the public function."""
    warnings.warn(sentence, RuntimeWarning, stacklevel=4)
