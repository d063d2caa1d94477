"""Route tiny boards of all kinds, and compare whatever is claimed of them with trying everything.

Each seed stands for a board and for how it is routed: by work or by the clock, to the end or for
a moment, stopped in between, by one process or two. Checked are every answer, cost and bound on the
way and at the end, the status, and the certificate of some, also with its numbers changed. What is
false is shrunk to the smallest board that still shows it, and printed as a problem file. The exit
code is 0 if nothing is, else 1.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import threading
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from math import inf
from typing import Any, cast

import numpy as np
from arguments import positive
from fuzz_boards import CLASSES, Board, draw
from fuzz_oracle import TooLarge
from interrupt import interruptible, processes

from nlrouter.certificate import Certificate
from nlrouter.certifier.certify import certificate_of, write_part
from nlrouter.checker.certificate.limits import Refused
from nlrouter.checker.certificate.verify import verified_bound
from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.commands.option_types import whole_number
from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.config import RouterConfig
from nlrouter.engine.router import route
from nlrouter.engine.search import METHOD_NAMES
from nlrouter.files.answer_file import format_answer
from nlrouter.files.certificate_file import format_certificate, parse_certificate
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import format_problem
from nlrouter.problem import Cell, Line, Problem, Via
from nlrouter.result import Outcome as Routed
from nlrouter.result import Progress, Status
from nlrouter.routing.search import stop_on_interrupt

SEEDS_AT_ONCE = 18
"""Seeds of a piece of work: two rounds of the classes."""

CHANGES = 6
"""Changes of one number each that are tried on a certificate."""

TRIES = 4
"""Runs of a smaller board in which a fault that depends on the clock has to be seen again."""


class Fault(Exception):
    """Something that was claimed is false."""


@dataclass(frozen=True)
class Mode:
    """How a board is routed.

    Parameters
    ----------
    seed
        That of the search.
    seconds
        The time limit.
    by_work
        Whether it is one of work, as with ``--deterministic``.
    workers
        Processes of the search.
    looks
        Looks at the stop event after which it is set; None for never.
    opening
        Seconds of the opening, where there are more workers than one.
    certificate
        Whether a certificate is written as well.
    without
        Methods that are switched off.
    """

    seed: int
    seconds: float = 30.0
    by_work: bool = False
    workers: int = 1
    looks: int | None = None
    opening: float = 0.0
    certificate: bool = False
    without: frozenset[str] = frozenset()

    @property
    def options(self) -> str:
        """The options of ``nlroute`` that come nearest."""
        words = f"--seed {self.seed} --workers {self.workers} --time-limit {self.seconds:g}"
        words += " --deterministic" * self.by_work
        words += " --certificate certificate.json" * self.certificate
        words += f"   # stopped at look {self.looks}" * (self.looks is not None)
        return words + f"   # without {', '.join(sorted(self.without))}" * bool(self.without)


def draw_mode(rnd: random.Random) -> Mode:
    """Draw how to route a board."""
    mode = _draw_clock(rnd)
    chance = rnd.choice((0.0, 0.0, 0.2, 0.6))
    without = frozenset(name for name in sorted(METHOD_NAMES) if rnd.random() < chance)
    if not without:
        return mode
    # What is left may not be enough to come to an end.
    return replace(mode, seconds=min(mode.seconds, 1.0), without=without)


def _draw_clock(rnd: random.Random) -> Mode:
    """Draw how to route a board, by all methods."""
    seed = rnd.randrange(1000)
    kind = rnd.random()
    certificate = rnd.random() < 0.15
    if kind < 0.35:
        return Mode(seed, 60.0, by_work=True, certificate=certificate)
    if kind < 0.6:
        return Mode(seed, certificate=certificate)
    if kind < 0.7:
        return Mode(seed, rnd.uniform(0.2, 1.0), certificate=certificate)
    if kind < 0.81:
        return Mode(seed, 10 ** rnd.uniform(-3, 0.5), by_work=True, certificate=certificate)
    if kind < 0.97:
        return Mode(seed, by_work=rnd.random() < 0.5, looks=int(10 ** rnd.uniform(0, 3.5)))
    looks = int(10 ** rnd.uniform(0, 1.5)) if rnd.random() < 0.4 else None
    seconds = rnd.choice((30.0, rnd.uniform(0.2, 1.0)))
    workers, opening = rnd.choice((2, 4)), rnd.choice((0.0, 0.02))
    return Mode(
        seed, seconds, workers=workers, looks=looks, opening=opening, certificate=certificate
    )


class StopAfter(threading.Event):
    """A stop event that sets itself when it has been looked at so many times."""

    def __init__(self, looks: int | None) -> None:
        super().__init__()
        self._left = looks

    def is_set(self) -> bool:
        """Return whether it is set; a look."""
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                self.set()
        return super().is_set()


class Witness:
    """Checks what is reported on the way."""

    def __init__(self, board: Board, best: float) -> None:
        self._board = board
        self._best = best
        self._cost = inf
        self._bound = -inf

    def __call__(self, progress: Progress) -> None:
        """Check a moment."""
        if progress.lower_bound is not None:
            check_bound(self._board, progress.lower_bound, self._best)
            _require(progress.lower_bound >= self._bound, "a bound that falls reported")
            self._bound = progress.lower_bound
        _require((progress.answer is None) == (progress.cost is None), "a cost without its answer")
        if progress.cost is not None and progress.cost.total != self._cost:
            check_answer(self._board, progress.answer, progress.cost.total, self._best)
            _require(progress.cost.total < self._cost, "a worse answer reported")
            self._cost = progress.cost.total


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Fault(otherwise)


def check_bound(board: Board, bound: int, best: float) -> None:
    """Raise `Fault` if a bound is above the optimum, or is no number that an answer can cost."""
    _require(bound <= best, f"bound {bound}")
    most = 2 * int(np.prod(board.problem.shape))
    _require(bound <= most, f"bound {bound}, and no answer could cost more than {most}")


def check_answer(board: Board, answer: Any, cost: int, best: float) -> None:
    """Raise `Fault` unless an answer is correct, keeps the fixed lines, and costs so much."""
    broken = violations(board.problem, answer)
    _require(not broken, f"a wrong answer: {broken[0].text if broken else ''}")
    _require(
        measure(answer).total == cost, f"an answer of {measure(answer).total} said to be {cost}"
    )
    _require(cost >= best, f"an answer of {cost}, less than trying everything found")
    kept = board.kept
    _require(bool((answer[kept > 0] == kept[kept > 0]).all()), "a fixed line has moved")
    _require(
        bool((np.isin(answer, list(board.fixed)) == (kept > 0)).all()), "a fixed line has moved"
    )


def check_board(board: Board, mode: Mode, best: float) -> tuple[str, Counter[str]]:
    """Route a board and check all; return the status, and how many certificates of each kind.

    Raises
    ------
    Fault
        If something is false.
    """
    clock = WorkClock() if mode.by_work else time.monotonic
    write = write_part if mode.certificate and not board.fixed else None
    config = RouterConfig(opening_seconds=mode.opening, without=mode.without, write=write)
    with warnings.catch_warnings():
        # What the engine finds wrong with itself, it warns of.
        warnings.simplefilter("error", RuntimeWarning)
        result = route(
            replace(board, workers=mode.workers, seed=mode.seed, config=config),
            Deadline(mode.seconds, clock, StopAfter(mode.looks).is_set),
            Witness(board, best),
        )
    check_result(board, result, best)
    counts: Counter[str] = Counter()
    if write is not None:
        counts = check_certificate(board.problem, result, best, mode.seed)
    return str(result.status), counts


def check_result(board: Board, result: Routed, best: float) -> None:
    """Raise `Fault` unless a result is right."""
    bound = result.lower_bound
    if bound is not None:
        check_bound(board, bound, best)
    _require((result.answer is None) == (result.cost is None), "a cost without its answer")
    if result.cost is not None:
        check_answer(board, result.answer, result.cost.total, best)
        _require(not result.standing.infeasible, "an answer and a proof that there is none")
    elif result.status is Status.INFEASIBLE:
        _require(best == inf, "no answer said to be there")
        _require(bool(result.reason), "no answer for no reason")
    else:
        _require(result.status is Status.UNKNOWN, f"{result.status} without an answer")


def check_certificate(problem: Problem, result: Routed, best: float, seed: int) -> Counter[str]:
    """Raise `Fault` unless a certificate is right, as it is and with numbers changed."""
    rnd = random.Random(seed)
    written = certificate_of(result)
    text = format_certificate(written)
    verified = verified_bound(problem, cast("Certificate", parse_certificate(text, "certificate")))
    _require(verified <= best, f"a certificate verified at {verified}")
    # One whose check would take too long says 0, and that it stands on the search's word.
    unchecked = written.verified == 0 and bool(written.word)
    agree = unchecked or verified == written.verified
    _require(agree, f"{written.verified} written, {verified} verified")
    bound = result.lower_bound or 0
    _require(verified >= bound, f"bound {bound}, of which {verified} verified")
    counts = Counter({"certificates": 1, "of the cost": int(verified == best)})
    places = list(_numbers(json.loads(text)["parts"]))
    rare = [path for path in places if path[1:2] != ("prices",)]
    for _ in range(CHANGES if places else 0):
        record = json.loads(text)
        entry = record["parts"]
        *path, last = rnd.choice(rnd.choice((places, rare)))
        for key in path:
            entry = entry[key]
        old = entry[last]
        entry[last] = rnd.choice((0, 1, old + 1, max(0, old - 1), 2 * old, 10**6, 10**9))
        try:
            changed = verified_bound(
                problem, cast("Certificate", parse_certificate(json.dumps(record), "certificate"))
            )
        except (Refused, FileError):
            counts["changed and refused"] += 1
        else:
            counts["changed and verified"] += 1
            where = f"{path} {last}: {old} to {entry[last]}"
            _require(changed <= best, f"a changed certificate verified at {changed} ({where})")
    return counts


def _numbers(record: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield where the numbers of decoded JSON are."""
    if isinstance(record, int):
        yield path
    elif isinstance(record, dict | list):
        entries = record.items() if isinstance(record, dict) else enumerate(record)
        for key, value in entries:
            yield from _numbers(value, (*path, key))


