"""What numplace reaches of its bars, measured on this machine.

    python tools/numplace_bench.py                  # all, some minutes
    python tools/numplace_bench.py B1 B4 --markdown

Public collections of puzzles are not part of this repository: grids made here at random stand in,
or those of a file, one a line.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

from arguments import checked, require_file
from interrupt import interruptible

import numplace_agree
from nlrouter.deadline import Deadline
from numplace.cell import Cell
from numplace.check.proof import check_proof
from numplace.check.rules import violations
from numplace.files.detect import read_puzzles
from numplace.files.lines81 import format_line, grid_lines, parse_lines
from numplace.plain import plain_puzzle
from numplace.puzzle import Puzzle
from numplace.result import Status
from numplace.sat.proof import make_proof
from numplace.solve.count import count_answers

ROOT = Path(__file__).parent.parent
DATA = ROOT / "tests" / "data" / "numplace"


@dataclass(frozen=True)
class Settings:
    """How much is measured.

    Parameters
    ----------
    share
        Of the full number of puzzles; 1 is what the bars speak of where that takes minutes.
    grids
        A file of one-line grids instead of our own, or None.
    """

    share: float = 0.1
    grids: Path | None = None

    def number(self, full: int) -> int:
        """Return how many of a full number are measured."""
        return max(2, round(full * self.share))


@dataclass(frozen=True)
class Reached:
    """What was reached of a bar, and whether that is enough."""

    text: str
    enough: bool


def timed(work: Callable[..., object], *arguments: object) -> float:
    """Return the seconds of processor time that something takes."""
    start = processor_time()
    work(*arguments)
    return processor_time() - start


def processor_time() -> float:
    """Return the seconds that this process and its children have computed so far.

    Time on the clock would measure what else the machine does.
    """
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def instances() -> Iterator[tuple[str, Puzzle]]:
    """Yield all puzzles of the tests."""
    for folder in sorted(path for path in DATA.iterdir() if path.is_dir()):
        for number, puzzle in enumerate(read_puzzles(str(folder)), start=1):
            yield f"{folder.name} {number}", puzzle


@cache
def own_grids(count: int) -> tuple[str, ...]:
    """Return minimal grids made from seeds, each as one line."""
    from numplace.generate.make import Request, make

    request = Request("plain", minimal=True)
    made = (make(request, seed).puzzle for seed in range(count))
    return tuple(format_line(puzzle, puzzle.givens).strip() for puzzle in made)


def grids_of(settings: Settings, full: int) -> list[str]:
    """Return the grids to measure with."""
    if settings.grids is not None:
        return [word for _, word in grid_lines(settings.grids.read_text())]
    return list(own_grids(settings.number(full)))


def require_grids(path: Path) -> None:
    """Raise `FileError` unless a file has a grid a line."""
    parse_lines(path.read_text(errors="replace"), str(path))


def solve_all(grids: list[str]) -> Status:
    """Solve grids as a batch; return the gravest status."""
    from numplace.solve.batch import solve_grids

    lines = list(enumerate(grids, start=1))
    statuses = {status for _, status in solve_grids(lines, "grids", Deadline(1e9))}
    return Status.UNIQUE if statuses == {Status.UNIQUE} else Status.UNKNOWN


def b1_batch(settings: Settings) -> Reached:
    """17-clue grids: 49,151 with proof of uniqueness in 5 s."""
    grids = grids_of(settings, 2000)
    solve_all(grids[:2])  # Compiles.
    many = grids * max(1, 20_000 // len(grids))
    seconds = timed(solve_all, many)
    rate = len(many) / seconds
    return Reached(f"{len(grids)} minimal grids: {rate:.0f}/s, 49,151 in {49151 / rate:.1f} s",
                   rate >= 49151 / 5)  # fmt: skip


def b2_hardest(settings: Settings) -> Reached:
    """Hardest grids: 500/s, worst 50 ms."""
    rng = Random(1)
    hard = next(line for line in (DATA / "TXT/ladder.txt").read_text().splitlines()
                if line.startswith("TXT-03")).split()[1]  # fmt: skip
    grids = [disguise(hard, rng) for _ in range(settings.number(1000))]
    solve_all(grids[:2])
    times = [timed(solve_all, [grid]) for grid in grids]
    seconds = timed(solve_all, grids)
    rate = len(grids) / seconds
    text = f"{len(grids)} disguises of TXT-03: {rate:.0f}/s, worst {1000 * max(times):.1f} ms"
    return Reached(text, rate >= 500 and max(times) <= 0.05)


def disguise(grid: str, rng: Random) -> str:
    """Return the same grid with numbers, rows, columns and their bands mixed."""
    names = dict(zip("123456789", rng.sample("123456789", 9), strict=True))
    orders = [
        [3 * band + i for band in rng.sample(range(3), 3) for i in rng.sample(range(3), 3)]
        for _ in range(2)
    ]
    cells = [grid[9 * y + x] for y in orders[0] for x in orders[1]]
    return "".join(names.get(cell, ".") for cell in cells)


def b3_cold(settings: Settings) -> Reached:
    """One grid from the shell, cold: 0.5 s by bits, 1.5 s by CP-SAT."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tools")])}

    def solve(name: str) -> None:
        words = [sys.executable, "-m", "numplace.commands.numplace", "solve", str(DATA / name)]
        subprocess.run(words, env=environment, capture_output=True, check=True)

    light, heavy = (
        statistics.median(timed(solve, name) for _ in range(5)) for name in ("TXT-01", "SDQ-03")
    )
    return Reached(f"text grid {light:.2f} s, killer {heavy:.2f} s", light <= 0.5 and heavy <= 1.5)


