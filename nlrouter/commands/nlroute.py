"""The command ``nlroute``: route a problem file and write the best answer.

Only light modules are imported up here: what the engines need takes a second to load, which
neither ``--help`` nor a mistyped option should wait for.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import warnings
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from nlrouter.commands.nlroute_options import STANDARD, parse
from nlrouter.signals import stop_on_signals

if TYPE_CHECKING:
    from nlrouter.answer import Answer
    from nlrouter.keep.store import AnswerStore
    from nlrouter.result import Progress
    from nlrouter.routing import Result
    from nlrouter.tell.displays import Silence

ANSWERED, UNANSWERED, BAD_INPUT, INFEASIBLE = range(4)
"""Exit codes. `BAD_INPUT` is argparse's own for bad usage."""


NOTABLE = 2.0
"""Seconds of compiling from which on they are told: they are not in the time of the search."""


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
    # Nothing here needs more threads of a library for matrices, whose memory can be scarce.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    from nlrouter.extras import MissingExtra
    from nlrouter.files.errors import FileError

    try:
        if args.many:
            from nlrouter.commands.nlroute_batch import run

            return run(args)
        return _route(args, last=argv is None)
    except (FileError, MissingExtra) as error:
        _complain(str(error))
        return BAD_INPUT
    except MemoryError:
        _complain("out of memory")
        return UNANSWERED
    except KeyboardInterrupt:  # Before the search, for instance while a problem is typed in.
        return UNANSWERED


def _route(args: argparse.Namespace, *, last: bool) -> int:
    """Read, search, write and report; return the exit code.

    With ``last`` the process has nothing else to do, and signals come too late afterwards.
    """
    from nlrouter.commands.certificates import Certifier, with_verified
    from nlrouter.commands.nlroute_start import only, read_start
    from nlrouter.deadline import WALL, Deadline, WorkClock
    from nlrouter.files.errors import FileError
    from nlrouter.files.problem_file import read_problem
    from nlrouter.keep.history import History
    from nlrouter.keep.store import AnswerStore
    from nlrouter.routing import CannotLoad, confirmed, search
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
    deadline = Deadline(args.time_limit, WorkClock() if args.deterministic else WALL)
    display = _display(args)

    complaints: set[str] = set()

    def complain(sentence: str) -> None:
        if sentence not in complaints:  # A full disk is full for each better answer.
            complaints.add(sentence)
            display.clear()
            _complain(sentence)

    def warn(message: Warning | str, *_: object) -> None:
        complain(str(message))

    def guarded(write: Callable[[], None]) -> bool:
        try:
            write()
        except FileError as error:
            complain(str(error))
            return False
        return True

    known: Answer | None = None

    def observe(progress: Progress) -> None:
        nonlocal known
        if history is not None and progress.answer is not None and progress.answer is not known:
            known = progress.answer
            guarded(partial(history.add, progress.answer))
        if certifier is not None:
            certifier.hear(progress)
        display.show(progress)

    code = UNANSWERED

    def leave() -> None:
        os._exit(ANSWERED if store.saved else code)

    with stop_on_signals(leave, last=last) as stop, warnings.catch_warnings():
        warnings.simplefilter("always", RuntimeWarning)  # What a search says of itself.
        warnings.showwarning = warn  # type: ignore[assignment]  # It looks at the first only.
        try:
            result = search(
                problem,
                store,
                deadline,
                workers=args.workers,
                seed=args.seed,
                observer=observe,
                stop=stop,
                complain=complain,
                start=start,
                fixed=args.fix,
            )
        except CannotLoad as error:
            complain(str(error))
            return UNANSWERED
        finally:
            display.clear()
        if result.answer is not known and history is not None and result.answer is not None:
            guarded(partial(history.add, result.answer))
        answered = _deliver(args, store, result)
        code = ANSWERED if answered else UNANSWERED
        if certifier is None:
            return _finish(args, store, result, answered)
        # Before anything is said of the status: what is verified may be more than was found.
        certificate = certifier.certify(result, deadline.unless(stop.is_set))
        result = confirmed(with_verified(result, certificate), store, complain)
        code = _finish(args, store, result, answered)

        def write() -> None:
            verdict = certifier.write(certificate)
            if not (args.quiet or args.progress):
                emit(sys.stderr, f"{verdict}\n")

        return code if guarded(write) else code or UNANSWERED


def _deliver(args: argparse.Namespace, store: AnswerStore, result: Result) -> bool:
    """Write the answer where it is to go; return whether it is there."""
    from nlrouter.files.answer_file import format_answer
    from nlrouter.files.errors import FileError
    from nlrouter.tell.stream import emit

    if args.output is not None:
        with suppress(FileError):  # It has been told.
            store.save()  # Again, where it failed before: the disk may have room now.
        if not store.saved and result.answer is not None and not (args.json or args.explain):
            emit(sys.stdout, format_answer(result.answer, len(store.problem.lines)))
            _complain("the answer is on standard output instead")
        return store.saved
    if result.answer is None or args.json or args.explain:
        return result.answer is not None
    answered = emit(sys.stdout, format_answer(result.answer, len(store.problem.lines)))
    if not answered:
        _complain("standard output did not take the answer")
    return answered


def _finish(args: argparse.Namespace, store: AnswerStore, result: Result, answered: bool) -> int:
    """Say how the search ended and return the exit code."""
    from nlrouter.deadline import WALL
    from nlrouter.result import Status
    from nlrouter.tell.stream import emit
    from nlrouter.tell.words import format_summary

    record = _record(args, store, result)
    if args.explain:
        from nlrouter.tell.explanation import explain_result, explanation_record, format_told

        told = explain_result(store.problem, result, args.fix)
        record["explanation"] = explanation_record(told)
        if not args.json:
            emit(sys.stdout, format_told(told))
    if args.json:
        emit(sys.stdout, json.dumps(record) + "\n")
    if args.progress:
        emit(sys.stderr, json.dumps(record) + "\n")
    elif not args.quiet:
        summary = format_summary(result, args.fix)
        if store.kept is not None:
            summary += f"  ({args.output} keeps its answer of cost {store.kept.total})"
        emit(sys.stderr, f"{summary}\n")
        if WALL.excluded > NOTABLE:
            emit(sys.stderr, f"compiled for {WALL.excluded:.0f} s, which later runs need not\n")
    if answered:
        return ANSWERED
    return INFEASIBLE if result.status is Status.INFEASIBLE else UNANSWERED


def _record(args: argparse.Namespace, store: AnswerStore, result: Result) -> dict[str, Any]:
    """Return what ``--json`` prints."""
    from nlrouter.tell.records import outcome_record

    fixed = {"fixed": sorted(args.fix)} if args.fix else {}
    return {
        "problem": args.problem,
        "answer": args.output if store.saved else None,
        **outcome_record(result),
        **fixed,
    }


def _display(args: argparse.Namespace) -> Silence:
    """Return the display that the options and standard error ask for."""
    from nlrouter.tell.displays import LiveLine, Log, Silence, as_json, in_words

    if args.verbose or args.progress:
        return Log(sys.stderr, as_json if args.progress else in_words)
    if args.quiet or sys.stderr is None or not sys.stderr.isatty():
        return Silence()
    return LiveLine(sys.stderr)


def _complain(message: str) -> None:
    """Say on standard error what went wrong."""
    from nlrouter.tell.stream import emit

    emit(sys.stderr, f"nlroute: {message}\n")


def _same_file(problem: str, output: str) -> bool:
    return problem != STANDARD and os.path.exists(output) and os.path.samefile(problem, output)


if __name__ == "__main__":
    sys.exit(main())
