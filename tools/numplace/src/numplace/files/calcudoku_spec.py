"""Calcudoku specs: rows of cells, each a given number or the letter of a group.

::

    J+12 F/4 5 2 E*3 E
    J F H+7 H I*60 I
    ...

The clue of a group stands behind its letter at any of its cells; a blank line ends the puzzle.
Letters are kept as the labels of groups, so that what is written is what was read.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import NamedTuple

from nlrouter.files.errors import FileError, quote
from nlrouter.files.text import split_lines
from numplace.cell import Cell, in_reading_order, name_cells
from numplace.constraints.arithmetic import Arithmetic
from numplace.constraints.base import Constraint
from numplace.constraints.digit_line import DigitLine, two_digit_domain
from numplace.files.cannot_say import CannotSay
from numplace.origin import Origin
from numplace.puzzle import Puzzle, make_puzzle
from numplace.regions import connected
from numplace.shapes import square

FORMAT = "calcudoku"
"""The name of the format."""

MOST_SIDE = 16
"""Cells of a line at most."""

MOST_NYLIMB_SIDE = 9
"""The same in Nylimb mode, whose lines hold the digits from 0 to their length."""

MOST_DIGITS = 400
"""Digits of a number that are read. A product of all cells of the largest square has 309."""

LETTERS = string.ascii_uppercase + string.ascii_lowercase
"""The names of groups, 52 in all."""

_CELL = re.compile(r"([0-9]+)|[._]|([A-Za-z])(?:([-+*/x])([0-9]+)|([0-9]+)([-+*/x]))?", re.ASCII)
_STRANGE = re.compile(r"[^-+*/0-9A-Za-z \t._]", re.ASCII)
_SIGNS = str.maketrans("×✕∗⋅·÷∕−–＋", "*****//--+")
"""Signs that others write, and what they mean."""


class Token(NamedTuple):
    """A cell of a spec: a number, or a letter and perhaps a clue; nothing for no group."""

    number: str | None
    letter: str | None
    op: str | None
    target: str | None


class Group(NamedTuple):
    """Cells and their clue, not checked yet; ``op`` is empty for the number of a single cell."""

    cells: Sequence[Cell]
    op: str
    target: int
    label: str = ""
    line: int | None = None


def read_calcudoku(text: str, name: str, *, nylimb: bool | None = None) -> Puzzle:
    """Read a calcudoku.

    Parameters
    ----------
    text
        Its spec.
    name
        The file, for messages.
    nylimb
        Whether the rules are those of Nylimb mode; None to tell it from numbers and targets
        that plain rules cannot have.

    Raises
    ------
    FileError
        If it is none, with the line that is to blame.
    """
    rows = _rows(text, name)
    side = len(rows)
    if nylimb is None:
        nylimb = _looks_nylimb(rows)
    if nylimb and side > MOST_NYLIMB_SIDE:
        found = f"{side} rows in Nylimb mode"
        raise FileError(name, rows[-1][0], found, f"at most {MOST_NYLIMB_SIDE}")
    domain = two_digit_domain(side) if nylimb else tuple(range(1, side + 1))
    givens: dict[Cell, int] = {}
    members: dict[str, list[Cell]] = {}
    clues: dict[str, tuple[str, int]] = {}
    lines: dict[Cell, int] = {}
    for y, (line, row) in enumerate(rows):
        for x, (number, letter, op, target) in enumerate(row):
            cell = Cell(x, y)
            lines[cell] = line
            if number is not None:
                givens[cell] = _number(number, domain, side, nylimb, name, line)
            if letter is None:
                continue
            members.setdefault(letter, []).append(cell)
            if op is not None and target is not None:
                clue = op, _integer(target)
                _check_clue(clue, clues.get(letter, clue), letter, name, line)
                clues[letter] = clue
    groups = []
    for letter, cells in members.items():
        line = lines[cells[0]]
        if letter not in clues:
            found = f"that group {letter} has no clue"
            raise FileError(name, line, found, f"one at one of its cells, such as {letter}+12")
        if len(cells) == 1:
            found = f"that group {letter} has one cell"
            raise FileError(name, line, found, "two or more, or the number itself in its place")
        groups.append(_arithmetic(Group(cells, *clues[letter], letter, line), name))
    return calcudoku(side, groups, givens, nylimb=nylimb, name=name)


def of_groups(side: int, groups: Iterable[Group], name: str) -> Puzzle:
    """Return the calcudoku of groups that a file of another form has.

    Raises
    ------
    FileError
        If they overlap, leave the square, are not connected, or a number is missing or too large.
    """
    givens: dict[Cell, int] = {}
    made: list[Arithmetic] = []
    taken: set[Cell] = set()
    for group in groups:
        for cell in group.cells:
            if cell in taken or not (0 <= cell.x < side and 0 <= cell.y < side):
                found = f"{cell} {'twice' if cell in taken else f'in a square of side {side}'}"
                raise FileError(name, group.line, found, "each cell in one group")
            taken.add(cell)
        cell = group.cells[0]
        if len(group.cells) == 1 and not 1 <= group.target <= side:
            found = f"number {group.target} at {cell}"
            raise FileError(name, group.line, found, f"1 to {side}")
        if len(group.cells) == 1:
            givens[cell] = group.target
        elif not group.op:
            found = f"that the group at {cell} has no operation"
            raise FileError(name, group.line, found, "+, -, * or /")
        else:
            clue = group.op, group.target
            _check_clue(clue, clue, group.label or f"at {cell}", name, group.line)
            made.append(_arithmetic(group, name))
    return calcudoku(side, made, givens, name=name)


def _arithmetic(group: Group, name: str) -> Arithmetic:
    """Return a group whose cells are connected."""
    if not connected(group.cells):
        found = f"that group {group.label or f'at {group.cells[0]}'} is not connected"
        raise FileError(name, group.line, found, "cells that share edges")
    return Arithmetic(tuple(group.cells), group.op, group.target, label=group.label)


def calcudoku(
    side: int,
    groups: Iterable[Arithmetic],
    givens: Mapping[Cell, int],
    *,
    nylimb: bool = False,
    name: str = "",
) -> Puzzle:
    """Return a calcudoku as a puzzle.

    Parameters
    ----------
    side
        Cells of a line.
    nylimb
        Whether lines hold the digits 0 to ``side`` instead of the numbers 1 to ``side``.
    name
        Its file.
    """
    lines: list[Constraint] = list(square(side))
    domains = None
    if nylimb:
        lines = [DigitLine(house.cells, side, house.kind, house.number) for house in square(side)]
        domain = two_digit_domain(side)
        domains = {Cell(x, y): domain for y in range(side) for x in range(side)}
    groups = tuple(groups)
    grouped = {cell for group in groups for cell in group.cells} | set(givens)
    bare = [Cell(x, y) for y in range(side) for x in range(side) if Cell(x, y) not in grouped]
    notes = (f"{name}: in no group, so of any number: {name_cells(bare)}",) if name and bare else ()
    origin = Origin(FORMAT, name, notes)
    return make_puzzle([*lines, *groups], givens, domains=domains, origin=origin)


def is_nylimb(puzzle: Puzzle) -> bool:
    """Tell whether the lines of a puzzle hold digits, not numbers."""
    return any(isinstance(each, DigitLine) for each in puzzle.constraints)


def write_calcudoku(puzzle: Puzzle) -> str:
    """Return the spec of a calcudoku, the clue of each group at its first cell.

    Raises
    ------
    CannotSay
        If the puzzle has something that a spec cannot say.
    """
    groups = [each for each in puzzle.constraints if isinstance(each, Arithmetic)]
    _check_sayable(puzzle, groups)
    letters = [group.label for group in groups]
    if len(set(letters)) < len(letters) or not set(letters) <= set(LETTERS):
        groups.sort(key=lambda group: in_reading_order(group.cells)[0][::-1])
        letters = list(LETTERS[: len(groups)])
    texts = {cell: str(number) for cell, number in puzzle.givens.items()}
    for letter, group in zip(letters, groups, strict=True):
        first, *others = in_reading_order(group.cells)
        texts[first] = f"{letter}{group.op}{group.target}"
        texts |= dict.fromkeys(others, letter)
    rows = ([texts[Cell(x, y)] for x in range(puzzle.width)] for y in range(puzzle.height))
    return "".join(" ".join(row) + "\n" for row in rows)


def _rows(text: str, name: str) -> list[tuple[int, list[Token]]]:
    """Return the rows up to the first blank line, each with its line number and cells."""
    rows: list[tuple[int, list[Token]]] = []
    width = 0
    for line, content in enumerate(split_lines(text), start=1):
        if not content.strip():
            if rows:
                break
            continue
        content = content.translate(_SIGNS)
        strange = _STRANGE.search(content)
        if strange is not None:
            found = f"the character {quote(strange[0])}"
            raise FileError(name, line, found, "numbers, and letters with clues such as A+12")
        cells = [_cell(token, name, line) for token in content.split()]
        number = len(rows) + 1
        if len(cells) > MOST_SIDE:
            found = f"that row {number} has {len(cells)} cells"
            raise FileError(name, line, found, f"at most {MOST_SIDE}")
        width = width or len(cells)
        if len(cells) != width:
            found = f"that row {number} has {_counted(len(cells), 'cell')}"
            raise FileError(name, line, found, f"{width}, as many as row 1")
        if number > width:
            found = f"a row {number} of {_counted(width, 'cell')}"
            raise FileError(name, line, found, f"as many rows as cells in a row, {width}")
        rows.append((line, cells))
    if not rows:
        raise FileError(name, None, "no cells", "rows of numbers, and letters with clues")
    if len(rows) < width:
        found = f"that the puzzle has {_counted(len(rows), 'row')}"
        raise FileError(name, rows[-1][0], found, f"{width}, as many as cells in a row")
    return rows


def _cell(token: str, name: str, line: int) -> Token:
    """Take the text of a cell apart."""
    match = _CELL.fullmatch(token)
    if match is None:
        raise FileError(name, line, quote(token), "a number, a letter, or one such as A+12")
    number, letter, op, target, after, sign = match.groups()
    return Token(number, letter, (op or sign or "").replace("x", "*") or None, target or after)


def _integer(digits: str) -> int:
    """Return the value of digits, or a value beyond all possible ones."""
    return int(digits.lstrip("0")[:MOST_DIGITS] or "0")


def _number(
    text: str, domain: tuple[int, ...], side: int, nylimb: bool, name: str, line: int
) -> int:
    """Return a given number."""
    number = _integer(text)
    if number in domain:
        return number
    expected = f"1 to {side}"
    if nylimb:
        expected = f"0 to {side}, or two different ones of these digits, the first not 0"
    raise FileError(name, line, f"number {text[:20]}", expected)


def _check_clue(
    clue: tuple[str, int], other: tuple[str, int], letter: str, name: str, line: int | None
) -> None:
    """Make sure that a clue is possible, and the same as another of its group."""
    op, target = clue
    if clue != other:
        found = f"that group {letter} has two clues, {other[0]}{other[1]} and {op}{target}"
        raise FileError(name, line, found, "one")
    if target == 0 and op in "*/":
        found = f"target 0 for {quote(op)} in group {letter}"
        raise FileError(name, line, found, "a target of 1 or more")


def _looks_nylimb(rows: list[tuple[int, list[Token]]]) -> bool:
    """Tell whether numbers or targets are beyond plain rules and within those of Nylimb."""
    side = len(rows)
    if side > MOST_NYLIMB_SIDE:
        return False
    cells = [token for _, row in rows for token in row]
    numbers = {_integer(token.number) for token in cells if token.number}
    if not numbers <= set(two_digit_domain(side)):
        return False
    if not numbers <= set(range(1, side + 1)):
        return True
    size = Counter(token.letter for token in cells)
    clues = [(t.op, _integer(t.target), size[t.letter]) for t in cells if t.op and t.target]
    within = all(target <= _most(op, size, two_digit_domain(side)) for op, target, size in clues)
    beyond = any(target > _most(op, size, range(1, side + 1)) for op, target, size in clues)
    return within and beyond


def _most(op: str, size: int, numbers: Iterable[int]) -> int:
    """Return a target that none of so many of these numbers exceed."""
    largest = max(numbers)
    return {"+": largest * size, "*": prod([largest] * size)}.get(op, largest)


def _check_sayable(puzzle: Puzzle, groups: list[Arithmetic]) -> None:
    """Raise `CannotSay` if a puzzle is not a calcudoku that a spec can hold."""
    side = puzzle.width
    plain = calcudoku(side, groups, puzzle.givens, nylimb=is_nylimb(puzzle))
    others = [each for each in puzzle.constraints if not isinstance(each, Arithmetic)]
    lines = {(type(each), each.cells) for each in others}
    expected = {
        (type(each), each.cells) for each in plain.constraints if not isinstance(each, Arithmetic)
    }
    if lines != expected or puzzle.domains != plain.domains:
        strange = next((each for each in others if (type(each), each.cells) not in expected), None)
        what = strange or "cells that are no square"
        raise CannotSay(f"a calcudoku spec cannot say: {what}", strange)
    if len(groups) > len(LETTERS):
        raise CannotSay(f"a calcudoku spec has letters for {len(LETTERS)} groups only")
    clued = [cell for group in groups for cell in group.cells] + list(puzzle.givens)
    if len(set(clued)) < len(clued):
        raise CannotSay("a calcudoku spec gives each cell one group or one number")
    if len(clued) < len(puzzle.cells):
        bare = next(cell for cell in puzzle.cells if cell not in clued)
        raise CannotSay(f"a calcudoku spec cannot say that {bare} is in no group")


def _counted(number: int, thing: str) -> str:
    """Return ``1 row``, ``2 rows``."""
    return f"{number} {thing}" + "s" * (number != 1)
