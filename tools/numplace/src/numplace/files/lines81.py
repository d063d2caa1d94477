"""One grid a line: 81 characters, or as many as grids of another size have."""

from __future__ import annotations

from collections.abc import Iterator

from nlrouter.files.errors import FileError, quote
from numplace.answer import Answer, to_rows
from numplace.cell import Cell
from numplace.files.symbols import SYMBOLS, number_of, symbol_of
from numplace.files.text_grid import refuse_faults, text_lines
from numplace.origin import Origin
from numplace.plain import plain_puzzle
from numplace.puzzle import Puzzle

BLOCK_OF_LENGTH = {block**4: block for block in (2, 3, 4, 5)}
"""The side of the blocks of a grid, by the number of its cells."""


def grid_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the number of each line that has a grid, and the grid.

    What follows a ``#`` is a comment. Of several words the first that can be a grid is taken:
    lists often have names in front and answers behind.
    """
    for number, line in enumerate(text_lines(text), start=1):
        words = line.partition("#")[0].split()
        if words:
            yield number, next((word for word in words if is_grid(word)), words[0])


def is_grid(word: str) -> bool:
    """Return whether a word has the length and the characters of a grid."""
    block = BLOCK_OF_LENGTH.get(len(word))
    if block is None:
        return False
    numbers = [number_of(character) for character in word]
    return all(n is not None and n <= block * block for n in numbers)


def is_filled(word: str) -> bool:
    """Return whether a word is a grid without empty cells, as `format_line` writes it."""
    block = BLOCK_OF_LENGTH.get(len(word))
    return block is not None and set(word) <= set(SYMBOLS[: block * block])


def parse_line(word: str, name: str, line: int) -> Puzzle:
    """Return the puzzle of one grid.

    Raises
    ------
    FileError
        If it is none, or has a number twice in a row, column or block.
    """
    block = BLOCK_OF_LENGTH.get(len(word))
    if block is None:
        lengths = ", ".join(map(str, BLOCK_OF_LENGTH))
        found = f"{len(word)} characters ({quote(word)})"
        raise FileError(name, line, found, f"a grid of {lengths} characters")
    givens = {}
    size = block * block
    for index, character in enumerate(word):
        number = number_of(character)
        if number is None or number > size:
            found = f"the character {quote(character)}"
            expected = f"'.' and the characters {SYMBOLS[0]} to {SYMBOLS[size - 1]}"
            raise FileError(name, line, found, expected)
        if number:
            givens[Cell(index % size, index // size)] = number
    puzzle = plain_puzzle(givens, block, block, Origin("lines", name))
    refuse_faults(puzzle, name, line)
    return puzzle


def parse_lines(text: str, name: str) -> list[Puzzle]:
    """Return the puzzles of a file of one grid a line.

    Raises
    ------
    FileError
        If a line is no grid, or there is none.
    """
    puzzles = [parse_line(word, name, line) for line, word in grid_lines(text)]
    if not puzzles:
        raise FileError(name, None, "nothing", "a grid a line")
    return puzzles


def format_line(puzzle: Puzzle, numbers: Answer) -> str:
    """Return a grid as one line, ``.`` for cells without a number."""
    rows = to_rows(numbers, puzzle.width, puzzle.height)
    return "".join(symbol_of(number) for row in rows for number in row) + "\n"
