"""Any puzzle as a CP-SAT model: one variable per cell, one method per kind of constraint."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import pairwise, permutations, product
from typing import TYPE_CHECKING, Any

from ortools.sat.python import cp_model

from numplace.beside import run_beside
from numplace.cell import Cell
from numplace.constraints import (
    Arithmetic,
    Cage,
    Different,
    DigitLine,
    HiddenThermometers,
    House,
    Joint,
    Less,
    LessEqual,
    NotJoint,
    Parity,
    Sandwich,
    Thermometer,
)
from numplace.puzzle import Puzzle

if TYPE_CHECKING:
    from nlrouter.deadline import Deadline


@dataclass(frozen=True)
class ModelConfig:
    """The numbers that shape a model."""

    largest_table: int = 5000
    """Most tuples tried for an operation's table: it propagates best, but grows fast."""


class Model:
    """The model of a puzzle.

    Parameters
    ----------
    puzzle
        Any puzzle. A given that its cell's domain lacks makes the model infeasible.
    """

    def __init__(self, puzzle: Puzzle, config: ModelConfig | None = None) -> None:
        self.model = cp_model.CpModel()
        self.config = config or ModelConfig()
        self.numbers: dict[Cell, cp_model.IntVar] = {}
        self._literals: dict[tuple[Cell, int], Any] = {}
        self._domains: dict[Cell, tuple[int, ...]] = {}
        for cell in puzzle.cells:
            domain = puzzle.domains[cell]
            if cell in puzzle.givens:
                domain = tuple(v for v in domain if v == puzzle.givens[cell])
            self._domains[cell] = domain
        for constraint in puzzle.constraints:
            self._narrow(constraint)
        for cell, domain in self._domains.items():
            if not domain:
                self.model.add_bool_or([])
            self.numbers[cell] = self.model.new_int_var_from_domain(
                cp_model.Domain.from_values(domain or (0,)), str(cell)
            )
        for constraint in puzzle.constraints:
            self._add(constraint)

    def exclude(self, answer: dict[Cell, int]) -> None:
        """Demand that some cell differs from an answer."""
        self.model.add_bool_or([~self.literal(cell, answer[cell]) for cell in self.numbers])

    def literal(self, cell: Cell, value: int) -> Any:
        """Return what is true exactly where a cell holds a value."""
        key = cell, value
        if key not in self._literals:
            if value not in self._domains[cell]:
                self._literals[key] = self.model.new_constant(0)
            else:
                literal = self.model.new_bool_var(f"{cell}={value}")
                self.model.add(self.numbers[cell] == value).only_enforce_if(literal)
                self.model.add(self.numbers[cell] != value).only_enforce_if(~literal)
                self._literals[key] = literal
        return self._literals[key]

    def _narrow(self, constraint: object) -> None:
        """Take from the domains what a constraint forbids a single cell."""
        if isinstance(constraint, House):
            for cell in constraint.cells:
                self._keep(cell, lambda v, n=constraint.size: 1 <= v <= n)
        elif isinstance(constraint, Parity):
            self._keep(constraint.cell, lambda v: v % 2 == constraint.odd)
        elif isinstance(constraint, DigitLine):
            for cell in constraint.cells:
                self._keep(cell, lambda v: len(set(str(v))) == len(str(v)))

    def _keep(self, cell: Cell, wanted: Any) -> None:
        self._domains[cell] = tuple(v for v in self._domains[cell] if wanted(v))

    def _add(self, constraint: object) -> None:
        """Add what a constraint demands of several cells."""
        match constraint:
            case House():
                self.model.add_all_different(self._of(constraint.cells))
            case Less():
                self.model.add(self.numbers[constraint.a] < self.numbers[constraint.b])
            case LessEqual():
                self.model.add(self.numbers[constraint.a] <= self.numbers[constraint.b])
            case Joint():
                self._difference(constraint, [[-1, -1], [1, 1]])
            case NotJoint():
                most = cp_model.INT32_MAX
                self._difference(constraint, [[-most, -2], [2, most]])
            case Different():
                self.model.add(self.numbers[constraint.a] != self.numbers[constraint.b])
            case Cage():
                self.model.add(sum(self._of(constraint.cells)) == constraint.sum)
                if constraint.distinct:
                    self.model.add_all_different(self._of(constraint.cells))
            case Sandwich():
                self._add_sandwich(constraint)
            case Thermometer():
                for link in constraint.links:
                    self._add(link)
            case HiddenThermometers():
                self._add_hidden(constraint)
            case Arithmetic():
                self._add_arithmetic(constraint)
            case DigitLine():
                self._add_digit_line(constraint)
            case Parity():
                pass  # Its one cell has been narrowed.
            case _:
                raise NotImplementedError(f"no model of {constraint}")

    def _of(self, cells: tuple[Cell, ...]) -> list[Any]:
        return [self.numbers[cell] for cell in cells]

    def _difference(self, pair: Joint | NotJoint, intervals: list[list[int]]) -> None:
        difference = self.numbers[pair.a] - self.numbers[pair.b]
        domain = cp_model.Domain.from_intervals(intervals)
        self.model.add_linear_expression_in_domain(difference, domain)

    def _add_sandwich(self, line: Sandwich) -> None:
        """Say where the ends stand; each such place fixes what is between."""
        cells = line.cells
        for end in (line.low, line.high):
            self.model.add_exactly_one([self.literal(cell, end) for cell in cells])
        between = [v for v in self._all_values(cells) if v not in (line.low, line.high)]
        places = []
        for first, last in permutations(range(len(cells)), 2):
            left, right = sorted((first, last))
            inside = cells[left + 1 : right]
            length = len(inside)
            if not length * min(between, default=0) <= line.sum <= length * max(between, default=0):
                continue
            place = self.model.new_bool_var(f"{line} {first} {last}")
            self.model.add_implication(place, self.literal(cells[first], line.low))
            self.model.add_implication(place, self.literal(cells[last], line.high))
            self.model.add(sum(self._of(inside)) == line.sum).only_enforce_if(place)
            places.append(place)
        self.model.add_exactly_one(places)

    def _all_values(self, cells: tuple[Cell, ...]) -> list[int]:
        return sorted({value for cell in cells for value in self._domains[cell]})

    def _add_hidden(self, hidden: HiddenThermometers) -> None:
        """Choose one place of each shape; no cell is covered twice."""
        covering: dict[Cell, list[Any]] = {}
        for number, shape in enumerate(hidden.shapes):
            places = []
            for way in hidden.placements(shape):
                if len(set(way)) < len(way):
                    continue
                place = self.model.new_bool_var(f"shape {number} at {way[0]}")
                places.append(place)
                for a, b in pairwise(way):
                    self.model.add(self.numbers[a] < self.numbers[b]).only_enforce_if(place)
                for cell in way:
                    covering.setdefault(cell, []).append(place)
            self.model.add_exactly_one(places)
        for places in covering.values():
            self.model.add_at_most_one(places)

    def _add_digit_line(self, line: DigitLine) -> None:
        """Each digit is in exactly one cell's number."""
        for digit in map(str, range(line.largest + 1)):
            self.model.add_exactly_one(
                [
                    self.literal(cell, value)
                    for cell in line.cells
                    for value in self._domains[cell]
                    if digit in str(value)
                ]
            )

    def _add_arithmetic(self, group: Arithmetic) -> None:
        """List the tuples that give the target, or where they are many, calculate."""
        cells = group.cells
        domains = [self._domains[cell] for cell in cells]
        if group.op == "+":
            self.model.add(sum(self._of(cells)) == group.target)
        elif math.prod(map(len, domains)) <= self.config.largest_table:
            tuples = [numbers for numbers in product(*domains) if group.holds(list(numbers))]
            self.model.add_allowed_assignments(self._of(cells), tuples)
        elif group.op == "*":
            self._add_product(group)
        else:
            ones = [self.model.new_bool_var(f"{group} from {cell}") for cell in cells]
            self.model.add_bool_or(ones)
            for cell, one in zip(cells, ones, strict=True):
                if group.op == "-":
                    total = sum(self._of(cells)) + group.target
                    self.model.add(2 * self.numbers[cell] == total).only_enforce_if(one)
                else:
                    self._add_quotient(group, cell, one)

    def _add_product(self, group: Arithmetic) -> None:
        """Compare the exponents of each prime, which needs no large products."""
        zeros = [self.literal(cell, 0) for cell in group.cells]
        if group.target == 0:
            self.model.add_bool_or(zeros)
            return
        for zero in zeros:
            self.model.add(zero == 0)
        for prime in self._primes(group):
            found = sum(self._exponent(cell, prime) for cell in group.cells)
            self.model.add(found == exponent(group.target, prime))

    def _add_quotient(self, group: Arithmetic, dividend: Cell, one: Any) -> None:
        """Where ``one`` holds, the dividend is the target times all the others."""
        for cell in group.cells:
            self.model.add_implication(one, ~self.literal(cell, 0))
        if group.target == 0:
            self.model.add(one == 0)
            return
        for prime in self._primes(group):
            others = sum(self._exponent(cell, prime) for cell in group.cells if cell != dividend)
            difference = self._exponent(dividend, prime) - others
            wanted = exponent(group.target, prime)
            self.model.add(difference == wanted).only_enforce_if(one)

    def _primes(self, group: Arithmetic) -> list[int]:
        """Return the primes of a group's numbers; a target with others has no answer."""
        numbers = {v for cell in group.cells for v in self._domains[cell] if v > 0}
        primes = sorted({prime for number in numbers for prime in prime_factors(number)})
        if group.target != math.prod(prime ** exponent(group.target, prime) for prime in primes):
            self.model.add_bool_or([])
        return primes

    def _exponent(self, cell: Cell, prime: int) -> Any:
        """Return the expression of how often a prime divides the number of a cell."""
        return sum(
            exponent(value, prime) * self.literal(cell, value)
            for value in self._domains[cell]
            if value > 0 and exponent(value, prime)
        )


