"""The process behind "finish" and "improve": a document comes in, lines of news go out.

``python -m nlrouter.view.routing WORKERS`` reads the task from standard input and
writes JSON, one object a line, to standard output: first what becomes of the drawing, as lists of
line numbers: ``fixed``, that stay as drawn, ``continued``, half-drawn ones that go on from where
they end, and ``dropped``, of which nothing can be used; then moments of the search; at last one
with its ``status``. Moments before the first answer have, now and then, lines that go together as
``partial`` and their number as ``lines``. If there is no answer in the end, they are the
``answer``, and ``told`` is what stands in the way of the others. Where drawn lines had to stay, a
bound for the board itself follows as ``own``. A task that counts has nothing but what is ``told``
of each rule set, and ``cells`` in which two answers differ. SIGTERM ends the search, and so does a
reader that has left.
"""

from __future__ import annotations

import json
import signal
import sys
import threading
import time
from typing import Any

import numpy as np

from nlrouter.answer import Answer
from nlrouter.checker.usable import usable
from nlrouter.deadline import WALL, Deadline
from nlrouter.engine.task import Task
from nlrouter.grid import occupants
from nlrouter.interface.puzzles import checked_answers
from nlrouter.problem import Problem
from nlrouter.result import Outcome, Progress
from nlrouter.routing.completion import Drawing, take_up
from nlrouter.routing.search import search_unchecked
from nlrouter.rule_sets import Rules
from nlrouter.tell.explanation import explain_result, format_told
from nlrouter.tell.stream import emit
from nlrouter.view.routing_task import parse_task

OWN_BOUND_SECONDS = 2.0
"""For a bound without the kept lines: boards of a few layers have a good one by then."""

LOOK_SECONDS = 1.0
"""From one look at lines that are no answer yet to the next: what is faster cannot be followed."""

LOOK_SHARE = 0.1
"""Of the time that looks may take, as the search waits meanwhile. At 36x36x8 they take a fiftieth,
on boards of a million cells they are far between."""


def main(workers: int) -> None:
    """Route the document on standard input."""
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the server, which stops this.
    task = parse_task(sys.stdin.buffer.read())
    problem = task.document.problem
    if task.counts:
        _count(problem, task.seconds, stop)
        return
    drawing = take_up(problem, task.document.answer, task.kept)
    news = _News(drawing, stop)
    news.write(
        {
            "fixed": sorted(drawing.fixed),
            "continued": drawing.continued,
            "dropped": list(drawing.dropped),
        }
    )
    result = drawing.complete(
        Deadline(task.seconds, WALL, stop.is_set),
        lambda progress: news.write(news.moment(progress) | news.lines(progress)),
        workers,
    )
    ending = news.moment(result) | {
        "status": result.status,
        "reason": result.reason,
        "cut": list(result.cut),
    }
    if result.answer is None:
        # Its first line says what the status and the reason do.
        told = explain_result(drawing.rest.problem, result.rest, drawing.fixed, result.kept)
        ending["told"] = format_told(told).splitlines()[1:]
        partial = result.partial
        if partial is not None and _joined(problem, partial) > _joined(problem, drawing.start):
            ending["answer"] = _with_ends(problem, partial)
    news.write(ending)
    if drawing.fixed or drawing.continued:
        deadline = Deadline(min(OWN_BOUND_SECONDS, task.seconds), WALL, stop.is_set)
        own = search_unchecked(Task(problem, np.zeros(problem.shape, np.int32)), deadline)
        news.write({"own": own.lower_bound})


def _count(problem: Problem, seconds: float, stop: threading.Event) -> None:
    """Tell by each rule set whether there is only one answer, and where two differ."""
    told: list[str] = []
    cells: list[list[int]] = []
    for rules in Rules:
        found = checked_answers(problem, rules, Deadline(seconds, WALL, stop.is_set), limit=2)
        told.append(f"{rules}: {found.verdict}")
        if found.differing is not None and not cells:
            cells = [[0, *place] for place in np.argwhere(found.differing).tolist()]
        status = "counted" if len(told) == len(Rules) else None
        emit(sys.stdout, json.dumps({"told": told, "cells": cells, "status": status}) + "\n")


def _joined(problem: Problem, lines: Answer) -> int:
    """Count the lines that are complete."""
    complete, _ = usable(problem, lines)
    return np.unique(complete[complete > 0]).size


def _with_ends(problem: Problem, lines: Answer) -> list[Any]:
    """Return lines with all ends, as the page draws them."""
    ends = occupants(problem)
    shown: list[Any] = np.where(ends > 0, ends, lines).tolist()
    return shown


class _News:
    """Writes down what is new about a drawing; sets ``stop`` when nobody reads any more."""

    def __init__(self, drawing: Drawing, stop: threading.Event) -> None:
        self._problem = drawing.problem
        self._stop = stop
        self._shown: int | None = None
        self._joined = _joined(drawing.problem, drawing.start)
        self._next_look = 0.0

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

    def lines(self, moment: Progress) -> dict[str, Any]:
        """Return the lines that go together while there is no answer, if they are more by now."""
        began = time.monotonic()
        if moment.answer is not None or began < self._next_look:
            return {}
        partial = moment.partial()
        joined = 0 if partial is None else _joined(self._problem, partial)
        now = time.monotonic()
        # The first look also loads code, which the search needs as well.
        pause = (now - began) / LOOK_SHARE if self._next_look else 0.0
        self._next_look = now + max(LOOK_SECONDS, pause)
        if partial is None or joined <= self._joined:
            return {}
        self._joined = joined
        return {"partial": _with_ends(self._problem, partial), "lines": joined}

    def write(self, news: dict[str, Any]) -> None:
        """Write one line; note if nobody reads it."""
        if not emit(sys.stdout, json.dumps(news) + "\n"):
            self._stop.set()


if __name__ == "__main__":
    main(int(sys.argv[1]))
