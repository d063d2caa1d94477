"""Whether an assumption contradicts a few named constraints. Knows no technique.

The search fills the named cells and the places of the named numbers in the named houses, and
nothing else: what it refutes follows from what was named. Candidates count as they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from numplace.cell import Cell
from numplace.check.notes import Notes, differ
from numplace.constraints import (
    Arithmetic,
    Cage,
    Constraint,
    HiddenThermometers,
    House,
    Sandwich,
    Thermometer,
)

ATTEMPTS = ((True, 500), (False, 20_000), (True, 20_000))
"""Whether to branch on places of numbers in houses too, or on cells alone; and how many branches.

A pattern of one number needs the former, a sum the latter. After the last a step counts as not
shown.
"""

Domains = dict[Cell, frozenset[int]]


class TooHard(Exception):
    """The budget ran out."""


@dataclass(frozen=True)
class Balance:
    """A sum that follows from named houses and cages: some cells minus others."""

    plus: tuple[Cell, ...]
    minus: tuple[Cell, ...]
    total: int


@dataclass
class Grounds:
    """What a step names.

    Parameters
    ----------
    cells
        Named cells, each of which must hold one of its candidates.
    digits
        Named numbers, each of which must have a place in each named house.
    constraints
        The named constraints.
    """

    notes: Notes
    cells: tuple[Cell, ...]
    digits: tuple[int, ...]
    constraints: tuple[Constraint, ...]
    houses: list[House] = field(init=False)
    links: dict[Cell, set[Cell]] = field(init=False)

    def __post_init__(self) -> None:
        self.houses = [each for each in self.constraints if isinstance(each, House)]
        self.links = {}
        for constraint in self.constraints:
            if differ(constraint):
                for cell in constraint.cells:
                    self.links.setdefault(cell, set()).update(constraint.cells)
        self._parts = [part for each in self.constraints for part in _parts(each)]
        self._balance = _balance(self.constraints)
        # A house is filled where a clue inside it needs to know all of it.
        clue_cells = {c for each in self._parts if len(each.cells) < 30 for c in each.cells}
        self._more = tuple(cell for cell in self.notes.puzzle.cells if cell in clue_cells)
        self._on_places = True
        self._left = 0

    def refutes(
        self,
        without: Mapping[Cell, set[int]],
        accept: Callable[[Mapping[Cell, int]], bool] = lambda _: False,
    ) -> bool:
        """Return whether candidates, narrowed so, contradict what is named.

        Parameters
        ----------
        without
            The candidates of the cells that the assumption narrows.
        accept
            Tells of numbers for the named cells whether they are impossible all the same.

        Raises
        ------
        TooHard
            If it cannot be told within the budget.
        """
        domains: Domains = {cell: frozenset(left) for cell, left in self.notes.left.items()}
        domains.update({cell: frozenset(left) for cell, left in without.items()})
        wanted = list(dict.fromkeys((*self.cells, *without)))
        known = {*wanted, *self._more, *self.notes.filled}
        for self._on_places, self._left in ATTEMPTS:
            try:
                if not self._fits(dict(domains), wanted, set(known), accept):
                    return True
                if self._on_places:
                    return False
            except TooHard:
                continue
        raise TooHard

    def _fits(
        self,
        domains: Domains,
        wanted: list[Cell],
        known: set[Cell],
        accept: Callable[[Mapping[Cell, int]], bool],
    ) -> bool:
        """Return whether some filling of the wanted cells contradicts nothing named.

        ``known`` are the cells that may count with what they hold: those that are filled, named,
        or hold a named number because a named house has no other place for it.
        """
        self._left -= 1
        if self._left < 0:
            raise TooHard
        if not self._settle(domains, known):
            return False
        if all(len(domains[cell]) == 1 for cell in wanted) and accept(
            {cell: min(domains[cell]) for cell in wanted}
        ):
            return False
        choice = self._choice(domains, wanted, known)
        if choice is None:
            return True
        return any(
            self._fits(domains | {cell: frozenset([number])}, wanted, known | {cell}, accept)
            for cell, number in choice
        )

    def _settle(self, domains: Domains, known: set[Cell]) -> bool:
        """Spread what is certain; return False on a contradiction."""
        size = (-1, -1)
        while size != (size := (sum(map(len, domains.values())), len(known))):
            if not (
                self._spread(domains, known)
                and self._place(domains, known)
                and self._narrow(domains)
                and all(domains[cell] for cell in known)
            ):
                return False
        if self._balance is not None and not _within(self._balance, domains):
            return False
        return all(_may_hold(constraint, domains) for constraint in self._parts)

    def _spread(self, domains: Domains, known: set[Cell]) -> bool:
        """Strike the numbers of known cells from those that must differ."""
        for cell in known & self.links.keys():
            if len(domains[cell]) != 1:
                continue
            for other in self.links[cell]:
                if other != cell and domains[cell] <= domains[other]:
                    domains[other] = domains[other] - domains[cell]
                    if not domains[other] and other in known:
                        return False
        return True

    def _place(self, domains: Domains, known: set[Cell]) -> bool:
        """Fill the only places of named numbers in named houses."""
        for house in self.houses:
            for digit in self.digits:
                if digit > house.size:
                    continue
                places = [cell for cell in house.cells if digit in domains[cell]]
                if not places:
                    return False
                if len(places) == 1:
                    domains[places[0]] = frozenset([digit])
                    known.add(places[0])
        return True

    def _narrow(self, domains: Domains) -> bool:
        """Strike what clues of one or two cells leave no partner for."""
        for constraint in self._parts:
            if len(constraint.cells) > 2:
                continue
            first, *rest = constraint.cells
            second = rest[0] if rest else first
            fitting = [
                (x, y)
                for x in domains[first]
                for y in (domains[second] if rest else (x,))
                if not constraint.broken({first: x, second: y})
            ]
            if not fitting:
                return False
            domains[first] &= {x for x, _ in fitting}
            domains[second] &= {y for _, y in fitting}
        return True

    def _choice(
        self, domains: Domains, wanted: list[Cell], known: set[Cell]
    ) -> list[tuple[Cell, int]] | None:
        """Return the alternatives to go on with, the fewest; None if nothing is left open."""
        best: list[tuple[Cell, int]] = []
        for cells in (wanted, self._more):
            undecided = [cell for cell in cells if len(domains[cell]) > 1]
            if undecided:
                cell = min(undecided, key=lambda each: len(domains[each]))
                best = [(cell, number) for number in sorted(domains[cell])]
            if len(best) == 2:
                return best
            for house in self.houses if self._on_places and cells is wanted else ():
                for digit in self.digits:
                    places = [cell for cell in house.cells if digit in domains[cell]]
                    if any(len(domains[cell]) == 1 and cell in known for cell in places):
                        continue
                    if len(places) > 1 and (not best or len(places) < len(best)):
                        best = [(cell, digit) for cell in places]
            if best:
                return best
        return None


def _parts(constraint: Constraint) -> tuple[Constraint, ...]:
    """Return what a clue consists of; nothing for a house."""
    if isinstance(constraint, House):
        return ()
    return constraint.links if isinstance(constraint, Thermometer) else (constraint,)


def _may_hold(constraint: Constraint, domains: Domains) -> bool:
    """Return False if it is plain that a constraint cannot hold."""
    if isinstance(constraint, HiddenThermometers):
        return _shapes_fit(constraint, domains)
    cells = constraint.cells
    if all(len(domains[cell]) == 1 for cell in cells):
        return not constraint.broken({cell: min(domains[cell]) for cell in cells})
    if isinstance(constraint, Cage):
        return _within(Balance(cells, (), constraint.sum), domains)
    if isinstance(constraint, Arithmetic) and constraint.op == "+":
        return _within(Balance(cells, (), constraint.target), domains)
    if isinstance(constraint, Arithmetic) and constraint.op == "*":
        product = 1
        for cell in cells:
            if len(domains[cell]) == 1:
                product *= min(domains[cell])
        return product == 0 or constraint.target % product == 0
    if isinstance(constraint, Sandwich):
        ends = [
            at
            for at, cell in enumerate(cells)
            if domains[cell] <= {constraint.low, constraint.high} and len(domains[cell]) == 1
        ]
        if len(ends) == 2:
            return _within(Balance(cells[ends[0] + 1 : ends[1]], (), constraint.sum), domains)
    return True


def _within(balance: Balance, domains: Domains) -> bool:
    """Return whether the total lies between the least and the most."""
    if not all(domains[cell] for cell in (*balance.plus, *balance.minus)):
        return False
    least = sum(min(domains[cell]) for cell in balance.plus)
    least -= sum(max(domains[cell]) for cell in balance.minus)
    most = sum(max(domains[cell]) for cell in balance.plus)
    most -= sum(min(domains[cell]) for cell in balance.minus)
    return least <= balance.total <= most


def _balance(constraints: tuple[Constraint, ...]) -> Balance | None:
    """Return what the totals of disjoint houses say once those of the cages are taken away."""
    factor: dict[Cell, int] = {}
    total = 0
    houses = [each for each in constraints if isinstance(each, House)]
    cages = [each for each in constraints if isinstance(each, (Cage, Arithmetic))]
    used = []
    covered: set[Cell] = set()
    # Later houses may be there for other reasons: only those that stay apart are added up.
    for house in houses:
        if not covered & set(house.cells):
            covered |= set(house.cells)
            used.append(house)
    for house in used:
        total += house.size * (house.size + 1) // 2
        for cell in house.cells:
            factor[cell] = factor.get(cell, 0) + 1
    for cage in cages:
        if isinstance(cage, Arithmetic) and cage.op != "+":
            return None
        total -= cage.sum if isinstance(cage, Cage) else cage.target
        for cell in cage.cells:
            factor[cell] = factor.get(cell, 0) - 1
    if not used or not cages or any(abs(each) > 1 for each in factor.values()):
        return None
    plus = tuple(cell for cell, each in factor.items() if each == 1)
    minus = tuple(cell for cell, each in factor.items() if each == -1)
    return Balance(plus, minus, total)


def _shapes_fit(constraint: HiddenThermometers, domains: Domains) -> bool:
    """Return whether every shape has a place, and all of them places apart."""
    ways = []
    for shape in constraint.shapes:
        fitting = []
        for way in constraint.placements(shape):
            number = -1
            for cell in way:
                number = min((n for n in domains[cell] if n > number), default=-1)
                if number < 0:
                    break
            else:
                fitting.append(frozenset(way))
        ways.append(fitting)
    return _lie_apart(sorted(ways, key=len), frozenset())


def _lie_apart(ways: list[list[frozenset[Cell]]], taken: frozenset[Cell]) -> bool:
    if not ways:
        return True
    return any(_lie_apart(ways[1:], taken | way) for way in ways[0] if not taken & way)