def prime_factors(number: int) -> list[int]:
    """Return the different primes that divide a positive number."""
    primes: list[int] = []
    divisor = 2
    while number > 1:
        if divisor * divisor > number:
            return [*primes, number]
        if number % divisor == 0:
            primes.append(divisor)
            while number % divisor == 0:
                number //= divisor
        divisor += 1
    return primes


def exponent(number: int, prime: int) -> int:
    """Return how often a prime divides a positive number."""
    times = 0
    while number % prime == 0:
        number //= prime
        times += 1
    return times


def find_answers(
    puzzle: Puzzle, limit: int | None, deadline: Deadline, seed: int = 0, workers: int = 1
) -> Iterator[dict[Cell, int] | None]:
    """Yield different answers, then None if it is proven that there are no others.

    Parameters
    ----------
    limit
        Most answers to look for; None for all.
    deadline
        When to give up.
    seed, workers
        Seed of the search and threads for it; with one worker it takes the same course each
        time.
    """
    model = Model(puzzle)
    found = 0
    while limit is None or found < limit:
        solver = _solver(deadline, seed, workers)
        status = run_beside(partial(solver.solve, model.model), solver.stop_search)
        if status == cp_model.INFEASIBLE:
            yield None
            return
        if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            return
        answer = {cell: solver.value(number) for cell, number in model.numbers.items()}
        found += 1
        yield answer
        if limit is None or found < limit:
            model.exclude(answer)


def _solver(deadline: Deadline, seed: int, workers: int) -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = workers
    solver.parameters.random_seed = seed
    # Beyond a year the parameter means the same, and infinity is no number for it.
    solver.parameters.max_time_in_seconds = min(deadline.remaining(), 3e7)
    solver.parameters.catch_sigint_signal = False
    return solver
