"""Compare verdicts on generated puzzles with those of a second model, by each rule set.

The second model says the rules as they are: a variable for each side and for each cell and line,
nothing of shortest or lowest drawings. Loops are left out, or forbidden as they turn up where every
cell is to be filled. Puzzles are of 8x8 to
20x20 cells: full ones, some cut until they have only one answer, some without one of their lines,
and scattered ends. One line per rule set counts the verdicts; the exit code is 1 if any differs.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations

import networkx as nx
from interrupt import interruptible
from pysat.solvers import Solver

from nlrouter.analyse.unique import make_unique
from nlrouter.commands.option_types import whole_number
from nlrouter.deadline import Deadline
from nlrouter.files.problem_file import format_problem
from nlrouter.generators import Request, fill_board, make
from nlrouter.interface.puzzles import checked_answers
from nlrouter.problem import Line, Problem
from nlrouter.rule_sets import Rules

SECONDS = 300.0
"""For each verdict; they take less than a second as a rule."""


MOST_CONFLICTS = 50_000
"""Conflicts of the second model for an answer, ten seconds or so, until it gives up: that lines may
touch themselves leaves it much to refute."""


def main(arguments: list[str] | None = None) -> int:
    """Make and compare puzzles; return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--count", type=whole_number(1), default=300, help="of each rule set (default: 300)"
    )
    parser.add_argument("--most", type=whole_number(8), default=20, help="columns (default: 20)")
    parser.add_argument("--rules", choices=tuple(Rules), nargs="*", default=tuple(Rules))
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    wrong = 0
    for rules in map(Rules, options.rules):
        rng = random.Random(f"{options.seed} {rules}")
        start, counts = time.monotonic(), Counter[str]()
        for _ in range(options.count):
            problem = draw_puzzle(rng, rules, options.most)
            found = checked_answers(problem, rules, Deadline(SECONDS), 2)
            number = count(problem, rules)
            if number is None:
                counts["undecided by the second model"] += 1
                continue
            expected = ("no answer", "only one answer", "several answers")[number]
            counts[expected] += 1
            if found.verdict != expected:
                wrong += 1
                print(f"{rules}: {found.verdict}, expected {expected}:", file=sys.stderr)
                print(format_problem(problem, "grid"), file=sys.stderr, flush=True)
        told = ", ".join(f"{n} {verdict}" for verdict, n in sorted(counts.items()))
        print(f"{rules}: {told}  {time.monotonic() - start:.0f} s", flush=True)
    print(f"{wrong} differ")
    return 1 if wrong else 0


def draw_puzzle(rng: random.Random, rules: Rules, most: int) -> Problem:
    """Draw a puzzle of one of four kinds."""
    width, height = rng.randint(8, most), rng.randint(8, most)
    seed = rng.getrandbits(31)
    kind = rng.randrange(1 if rules is Rules.FLOW else 0, 4)  # Scattered ends fill no board.
    if kind == 0:
        lines = rng.randint(width // 2, width * 2)
        return make("random", Request(width, height, 1, lines=lines, seed=seed))[0]
    problem, answer = fill_board(width, height, seed)
    if kind == 1:
        problem = make_unique(problem, answer, Deadline(SECONDS), rules=rules, seed=seed)[1]
    if kind == 2:
        dropped = rng.randrange(len(problem.lines))
        kept = [line.ends for i, line in enumerate(problem.lines) if i != dropped]
        lines_kept = tuple(Line(number, ends) for number, ends in enumerate(kept, start=1))
        problem = replace(problem, lines=lines_kept)
    return problem


class Model:
    """The second model: a variable for each side, and for each cell and line."""

    def __init__(self, problem: Problem, rules: Rules) -> None:
        self._rules = rules
        self._grid = nx.grid_2d_graph(problem.height, problem.width)
        self._edges = {frozenset(edge): i for i, edge in enumerate(self._grid.edges, start=1)}
        self._ends = {(end.y, end.x): line.number for line in problem.lines for end in line.ends}
        first, count = len(self._edges) + 1, len(problem.lines)
        self._own = {
            cell: range(first + i * count, first + (i + 1) * count)
            for i, cell in enumerate(self._grid.nodes)
        }

    def clauses(self) -> Iterator[list[int]]:
        """Yield the rules, but for loops."""
        for cell, own in self._own.items():
            sides = [self._edges[frozenset((cell, near))] for near in self._grid[cell]]
            yield from at_most(1, own)
            if cell in self._ends:
                yield [own[self._ends[cell] - 1]]
                yield sides
                yield from at_most(1, sides)
            else:
                yield from self._passed(own, sides)
        for edge, side in self._edges.items():
            for one, other in zip(*(self._own[cell] for cell in edge), strict=True):
                yield [-side, -one, other]
                yield [-side, one, -other]
                if self._rules is Rules.ADC:
                    yield [side, -one, -other]

    def _passed(self, own: Sequence[int], sides: list[int]) -> Iterator[list[int]]:
        """Yield what is so of a cell without an end: a line goes through it, or none."""
        if self._rules is Rules.FLOW:
            yield [*own]
        yield from at_most(2, sides)
        for side in sides:
            yield [-side, *own]
            yield [-side, *(other for other in sides if other != side)]
        for label in own:
            for others in combinations(sides, len(sides) - 1):
                yield [-label, *others]

    def drawn(self, literals: list[int]) -> tuple[list[int], list[list[int]]]:
        """Return the sides on paths, and those of each loop."""
        true = set(literals)
        graph = nx.Graph(tuple(edge) for edge, side in self._edges.items() if side in true)
        paths: list[int] = []
        loops = []
        for piece in nx.connected_components(graph):
            sides = [self._edges[frozenset(edge)] for edge in graph.subgraph(piece).edges]
            if self._ends.keys().isdisjoint(piece):
                loops.append(sides)
            else:
                paths += sides
        return paths, loops


def at_most(most: int, literals: Sequence[int]) -> Iterator[list[int]]:
    """Yield clauses that let so many literals be true at the most."""
    return ([-literal for literal in some] for some in combinations(literals, most + 1))


def count(problem: Problem, rules: Rules) -> int | None:
    """Count the answers, up to two, by the second model; None if it takes too long."""
    model = Model(problem, rules)
    found = 0
    with Solver(name="glucose4", bootstrap_with=model.clauses()) as solver:
        solver.conf_budget(MOST_CONFLICTS)
        while found < 2 and (solved := solver.solve_limited()) is not False:
            if solved is None:
                return None
            paths, loops = model.drawn(solver.get_model())
            if loops and rules is Rules.FLOW:
                for loop in loops:
                    solver.add_clause([-side for side in loop])
                continue
            found += 1
            # No answer has all of these and more.
            solver.add_clause([-side for side in paths])
    return found


if __name__ == "__main__":
    sys.exit(interruptible(main))
