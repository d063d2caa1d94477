"""Reading a folder of CSV files: one puzzle. See `numplace.check.data` for what it must fulfil."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from nlrouter.files.errors import quote
from numplace.files.csv_clues import (
    parse_conditions,
    parse_givens,
    parse_inequalities,
    parse_joints,
    parse_relations,
)
from numplace.files.csv_houses import Parts, parse_frames, parse_groups, parse_squares
from numplace.files.csv_table import LoadError, Table, read_table
from numplace.origin import Origin
from numplace.puzzle import Puzzle, make_puzzle

INPUTS = (
    "Frame.csv",
    "Square.csv",
    "Group.csv",
    "XInequal.csv",
    "YInequal.csv",
    "XJoint.csv",
    "YJoint.csv",
    "Condition.csv",
    "Input.csv",
    "Relation.csv",
)
OUTPUTS = ("Output.csv", "Error.csv", "LoadedData.csv")

NO_PARTS = Parts()

_T = TypeVar("_T")


@dataclass(frozen=True)
class CsvOrigin(Origin):
    """The parts of which a puzzle of a CSV folder is made."""

    parts: Parts = NO_PARTS


def read_csv_folder(folder: str | Path) -> Puzzle:
    """Read the puzzle of a folder; files that are missing or not used mean no such clue.

    Clues outside of all houses are read too, and impossible numbers:
    `numplace.check.data.find_faults` tells of them.

    Raises
    ------
    LoadError
        If the folder or a file in it cannot be read as the format says.
    """
    try:
        paths = find_files(str(folder))
    except OSError as error:
        found = f"no readable folder ({error.strerror or error})"
        raise LoadError(str(folder), None, found, "a folder with Frame.csv and others") from error

    notes = []

    def load(name: str, parse: Callable[[Table], _T]) -> _T | None:
        if name not in paths:
            return None
        table = read_table(paths[name])
        if table.unused:
            notes.append(f"{table.name}:1: {quote(table.unused)}: the file is not used")
            return None
        return parse(table)

    parts = Parts(
        load("Frame.csv", parse_frames) or (),
        load("Square.csv", parse_squares) or (),
        load("Group.csv", parse_groups) or (),
    )
    constraints = [
        *parts.houses(),
        *(load("XInequal.csv", lambda table: parse_inequalities(table, 1, 0)) or []),
        *(load("YInequal.csv", lambda table: parse_inequalities(table, 0, 1)) or []),
        *(load("XJoint.csv", lambda table: parse_joints(table, 1, 0)) or []),
        *(load("YJoint.csv", lambda table: parse_joints(table, 0, 1)) or []),
        *(load("Condition.csv", parse_conditions) or []),
        *(load("Relation.csv", parse_relations) or []),
    ]
    givens = load("Input.csv", parse_givens)
    origin = CsvOrigin("csv", str(folder), tuple(notes), parts=parts)
    return make_puzzle(constraints, givens, origin=origin)


def find_files(folder: str) -> dict[str, Path]:
    """Return the input files that are there; upper and lower case of names do not matter.

    Raises
    ------
    OSError
        If the folder cannot be read.
    """
    names = os.listdir(folder)
    wanted = {name.lower(): name for name in INPUTS}
    found_files: dict[str, Path] = {}
    for name in sorted(names):  # Capitals sort first, so an exact name is met before others.
        known = wanted.get(name.lower())
        if known is not None and (known == name or known not in found_files):
            found_files[known] = Path(folder, name)
    return found_files
