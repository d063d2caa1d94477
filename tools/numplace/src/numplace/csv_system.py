"""The CSV system: a folder of input files becomes ``Output.csv`` or ``Error.csv``."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from nlrouter.deadline import Deadline
from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError
from numplace.cell import Cell
from numplace.check.data import Fault, FaultKind, find_faults
from numplace.files.csv_error import CsvError, Message, Phase, format_error, make_error
from numplace.files.csv_folder import OUTPUTS, find_files, read_csv_folder
from numplace.files.csv_loaded import format_loaded
from numplace.files.csv_table import LoadError
from numplace.files.csv_writer import format_numbers
from numplace.puzzle import Puzzle
from numplace.result import Result, Status
from numplace.solve.phases import ASSUMPTION, LOGIC, SEARCH, solve_in_phases

MESSAGES = {
    FaultKind.NO_HOUSE: Message.NO_HOUSE,
    FaultKind.CELL_TWICE: Message.CELL_TWICE,
    FaultKind.GIVEN_OUTSIDE: Message.GIVEN_OUTSIDE,
    FaultKind.CLUE_OUTSIDE: Message.CLUE_OUTSIDE,
    FaultKind.GIVEN_TOO_LARGE: Message.TOO_LARGE,
    FaultKind.GIVEN_TWICE: Message.TWICE,
    FaultKind.IMPOSSIBLE: Message.SELF_RELATION,
}
"""What ``Error.csv`` says of each kind of fault; impossible CSV clues relate a cell to itself."""

PHASES = {LOGIC: Phase.ANALYSIS, ASSUMPTION: Phase.PRESUME, SEARCH: Phase.BRUTE_FORCE}
"""What ``Error.csv`` calls the phases of solving."""


@dataclass(frozen=True)
class Files:
    """Where the input lies and the outputs go; by default all in one folder."""

    folder: str = "."
    output: str | None = None
    error: str | None = None
    loaded: str | None = None

    @property
    def paths(self) -> tuple[str, str, str]:
        """Where ``Output.csv``, ``Error.csv`` and ``LoadedData.csv`` go."""
        output, error, loaded = (str(Path(self.folder, name)) for name in OUTPUTS)
        return self.output or output, self.error or error, self.loaded or loaded

    def clash(self) -> str | None:
        """Return the path of an output that is also an input or another output, if there is one."""
        taken = set()
        with suppress(OSError):  # Which reading the folder tells of.
            taken = {os.path.realpath(path) for path in find_files(self.folder).values()}
        for path in self.paths:
            if os.path.realpath(path) in taken:
                return path
            taken.add(os.path.realpath(path))
        return None


@dataclass(frozen=True)
class Outcome:
    """What came of it.

    Parameters
    ----------
    error
        The content of ``Error.csv``; None if there is an answer and it is written.
    result
        What solving found; None if it did not come to that.
    text
        One sentence for people about the error.
    notes
        Remarks on files that are not used.
    """

    error: CsvError | None
    result: Result | None = None
    text: str = ""
    notes: tuple[str, ...] = ()

    @property
    def proven_none(self) -> bool:
        """Whether it is proven that there is no answer."""
        return self.result is not None and self.result.status is Status.NONE


def solve_folder(
    files: Files, *, deadline: Deadline, write_loaded: bool = False, seed: int = 0
) -> Outcome:
    """Solve the puzzle of a folder and write its output files.

    Outputs of an earlier run are removed first, so that what is there afterwards tells the
    outcome: ``Output.csv`` if there is an answer, else ``Error.csv``.

    Parameters
    ----------
    write_loaded
        Whether to write ``LoadedData.csv`` even without an error.
    """
    clash = files.clash()
    if clash is not None:
        return report_bad_argument(files, clash, "a file for each output, and none of the input")
    stuck = _remove_stale(files)
    if stuck is not None:
        return stuck
    puzzle = None
    try:
        puzzle = read_csv_folder(files.folder)
        outcome = _solve(puzzle, files, deadline, seed)
    except LoadError as error:
        short = FileError(Path(error.name).name, error.line, error.found, error.expected)
        outcome = Outcome(make_error(Phase.LOAD, str(short), error.cells), text=str(error))
    except KeyboardInterrupt:
        phase = Phase.LOAD if puzzle is None else Phase.BRUTE_FORCE
        outcome = Outcome(make_error(phase, Message.INTERRUPTED), text="interrupted")
    except Exception as error:  # A defect of this program: the system has a message for it.
        phase = Phase.LOAD if puzzle is None else Phase.BRUTE_FORCE
        text = f"{files.folder}: {type(error).__name__}: {error}"
        outcome = Outcome(make_error(phase, Message.UNKNOWN), text=text)
    if puzzle is not None and (write_loaded or outcome.error is not None):
        loaded = format_loaded(puzzle)
        outcome = _written(outcome, lambda: write_atomically(files.paths[2], loaded))
    if outcome.error is not None:
        content = format_error(outcome.error)
        outcome = _written(outcome, lambda: write_atomically(files.paths[1], content))
    return replace(outcome, notes=() if puzzle is None else puzzle.origin.notes)


def report_bad_argument(
    files: Files, argument: str, expected: str = "a known argument (see --help)"
) -> Outcome:
    """Write ``Error.csv`` about an argument that is unknown; it is as for any other error."""
    if files.clash() is not None:
        files = Files(files.folder)
    stuck = _remove_stale(files)
    if stuck is not None:
        return stuck
    error = make_error(Phase.UNKNOWN, Message.BAD_ARGUMENT)
    outcome = Outcome(error, text=f"found {argument!r}, expected {expected}")
    return _written(outcome, lambda: write_atomically(files.paths[1], format_error(error)))


def _remove_stale(files: Files) -> Outcome | None:
    """Remove the outputs of an earlier run; return what came of it if that fails."""
    try:
        for path in files.paths:
            if os.path.isfile(path):
                os.unlink(path)
    except OSError as error:
        text = f"{error.filename}: no way to remove it ({error.strerror})"
        return Outcome(make_error(Phase.OUTPUT, text), text=text)
    return None


def _solve(puzzle: Puzzle, files: Files, deadline: Deadline, seed: int) -> Outcome:
    """Check and solve a puzzle, and write its answer."""
    faults = find_faults(puzzle)
    if faults:
        fault = faults[0]
        error = make_error(Phase.CHECK, MESSAGES[fault.kind], fault.cells)
        return Outcome(error, text=str(fault_error(fault, files.folder)))
    phased = solve_in_phases(puzzle, deadline, seed=seed)
    result = phased.result
    phase = PHASES[phased.phase]
    if result.status is Status.NONE:
        error = make_error(phase, Message.NO_SOLUTION, phased.suspects)
        return Outcome(error, result, f"{files.folder}: there is no solution")
    if not result.answers:
        text = f"{files.folder}: the time was up before an answer was found"
        return Outcome(make_error(phase, Message.TIME_UP), result, text)
    outcome = Outcome(None, result)
    content = format_numbers(puzzle, result.answers[0])
    return _written(outcome, lambda: write_atomically(files.paths[0], content))


UNSOUND = frozenset(FaultKind) - {FaultKind.GIVEN_TWICE, FaultKind.IMPOSSIBLE}
"""Faults of what is no puzzle at all, rather than one without an answer."""


def refuse_faults(puzzle: Puzzle) -> None:
    """Raise a `FileError` about what is wrong with a puzzle without any solving.

    Of other formats than CSV, whose system has messages for all, only what is `UNSOUND`.
    """
    for fault in find_faults(puzzle):
        if puzzle.origin.format == "csv" or fault.kind in UNSOUND:
            raise fault_error(fault, puzzle.origin.name)


def fault_error(fault: Fault, folder: str) -> FileError:
    """Return the error that tells of a fault, with its file and line where it has one."""
    givens = FaultKind.GIVEN_OUTSIDE, FaultKind.GIVEN_TOO_LARGE, FaultKind.GIVEN_TWICE
    expected = {
        FaultKind.NO_HOUSE: "one of Frame.csv, Square.csv and Group.csv",
        FaultKind.CELL_TWICE: "different cells",
        FaultKind.GIVEN_OUTSIDE: "nothing there",
        FaultKind.CLUE_OUTSIDE: "nothing there",
        FaultKind.GIVEN_TOO_LARGE: "a number of its houses",
        FaultKind.GIVEN_TWICE: "each number once",
        FaultKind.IMPOSSIBLE: "one that can hold",
    }[fault.kind]
    places = " ".join(f"({cell.x},{cell.y})" for cell in fault.cells)
    found = f"{fault.text}{' at X,Y = ' * bool(places)}{places}"
    if fault.kind in givens and os.path.isdir(folder):
        line = fault.cells[-1].y + 1
        return FileError(str(Path(folder, "Input.csv")), line, found, expected)
    return FileError(folder, None, found, expected)


def _written(outcome: Outcome, write: Callable[[], None]) -> Outcome:
    """Return an outcome after writing a file; a new one if that fails."""
    try:
        write()
    except FileError as error:
        cells: tuple[Cell, ...] = ()
        text = "; ".join(filter(None, (outcome.text, str(error))))
        if outcome.error is not None and outcome.error.phase != Phase.OUTPUT:
            return Outcome(outcome.error, outcome.result, text)
        return Outcome(make_error(Phase.OUTPUT, str(error), cells), outcome.result, text)
    return outcome