def b4_instances(settings: Settings) -> Reached:
    """Every instance of the tests: solved and proven in 1 s."""
    list(times_of_instances())  # Imports.
    worst, name = max(times_of_instances())
    return Reached(f"worst {worst:.2f} s ({name})", worst <= 1)


def times_of_instances() -> Iterator[tuple[float, str]]:
    """Yield the seconds that each instance takes."""
    for name, puzzle in instances():
        yield timed(count_answers, puzzle), name


def b5_sums(settings: Settings) -> Reached:
    """Sandwich with all sums, hidden thermometers: 1 s each."""
    times = {name.split()[0]: seconds for seconds, name in times_of_instances()}
    sandwich, hidden = times["SDQ-05"], times["SDQ-09a"]
    text = f"sandwich {sandwich:.2f} s, hidden thermometers {hidden:.2f} s"
    return Reached(text, max(sandwich, hidden) <= 1)


def b6_large(settings: Settings) -> Reached:
    """25x25 grids, half filled: 10 s."""
    times = []
    for seed in range(settings.number(20)):
        rng = Random(seed)
        grid = numplace_agree.frame_numbers(rng, 5, 5)
        puzzle = plain_puzzle(numplace_agree.some_of(rng, grid, 0.5), 5, 5)
        times.append(timed(count_answers, puzzle))
    return Reached(f"{len(times)} grids, worst {max(times):.2f} s", max(times) <= 10)


def b7_explain(settings: Settings) -> Reached:
    """Explanations: 99 % of random minimal grids without assumption, median 50 ms."""
    from numplace.logic.ladder import LADDER
    from numplace.logic.solver import explain

    ladder = [technique for technique in LADDER if technique.group != "assumption"]
    puzzles = [puzzle_of(grid) for grid in grids_of(settings, 2000)[: settings.number(2000)]]
    solved, times = 0, []
    for puzzle in puzzles:
        start = processor_time()
        solved += explain(puzzle, ladder).solved
        times.append(processor_time() - start)
    share, median = solved / len(puzzles), statistics.median(times)
    text = f"{solved} of {len(puzzles)} minimal grids ({share:.1%}), median {1000 * median:.0f} ms"
    return Reached(text, share >= 0.99 and median <= 0.05)


def puzzle_of(grid: str) -> Puzzle:
    """Return the puzzle of one line."""
    from numplace.files.lines81 import parse_line

    return parse_line(grid, "grid", 1)


