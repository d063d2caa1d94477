"""The command ``nlroute``: route a problem file and write the best answer.

Only light modules are imported up here: what the engines need takes a second to load, which
neither ``--help`` nor a mistyped option should wait for.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from nlrouter.commands.nlroute_options import STANDARD, parse
from nlrouter.commands.signals import StopThenLeave

if TYPE_CHECKING:
    from types import FrameType

    from nlrouter.answer import Answer
    from nlrouter.keep.store import AnswerStore
    from nlrouter.result import Progress, Result
    from nlrouter.tell.displays import Silence

ANSWERED, NO_ANSWER, BAD_INPUT, INFEASIBLE = range(4)
"""Exit codes. `BAD_INPUT` is argparse's own for bad usage."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    argv
        The arguments, without the program's name; those of the process by default.

    Returns
    -------
    int
        The exit code. Bad usage raises `SystemExit` with code 2, as argparse does.
    """
    args = parse(argv)
    from nlrouter.files.errors import FileError

    try:
        if args.many:
            from nlrouter.commands.nlroute_batch import run

            return run(args)
        return _route(args)
    except FileError as error:
        _complain(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:  # Before the search, for instance while a problem is typed in.
        return NO_ANSWER


def _route(args: argparse.Namespace) -> int:
    """Read, search, write and report; return the exit code."""
    from nlrouter.commands.certificates import Certifier
    from nlrouter.commands.nlroute_start import only, read_start
    from nlrouter.deadline import Deadline, WorkClock
    from nlrouter.files.errors import FileError
    from nlrouter.files.problem_file import read_problem
    from nlrouter.keep.history import History
    from nlrouter.keep.store import AnswerStore, WrongAnswer
    from nlrouter.tell.stream import emit

    problem = read_problem(args.problem)
    if args.output is not None and _same_file(args.problem, args.output):
        raise FileError(args.output, None, "the problem itself", "another file for the answer")
    start = None if args.start is None else read_start(args.start, args.fix, problem, _complain)
    fixed = None if start is None else only(start, args.fix)
    store = AnswerStore(problem, args.output, force=args.force, fixed=fixed)
    history = None
    if args.history is not None:
        history = History(args.history, len(problem.lines), force=args.force)
    certifier = None
    if args.certificate is not None:
        certifier = Certifier(args.certificate, [args.problem, args.output or args.problem])
    deadline = Deadline(args.time_limit, WorkClock() if args.deterministic else time.monotonic)
    display = _display(args)

    @contextmanager
    def complaining() -> Iterator[None]:
        try:
            yield
        except WrongAnswer as error:
            display.clear()
            _complain(f"internal error: an answer that breaks the rules was dropped: {error}")
        except FileError as error:
            display.clear()
            _complain(str(error))

    def offer(answer: Answer | None) -> None:
        if answer is None:
            return
        known = store.answer
        with complaining():
            store.offer(answer)
        if history is not None and store.answer is not None and store.answer is not known:
            with complaining():
                history.add(store.answer)

    def observe(progress: Progress) -> None:
        offer(progress.answer)
        if certifier is not None:
            certifier.hear(progress)
        display.show(progress)

    def leave() -> None:
        os._exit(ANSWERED if store.saved else NO_ANSWER)

    with _stop_on_signals(leave) as stop:
        from nlrouter.engine.router import route

        try:
            result = route(
                problem,
                deadline,
                workers=args.workers,
                seed=args.seed,
                observer=observe,
                stop=stop,
                start=start,
                fixed=args.fix,
            )
        finally:
            display.clear()
        offer(result.answer)
        result = _confirm(result, store)
        code = _finish(args, store, result)
        if certifier is None:
            return code
        with complaining():
            verdict = certifier.write(problem, result, deadline, stop.is_set)
            if not args.quiet:
                emit(sys.stderr, f"{verdict}\n")
            return code
        return code or NO_ANSWER


def _confirm(result: Result, store: AnswerStore) -> Result:
    """Return the result with the answer that passed the check and the status it supports."""
    from nlrouter.result import Status

    bound = result.lower_bound
    if store.cost is None:
        infeasible = result.status is Status.INFEASIBLE
        status = Status.INFEASIBLE if infeasible else Status.UNKNOWN
    else:
        known = store.kept or store.cost
        if bound is not None and bound > known.total:
            _complain(f"internal error: bound {bound} dropped, an answer costs {known.total}")
            bound = None
        status = Status.OPTIMAL if store.cost.total == bound else Status.FEASIBLE
    return dataclasses.replace(
        result, status=status, answer=store.answer, cost=store.cost, lower_bound=bound
    )


def _finish(args: argparse.Namespace, store: AnswerStore, result: Result) -> int:
    """Write what is to be written at the end and return the exit code."""
    from nlrouter.files.answer_file import format_answer
    from nlrouter.files.errors import FileError
    from nlrouter.result import Status
    from nlrouter.tell.stream import emit
    from nlrouter.tell.words import format_summary

    answered = result.answer is not None
    if args.output is not None:
        try:
            store.save()  # Again, where it failed before: the disk may have room now.
        except FileError as error:
            _complain(str(error))
        answered = store.saved
    elif result.answer is not None and not args.json and not args.explain:
        answered = emit(sys.stdout, format_answer(result.answer, len(store.problem.lines)))
        if not answered:
            _complain("standard output did not take the answer")
    record = _record(args, store, result)
    if args.explain:
        from nlrouter.tell.explanation import explain_result, explanation_record, format_told

        told = explain_result(store.problem, result, args.fix)
        record["explanation"] = explanation_record(told)
        if not args.json:
            emit(sys.stdout, format_told(told))
    if args.json:
        emit(sys.stdout, json.dumps(record) + "\n")
    if not args.quiet:
        summary = format_summary(result, args.fix)
        if store.kept is not None:
            summary += f"  ({args.output} keeps its answer of cost {store.kept.total})"
        emit(sys.stderr, f"{summary}\n")
    if answered:
        return ANSWERED
    return INFEASIBLE if result.status is Status.INFEASIBLE else NO_ANSWER


def _record(args: argparse.Namespace, store: AnswerStore, result: Result) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    cost = result.cost
    fixed = {"fixed": sorted(args.fix)} if args.fix else {}
    return {
        "problem": args.problem,
        "answer": args.output if store.saved else None,
        "status": result.status,
        "cost": None if cost is None else cost.total,
        "length": None if cost is None else cost.length,
        "bends": None if cost is None else cost.bends,
        "quality": None if cost is None else cost.quality,
        "lower_bound": result.lower_bound,
        "gap": result.gap,
        "seconds": round(result.seconds, 3),
        **fixed,
    }


def _display(args: argparse.Namespace) -> Silence:
    """Return the display that the options and standard error ask for."""
    from nlrouter.tell.displays import LiveLine, Log, Silence

    if args.verbose:
        return Log(sys.stderr)
    if args.quiet or sys.stderr is None or not sys.stderr.isatty():
        return Silence()
    return LiveLine(sys.stderr)


def _complain(message: str) -> None:
    """Say on standard error what went wrong."""
    from nlrouter.tell.stream import emit

    emit(sys.stderr, f"nlroute: {message}\n")


def _same_file(problem: str, output: str) -> bool:
    return problem != STANDARD and os.path.exists(output) and os.path.samefile(problem, output)


@contextmanager
def _stop_on_signals(leave: Callable[[], None]) -> Iterator[threading.Event]:
    """Let a first Ctrl-C or SIGTERM set the event that is given, and a second one `leave`."""
    stop = threading.Event()
    react = StopThenLeave(stop.set, leave)

    def handle(number: int, frame: FrameType | None) -> None:
        react()

    previous = {number: signal.signal(number, handle) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


if __name__ == "__main__":
    sys.exit(main())
