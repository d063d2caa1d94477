"""Make boards of all kinds and sizes, and check each: its problem, its answer, its uniqueness.

One line per kind is printed: boards made, requests refused and why, the range of their fills,
and seconds. What is refused is drawn anew. Where a board has only one answer, that is proven
once more, and the router, which knows nothing of it, has to find the same one; how often it
found one in its time is printed too. The exit code is 1 if any board is wrong or missing.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter

import numpy as np
from interrupt import interruptible

from nlrouter.analyse.difficulty import difficulty
from nlrouter.analyse.unique import another_answer, make_unique_board
from nlrouter.answer import Answer
from nlrouter.checker.rules import violations
from nlrouter.commands.option_types import whole_number
from nlrouter.deadline import Deadline, WorkClock
from nlrouter.files.problem_file import format_problem, parse_problem
from nlrouter.generators import KINDS, Made, NoBoard, Request, make
from nlrouter.problem import Problem
from nlrouter.result import Status

UNIQUE = "unique"
LARGEST_UNIQUE = 10
"""Columns and rows of the boards of which uniqueness is proven, on up to two layers."""

SECONDS = 60.0
"""For each proof; they take less than a second."""


def main(arguments: list[str] | None = None) -> int:
    """Make and check the boards and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--count", type=whole_number(1), default=1000, help="boards in all (default: 1000)"
    )
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    rng = random.Random(options.seed)
    kinds = [*KINDS, UNIQUE]
    wrong = missing = confirmed = 0
    for i, kind in enumerate(kinds):
        count = len(range(i, options.count, len(kinds)))
        start = time.monotonic()
        fills: list[float] = []
        refused: Counter[str] = Counter()
        while len(fills) < count and refused.total() <= count:
            request = draw_request(kind, rng)
            try:
                made = make_board(kind, request)
            except NoBoard as no_board:
                refused[str(no_board)] += 1
                continue
            mistakes = mistakes_of(made)
            if kind == UNIQUE:
                doubts, routed = doubts_of(*made)
                mistakes += doubts
                confirmed += routed and not doubts
            wrong += bool(mistakes)
            for mistake in mistakes:
                print(f"{kind} {request}: {mistake}", file=sys.stderr)
            fills.append(np.count_nonzero(made[1]) / made[1].size)
        missing += count - len(fills)
        low, high = min(fills, default=0.0), max(fills, default=0.0)
        print(
            f"{kind:<11}{len(fills):>5} made {refused.total():>3} refused"
            f"  fill {low:.2f} to {high:.2f}  {time.monotonic() - start:.1f} s",
            *refused,
            sep="\n    ",
            flush=True,
        )
    print(f"{wrong} wrong, {missing} missing; {confirmed} unique ones confirmed by the router")
    return 1 if wrong or missing else 0


def draw_request(kind: str, rng: random.Random) -> Request:
    """Draw what a board is to be like, from the sizes that contest boards have."""
    most = LARGEST_UNIQUE if kind == UNIQUE else 36
    width, height = rng.randint(5, most), rng.randint(5, most)
    layers = rng.randint(1, 2 if kind == UNIQUE else 8)
    fill = rng.choice((None, rng.uniform(0.3, 0.8))) if kind == "random" else None
    windiness = rng.random() if kind in ("random", "bus") else None
    adjacent = tuple((z, z + 1) for z in range(layers - 1))
    starting_below = tuple((0, z) for z in range(1, layers))
    spans = rng.choice((None, starting_below if kind == "escape" else adjacent))
    return Request(
        width, height, layers, spans=spans, fill=fill, windiness=windiness,
        seed=rng.getrandbits(31),
    )  # fmt: skip


def make_board(kind: str, request: Request) -> Made:
    """Make a board of a kind, or a full one with only one answer."""
    if kind == UNIQUE:
        return make_unique_board(request, Deadline(SECONDS, WorkClock()))
    return make(kind, request)


def mistakes_of(made: Made) -> list[str]:
    """Say what is wrong with a board."""
    problem, answer = made
    mistakes = [violation.text for violation in violations(problem, answer)]
    if parse_problem(format_problem(problem), "<made>") != problem:
        mistakes.append("the problem is not the same when it is read again")
    return mistakes


def doubts_of(problem: Problem, answer: Answer) -> tuple[list[str], bool]:
    """Say why a board might have a second answer, and whether the router has found any at all."""
    # Another seed than in the making: the solver sweeps the board another way.
    status = another_answer(problem, answer, Deadline(SECONDS)).status
    doubts = [] if status is Status.INFEASIBLE else [f"a second answer is {status}"]
    found = difficulty(problem, SECONDS).result.answer
    if found is not None and (found != answer).any():
        doubts.append("the router finds a second answer")
    return doubts, found is not None


if __name__ == "__main__":
    sys.exit(interruptible(main))
