"""A log of deductions against its puzzle, without knowing any technique.

Each step is checked by what it names: for what it strikes, that the candidate contradicts the
named cells, houses and clues with the candidates as they stand; for what it places, that any
other candidate does. Steps that hold only if there is one solution are checked as such.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nlrouter.files.errors import FileError, quote
from numplace.cell import Cell, parse_cell
from numplace.check.deadly import all_in_pairs, exchangeable
from numplace.check.notes import Notes
from numplace.check.refute import Grounds, TooHard
from numplace.puzzle import Puzzle


@dataclass(frozen=True)
class Claim:
    """A step as its log tells it.

    Parameters
    ----------
    number
        Its place; steps with the same are alternatives, checked against the same candidates.
    names
        The houses and clues it names.
    """

    number: int
    technique: str
    names: tuple[str, ...]
    cells: tuple[Cell, ...]
    digits: tuple[int, ...]
    places: tuple[tuple[Cell, int], ...]
    strikes: tuple[tuple[Cell, int], ...]
    unique: bool


def check_steps(puzzle: Puzzle, text: str, name: str) -> list[str]:
    """Return what is wrong with the steps of a log, in words; nothing if all of them hold.

    The check ends at the first wrong step: those after it rest on it.

    Parameters
    ----------
    text
        The log: JSON objects, one a line, or a list of them. Objects without ``technique`` are
        no steps and are passed over.
    name
        The file's name, for messages.

    Raises
    ------
    FileError
        If it is no such log.
    """
    notes = Notes(puzzle)
    waiting: list[Claim] = []
    for claim in read_claims(text, name):
        if waiting and waiting[0].number != claim.number:
            _apply(notes, waiting)
            waiting = []
        wrong = fault(notes, claim)
        if wrong is not None:
            return [f"step {claim.number} ({claim.technique}): {wrong}"]
        waiting.append(claim)
    return []


def fault(notes: Notes, claim: Claim) -> str | None:
    """Return what is wrong with one step as the candidates stand, None if it holds."""
    for constraint in claim.names:
        if constraint not in notes.named:
            return f"the puzzle has no {quote(constraint)}"
    for cell, digit in (*claim.places, *claim.strikes):
        if cell in notes.filled:
            return f"{cell} is filled already"
        if digit not in notes.left.get(cell, ()):
            return f"{digit} is no candidate of {cell}"
    for cell in claim.cells:
        if cell not in notes.left:
            return f"the puzzle has no cell {cell}"
    if not claim.places and not claim.strikes:
        return "nothing follows from it"
    named = tuple(notes.named[constraint] for constraint in claim.names)
    grounds = Grounds(notes, claim.cells, claim.digits, named)
    try:
        for cell, digit in claim.strikes:
            if not _refuted(grounds, claim, {cell: {digit}}):
                return f"what it names does not show that {cell} loses {digit}"
        for cell, digit in claim.places:
            if claim.unique and all_in_pairs(notes, cell, digit):
                continue
            others = notes.left[cell] - {digit}
            if others and not _refuted(grounds, claim, {cell: others}):
                return f"what it names does not show that {cell} is {digit}"
    except TooHard:
        return "it cannot be checked: what it names is too much"
    return None


def _refuted(grounds: Grounds, claim: Claim, narrowed: Mapping[Cell, set[int]]) -> bool:
    def deadly(numbers: Mapping[Cell, int]) -> bool:
        return claim.unique and exchangeable(grounds.notes, numbers, claim.cells, claim.digits[:2])

    return grounds.refutes(narrowed, deadly)


def _apply(notes: Notes, claims: list[Claim]) -> None:
    for claim in claims:
        for cell, digit in claim.strikes:
            notes.left[cell].discard(digit)
        for cell, digit in claim.places:
            notes.place(cell, digit)


def read_claims(text: str, name: str) -> Iterator[Claim]:
    """Return the steps of a log.

    Raises
    ------
    FileError
        If it is no log of steps.
    """
    for line, record in _records(text, name):
        if "technique" not in record:
            continue
        try:
            yield Claim(
                number=_whole(record["n"]),
                technique=str(record["technique"]),
                names=tuple(map(str, (*record["houses"], *record.get("clues", ())))),
                cells=tuple(parse_cell(cell) for cell in record["cells"]),
                digits=tuple(map(_whole, record["digits"])),
                places=tuple((parse_cell(c), _whole(d)) for c, d in record["places"]),
                strikes=tuple((parse_cell(c), _whole(d)) for c, d in record["strikes"]),
                unique=record.get("if_unique") is True,
            )
        except KeyError as error:
            raise FileError(name, line, f"a step without {error}", "all of its fields") from error
        except (TypeError, ValueError) as error:
            raise FileError(name, line, f"a malformed step ({error})", "a step") from error


def _records(text: str, name: str) -> Iterator[tuple[int | None, dict[str, Any]]]:
    """Return the objects of a log, with their lines where they have one each."""
    if not text.strip():
        raise FileError(name, None, "nothing", "a log of steps in JSON")
    lines = [(number, line) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
    records: list[tuple[int | None, Any]] = []
    if text.lstrip().startswith("["):
        records = [(None, each) for each in _parse(text, name, None)]
    else:
        records = [(number, _parse(line, name, number)) for number, line in lines]
    for number, record in records:
        if not isinstance(record, dict):
            raise FileError(name, number, quote(json.dumps(record)), "a JSON object")
        yield number, record


def _parse(text: str, name: str, line: int | None) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise FileError(name, line, quote(text.strip()), "a JSON object a line") from error


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError(f"{value!r} is no whole number")
    return value
