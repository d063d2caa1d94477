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


def count(problem: Problem, rules: Rules) -> int | None:
    """Count the answers, up to two, by the second model; None if it takes too long."""
    grid = nx.grid_2d_graph(problem.height, problem.width)
    edges = {frozenset(edge): i for i, edge in enumerate(grid.edges, start=1)}
    ends = {(end.y, end.x): line.number for line in problem.lines for end in line.ends}
    lines = range(1, len(problem.lines) + 1)
    of = {
        (cell, line): len(edges) + i * len(lines) + line
        for i, cell in enumerate(grid.nodes)
        for line in lines
    }
    found = 0
    with Solver(name="glucose4") as solver:
        for cell in grid.nodes:
            own = [of[cell, line] for line in lines]
            sides = [edges[frozenset((cell, near))] for near in grid[cell]]
            for pair in combinations(own, 2):
                solver.add_clause([-v for v in pair])
            if cell in ends:
                solver.add_clause([of[cell, ends[cell]]])
                solver.add_clause(sides)
                for pair in combinations(sides, 2):
                    solver.add_clause([-v for v in pair])
                continue
            if rules is Rules.FLOW:
                solver.add_clause(own)
            for three in combinations(sides, 3):
                solver.add_clause([-v for v in three])
            for side in sides:
                solver.add_clause([-side, *own])
                solver.add_clause([-side, *(other for other in sides if other != side)])
            for label in own:
                for others in combinations(sides, len(sides) - 1):
                    solver.add_clause([-label, *others])
        for edge, side in edges.items():
            one, other = edge
            for line in lines:
                solver.add_clause([-side, -of[one, line], of[other, line]])
                solver.add_clause([-side, of[one, line], -of[other, line]])
                if rules is Rules.ADC:
                    solver.add_clause([side, -of[one, line], -of[other, line]])
        solver.conf_budget(MOST_CONFLICTS)
        while found < 2 and (solved := solver.solve_limited()) is not False:
            if solved is None:
                return None
            model = {v for v in solver.get_model() if v > 0}
            drawn = nx.Graph(tuple(edge) for edge, side in edges.items() if side in model)
            paths = []
            for piece in nx.connected_components(drawn):
                sides = [edges[frozenset(edge)] for edge in drawn.subgraph(piece).edges]
                if not ends.keys().isdisjoint(piece):
                    paths += sides
                elif rules is Rules.FLOW:
                    solver.add_clause([-side for side in sides])
            if len(paths) == drawn.number_of_edges() or rules is not Rules.FLOW:
                found += 1
                # No answer has all of these and more.
                solver.add_clause([-side for side in paths])
    return found


if __name__ == "__main__":
    sys.exit(interruptible(main))
