"""Do all engines find the same? Random puzzles of all kinds, solved by each.

    python tools/numplace_agree.py --count 1000

Each puzzle has a hidden answer or none; bits, CP-SAT, SAT and, where it ends, deduction must agree
on how many answers there are up to a limit, and on the answers themselves if these are all. The
checker passes every answer. Exit code 1 and the puzzle as JSON at the first disagreement.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Callable
from itertools import pairwise

from interrupt import interruptible

from nlrouter.commands.option_types import whole_number
from numplace.cell import Cell
from numplace.constraints import (
    Arithmetic,
    Cage,
    Constraint,
    Different,
    DigitLine,
    HiddenThermometers,
    Joint,
    Less,
    LessEqual,
    NotJoint,
    Parity,
    Sandwich,
    Thermometer,
)
from numplace.constraints.digit_line import two_digit_domain
from numplace.files.json_puzzle import format_json
from numplace.puzzle import Puzzle, make_puzzle
from numplace.shapes import frame, square
from numplace.solve.count import UnknownConstraint, count_answers

LIMIT = 6
"""Answers that are looked for: enough to tell puzzles apart, few enough to be quick."""

Grid = dict[Cell, int]


def random_puzzle(rng: random.Random) -> tuple[str, Puzzle]:
    """Return a puzzle and its kind; half of the others' clues may contradict each other."""
    kind = rng.choice([*CLUES, "plain", "diagonal", "overlap", "nylimb"])
    if kind == "nylimb":
        return kind, _nylimb(rng)
    if kind == "overlap":
        corner = Cell(2, 2)
        grid = frame_numbers(rng, 2, 2)
        houses = [*frame(2, 2, part="frame 1"), *frame(2, 2, corner, part="frame 2")]
        return kind, make_puzzle(houses, some_of(rng, grid, 0.3))
    if kind == "plain":
        width, height = rng.choice([(2, 2), (3, 2), (2, 3), (3, 3)])
        grid = frame_numbers(rng, width, height)
        return kind, make_puzzle(frame(width, height), some_of(rng, grid, 0.4))
    if kind == "diagonal":
        size = rng.choice([4, 5])
        grid = _latin_numbers(rng, size)
        return kind, make_puzzle(square(size, diagonals=True), some_of(rng, grid, 0.15))
    size = rng.choice([4, 5])
    grid = _latin_numbers(rng, size)
    clues = CLUES[kind](rng, grid, size)
    if rng.random() < 0.2:  # A wrong number: often no answer.
        cell = rng.choice(list(grid))
        grid[cell] = grid[cell] % size + 1
    return kind, make_puzzle([*square(size), *clues], some_of(rng, grid, rng.choice([0, 0.1, 0.3])))


def _latin_numbers(rng: random.Random, size: int) -> Grid:
    """Return a Latin square: a cyclic one with rows, columns and numbers mixed."""
    rows, columns, numbers = (rng.sample(range(size), size) for _ in range(3))
    return {
        Cell(x, y): numbers[(columns[x] + rows[y]) % size] + 1
        for y in range(size)
        for x in range(size)
    }


