"""Which format a file has, told by its content; and reading a file of any."""

from __future__ import annotations

import os
import re
from pathlib import Path

from nlrouter.files.errors import FileError, quote
from nlrouter.files.text import read_text
from numplace.files.csv_folder import INPUTS, OUTPUTS, find_files, read_csv_folder
from numplace.files.lines81 import BLOCK_OF_LENGTH, grid_lines, is_grid, parse_lines
from numplace.files.sdq_reader import parse_sdq
from numplace.files.text_grid import is_spaced, parse_text_grid, text_lines
from numplace.puzzle import Puzzle

FORMATS = ("csv", "text", "lines", "sdq", "calcudoku", "json")
"""All formats, as ``--format`` names them."""

PUZZLE_NAMES = ("puzzle", "grid")
"""What a folder's file with the puzzle is called where there are others."""

_CLUE = re.compile(r"(^|\s)[A-Za-z] *[:=]? *([-+*/x×÷−] *[0-9]+|[0-9]+ *[-+*/x×÷−])(\s|$)")


def read_puzzle(path: str, format: str | None = None, **sdq: bool) -> Puzzle:
    """Read the one puzzle of a file or folder.

    Parameters
    ----------
    path
        The file or folder; ``-`` is standard input. See `read_puzzles`.
    format
        One of `FORMATS`; by default what the content shows.
    sdq
        The keywords of `parse_sdq`.

    Raises
    ------
    FileError
        If it cannot be read, or holds several puzzles.
    """
    puzzles = read_puzzles(path, format, **sdq)
    if len(puzzles) > 1:
        raise FileError(path, None, f"{len(puzzles)} puzzles", "one")
    return puzzles[0]


def read_puzzles(path: str, format: str | None = None, **sdq: bool) -> list[Puzzle]:
    """Read all puzzles of a file or folder; only one-line grids can be several.

    A folder is one of CSV files, or has one other file with a puzzle, or one called so; files
    called answer do not count. A file with the name of one of the CSV files means its folder.

    Raises
    ------
    FileError
        If it cannot be read, its format cannot be told, or it is not as its format says.
    """
    if path != "-":
        path = _resolve(path, format)
        if os.path.isdir(path):
            return [read_csv_folder(path)]
    if format == "csv":
        raise FileError(path, None, "no folder", "a folder with Frame.csv and others")
    name, text = read_text(path)
    return parse_puzzles(text, name, format, **sdq)


def parse_puzzles(text: str, name: str, format: str | None = None, **sdq: bool) -> list[Puzzle]:
    """Return all puzzles of a text; see `read_puzzles`."""
    match format or detect(text, name):
        case "sdq":
            return [parse_sdq(text, name, **sdq)]
        case "json":
            from numplace.files.json_puzzle import parse_json

            return [parse_json(text, name)]
        case "calcudoku":
            from numplace.files.calcudoku_foreign import read_any

            return [read_any(text, name)]
        case "lines":
            return parse_lines(text, name)
    return [parse_text_grid(text, name)]


def detect(text: str, name: str) -> str:
    """Return the format of a text, one of `FORMATS`.

    Raises
    ------
    FileError
        If it may be of several, or of none.
    """
    if re.match(r'\s*[\[{]\s*["\[{]', text):
        return "json"
    if re.match(r"\s*\{", text) or re.search(r"\{[A-Za-z\s]*:", text) or name.endswith(".sdq"):
        return "sdq"
    if _is_calcudoku(text):
        return "calcudoku"
    grids = [word for _, word in grid_lines(text)]
    if grids and is_grid(grids[0]):
        return "lines"
    lines = [line for line in text_lines(text) if line.strip()]
    if not lines or is_spaced(lines) or (len(lines) <= 12 and max(map(len, lines)) <= 12):
        return "text"
    if len(grids[0]) in BLOCK_OF_LENGTH:
        return "lines"
    found = f"{quote(lines[0])} at the start, which tells no format"
    raise FileError(name, None, found, f"one of {', '.join(FORMATS[1:])}; --format says which")


def _is_calcudoku(text: str) -> bool:
    """Return whether rows of words have a clue, or are as many as each has words."""
    rows: list[list[str]] = []
    for line in text.strip().splitlines():
        if not line.strip():
            break
        rows.append(line.split())
    if _CLUE.search(text):
        return True
    lines = text_lines(text)
    if len(lines) >= 8 and all(len(line) <= 9 for line in lines):
        return False  # As many rows of words would be wider: this is a text grid.
    words = {word for row in rows for word in row}
    if "0" in words and all(re.fullmatch(r"[0-9]", word) for word in words):
        return False  # No calcudoku has 0 as a given, and Nylimb has two digits in each row.
    cell = re.compile(r"[A-Za-z]|[0-9]{1,2}")
    return bool(rows) and all(
        len(row) == len(rows) and all(map(cell.fullmatch, row)) for row in rows
    )


def puzzle_files(path: str, format: str | None = None) -> list[str]:
    """Return the files that `read_puzzles` reads; ``-`` is standard input."""
    path = _resolve(path, format)
    return list(map(str, find_files(path).values())) if os.path.isdir(path) else [path]


def _resolve(path: str, format: str | None) -> str:
    """Return the folder of CSV files, or else the file with the puzzle."""
    if not os.path.isdir(path):
        is_csv = Path(path).name.lower() in {name.lower() for name in (*INPUTS, *OUTPUTS)}
        return str(Path(path).parent) if is_csv and format in (None, "csv") else path
    if format == "csv":
        return path
    try:
        names = sorted(name for name in os.listdir(path) if not name.startswith("."))
    except OSError as error:
        found = f"no readable folder ({error.strerror or error})"
        raise FileError(path, None, found, "a folder with a puzzle") from error
    if {name.lower() for name in names} & {name.lower() for name in INPUTS}:
        return path
    files = [name for name in names if not name.startswith("answer") and name not in OUTPUTS]
    named = [name for name in files if Path(name).stem in PUZZLE_NAMES]
    files = named if len(files) > 1 and named else files
    if len(files) == 1 and os.path.isfile(os.path.join(path, files[0])):
        return os.path.join(path, files[0])
    found = f"a folder with {len(files)} other files"
    expected = "Frame.csv, Square.csv or Group.csv in it, or one file with a puzzle"
    raise FileError(path, None, found, expected)
