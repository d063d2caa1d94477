"""The process behind "finish" and "improve": a document comes in, lines of news go out.

``python -m nlrouter.view.routing MODE SECONDS WORKERS`` reads the document from standard input
and writes JSON, one object a line, to standard output: first ``fixed``, the lines that stay as
drawn, and ``told``, sentences on what of the drawing is of no use; then moments of the search; at
last one with its ``status``. If that is no answer, it has the lines that go together as the
``answer``, and ``told`` what stands in the way of the others. SIGTERM ends the search, and so
does a reader that has left.
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
from nlrouter.problem import Problem
from nlrouter.result import Outcome, Progress
from nlrouter.tell.explanation import explain_result, format_told
from nlrouter.tell.stream import emit
from nlrouter.view.documents import parse_document


def main(mode: str, seconds: float, workers: int) -> None:
    """Route the document on standard input."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the server, which stops this.
    document = parse_document(sys.stdin.buffer.read())
    problem = document.problem
    start, dropped = usable(problem, document.answer)
    kept = start if mode == "finish" else np.zeros_like(start)
    fixed = frozenset(np.unique(kept[kept > 0]).tolist())
    news = _News(AnswerStore(problem, None, fixed=kept), stop)
    news.write({"fixed": sorted(fixed), "told": dropped})
    result = route(
        problem,
        Deadline(seconds),
        workers=workers,
        seed=0,
        observer=lambda progress: news.write(news.moment(progress)),
        stop=stop,
        start=start,
        fixed=fixed,
    )
    ending = news.moment(result) | {"status": result.status, "reason": result.reason}
    if result.answer is None:
        # Its first line says what the status and the reason do.
        ending["told"] = format_told(explain_result(problem, result, fixed)).splitlines()[1:]
        ending |= _together(problem, start, result.partial)
    news.write(ending)


def _together(problem: Problem, start: Answer, partial: Answer | None) -> dict[str, Any]:
    """Return the lines that go together, with all ends, if they are more than those drawn."""
    if partial is None:
        return {}
    lines, _ = usable(problem, partial)
    if len(np.unique(lines)) <= len(np.unique(start)):
        return {}
    ends = occupants(problem)
    return {"answer": np.where(ends > 0, ends, lines).tolist()}


class _News:
    """Writes down what is new.

    Parameters
    ----------
    best
        Checks each answer and keeps the best one.
    stop
        Set when nobody reads any more.
    """

    def __init__(self, best: AnswerStore, stop: threading.Event) -> None:
        self._best = best
        self._stop = stop
        self._shown: int | None = None

    def moment(self, moment: Progress | Outcome) -> dict[str, Any]:
        """Return what is known, with the answer if it is better than the one sent before."""
        if moment.answer is not None:
            self._best.offer(moment.answer)
        cost = self._best.cost
        news: dict[str, Any] = {
            "seconds": round(moment.seconds, 1),
            "cost": None if cost is None else cost.total,
            "bound": moment.lower_bound,
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