def frame_numbers(rng: random.Random, width: int, height: int) -> Grid:
    """Return a full grid with blocks, with numbers mixed."""
    size = width * height
    numbers = rng.sample(range(1, size + 1), size)
    return {
        Cell(x, y): numbers[(y % height * width + y // height + x) % size]
        for y in range(size)
        for x in range(size)
    }


def some_of(rng: random.Random, grid: Grid, share: float) -> Grid:
    """Return about a share of a grid's numbers."""
    return {cell: number for cell, number in grid.items() if rng.random() < share}


def _pairs(size: int) -> list[tuple[Cell, Cell]]:
    """Return all neighbours of a square."""
    cells = [Cell(x, y) for y in range(size) for x in range(size)]
    steps = ((1, 0), (0, 1))
    return [(c, c.moved(*s)) for c in cells for s in steps if max(c.moved(*s)) < size]


def _inequalities(rng: random.Random, grid: Grid, size: int) -> list[Constraint]:
    pairs = [pair for pair in _pairs(size) if rng.random() < 0.5]
    strict = rng.random() < 0.7
    ordered = [(a, b) if grid[a] < grid[b] else (b, a) for a, b in pairs]
    return [Less(a, b) if strict else LessEqual(a, b) for a, b in ordered]


def _joints(rng: random.Random, grid: Grid, size: int) -> list[Constraint]:
    return [
        (Joint if abs(grid[a] - grid[b]) == 1 else NotJoint)(a, b)
        for a, b in _pairs(size)
        if rng.random() < 0.6
    ]


def _parities(rng: random.Random, grid: Grid, size: int) -> list[Constraint]:
    return [Parity(cell, n % 2 == 1) for cell, n in grid.items() if rng.random() < 0.6]


def _knights(rng: random.Random, grid: Grid, size: int) -> list[Constraint]:
    pairs = [(a, a.moved(*step)) for a in grid for step in ((1, 2), (2, 1), (-1, 2), (-2, 1))]
    return [Different(a, b) for a, b in pairs if b in grid and grid[a] != grid[b]]


def _groups(rng: random.Random, grid: Grid, largest: int) -> list[list[Cell]]:
    """Return the cells of a grid in connected groups."""
    left = set(grid)
    groups = []
    while left:
        group = [min(left)]
        left.discard(group[0])
        while len(group) < rng.randint(2, largest):
            near = [c.moved(*s) for c in group for s in ((1, 0), (0, 1), (-1, 0), (0, -1))]
            near = sorted(set(near) & left)
            if not near:
                break
            group.append(rng.choice(near))
            left.discard(group[-1])
        groups.append(group)
    return groups


def _cages(rng: random.Random, grid: Grid, size: int) -> list[Constraint]:
    return [
        Cage(
            tuple(group),
            sum(grid[cell] for cell in group),
            distinct=len({grid[cell] for cell in group}) == len(group),
        )
        for group in _groups(rng, grid, 4)
    ]


def _operations(rng: random.Random, grid: Grid, size: int) -> list[Constraint]:
    made: list[Constraint] = []
    for group in _groups(rng, grid, 4):
        numbers = [grid[cell] for cell in group]
        choices = [
            (op, target)
            for op in "+-*/"
            for target in ([sum(numbers)] if op == "+" else range(300))
            if Arithmetic(tuple(group), op, target).holds(numbers)
        ]
        op, target = rng.choice(choices)
        made.append(Arithmetic(tuple(group), op, target))
    return made


def _sandwiches(rng: random.Random, grid: Grid, size: int) -> list[Constraint]:
    made: list[Constraint] = []
    for number in range(size):
        for kind in ("row", "column"):
            cells = tuple(cell for cell in grid if cell[kind == "row"] == number)
            ends = sorted(i for i, cell in enumerate(cells) if grid[cell] in (1, size))
            total = sum(grid[cell] for cell in cells[ends[0] + 1 : ends[1]])
            made.append(Sandwich(cells, total, kind, number + 1, high=size))
    return [line for line in made if rng.random() < 0.7]


def _paths(rng: random.Random, grid: Grid, *, equal: bool) -> list[tuple[Cell, ...]]:
    """Return rising ways through neighbours."""
    ways = []
    for _ in range(rng.randint(1, 4)):
        way = [rng.choice(list(grid))]
        while len(way) < 4:
            near = [way[-1].moved(*s) for s in ((1, 0), (0, 1), (-1, 0), (0, -1), (1, 1))]
            near = [c for c in near if c in grid and c not in way]
            near = [c for c in near if grid[c] > grid[way[-1]] - equal]
            if not near:
                break
            way.append(rng.choice(near))
        ways.append(tuple(way))
    return ways


def _thermometers(rng: random.Random, grid: Grid, size: int) -> list[Constraint]:
    frozen = rng.random() < 0.3
    return [Thermometer(way, frozen) for way in _paths(rng, grid, equal=frozen)]


def _hidden(rng: random.Random, grid: Grid, size: int) -> list[Constraint]:
    shapes = []
    for way in _paths(rng, grid, equal=False):
        steps = [(0, 0)]
        for a, b in pairwise(way):
            steps.append((steps[-1][0] + b.x - a.x, steps[-1][1] + b.y - a.y))
        shapes.append(tuple(steps))
    cells = tuple(sorted(grid, key=lambda cell: (cell.y, cell.x)))
    return [HiddenThermometers(cells, tuple(shapes))]


def _nylimb(rng: random.Random) -> Puzzle:
    """Return a Nylimb puzzle of 2x2 or 3x3 cells, whose groups may contradict each other."""
    size = rng.choice([2, 3])
    cells = [Cell(x, y) for y in range(size) for x in range(size)]
    lines: list[Constraint] = []
    for number in range(size):
        for axis, kind in enumerate(("column", "row")):
            chosen = tuple(cell for cell in cells if cell[axis] == number)
            lines.append(DigitLine(chosen, size, kind, number + 1))
    groups = [
        Arithmetic((cells[i], cells[i + 1]), rng.choice("+*"), rng.randint(0, 12))
        for i in range(0, len(cells) - 1, rng.randint(2, 4))
    ]
    domains = dict.fromkeys(cells, two_digit_domain(size))
    return make_puzzle([*lines, *groups[: rng.randint(0, 2)]], domains=domains)


CLUES: dict[str, Callable[[random.Random, Grid, int], list[Constraint]]] = {
    "inequality": _inequalities,
    "joint": _joints,
    "parity": _parities,
    "knight": _knights,
    "cage": _cages,
    "calcudoku": _operations,
    "sandwich": _sandwiches,
    "thermometer": _thermometers,
    "hidden thermometer": _hidden,
}
"""What makes the clues of each kind from a hidden answer."""


def disagreement(puzzle: Puzzle) -> str | None:
    """Return in what way the engines disagree on a puzzle; None if they agree."""
    expected = count_answers(puzzle, LIMIT, engine="cpsat")
    for engine in ("auto", "bits", "sat", "logic"):
        try:
            result = count_answers(puzzle, LIMIT, engine=engine)
        except UnknownConstraint:
            continue
        if not result.exhausted and len(result.answers) < LIMIT:
            if engine == "sat":
                return "sat gives up"
            continue  # These may.
        # With exactly as many as looked for, some engines look no further.
        if len(result.answers) != len(expected.answers):
            found = f"{len(result.answers)} answers, CP-SAT {len(expected.answers)}"
            return f"{engine} finds {found}"
        if len(result.answers) < LIMIT:
            sets = [{tuple(sorted(a.items())) for a in r.answers} for r in (result, expected)]
            if sets[0] != sets[1]:
                return f"{engine} finds other answers than CP-SAT"
    return None


def main(argv: list[str] | None = None) -> int:
    """Run the comparison; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--count", type=whole_number(1), default=1000, help="puzzles (default: 1000)"
    )
    parser.add_argument("--seed", type=int, default=1, help="seed (default: 1)")
    args = parser.parse_args(argv)
    seen: Counter[tuple[str, str]] = Counter()
    for number in range(args.count):
        kind, puzzle = random_puzzle(random.Random(f"{args.seed} {number}"))
        wrong = disagreement(puzzle)
        if wrong is not None:
            print(f"puzzle {number} ({kind}): {wrong}\n{format_json(puzzle)}")
            return 1
        seen[kind, str(count_answers(puzzle).status)] += 1
    for (kind, status), count in sorted(seen.items()):
        print(f"{kind:20} {status:8} {count:5}")
    print(f"{args.count} puzzles: all engines agree")
    return 0


if __name__ == "__main__":
    sys.exit(interruptible(main))
