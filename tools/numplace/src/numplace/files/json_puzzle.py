"""Puzzles as JSON: every constraint of every kind, for other programs."""

from __future__ import annotations

import json
from dataclasses import fields
from typing import Any

from nlrouter.files.errors import FileError
from numplace import constraints as kinds
from numplace.cell import Cell, parse_cell
from numplace.constraints import Constraint
from numplace.files.calcudoku_foreign import read_cages
from numplace.origin import Origin
from numplace.puzzle import Puzzle, make_puzzle

VERSION = 1
"""The version of the form; files of others are refused."""

KINDS = {
    name: getattr(kinds, name) for name in kinds.__all__ if name not in ("Constraint", "Violation")
}
"""The constraints by the names they have in a file."""


def format_json(puzzle: Puzzle) -> str:
    """Return a puzzle as one line of JSON.

    ``{"numplace": 1, "domains": {"r1c1": [1, 2]}, "givens": {"r1c1": 2}, "constraints":
    [{"constraint": "Less", "a": "r1c1", "b": "r1c2"}]}``
    """
    record = {
        "numplace": VERSION,
        "domains": {str(cell): list(domain) for cell, domain in puzzle.domains.items()},
        "givens": {str(cell): number for cell, number in puzzle.givens.items()},
        "constraints": [_to_record(constraint) for constraint in puzzle.constraints],
    }
    return json.dumps(record) + "\n"


def parse_json(text: str, name: str) -> Puzzle:
    """Return the puzzle of a JSON text as `format_json` writes it, or of cages of a calcudoku.

    Raises
    ------
    FileError
        If it is none.
    """
    try:
        record = json.loads(text)
        if not isinstance(record, dict) or "numplace" not in record:
            return read_cages(record, name)
        if record["numplace"] != VERSION:
            raise ValueError(f"version {record['numplace']!r}")
        domains = {
            parse_cell(cell): tuple(sorted(map(int, values)))
            for cell, values in record["domains"].items()
        }
        givens = {parse_cell(cell): int(value) for cell, value in record["givens"].items()}
        constraints = [_from_record(each) for each in record["constraints"]]
        if not givens.keys() <= domains.keys():
            raise ValueError("a given without a domain")
        if any(cell not in domains for each in constraints for cell in each.cells):
            raise ValueError("a constraint on a cell without a domain")
    except json.JSONDecodeError as error:
        found = f"no JSON ({error.msg})"
        raise FileError(name, error.lineno, found, "a puzzle as JSON") from error
    except FileError:
        raise
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        found = f"JSON with something wrong ({type(error).__name__}: {error})"
        raise FileError(name, None, found, f"a puzzle of version {VERSION}") from error
    return make_puzzle(constraints, givens, domains=domains, origin=Origin("json", name))


def _to_record(constraint: Constraint) -> dict[str, Any]:
    record: dict[str, Any] = {"constraint": type(constraint).__name__}
    for field in fields(constraint):  # type: ignore[arg-type]
        record[field.name] = _to_plain(getattr(constraint, field.name))
    return record


def _to_plain(value: Any) -> Any:
    if isinstance(value, Cell):
        return str(value)
    return [_to_plain(each) for each in value] if isinstance(value, tuple) else value


def _from_record(record: dict[str, Any]) -> Constraint:
    kind = KINDS[record["constraint"]]
    values = {key: _from_plain(value) for key, value in record.items() if key != "constraint"}
    types = {field.name: str(field.type) for field in fields(kind)}
    for key, value in values.items():
        if types[key] in ("int", "bool", "str") and type(value).__name__ != types[key]:
            raise ValueError(f"{key} of {kind.__name__} is {value!r}")
        if types[key] == "Cell":
            values[key] = parse_cell(value)
        elif types[key] == "tuple[Cell, ...]":
            values[key] = tuple(map(parse_cell, value))
    made: Constraint = kind(**values)
    return made


def _from_plain(value: Any) -> Any:
    return tuple(_from_plain(each) for each in value) if isinstance(value, list) else value
