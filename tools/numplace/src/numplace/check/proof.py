"""Proofs that a puzzle has no answer, or no other than the one they name.

A proof file is text: a line of JSON, which says how many steps follow, then these as solvers write
them (DRUP): a clause that
follows by unit propagation from those before, as literals and a 0; behind a ``d`` one that is no
longer needed. The clauses that it starts from are not in the file: they are made anew from the
puzzle, by `numplace.check.direct`.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from nlrouter.files.errors import FileError, quote
from numplace.answer import Rows, from_rows
from numplace.cell import Cell
from numplace.check.direct import Direct
from numplace.check.rules import violations
from numplace.check.rup import Propagator
from numplace.puzzle import Puzzle

VERSION = 2


@dataclass(frozen=True)
class Verdict:
    """Whether a proof holds, and one sentence that says what it shows or where it fails."""

    holds: bool
    text: str


def puzzle_hash(puzzle: Puzzle) -> str:
    """Return what tells puzzles apart: a digest of cells, domains, constraints and givens."""
    givens = sorted(puzzle.givens.items())
    domains = [(cell, puzzle.domains[cell]) for cell in puzzle.cells]
    text = repr((domains, puzzle.constraints, givens))
    return hashlib.sha256(text.encode()).hexdigest()


def check_proof(puzzle: Puzzle, text: str, name: str) -> Verdict:
    """Judge a proof file.

    Raises
    ------
    FileError
        If it is no proof file.
    """
    head, _, body = text.partition("\n")
    given_hash, answer, number = _parse_head(head, name)
    if given_hash != puzzle_hash(puzzle):
        return Verdict(False, "the proof is of another puzzle")
    if answer is not None:
        wrong = violations(puzzle, answer)
        if wrong:
            return Verdict(False, f"the proof's answer is wrong: {wrong[0].text}")
    direct = Direct(puzzle, answer)
    steps = _parse_steps(body, name, direct.variables)
    if len(steps) != number:
        # Even if those that are left should do: what is not whole was not checked whole.
        return Verdict(False, f"the proof is cut off: {len(steps)} of {number} steps are there")
    return _replay(direct, steps, "no solution" if answer is None else "one solution")


def is_proof(text: str) -> bool:
    """Return whether a text begins as a proof file does, of whatever puzzle."""
    try:
        _parse_head(text.partition("\n")[0], "")
    except FileError:
        return False
    return True


def _parse_head(head: str, name: str) -> tuple[str, dict[Cell, int] | None, int]:
    """Return the digest of a proof's puzzle, the answer it names, and the number of its steps."""
    try:
        record = json.loads(head)
        if record["numplace_proof"] != VERSION:
            raise ValueError
        rows = record["answer"]
        answer = None if rows is None else _answer(rows)
        return str(record["puzzle"]), answer, int(record["steps"])
    except (ValueError, KeyError, TypeError) as error:
        found = quote(head) if head else "nothing"
        raise FileError(name, 1, found, "the first line of a proof") from error


def _answer(rows: Rows) -> dict[Cell, int]:
    answer = from_rows(rows)
    if not all(type(number) is int for number in answer.values()):
        raise ValueError
    return answer


def _parse_steps(body: str, name: str, variables: int) -> list[tuple[int, bool, list[int]]]:
    """Return of each step its line, whether it deletes, and its literals."""
    steps = []
    for number, line in enumerate(body.splitlines(), start=2):
        words = line.split()
        if not words:
            continue
        deletes = words[0] == "d"
        try:
            literals = [int(word) for word in words[deletes:]]
        except ValueError:
            literals = []
        if not literals or literals.pop() != 0 or 0 in literals:
            raise FileError(name, number, quote(line), "literals and a 0 at the end")
        if any(abs(literal) > variables for literal in literals):
            raise FileError(name, number, quote(line), f"literals up to {variables}")
        steps.append((number, deletes, literals))
    return steps


def _replay(direct: Direct, steps: list[tuple[int, bool, list[int]]], claim: str) -> Verdict:
    """Test each step; the proof holds once units contradict each other."""
    propagator = Propagator(direct.variables)
    for clause in direct.clauses:
        propagator.add(clause)
    for line, deletes, literals in steps:
        if propagator.conflict:
            break
        if deletes:
            propagator.delete(literals)
        elif propagator.follows(literals):
            propagator.add(literals)
        else:
            return Verdict(False, f"line {line} does not follow from the lines before")
    if not propagator.conflict:
        return Verdict(False, "the proof is cut off: it reaches no contradiction")
    return Verdict(True, f"{claim}: verified")
