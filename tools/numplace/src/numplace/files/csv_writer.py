"""Writing CSV files: ``Output.csv``, and whole folders of any puzzle that CSV can say."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from numplace.answer import Answer, to_rows
from numplace.cell import Cell
from numplace.constraints import (
    Constraint,
    House,
    Joint,
    Less,
    NotJoint,
    Parity,
    Thermometer,
)
from numplace.files.cannot_say import CannotSay
from numplace.files.csv_folder import CsvOrigin
from numplace.files.csv_houses import Frame, Parts, Square
from numplace.puzzle import Puzzle


def format_table(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as comma-separated text; None is a blank field."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue()


def format_numbers(puzzle: Puzzle, numbers: Answer) -> str:
    """Return ``Output.csv`` (or ``Input.csv``): all rows to full width, blank outside."""
    rows = to_rows(numbers, puzzle.width, puzzle.height)
    return "".join(
        ",".join("" if number is None else str(number) for number in row) + "\n" for row in rows
    )


def format_folder(puzzle: Puzzle) -> dict[str, str]:
    """Return the files of a folder that says what a puzzle says, by name.

    Raises
    ------
    CannotSay
        If the puzzle has a constraint that no CSV file can express.
    """
    parts = _parts(puzzle)
    made = {frozenset(house.cells) for house in parts.houses()}
    missing = [house for house in puzzle.houses if frozenset(house.cells) not in made]
    if missing:
        parts = Parts(parts.frames, parts.squares, (*parts.groups, *(h.cells for h in missing)))
    if {cell for house in parts.houses() for cell in house.cells} != set(puzzle.cells):
        raise CannotSay("CSV files have no cells without a frame, square or group")
    files = _format_parts(parts)
    if puzzle.givens:
        files["Input.csv"] = format_numbers(puzzle, puzzle.givens)
    pairs: dict[str, dict[Cell, int]] = {}
    relations: list[tuple[int, Cell, Cell]] = []
    for constraint in puzzle.constraints:
        _place(constraint, pairs, relations)
    for name, codes in pairs.items():
        width = puzzle.width - name.startswith("X")
        height = puzzle.height - name.startswith("Y")
        rows = to_rows(codes, width, height)
        files[name] = "".join(",".join(str(c or "") for c in row) + "\n" for row in rows)
    if relations:
        lines: list[Sequence[object]] = [[len(relations)]]
        for code, first, second in relations:
            lines += [[code], first, second]
        files["Relation.csv"] = format_table(lines)
    return files


def _place(
    constraint: Constraint,
    pairs: dict[str, dict[Cell, int]],
    relations: list[tuple[int, Cell, Cell]],
) -> None:
    """Put one constraint into its file."""
    match constraint:
        case House():
            pass
        case Parity(cell, odd):
            pairs.setdefault("Condition.csv", {})[cell] = 1 if odd else 2
        case Thermometer(_, False):
            for link in constraint.links:
                _place(link, pairs, relations)
        case Less(a, b) | Joint(a, b) | NotJoint(a, b):
            first, second = sorted((a, b))
            step = second.x - first.x, second.y - first.y
            kind = "Inequal" if isinstance(constraint, Less) else "Joint"
            code = 2 if isinstance(constraint, NotJoint) or (second, first) == (a, b) else 1
            if isinstance(constraint, Joint):
                code = 1
            file = {(1, 0): f"X{kind}.csv", (0, 1): f"Y{kind}.csv"}.get(step)
            if file is not None and first not in pairs.get(file, {}):
                pairs.setdefault(file, {})[first] = code
            else:
                number = {Joint: 1, NotJoint: 2, Less: 3}[type(constraint)]
                relations.append((number, a, b))
        case _:
            raise CannotSay(f"CSV files have no way to say: {constraint}", constraint)


def _parts(puzzle: Puzzle) -> Parts:
    """Return the parts that a puzzle was read from, or those that its houses show."""
    if isinstance(puzzle.origin, CsvOrigin):
        return puzzle.origin.parts
    houses = {frozenset(house.cells) for house in puzzle.houses}
    size = puzzle.width
    if size and size == puzzle.height and len(puzzle.cells) == size * size:
        corner = Cell(0, 0)
        for diagonals in (True, False):
            for width in range(2, size // 2 + 1):
                if size % width == 0:
                    frame = Frame(corner, width, size // width, diagonals)
                    if {frozenset(h.cells) for h in frame.houses("")} <= houses:
                        return Parts(frames=(frame,))
        for diagonals in (True, False):
            square = Square(corner, size, diagonals)
            if {frozenset(h.cells) for h in square.houses("")} <= houses:
                return Parts(squares=(square,))
    return Parts()


def _format_parts(parts: Parts) -> dict[str, str]:
    """Return the files of frames, squares and groups; those without records are left out."""
    files: dict[str, str] = {}
    if parts.frames:
        lines: list[Sequence[object]] = [[len(parts.frames)]]
        for frame in parts.frames:
            sides = frame.block_width, frame.block_height
            lines += [frame.corner, sides, [int(frame.diagonals)]]
        files["Frame.csv"] = format_table(lines)
    if parts.squares:
        lines = [[len(parts.squares)]]
        for square in parts.squares:
            lines += [square.corner, [square.size], [int(square.diagonals)]]
        files["Square.csv"] = format_table(lines)
    if parts.groups:
        lines = [[len(parts.groups)]]
        for cells in parts.groups:
            lines += [[len(cells)], *cells]
        files["Group.csv"] = format_table(lines)
    return files
