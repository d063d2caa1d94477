"""The clue files of a CSV folder: matrices over the grid, and ``Relation.csv``."""

from __future__ import annotations

from collections.abc import Iterator

from nlrouter.files.errors import quote
from numplace.cell import Cell
from numplace.constraints import Constraint, Joint, Less, NotJoint, Parity
from numplace.files.csv_table import LoadError, Records, Table, parse_number


def parse_givens(table: Table) -> dict[Cell, int]:
    """Return the numbers of ``Input.csv``; 0 means the same as a blank."""
    givens = {}
    for y, row in enumerate(table.rows):
        for x, text in enumerate(row.fields):
            if text:
                cell = Cell(x, y)
                number = parse_number(text, table, row.line, "a number or nothing", cell)
                if number:
                    givens[cell] = number
    return givens


def parse_inequalities(table: Table, right: int, down: int) -> list[Constraint]:
    """Return the signs of ``XInequal.csv`` (right 1) or ``YInequal.csv`` (down 1)."""
    return [
        Less(cell, cell.moved(right, down)) if code == 1 else Less(cell.moved(right, down), cell)
        for cell, code in _codes(table)
    ]


def parse_joints(table: Table, right: int, down: int) -> list[Constraint]:
    """Return the joints of ``XJoint.csv`` (right 1) or ``YJoint.csv`` (down 1)."""
    return [
        (Joint if code == 1 else NotJoint)(cell, cell.moved(right, down))
        for cell, code in _codes(table)
    ]


def parse_conditions(table: Table) -> list[Constraint]:
    """Return the odd and even cells of ``Condition.csv``."""
    return [Parity(cell, odd=code == 1) for cell, code in _codes(table)]


def parse_relations(table: Table) -> list[Constraint]:
    """Return the relations of ``Relation.csv``."""
    records = Records(table)
    (count,) = records.numbers("the number of relations")
    relations: list[Constraint] = []
    for _ in range(count):
        code = records.choice(range(1, 5), "1 (joint), 2 (no joint), 3 (less) or 4 (greater)")
        first, second = records.cell(), records.cell()
        if code == 4:
            first, second = second, first
        relations.append((Joint, NotJoint, Less, Less)[code - 1](first, second))
    records.finish("relations")
    return relations


def _codes(table: Table) -> Iterator[tuple[Cell, int]]:
    """Yield the places of a matrix that have a code, 1 or 2."""
    for y, row in enumerate(table.rows):
        for x, text in enumerate(row.fields):
            if not text:
                continue
            if text.lstrip("0") not in ("1", "2"):
                cells = (Cell(x, y),)
                raise LoadError(table.name, row.line, quote(text), "1, 2 or nothing", cells)
            yield Cell(x, y), int(text)
