"""Many plain grids at once, compiled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import njit
from nlrouter.deadline import Deadline
from nlrouter.files.errors import FileError, quote
from numplace.check.plain_batch import wrong_answers
from numplace.files.lines81 import BLOCK_OF_LENGTH, format_line, parse_line
from numplace.files.symbols import SYMBOLS, number_of, symbol_of
from numplace.plain import plain_puzzle
from numplace.puzzle import Puzzle
from numplace.result import Status
from numplace.solve import bits_kernel
from numplace.solve.bits import Shape
from numplace.solve.bits_kernel import FOUND, LEVEL, PAUSED, START
from numplace.solve.compiled import compiled
from numplace.solve.count import WrongAnswer, count_answers

CHUNK = 2000
"""Grids of 9x9 or less between two looks at the clock: a fifth of a second if they are as usual.
Larger ones take as long each."""

NODES = 20_000
"""Assignments that are tried for a grid before another search takes over, which can be ended."""

_search = compiled(bits_kernel)["search"]


@njit(cache=True)
def _solve_all(
    givens: Any,
    opened: Any,
    answers: Any,
    found: Any,
    work: Any,
    room: Any,
    shape: Any,
    nodes: int,
) -> None:
    """Solve each row of givens; up to two answers each are counted, the first is kept.

    The number found is -1 where it is not decided.
    """
    masks, rest, chosen, state, queue, dirty = work
    cells = givens.shape[1]
    for row in range(givens.shape[0]):
        for cell in range(cells):
            given = givens[row, cell]
            masks[cell] = opened[cell] if given == 0 else opened[cell] & (1 << given)
            dirty[cell] = 0
        state[LEVEL] = 0
        state[START] = -1
        state[FOUND] = 0
        ended = _search(cells, masks, rest, chosen, state, queue, dirty, room, shape, nodes)
        found[row] = -1 if ended == PAUSED else state[FOUND]
        for cell in range(cells):
            mask = room[cell]
            number = 0
            while mask > 1:
                mask >>= 1
                number += 1
            answers[row, cell] = number


@cache
def _prepare(block: int) -> tuple[Any, ...]:
    """Return what the grids of a size have in common."""
    puzzle = plain_puzzle(None, block, block)
    shape = Shape(puzzle)
    n = len(puzzle.cells)
    candidates = shape.deduction.start()
    opened = np.array([candidates[cell] for cell in puzzle.cells], dtype=np.int64)
    arrays = tuple(np.array(each, dtype=np.int64) for each in shape.arrays)
    sizes = (n * (n + 1), n, n, 3, n, n)
    work = tuple(np.zeros(size, dtype=np.int64) for size in sizes)
    return puzzle, opened, arrays, work, np.zeros(2 * n, dtype=np.int64)


def solve_grids(
    lines: Sequence[tuple[int, str]], name: str, deadline: Deadline
) -> Iterator[tuple[str | None, Status]]:
    """Yield the answer of each grid as one line, None if there is none, and its status.

    Parameters
    ----------
    lines
        Grids with their line numbers, see `numplace.files.lines81.grid_lines`.
    name
        The file, for messages.

    Raises
    ------
    FileError
        If a line is no grid.
    WrongAnswer
        If the checker refuses an answer found.
    """
    for number, word in lines:
        if len(word) not in BLOCK_OF_LENGTH:
            parse_line(word, name, number)
    at = 0
    while at < len(lines):
        size = len(lines[at][1])
        end = at
        last = at + (CHUNK if size <= 81 else 1)
        while end < min(len(lines), last) and len(lines[end][1]) == size:
            end += 1
        if deadline.passed():
            yield from ((None, Status.UNKNOWN) for _ in range(at, end))
        else:
            yield from _solve_chunk(lines[at:end], name, BLOCK_OF_LENGTH[size], deadline)
        at = end


def _solve_chunk(
    lines: Sequence[tuple[int, str]], name: str, block: int, deadline: Deadline
) -> Iterator[tuple[str | None, Status]]:
    puzzle, opened, arrays, work, room = _prepare(block)
    givens = _read_chunk(lines, name, block)
    answers = np.zeros_like(givens)
    found = np.zeros(len(lines), dtype=np.int64)
    _solve_all(givens, opened, answers, found, work, room, arrays, NODES)
    if wrong_answers(puzzle, givens, answers)[found > 0].any():
        raise WrongAnswer("bits found a wrong answer")
    letters = np.frombuffer(f".{SYMBOLS}".encode(), dtype=np.uint8)[answers]
    statuses = (Status.NONE, Status.UNIQUE, Status.SEVERAL)
    for row, count in enumerate(found):
        if count < 0:
            number, word = lines[row]
            yield _solve_alone(parse_line(word, name, number), deadline)
            continue
        text = letters[row].tobytes().decode() if count else None
        yield text, statuses[count]


def _solve_alone(puzzle: Puzzle, deadline: Deadline) -> tuple[str | None, Status]:
    """Return answer and status of a hard grid."""
    result = count_answers(puzzle, 2, deadline=deadline).unless_interrupted()
    if not result.answers:
        return None, result.status
    return format_line(puzzle, result.answers[0]).strip(), result.status


def _read_chunk(lines: Sequence[tuple[int, str]], name: str, block: int) -> NDArray[np.int64]:
    """Return the givens of grids of one size, 0 for none."""
    number_of_byte = np.full(256, -1, dtype=np.int64)
    for code in range(128):
        value = number_of(chr(code))
        if value is not None and value <= block * block:
            number_of_byte[code] = value
    text = "".join(word for _, word in lines)
    if not text.isascii():
        for number, word in lines:
            parse_line(word, name, number)
    codes = np.frombuffer(text.encode(), dtype=np.uint8)
    givens = number_of_byte[codes].reshape(len(lines), block**4)
    bad = np.flatnonzero((givens < 0).any(axis=1))
    if len(bad):
        number, word = lines[bad[0]]
        parse_line(word, name, number)
        raise FileError(name, number, quote(word), f"characters up to {symbol_of(block * block)}")
    return givens
