"""Draws boards in spreadsheets, as ``nlconv`` does."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace

from nlrouter.answer import as_answer
from nlrouter.checker.rules import violations
from nlrouter.files.atomic import write_atomically
from nlrouter.files.names import is_spreadsheet
from nlrouter.files.xlsx_file import DrawnBoard, format_workbook, sheet_name


def write_workbook(path: str | os.PathLike[str], boards: Iterable[DrawnBoard]) -> None:
    """Draw boards in a spreadsheet of the organisers' format, as a whole or not at all.

    Parameters
    ----------
    path
        The file; it ends in ``.xlsx`` or ``.xlsm``.
    boards
        One or more boards, with names of their own that sheets can have. An answer has to be
        correct: a drawing does not mark the ends, so that only a correct one shows them.

    Raises
    ------
    ValueError
        If there is no board, a name is another board's or cannot be a sheet's, an answer is
        wrong, or the file has another ending.
    FileError
        If it cannot be written.
    MissingExtra
        If openpyxl is not installed.

    Examples
    --------
    >>> import tempfile
    >>> from nlrouter import Problem, read_workbook
    >>> board = DrawnBoard("Q1", Problem(3, 1, 1, [((0, 0, 1), (2, 0, 1))]))
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_workbook(f"{folder}/boards.xlsx", [board])
    ...     [(read.name, read.problem.size) for read in read_workbook(f"{folder}/boards.xlsx")]
    [('Q1', '3X1X1')]
    """
    name = os.fspath(path)
    if not is_spreadsheet(name):
        raise ValueError(f"{name}: expected an ending of xlsx")
    drawn = list(boards)
    if not drawn:
        raise ValueError("boards: found none, expected one or more")
    taken: set[str] = set()
    for board in drawn:
        if board.name != sheet_name(board.name) or board.name.casefold() in taken:
            raise ValueError(f"{board.name!r}: expected a name of its own that a sheet can have")
        taken.add(board.name.casefold())
    write_atomically(name, format_workbook([_checked(board) for board in drawn]))


def _checked(board: DrawnBoard) -> DrawnBoard:
    """Return a board, its answer taken up and correct."""
    if board.answer is None:
        return board
    answer = as_answer(board.answer, board.problem.shape)
    if broken := violations(board.problem, answer):
        raise ValueError(f"the answer of {board.name} is wrong: {broken[0].text}")
    return replace(board, answer=answer)