def smaller(board: Board) -> Iterator[Board]:
    """Yield boards that are a little smaller: without a line, a row, a column or a layer."""
    problem = board.problem
    for line in problem.lines:
        rest = [other for other in problem.lines if other is not line]
        # No via that another drawn line goes through.
        own: list[Via | None] = [
            via
            for via in problem.vias
            if via.span == line.span and board.start[via.cells[0]] in (0, line.number)
        ]
        for via in own if line.crosses_layers else [None]:
            if rest:
                vias = [other for other in problem.vias if other is not via]
                yield _renumbered(board, rest, vias)
    for axis in range(3):
        for edge in (0, -1):
            cut = _without_edge(board, axis, edge)
            if cut is not None:
                yield cut


def _renumbered(board: Board, lines: list[Line], vias: list[Via]) -> Board:
    """Return a board with these lines and vias only; its lines have new numbers."""
    number = {line.number: k for k, line in enumerate(lines, 1)}
    again = tuple(replace(line, number=number[line.number]) for line in lines)
    new = np.array([number.get(k, 0) for k in range(len(board.problem.lines) + 1)], np.int32)
    fixed = frozenset(number[k] for k in board.fixed if k in number)
    return Board(replace(board.problem, lines=again, vias=tuple(vias)), new[board.start], fixed)


