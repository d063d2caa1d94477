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
from nlrouter.deadline import Deadline
from nlrouter.grid import occupants
from nlrouter.result import Outcome, Progress
from nlrouter.routing.completion import Drawing, take_up
from nlrouter.tell.explanation import explain_result, format_told
from nlrouter.tell.stream import emit
from nlrouter.view.routing_task import parse_task


def main(mode: str, seconds: float, workers: int) -> None:
    """Route the document on standard input."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the server, which stops this.
    task = parse_task(sys.stdin.buffer.read())
    problem, drawn = task.document.problem, task.document.answer
    if drawn.shape != problem.shape:
        drawn = np.zeros(problem.shape, np.int32)
    drawing = take_up(problem, drawn, None if mode == "finish" else task.locked)
    news = _News(stop)
    news.write(
        {
            "fixed": sorted(drawing.fixed),
            "continued": drawing.continued,
            "dropped": list(drawing.dropped),
        }
    )
    result = drawing.complete(
        Deadline(seconds),
        workers=workers,
        seed=0,
        observer=lambda progress: news.write(news.moment(progress)),
        stop=stop,
    )
    ending = news.moment(result) | {
        "status": result.status,
        "reason": result.reason,
        "cut": list(result.cut),
    }
    if result.answer is None:
        # Its first line says what the status and the reason do.
        told = explain_result(drawing.rest.problem, result.rest, drawing.fixed)
        ending["told"] = format_told(told).splitlines()[1:]
        ending |= _together(drawing, result.partial)
    news.write(ending)


def _together(drawing: Drawing, partial: Answer | None) -> dict[str, Any]:
    """Return the lines that go together, with all ends, if they are more than those drawn."""
    if partial is None or len(np.unique(partial)) <= len(np.unique(drawing.start)):
        return {}
    ends = occupants(drawing.problem)
    return {"answer": np.where(ends > 0, ends, partial).tolist()}


class _News:
    """Writes down what is new; sets ``stop`` when nobody reads any more."""

    def __init__(self, stop: threading.Event) -> None:
        self._stop = stop
        self._shown: int | None = None

    def moment(self, moment: Progress | Outcome) -> dict[str, Any]:
        """Return what is known, with the answer if it is better than the one sent before."""
        cost = None if moment.cost is None else moment.cost.total
        news: dict[str, Any] = {
            "seconds": round(moment.seconds, 1),
            "cost": cost,
            "bound": moment.lower_bound,
        }
        if moment.answer is not None and cost != self._shown:
            news["answer"] = moment.answer.tolist()
            self._shown = cost
        return news

    def write(self, news: dict[str, Any]) -> None:
        """Write one line; note if nobody reads it."""
        if not emit(sys.stdout, json.dumps(news) + "\n"):
            self._stop.set()


if __name__ == "__main__":
    main(sys.argv[1], float(sys.argv[2]), int(sys.argv[3]))