def b8_plain(settings: Settings) -> Reached:
    """Make a minimal 9x9: 20 ms; of a level: 2 s."""
    from numplace.generate.make import Request, make
    from numplace.logic.ladder import LEVELS

    request = Request("plain", minimal=True)
    make(request, 0)
    count = settings.number(300)
    each = timed(lambda: [make(request, seed) for seed in range(count)]) / count
    levels = {
        level: max(
            timed(make, Request("plain", level=level), seed) for seed in range(settings.number(20))
        )
        for level in LEVELS
    }
    worst = max(levels, key=levels.__getitem__)
    text = f"{1000 * each:.0f} ms; of a level at worst {levels[worst]:.1f} s ({worst})"
    return Reached(text, each <= 0.02 and levels[worst] <= 2)


def b9_calcudoku(settings: Settings) -> Reached:
    """Make calcudoku: 6x6 0.2 s, 9x9 2 s median, 20 s worst; solve 9x9 0.3 s."""
    from numplace.generate.make import Request, make

    count = settings.number(100)
    small = statistics.median(
        timed(make, Request("calcudoku", side=6), seed) for seed in range(count)
    )
    times, solving = [], []
    for seed in range(count):
        for two_cell in (False, True):
            start = processor_time()
            made = make(Request("calcudoku", side=9, two_cell=two_cell), seed)
            times.append(processor_time() - start)
            solving.append(timed(count_answers, made.puzzle))
    median, worst, solve = statistics.median(times), max(times), max(solving)
    text = (
        f"6x6 {small:.2f} s; 9x9 of {len(times)} median {median:.2f} s, worst {worst:.1f} s;"
        f" solve at worst {solve:.2f} s"
    )
    return Reached(text, small <= 0.2 and median <= 2 and worst <= 20 and solve <= 0.3)


def b10_variants(settings: Settings) -> Reached:
    """Make each variant at 9x9: 10 s worst of 20 seeds."""
    from numplace.generate.make import Request, make

    kinds = ("jigsaw", "inequality", "joint", "parity", "killer", "sandwich", "thermometer",
             "arrow")  # fmt: skip
    times = {
        kind: max(timed(make, Request(kind), seed) for seed in range(settings.number(20)))
        for kind in kinds
    }
    worst = max(times, key=times.__getitem__)
    return Reached(f"worst {times[worst]:.1f} s ({worst})", times[worst] <= 10)


def b11_proofs(settings: Settings) -> Reached:
    """Proofs of uniqueness, or of none, for every instance: verified in 5 s."""
    worst, slowest, failed = 0.0, "", 0
    for name, puzzle in instances():
        result = count_answers(puzzle)
        if result.status not in (Status.UNIQUE, Status.NONE):
            continue
        text = make_proof(puzzle, result.answers[0] if result.answers else None, Deadline(60))
        start = processor_time()
        failed += text is None or not check_proof(puzzle, text, name).holds
        seconds = processor_time() - start
        if seconds > worst:
            worst, slowest = seconds, name
    return Reached(f"{failed} failed, worst {worst:.1f} s ({slowest})", not failed and worst <= 5)


def is_answer(puzzle: Puzzle, numbers: dict[Cell, int]) -> bool:
    """Return whether CP-SAT takes numbers for an answer."""
    from numplace.solve.cpsat import find_answers

    found = next(find_answers(puzzle.with_givens(numbers), 1, Deadline(60)), None)
    return found == numbers


def b12_changes(settings: Settings) -> Reached:
    """The checker finds every change of one cell: 1,000 random answers of all kinds."""
    answers = changes = missed = 0
    number = 0
    while answers < settings.number(1000):
        _, puzzle = numplace_agree.random_puzzle(Random(f"change {number}"))
        number += 1
        for answer in count_answers(puzzle, 1).answers:
            answers += 1
            for cell in puzzle.cells:
                for value in puzzle.domains[cell]:
                    if value != answer[cell]:
                        changes += 1
                        changed = {**answer, cell: value}
                        # Another right answer may be one cell away, told by the search alone.
                        missed += not violations(puzzle, changed) and not is_answer(puzzle, changed)
    return Reached(f"{answers} answers, {changes} changes, {missed} missed", missed == 0)


