"""What ``nlroute`` does: route a problem and write the best answer.

The engine is loaded late, so that a file that is wrong need not wait for it.
"""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from typing import Any

import numpy as np

from nlrouter.answer import Answer
from nlrouter.commands.certificates import require_certificate_place, verdict_of
from nlrouter.commands.frame import Exit, complain, put, say, tell
from nlrouter.commands.nlroute_start import read_start
from nlrouter.deadline import WALL, Deadline, WorkClock
from nlrouter.engine.task import Task
from nlrouter.engines import Engine
from nlrouter.files.answer_file import format_answer
from nlrouter.files.certificate_file import write_certificate
from nlrouter.files.errors import FileError
from nlrouter.files.names import require_other
from nlrouter.files.problem_file import read_problem
from nlrouter.keep.history import History
from nlrouter.keep.store import AnswerStore
from nlrouter.problem import Problem
from nlrouter.record import RunRecord, format_record
from nlrouter.result import Status
from nlrouter.routing.search import CannotLoad, Result, search, with_engine
from nlrouter.signals import stop_on_signals
from nlrouter.tell.displays import LiveLine, Log, Silence, as_json, in_words
from nlrouter.tell.stream import is_terminal
from nlrouter.tell.words import format_methods, format_summary

NOTABLE = 2.0
"""Seconds of compiling from which on they are told: they are not in the time of the search."""


def run(args: argparse.Namespace) -> Exit:
    """Route the board, or the boards, of the command line; return the exit code."""
    if args.many:
        # Not at the top, for the sake of the many runs with one board.
        from nlrouter.commands.nlroute_batch import run_boards

        return run_boards(args)
    if args.puzzle is not None:
        from nlrouter.commands.nlroute_puzzle import run as run_puzzle

        return run_puzzle(args)
    return _route(args)


def _route(args: argparse.Namespace) -> Exit:
    """Read, search, write and report; return the exit code."""
    problem = read_problem(args.problem)
    if args.output is not None:
        require_other(args.output, args.problem, "another file for the answer")
    start = np.zeros(problem.shape, np.int32)
    if args.start is not None:
        start = read_start(args.start, args.fix, problem, partial(complain, "nlroute"))
    task = Task(problem, start, args.fix, args.workers, args.seed)
    store = AnswerStore(problem, args.output, force=args.force, fixed=task.kept)
    others = {
        "the problem itself": args.problem,
        "the answer to start from": args.start,
        "the file of -o": args.output,
    }
    if args.certificate is not None:
        require_certificate_place(args.certificate, others, force=args.force)
        others["the file of --certificate"] = args.certificate
    history = None
    if args.history is not None:
        history = History(args.history, len(problem.lines), others, force=args.force)
    deadline = Deadline(args.time_limit, WorkClock() if args.deterministic else WALL)
    display = _display(args)

    complaints: set[str] = set()

    def warn_once(sentence: str) -> None:
        if sentence not in complaints:  # A full disk is full for each better answer.
            complaints.add(sentence)
            display.clear()
            complain("nlroute", sentence)

    def warn(message: Warning | str, *_: object) -> None:
        warn_once(str(message))

    code = Exit.NOT_DONE

    def leave() -> None:
        os._exit(Exit.DONE if store.saved else code)

    with stop_on_signals(leave, last=args.owns_process) as stop, warnings.catch_warnings():
        warnings.simplefilter("always", RuntimeWarning)  # What a search says of itself.
        warnings.showwarning = warn  # type: ignore[assignment]  # It looks at the first only.
        try:
            result = search(
                replace(task, config=with_engine(Engine(args.engine))),
                store,
                deadline.unless(stop.is_set),
                display.show,
                complain=warn_once,
                history=history,
                certify=args.certificate is not None,
            )
        except CannotLoad as error:
            warn_once(str(error))
            return Exit.NOT_DONE
        finally:
            display.clear()
        answered = _deliver(args, store, result)
        code = Exit.DONE if answered else Exit.NOT_DONE
        code = _finish(args, store, result, answered)
        if result.certificate is not None:
            try:
                write_certificate(args.certificate, result.certificate)
            except FileError as error:
                warn_once(str(error))
                return code or Exit.NOT_DONE
            if not (args.quiet or args.progress):
                tell(verdict_of(args.certificate, result.certificate))
        return code


def _deliver(args: argparse.Namespace, store: AnswerStore, result: Result) -> bool:
    """Write the answer where it is to go; return whether it is there."""
    if args.output is not None:
        with suppress(FileError):  # It has been told.
            store.save()  # Again, where it failed before: the disk may have room now.
        homeless = None if store.saved or args.json or args.explain else result.answer
        if homeless is not None and _put_answer(store.problem, homeless):
            complain("nlroute", "the answer is on standard output instead")
        return store.saved
    if result.answer is None or args.json or args.explain:
        return result.answer is not None
    return _put_answer(store.problem, result.answer)


def _put_answer(problem: Problem, answer: Answer) -> bool:
    """Print an answer; return whether it was taken, of which a part is of no use."""
    return put(format_answer(answer, len(problem.lines)), "the answer", whole=True)


def _finish(args: argparse.Namespace, store: AnswerStore, result: Result, answered: bool) -> Exit:
    """Say how the search ended and return the exit code."""
    fields: dict[str, Any] = {"fixed": sorted(args.fix)} if args.fix else {}
    if args.explain:
        from nlrouter.tell.explanation import explain_result, explanation_record, format_told

        told = explain_result(store.problem, result, args.fix)
        fields["explanation"] = explanation_record(told)
        if not args.json:
            put(format_told(told), "the explanation")
    answer = args.output if store.saved else None
    fields["methods"] = {name: asdict(tally) for name, tally in result.methods.items()}
    record = format_record(
        RunRecord.of(result.standing, result.seconds, problem=args.problem, answer=answer, **fields)
    )
    if args.json:
        say(record)
    if args.progress:
        tell(record)
    elif not args.quiet:
        summary = format_summary(result, args.fix)
        if store.kept is not None:
            summary += f"  ({args.output} keeps its answer of cost {store.kept.total})"
        if args.verbose:
            tell("\n".join(format_methods(result.methods)))
        tell(summary)
        if WALL.excluded > NOTABLE and is_terminal(sys.stderr):
            tell(f"compiled for {WALL.excluded:.0f} s, which later runs need not")
    if answered:
        return Exit.DONE
    return Exit.INFEASIBLE if result.status is Status.INFEASIBLE else Exit.NOT_DONE


def _display(args: argparse.Namespace) -> Silence:
    """Return the display that the options and standard error ask for."""
    if args.verbose or args.progress:
        return Log(sys.stderr, as_json if args.progress else in_words)
    if args.quiet or not is_terminal(sys.stderr):
        return Silence()
    return LiveLine(sys.stderr)
