"""Writing the proof that ``numplace solve --proof`` asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numplace.commands.options import note

if TYPE_CHECKING:
    from nlrouter.deadline import Deadline
    from numplace.puzzle import Puzzle
    from numplace.runs import Run


def write_proof(
    path: str, puzzle: Puzzle, runs: list[Run], deadline: Deadline, *, quiet: bool
) -> None:
    """Write a proof, verified, that the answer found is the only one, or that there is none.

    Raises
    ------
    FileError
        If there is nothing to prove: several answers or runs.
    NotDone
        If it cannot be written, or the time was up.
    """
    from nlrouter.files.errors import FileError
    from numplace.check.proof import check_proof
    from numplace.files.write import NotDone, write
    from numplace.result import Status
    from numplace.sat.proof import make_proof

    expected = "a puzzle with one solution or none to prove"
    if len(runs) > 1:
        raise FileError(puzzle.origin.name, None, f"{len(runs)} runs", expected)
    result = runs[0].result
    if result.status not in (Status.UNIQUE, Status.NONE):
        raise FileError(puzzle.origin.name, None, f"status {result.status}", expected)
    proven = puzzle.with_givens({**puzzle.givens, **runs[0].values})
    text = make_proof(proven, result.answers[0] if result.answers else None, deadline)
    if text is None:
        raise NotDone(path, None, "no proof in time", "a longer time limit")
    verdict = check_proof(proven, text, path)
    if not verdict.holds:
        raise AssertionError(f"a proof that the checker refuses: {verdict.text}")
    write(path, text)
    if not quiet:
        note(f"{path}: {verdict.text}")
