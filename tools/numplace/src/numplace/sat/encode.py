"""A puzzle as clauses for a SAT solver, by the levels that an ``.sdq`` file asks for."""

from __future__ import annotations

from itertools import pairwise

from numplace.cell import Cell
from numplace.constraints import (
    Arithmetic,
    Cage,
    Constraint,
    Different,
    DigitLine,
    HiddenThermometers,
    House,
    Less,
    LessEqual,
    Parity,
    Sandwich,
    Thermometer,
)
from numplace.files.sdq_reader import TRANSLATIONS, SdqOrigin
from numplace.puzzle import Puzzle
from numplace.sat.cnf import Cnf
from numplace.sat.diagram import add_group
from numplace.sat.levels import add_cage, add_sandwich
from numplace.solve.deduction import RELATIONS

PARTS: dict[type, str] = {
    House: "Sudoku",
    Different: "AntiKnight",
    Cage: "Killer",
    Sandwich: "SandwichSum",
    Less: "ArrowHead",
    LessEqual: "ArrowHead",
    Thermometer: "Thermometer",
    HiddenThermometers: "ThermometersHidden",
}
"""What the ``.sdq`` clauses call the constraints; others go by their own names."""

STRONGEST = SdqOrigin(levels={"Killer": 3, "SandwichSum": 2})
"""The levels with the fewest clauses, which propagate best."""


def encode(puzzle: Puzzle, wish: SdqOrigin | None = None) -> Cnf:
    """Return the clauses of a puzzle.

    Parameters
    ----------
    wish
        What says the levels and the translation; by default the puzzle's origin.
    """
    cnf = Cnf()
    with cnf.part("cells"):
        for cell in puzzle.cells:
            cnf.domains[cell] = puzzle.domains[cell]
            for value in puzzle.domains[cell]:
                cnf.holds[cell, value] = cnf.new()
            cnf.exactly_one([cnf.holds[cell, value] for value in puzzle.domains[cell]])
    with cnf.part("Grid"):
        for cell, value in puzzle.givens.items():
            cnf.add(*([cnf.holds[cell, value]] if (cell, value) in cnf.holds else []))
    origin = puzzle.origin if isinstance(puzzle.origin, SdqOrigin) else SdqOrigin()
    origin = wish or origin
    translation = origin.translation or TRANSLATIONS[0]
    for constraint in puzzle.constraints:
        name = PARTS.get(type(constraint), type(constraint).__name__)
        with cnf.part(name):
            add_constraint(cnf, constraint, origin.levels.get(name, 0), translation)
    return cnf


def add_constraint(
    cnf: Cnf, constraint: Constraint, level: int = 0, translation: str = "AdderNetwork"
) -> None:
    """Add the clauses of a constraint; level and translation are for those with sums."""
    if isinstance(constraint, Cage):
        add_cage(cnf, constraint, level, translation)
    elif isinstance(constraint, Sandwich):
        add_sandwich(cnf, constraint, level, translation)
    elif isinstance(constraint, House):
        size = constraint.size
        for cell in constraint.cells:
            for value in cnf.domains[cell]:
                if not 1 <= value <= size:
                    cnf.add(-cnf.holds[cell, value])
        for value in range(1, size + 1):
            cells = [cell for cell in constraint.cells if value in cnf.domains[cell]]
            cnf.exactly_one([cnf.holds[cell, value] for cell in cells])
    elif type(constraint) in RELATIONS:
        a, b = constraint.cells
        relation = RELATIONS[type(constraint)]
        for v in cnf.domains[a]:
            for w in cnf.domains[b]:
                if not relation(v, w):
                    cnf.add(-cnf.holds[a, v], -cnf.holds[b, w])
    elif isinstance(constraint, Parity):
        for value in cnf.domains[constraint.cell]:
            if value % 2 != constraint.odd:
                cnf.add(-cnf.holds[constraint.cell, value])
    elif isinstance(constraint, Thermometer):
        for link in constraint.links:
            add_constraint(cnf, link)
    elif isinstance(constraint, HiddenThermometers):
        _add_hidden(cnf, constraint)
    elif isinstance(constraint, DigitLine):
        _add_digits(cnf, constraint)
    elif isinstance(constraint, Arithmetic):
        add_group(cnf, constraint)
    else:
        raise NotImplementedError(f"no clauses for {constraint}")


def _add_hidden(cnf: Cnf, hidden: HiddenThermometers) -> None:
    """One place of each shape; shapes do not meet."""
    covering: dict[Cell, list[int]] = {}
    for shape in hidden.shapes:
        places = []
        for way in hidden.placements(shape):
            if len(set(way)) < len(way):
                continue
            place = cnf.new()
            places.append(place)
            for a, b in pairwise(way):
                for v in cnf.domains[a]:
                    larger = [cnf.holds[b, w] for w in cnf.domains[b] if w > v]
                    cnf.add(-place, -cnf.holds[a, v], *larger)
            for cell in way:
                covering.setdefault(cell, []).append(place)
        cnf.exactly_one(places)
    for places in covering.values():
        cnf.at_most_one(places)


def _add_digits(cnf: Cnf, line: DigitLine) -> None:
    """Each digit in one cell; numbers with a digit twice, or one too large, in none."""
    places: dict[str, list[int]] = {str(digit): [] for digit in range(line.largest + 1)}
    for cell in line.cells:
        for value in cnf.domains[cell]:
            digits = str(value)
            if len(set(digits)) < len(digits) or not set(digits) <= places.keys():
                cnf.add(-cnf.holds[cell, value])
            else:
                for digit in digits:
                    places[digit].append(cnf.holds[cell, value])
    for literals in places.values():
        cnf.exactly_one(literals)
