"""Writing ``.sdq`` files: as read, or of any puzzle that the clauses can say."""

from __future__ import annotations

from itertools import pairwise

from numplace.answer import Answer, to_rows
from numplace.cell import Cell
from numplace.constraints import (
    Cage,
    Constraint,
    Different,
    HiddenThermometers,
    House,
    Less,
    LessEqual,
    Sandwich,
    Thermometer,
)
from numplace.files.cannot_say import CannotSay
from numplace.files.sdq_clauses import CELLS, DIRECTIONS, PARTS, SIZE, parse_anti_knight
from numplace.files.sdq_reader import SdqOrigin
from numplace.files.sdq_tokens import Clause
from numplace.puzzle import Puzzle
from numplace.shapes import frame


def format_rows(numbers: Answer) -> str:
    """Return nine rows of nine numbers separated by blanks, 0 for none."""
    rows = to_rows(numbers, SIZE, SIZE)
    return "".join(" ".join(str(number or 0) for number in row) + "\n" for row in rows)


def format_sdq(puzzle: Puzzle) -> str:
    """Return the text of an ``.sdq`` file.

    Raises
    ------
    CannotSay
        If the puzzle is no 9x9 grid, or has a constraint that no clause can express.
    """
    if isinstance(puzzle.origin, SdqOrigin):
        return puzzle.origin.text
    if puzzle.cells != CELLS or puzzle.largest != SIZE:
        raise CannotSay(".sdq files are of 9x9 cells with the numbers 1 to 9")
    text = _format_houses(puzzle)
    knights = {each.cells for each in puzzle.constraints if isinstance(each, Different)}
    if knights:
        moves = {each.cells for each in parse_anti_knight(Clause("AntiKnight", (), None, 1, 1, ""))}
        if {frozenset(pair) for pair in knights} != {frozenset(pair) for pair in moves}:
            raise CannotSay(".sdq files have all knight's moves or none, and no other such pairs")
        text += "{AntiKnight:}\n"
    text += _format_cages([each for each in puzzle.constraints if isinstance(each, Cage)])
    text += _format_sandwiches([e for e in puzzle.constraints if isinstance(e, Sandwich)])
    text += _format_order(puzzle)
    hidden = [each for each in puzzle.constraints if isinstance(each, HiddenThermometers)]
    if len(hidden) > 1:
        raise CannotSay(".sdq files have one set of hidden thermometers")
    for each in hidden:
        text += "{ThermometersHidden:\n" + "".join(map(_shape, each.shapes)) + "}\n"
    if puzzle.givens:
        text += "{Grid:\n" + format_rows(puzzle.givens) + "}\n"
    return text


def _format_houses(puzzle: Puzzle) -> str:
    words = {kind: word for word, kind in PARTS.items()}
    wanted = {frozenset(house.cells) for house in puzzle.houses}
    known: dict[str, set[frozenset[Cell]]] = {}
    for house in frame(3, 3):
        known.setdefault(words[house.kind], set()).add(frozenset(house.cells))
    parts = [word for word, houses in known.items() if houses <= wanted]
    for house in puzzle.houses:
        if not any(frozenset(house.cells) in known[word] for word in parts):
            raise CannotSay(f".sdq files have no way to say: {house}", house)
    if not parts:
        return ""
    return "{Sudoku:}\n" if len(parts) == len(known) else "{Sudoku: " + " ".join(parts) + "}\n"


def _format_cages(cages: list[Cage]) -> str:
    if not cages:
        return ""
    number = {cell: i for i, cage in enumerate(cages, start=1) for cell in cage.cells}
    if sum(len(cage.cells) for cage in cages) != len(number):
        raise CannotSay(".sdq files have no cages that overlap")
    if not all(cage.distinct for cage in cages):
        raise CannotSay(".sdq files have no cages in which numbers may repeat")
    sums = " ".join(f"{cage.sum:02}" for cage in cages)
    rows = to_rows(number, SIZE, SIZE)
    text = "".join(" ".join(f"{n or 0:02}" for n in row) + "\n" for row in rows)
    return f"{{Killer:\n{len(cages)}\n{sums}\n{text}}}\n"


def _format_sandwiches(lines: list[Sandwich]) -> str:
    if not lines:
        return ""
    text = "{SandwichSum:\n"
    for kind in ("column", "row"):
        chosen = [line for line in lines if line.kind == kind]
        text += f"{len(chosen)}\n" + "".join(f"{line.number} {line.sum}\n" for line in chosen)
    return text + "}\n"


def _format_order(puzzle: Puzzle) -> str:
    """Return inequalities and thermometers; a clause has strict ones or others."""
    text = ""
    for kinds, title in (((Less, LessEqual), "ArrowHead:"), ((Thermometer,), "Thermometer:")):
        chosen = [each for each in puzzle.constraints if isinstance(each, kinds)]
        loose = {isinstance(e, LessEqual) or getattr(e, "frozen", False) for e in chosen}
        if len(loose) > 1:
            raise CannotSay(f"the clause {title} cannot hold strict and other inequalities")
        if not chosen:
            continue
        word = ("EQ" if Thermometer not in kinds else "frozen") if loose == {True} else ""
        zero = "0 " if Thermometer in kinds else ""
        lines = [zero + " ".join(map(_name, each.cells)) + "\n" for each in chosen]
        text += "{" + title + f" {word}".rstrip() + "\n" + "".join(lines) + "}\n"
    _refuse_others(puzzle.constraints)
    return text


def _refuse_others(constraints: tuple[Constraint, ...]) -> None:
    known = (House, Different, Cage, Sandwich, Less, LessEqual, Thermometer, HiddenThermometers)
    for constraint in constraints:
        if not isinstance(constraint, known):
            raise CannotSay(f".sdq files have no way to say: {constraint}", constraint)


def _shape(shape: tuple[tuple[int, int], ...]) -> str:
    codes = {step: code for code, step in DIRECTIONS.items()}
    steps = [(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(shape)]
    return " ".join(["0", *(str(codes[step]) for step in steps)]) + "\n"


def _name(cell: Cell) -> str:
    return f"{cell.x + 1}{cell.y + 1}"