def _without_edge(board: Board, axis: int, edge: int) -> Board | None:
    """Return a board without its first (0) or last (-1) layer, row or column, if that is empty."""
    problem = board.problem
    size = problem.shape[axis]
    at = range(size)[edge]
    cells = [end for line in problem.lines for end in line.ends]
    cells += [cell for via in problem.vias for cell in via.cells]
    drawn = board.start.take(at, axis=axis).any()
    if size == 1 or drawn or any(cell[axis] == at for cell in cells):
        return None
    start = np.ascontiguousarray(np.delete(board.start, at, axis=axis))
    z, y, x = (int(axis == k and edge == 0) for k in range(3))

    def moved(cell: Cell) -> Cell:
        return Cell(cell.z - z, cell.y - y, cell.x - x)

    lines = tuple(
        Line(line.number, (moved(line.ends[0]), moved(line.ends[1]))) for line in problem.lines
    )
    vias = tuple(
        replace(via, y=via.y - y, x=via.x - x, bottom=via.bottom - z, top=via.top - z)
        for via in problem.vias
    )
    layers, height, width = (size - (axis == k) for k, size in enumerate(problem.shape))
    return Board(Problem(width, height, layers, lines, vias), start, board.fixed)


def fault_of(board: Board, mode: Mode, tries: int = 1) -> str:
    """Return what is false when a board is routed; empty if nothing is."""
    try:
        best = board.cost()
        for _ in range(tries):
            check_board(board, mode, best)
    except Fault as fault:
        return str(fault)
    except TooLarge:
        return ""
    except Exception:  # Whatever it is, it is to be shown with its board.
        return traceback.format_exc()
    return ""


