"""The process behind "finish" and "improve": a document comes in, lines of news go out.

``python -m nlrouter.view.routing MODE SECONDS WORKERS`` reads the task from standard input and
writes JSON, one object a line, to standard output: first what becomes of the drawing, as lists of
line numbers: ``fixed``, that stay as drawn, ``continued``, half-drawn ones that go on from where
they end, and ``dropped``, of which nothing can be used; then moments of the search; at last one
with its ``status``. If that is no answer, it has the lines that go together as the ``answer``, and
``told`` what stands in the way of the others. SIGTERM ends the search, and so does a reader that
has left.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
from typing import Any

import numpy as np

from nlrouter.answer import Answer
from nlrouter.checker.usable import usable
from nlrouter.deadline import Deadline
from nlrouter.engine.router import route
from nlrouter.grid import occupants
from nlrouter.keep.store import AnswerStore
from nlrouter.result import Outcome, Progress, Status
from nlrouter.tell.explanation import explain_result, format_told
from nlrouter.tell.stream import emit
from nlrouter.half_drawn import Continuation, continuation
from nlrouter.view.routing_task import parse_task


def main(mode: str, seconds: float, workers: int) -> None:
    """Route the document on standard input."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the server, which stops this.
    task = parse_task(sys.stdin.buffer.read())
    problem, drawing = task.document.problem, task.document.answer
    if drawing.shape != problem.shape:
        drawing = np.zeros(problem.shape, np.int32)
    start, _ = usable(problem, drawing)
    complete = frozenset(np.unique(start[start > 0]).tolist())
    fixed = complete if mode == "finish" else complete & task.locked
    rest = continuation(problem, drawing if mode == "finish" else start, start)
    begun = {
        line.number
        for line in problem.lines
        if (drawing == line.number).sum() > sum(drawing[end] == line.number for end in line.ends)
    }
    kept = np.where(np.isin(start, list(fixed)), start, np.int32(0))
    news = _News(AnswerStore(problem, None, fixed=kept), rest, stop)
    news.write(
        {
            "fixed": sorted(fixed),
            "continued": rest.lines,
            "dropped": sorted(begun - complete - set(rest.lines)),
        }
    )
    held = fixed | {rest.mark} if rest.lines else fixed
    result = route(
        rest.problem,
        Deadline(seconds),
        workers=workers,
        seed=0,
        observer=lambda progress: news.write(news.moment(progress)),
        stop=stop,
        start=np.where(rest.blocked > 0, rest.blocked, start),
        fixed=held,
    )
    ending = news.moment(result) | {"status": result.status, "reason": result.reason}
    if result.status is Status.OPTIMAL and ending["cost"] != ending["bound"]:
        ending["status"] = Status.FEASIBLE  # Of the smaller board alone.
    if result.answer is None:
        # Its first line says what the status and the reason do.
        told = explain_result(rest.problem, result, fixed)
        ending["told"] = format_told(told).splitlines()[1:]
        ending |= _together(rest, start, result.partial)
    news.write(ending)


def _together(rest: Continuation, start: Answer, partial: Answer | None) -> dict[str, Any]:
    """Return the lines that go together, with all ends, if they are more than those drawn."""
    if partial is None:
        return {}
    ends = occupants(rest.whole)
    lines, _ = rest.complete(partial, only=set(np.unique(partial).tolist()))
    lines, _ = usable(rest.whole, lines)
    if len(np.unique(lines)) <= len(np.unique(start)):
        return {}
    shown = np.where(lines > 0, lines, rest.drawn)
    return {"answer": np.where(ends > 0, ends, shown).tolist()}


class _News:
    """Writes down what is new.

    Parameters
    ----------
    best
        Checks each answer and keeps the best one.
    rest
        The board that is really routed.
    stop
        Set when nobody reads any more.
    """

    def __init__(self, best: AnswerStore, rest: Continuation, stop: threading.Event) -> None:
        self._best = best
        self._rest = rest
        self._cut: list[int] = []
        self._stop = stop
        self._shown: int | None = None

    def moment(self, moment: Progress | Outcome) -> dict[str, Any]:
        """Return what is known, with the answer if it is better than the one sent before."""
        if moment.answer is not None:
            full, self._cut = self._rest.complete(moment.answer)
            self._best.offer(full)
        cost = self._best.cost
        bound = moment.lower_bound
        if self._cut:
            bound = None  # Cut short, a line costs less than anything that keeps it as drawn.
        elif bound is not None:
            bound = self._rest.bound(bound)
        news: dict[str, Any] = {
            "seconds": round(moment.seconds, 1),
            "cost": None if cost is None else cost.total,
            "bound": bound,
            "cut": self._cut,
        }
        if self._best.answer is not None and news["cost"] != self._shown:
            news["answer"] = self._best.answer.tolist()
            self._shown = news["cost"]
        return news

    def write(self, news: dict[str, Any]) -> None:
        """Write one line; note if nobody reads it."""
        if not emit(sys.stdout, json.dumps(news) + "\n"):
            self._stop.set()


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]))
