"""Reading ``.sdq`` files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from nlrouter.files.errors import FileError, quote
from numplace.answer import Answer
from numplace.cell import Cell
from numplace.constraints import Constraint
from numplace.files.sdq_clauses import (
    CELLS,
    SIZE,
    parse_anti_knight,
    parse_arrow_head,
    parse_difficulty,
    parse_grid,
    parse_hidden,
    parse_killer,
    parse_sandwich,
    parse_sudoku,
    parse_thermometers,
)
from numplace.files.sdq_tokens import COMMENT, Clause, parse_clauses
from numplace.origin import Origin
from numplace.puzzle import Puzzle, make_puzzle

NAMES = (
    "Sudoku",
    "Grid",
    "AntiKnight",
    "Killer",
    "SandwichSum",
    "ArrowHead",
    "Thermometer",
    "ThermometersHidden",
    "Difficulty",
    "Solution",
    "PBC",
)
"""All clauses, without the comment."""

LEVELS = {"Killer": (0, 2, 3), "SandwichSum": (0, 1, 2)}
"""The levels of encoding that a clause has."""

TRANSLATIONS = ("AdderNetwork", "BDD")
"""How sums become clauses; the first if nothing is said."""


@dataclass(frozen=True)
class SdqOrigin(Origin):
    """What an ``.sdq`` file says beside the puzzle.

    Parameters
    ----------
    clauses
        As read, for writing them back.
    levels
        The level of each clause that has levels, 0 if the file does not say.
    translation
        One of `TRANSLATIONS`.
    reference
        The numbers of ``{Solution:``; None if there is none.
    runs
        Of ``{Difficulty:`` each cell with its first and last value.
    notes
        Remarks for the user on what has no effect.
    """

    clauses: tuple[Clause, ...] = ()
    levels: dict[str, int] = field(default_factory=dict)
    translation: str = TRANSLATIONS[0]
    reference: Answer | None = None
    runs: tuple[tuple[Cell, int, int], ...] = ()
    notes: tuple[str, ...] = ()


def parse_sdq(text: str, name: str, *, cages_repeat: bool = False) -> Puzzle:
    """Return the puzzle of an ``.sdq`` file; its origin is an `SdqOrigin`.

    Parameters
    ----------
    cages_repeat
        Whether numbers may repeat within a cage.

    Raises
    ------
    FileError
        If the file is not as the format says.
    """
    clauses = parse_clauses(text.replace("\r\n", "\n").replace("\r", "\n"), name)
    by_name = _index([clause for clause in clauses if clause.name != COMMENT])
    if not by_name:
        raise FileError(name, None, "no clause", "clauses such as {Sudoku:}")
    parsers: dict[str, Callable[[Clause], Sequence[Constraint]]] = {
        "Sudoku": parse_sudoku,
        "AntiKnight": parse_anti_knight,
        "Killer": lambda clause: parse_killer(clause, distinct=not cages_repeat),
        "SandwichSum": parse_sandwich,
        "ArrowHead": parse_arrow_head,
        "Thermometer": parse_thermometers,
        "ThermometersHidden": parse_hidden,
    }
    constraints: list[Constraint] = []
    for clause_name, parse in parsers.items():
        if clause_name in by_name:
            constraints += parse(by_name[clause_name])
    givens = parse_grid(by_name["Grid"], 0) if "Grid" in by_name else {}
    levels, notes = _levels(clauses)
    origin = SdqOrigin(
        "sdq",
        name,
        tuple(clauses),
        levels,
        _translation(by_name.get("PBC")),
        parse_grid(by_name["Solution"], 1) if "Solution" in by_name else None,
        parse_difficulty(by_name["Difficulty"]) if "Difficulty" in by_name else (),
        notes,
    )
    domains = {cell: tuple(range(1, SIZE + 1)) for cell in CELLS}
    return make_puzzle(constraints, givens, domains=domains, origin=origin)


def _index(clauses: list[Clause]) -> dict[str, Clause]:
    """Return the clauses by name; each at most once, and none that is unknown."""
    by_name: dict[str, Clause] = {}
    for clause in clauses:
        if clause.name not in NAMES:
            expected = f"one of {', '.join(NAMES)}"
            found = f"the clause {quote(clause.name)}"
            raise FileError(clause.file, clause.line, found, expected)
        if clause.name in by_name:
            first = by_name[clause.name].line
            found = f"the clause {clause.name} given twice (first in line {first})"
            raise FileError(clause.file, clause.line, found, "each clause once")
        by_name[clause.name] = clause
    return by_name


def _levels(clauses: list[Clause]) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return the levels of the clauses that have them, and notes on those that have not."""
    levels = dict.fromkeys(LEVELS, 0)
    notes = []
    for clause in clauses:
        if clause.level is None:
            continue
        allowed = LEVELS.get(clause.name)
        known = [str(level) for level in allowed or range(4)]
        if clause.level not in known:
            found = f"the level [{clause.level}]"
            raise clause.error(clause.last_line, found, f"[{'], ['.join(known)}]")
        if allowed is None:
            place = f"{clause.file}:{clause.last_line}"
            notes.append(f"{place}: the level [{clause.level}] of {clause.name} has no effect")
        else:
            levels[clause.name] = int(clause.level)
    return levels, tuple(notes)


def _translation(clause: Clause | None) -> str:
    if clause is None:
        return TRANSLATIONS[0]
    words = [word.text for word in clause.words]
    if len(words) != 1 or words[0] not in TRANSLATIONS:
        found = quote(" ".join(words)) if words else "nothing"
        raise clause.error(clause.line, found, "BDD or AdderNetwork")
    return words[0]