def shrink(board: Board, mode: Mode) -> Board:
    """Return the smallest board, step by step, of which something is still false."""
    while True:
        less = next((less for less in smaller(board) if fault_of(less, mode, TRIES)), None)
        if less is None:
            return board
        board = less


@dataclass(frozen=True)
class Outcome:
    """What came of a seed: counts by class, and of a false claim what is to be printed."""

    name: str
    counts: Counter[str]
    failure: str = ""


def try_seed(seed: int, cells: int) -> Outcome:
    """Draw the board of a seed, route it, and check it."""
    rnd = random.Random(seed)
    name = list(CLASSES)[seed % len(CLASSES)]
    board = draw(name, rnd, cells)
    mode = draw_mode(rnd)
    best = board.cost()
    counts = Counter({"boards": 1, "no answer": int(best == inf)})
    try:
        status, more = check_board(board, mode, best)
        return Outcome(name, counts + more + Counter({status: 1}))
    except Exception as error:
        said = str(error) if isinstance(error, Fault) else traceback.format_exc()
        counts["false"] += 1
        return Outcome(name, counts, report(seed, cells, board, mode, best, said))


def report(seed: int, cells: int, board: Board, mode: Mode, best: float, said: str) -> str:
    """Return what is to be printed of a false claim: the board, shrunk, and how to see it again."""
    small = shrink(board, mode)
    lines = [
        f"FALSE at seed {seed}: {said}",
        f"trying everything: {'no answer' if best == inf else f'cost {best:g}'}",
        f"again: tools/fuzz.py --seed {seed} --boards 1 --cells {cells}",
        "",
        format_problem(small.problem),
        f"nlroute problem.txt {mode.options}"
        + " --start start.txt" * bool(small.start.any())
        + f" --fix {','.join(map(str, sorted(small.fixed)))}" * bool(small.fixed),
    ]
    best = small.cost()
    lines.append(f"trying everything: {'no answer' if best == inf else f'cost {best:g}'}")
    if small.start.any():
        lines += ["", "start.txt:", format_answer(small.start, len(small.problem.lines))]
    return "\n".join(lines) + "\n"


