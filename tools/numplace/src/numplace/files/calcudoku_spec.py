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
from collections.abc import Iterable, Mapping
from math import prod

from nlrouter.files.errors import FileError, quote
from nlrouter.files.text import split_lines
from numplace.cell import Cell, in_reading_order
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

_CELL = re.compile(r"([0-9]+)|([A-Za-z])(?:([-+*/])([0-9]+))?", re.ASCII)
_STRANGE = re.compile(r"[^-+*/0-9A-Za-z \t]", re.ASCII)


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
        for x, match in enumerate(row):
            cell = Cell(x, y)
            lines[cell] = line
            number, letter, op, target = match.groups()
            if number is not None:
                givens[cell] = _number(number, domain, side, nylimb, name, line)
                continue
            members.setdefault(letter, []).append(cell)
            if op is not None:
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
        if not connected(cells):
            found = f"that group {letter} is not connected"
            raise FileError(name, line, found, "cells that share edges")
        groups.append(Arithmetic(tuple(cells), *clues[letter], label=letter))
    return calcudoku(side, groups, givens, nylimb=nylimb, name=name)


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
    return make_puzzle([*lines, *groups], givens, domains=domains, origin=Origin(FORMAT, name))


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


def _rows(text: str, name: str) -> list[tuple[int, list[re.Match[str]]]]:
    """Return the rows up to the first blank line, each with its line number and cells."""
    rows: list[tuple[int, list[re.Match[str]]]] = []
    width = 0
    for line, content in enumerate(split_lines(text), start=1):
        if not content.strip():
            if rows:
                break
            continue
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


def _cell(token: str, name: str, line: int) -> re.Match[str]:
    """Take the text of a cell apart."""
    match = _CELL.fullmatch(token)
    if match is None:
        raise FileError(name, line, quote(token), "a number, a letter, or one such as A+12")
    return match


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
    clue: tuple[str, int], other: tuple[str, int], letter: str, name: str, line: int
) -> None:
    """Make sure that a clue is possible, and the same as another of its group."""
    op, target = clue
    if clue != other:
        found = f"that group {letter} has two clues, {other[0]}{other[1]} and {op}{target}"
        raise FileError(name, line, found, "one")
    if target == 0 and op in "*/":
        found = f"target 0 for {quote(op)} in group {letter}"
        raise FileError(name, line, found, "a target of 1 or more")


def _looks_nylimb(rows: list[tuple[int, list[re.Match[str]]]]) -> bool:
    """Tell whether numbers or targets are beyond plain rules and within those of Nylimb."""
    side = len(rows)
    if side > MOST_NYLIMB_SIDE:
        return False
    cells = [match for _, row in rows for match in row]
    numbers = {_integer(match[1]) for match in cells if match[1]}
    if not numbers <= set(two_digit_domain(side)):
        return False
    if not numbers <= set(range(1, side + 1)):
        return True
    size: dict[str, int] = {}
    for match in cells:
        if match[2]:
            size[match[2]] = size.get(match[2], 0) + 1
    clues = [(match[3], _integer(match[4]), size[match[2]]) for match in cells if match[3]]
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
