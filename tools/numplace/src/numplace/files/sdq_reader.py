"""Reading ``.sdq`` files."""

from __future__ import annotations

import re
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
from numplace.files.sdq_tokens import Clause, Word, key_of, parse_clauses
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

KNOWN = {key_of(name): name for name in NAMES}
"""The clauses by the keys of their names."""

LEVELS = {"Killer": (0, 2, 3), "SandwichSum": (0, 1, 2)}
"""The levels of encoding that a clause has."""

TRANSLATIONS = ("AdderNetwork", "BDD")
"""How sums become clauses; the first if nothing is said."""


@dataclass(frozen=True)
class SdqOrigin(Origin):
    """What an ``.sdq`` file says beside the puzzle.

    Parameters
    ----------
    text
        As read, for writing it back.
    names
        The names of the clauses that it has.
    levels
        The level of each clause that has one.
    translation
        One of `TRANSLATIONS`; None if the file does not say.
    reference
        The numbers of ``{Solution:``; None if there is none.
    runs
        Of ``{Difficulty:`` each cell with its first and last value.
    """

    text: str = ""
    names: frozenset[str] = frozenset()
    levels: dict[str, int] = field(default_factory=dict)
    translation: str | None = None
    reference: Answer | None = None
    runs: tuple[tuple[Cell, int, int], ...] = ()


def parse_sdq(
    text: str, name: str, *, cages_repeat: bool = False, ignore_unknown: bool = False
) -> Puzzle:
    """Return the puzzle of an ``.sdq`` file; its origin is an `SdqOrigin`.

    Parameters
    ----------
    cages_repeat
        Whether numbers may repeat within a cage.
    ignore_unknown
        Whether clauses that the format does not have are left out.

    Raises
    ------
    FileError
        If the file is not as the format says.
    """
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    found, outside = parse_clauses(text, name)
    _refuse_open_clauses(outside, name)
    unknown = [clause for clause in found if clause.key not in KNOWN]
    if unknown and not ignore_unknown:
        expected = f"one of {', '.join(NAMES)} (--ignore-unknown leaves it out)"
        shown = f"the clause {quote(unknown[0].name)}"
        raise FileError(name, unknown[0].line, shown, expected)
    by_name: dict[str, Clause] = {}
    for clause in found:
        known = KNOWN.get(clause.key)
        if known in by_name:
            shown = f"the clause {known} given twice (first in line {by_name[known].line})"
            raise FileError(name, clause.line, shown, "each clause once")
        if known is not None:
            by_name[known] = clause
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
    levels, notes = _levels(by_name)
    if outside:
        shown = f"{name}:{outside[0].line}: text outside of clauses: {quote(outside[0].text)}"
        notes.append(shown + (f" and {len(outside) - 1} more lines" if len(outside) > 1 else ""))
    origin = SdqOrigin(
        "sdq",
        name,
        tuple(notes),
        tuple(f"{name}:{clause.line}: the clause {quote(clause.name)}" for clause in unknown),
        text,
        frozenset(by_name),
        levels,
        _translation(by_name.get("PBC")),
        parse_grid(by_name["Solution"], 1) if "Solution" in by_name else None,
        parse_difficulty(by_name["Difficulty"]) if "Difficulty" in by_name else (),
    )
    domains = {cell: tuple(range(1, SIZE + 1)) for cell in CELLS}
    return make_puzzle(constraints, givens, domains=domains, origin=origin)


def _refuse_open_clauses(outside: list[Word], name: str) -> None:
    """Refuse what would be a clause but for its opening brace; other text may stand there."""
    title = None
    for word in outside:
        match = re.search(rf"\b({'|'.join(NAMES)})\s*:", word.text, re.IGNORECASE)
        title = (match[0], word.line) if match else title
        if title and "}" in word.text:
            raise FileError(name, title[1], quote(title[0]), "'{' before the clause's name")


def _levels(by_name: dict[str, Clause]) -> tuple[dict[str, int], list[str]]:
    """Return the levels of the clauses that have them, and notes on those that have not."""
    levels = {}
    notes = []
    for name, clause in by_name.items():
        if clause.level is None:
            continue
        allowed = LEVELS.get(name)
        known = [str(level) for level in allowed or range(4)]
        if clause.level not in known:
            found = f"the level [{clause.level}]"
            raise clause.error(clause.last_line, found, f"[{'], ['.join(known)}]")
        if allowed is None:
            place = f"{clause.file}:{clause.last_line}"
            notes.append(f"{place}: the level [{clause.level}] of {name} has no effect")
        else:
            levels[name] = int(clause.level)
    return levels, notes


def _translation(clause: Clause | None) -> str | None:
    if clause is None:
        return None
    for name in TRANSLATIONS:
        if len(clause.words) == 1 and clause.words[0].says(name):
            return name
    found = quote(" ".join(word.text for word in clause.words)) if clause.words else "nothing"
    raise clause.error(clause.line, found, "BDD or AdderNetwork")