def joined(corners: list[Cell], rng: Random) -> Puzzle:
    """Return 9x9 grids that share cells, each dug out as if those before it were solved."""
    from numplace.generate.dig import dig, without
    from numplace.puzzle import make_puzzle
    from numplace.shapes import frame, without_repeats

    numbers = rng.sample(range(1, 10), 9)
    givens: dict[Cell, int] = {}
    known: set[Cell] = set()
    houses = []
    for part, corner in enumerate(corners, start=1):
        houses += frame(3, 3, corner, part=f"frame {part}")
        # One pattern goes on through all grids, as their corners are multiples of 3.
        cells = [corner.moved(x, y) for y in range(9) for x in range(9)]
        answer = {cell: numbers[(3 * (cell.y % 3) + cell.y // 3 + cell.x) % 9] for cell in cells}
        alone = make_puzzle(frame(3, 3, corner), answer)
        fresh = [cell for cell in cells if cell not in known]
        left = without(alone, dig(alone, [(cell,) for cell in fresh], rng)).givens
        givens |= {cell: left[cell] for cell in fresh if cell in left}
        known |= {*cells}
    return make_puzzle(without_repeats(houses), givens)


def b13_joined(settings: Settings) -> Reached:
    """Boards of 5, 11 and 105 joined grids, with proof of uniqueness: 0.5 s, 0.5 s, 4 s."""
    times = []
    for columns, rows, bar in ((3, 3, 0.5), (7, 3, 0.5), (15, 14, 4)):
        places = ((x, y) for y in range(rows) for x in range(columns) if (x + y) % 2 == 0)
        puzzle = joined([Cell(6 * x, 6 * y) for x, y in places], Random(columns))
        times.append((timed(count_answers, puzzle), bar))
    text = ", ".join(f"{seconds:.2f} s" for seconds, _ in times)
    return Reached(text, all(seconds <= bar for seconds, bar in times))


def b14_killers(settings: Settings) -> Reached:
    """Killers of three grades without givens, with proof of uniqueness: 1 s each."""
    from numplace.files.sdq_reader import parse_sdq

    paths = sorted((DATA.parent / "killers").glob("*.sdq"))
    times = {path.stem: timed(count_answers, parse_sdq(path.read_text(), "")) for path in paths}
    text = ", ".join(f"{grade} {seconds:.2f} s" for grade, seconds in times.items())
    return Reached(text, max(times.values()) <= 1)


BARS = {
    function.__name__.split("_")[0].upper(): function
    for function in (
        b1_batch, b2_hardest, b3_cold, b4_instances, b5_sums, b6_large, b7_explain, b8_plain,
        b9_calcudoku, b10_variants, b11_proofs, b12_changes, b13_joined, b14_killers,
    )
}  # fmt: skip


def main(argv: list[str] | None = None) -> int:
    """Measure; return 1 if a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bars", nargs="*", metavar="BAR", help=f"{', '.join(BARS)} (default: all)")
    parser.add_argument("--full", action="store_true", help="all puzzles instead of a tenth")
    parser.add_argument(
        "--grids",
        type=checked(require_file, require_grids),
        metavar="FILE",
        help="grids, one a line, for B1, B7",
    )
    parser.add_argument("--markdown", action="store_true", help="as a table")
    parser.add_argument("--json", action="store_true", help="as JSON, one object a line")
    args = parser.parse_args(argv)
    unknown = set(args.bars) - set(BARS)
    if unknown:
        parser.error(f"{', '.join(sorted(unknown))}: expected one of {', '.join(BARS)}")
    settings = Settings(1.0 if args.full else 0.1, args.grids)
    if args.markdown:
        print("| bar | what | reached | |\n| --- | --- | --- | --- |")
    missed = 0
    for name in args.bars or BARS:
        measure = BARS[name]
        what = (measure.__doc__ or "").rstrip(".")
        reached = measure(settings)
        missed += not reached.enough
        word = "reached" if reached.enough else "missed"
        if args.json:
            record = {"bar": name, "what": what, "text": reached.text, "reached": reached.enough}
            print(json.dumps(record), flush=True)
        elif args.markdown:
            print(f"| {name} | {what} | {reached.text} | {word} |", flush=True)
        else:
            print(f"{name:4} {word:8} {what}\n              {reached.text}", flush=True)
    return int(missed > 0)


if __name__ == "__main__":
    sys.exit(interruptible(main))