def try_seeds(seeds: Sequence[int], cells: int) -> list[Outcome]:
    """Try some seeds, one after the other."""
    return [try_seed(seed, cells) for seed in seeds]


class Table:
    """What has been tried so far, by class."""

    COLUMNS = (
        "boards", "no answer", "optimal", "feasible", "infeasible", "unknown", "certificates",
        "of the cost", "changed and refused", "changed and verified", "false",
    )  # fmt: skip

    def __init__(self) -> None:
        self.counts = {name: Counter[str]() for name in CLASSES}

    def add(self, outcome: Outcome) -> None:
        """Count an outcome, and print what is false."""
        self.counts[outcome.name] += outcome.counts
        if outcome.failure:
            print(outcome.failure, flush=True)

    @property
    def total(self) -> Counter[str]:
        """The counts of all classes."""
        return sum(self.counts.values(), Counter())

    def print(self, seconds: float) -> None:
        """Print the table."""
        wide = [max(len(column), 7) for column in self.COLUMNS]
        print(" " * 16 + "  ".join(c.rjust(w) for c, w in zip(self.COLUMNS, wide, strict=True)))
        for name, counts in [*self.counts.items(), ("all", self.total)]:
            cells = (str(counts[c]).rjust(w) for c, w in zip(self.COLUMNS, wide, strict=True))
            print(name.ljust(16) + "  ".join(cells))
        print(f"{seconds:.0f} s")


def main(arguments: Sequence[str] | None = None) -> int:
    """Try boards until time or boards are up; return 0 if nothing was false."""
    options = _parse(arguments)
    start = time.monotonic()
    table = Table()

    def enough() -> bool:
        return time.monotonic() - start > 60 * options.minutes

    seeds = range(options.seed, options.seed + options.boards)
    if options.workers == 1:
        # Raised in the middle of a board, an interrupt could pass for a fault of it.
        with stop_on_interrupt() as stop:
            for seed in seeds:
                table.add(try_seed(seed, options.cells))
                if enough() or stop.is_set():
                    break
        if stop.is_set():
            raise KeyboardInterrupt
    else:
        pieces = (seeds[k : k + SEEDS_AT_ONCE] for k in range(0, len(seeds), SEEDS_AT_ONCE))
        _try_together(options, table, pieces, enough)
    table.print(time.monotonic() - start)
    return 1 if table.total["false"] else 0


def _try_together(options: argparse.Namespace, table: Table, pieces: Any, enough: Any) -> None:
    """Try pieces of work in processes of their own."""
    with processes(options.workers) as pool:
        running: dict[Future[list[Outcome]], Sequence[int]] = {}
        while True:
            while len(running) < 2 * options.workers and not enough():
                piece = next(pieces, None)
                if piece is None:
                    break
                running[pool.submit(try_seeds, piece, options.cells)] = piece
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                piece = running.pop(future)
                try:
                    outcomes = future.result()
                except BrokenProcessPool:
                    print(f"FALSE at one of the seeds {piece}: the process died", flush=True)
                    table.counts["one layer"]["false"] += 1
                    return
                for outcome in outcomes:
                    table.add(outcome)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seed", type=int, default=0, help="the first seed (default: 0)")
    parser.add_argument(
        "--boards",
        type=whole_number(1),
        default=10**9,
        help="boards, one for each seed (default: no limit)",
    )
    parser.add_argument("--minutes", type=positive, default=inf, help="time limit (default: none)")
    parser.add_argument(
        "--cells", type=whole_number(1), default=25, help="cells of a layer at most (default: 25)"
    )
    parser.add_argument(
        "--workers",
        type=whole_number(1),
        default=os.cpu_count() or 1,
        help="processes (default: all cores)",
    )
    options = parser.parse_args(arguments)
    if options.boards == 10**9 and options.minutes == inf:
        parser.error("--minutes or --boards has to say when to stop")
    return options


if __name__ == "__main__":
    sys.exit(interruptible(main))
