"""Route boards and keep the best known answers and bounds of problems/ in answers/.

Runs nlroute on each board, as its users do. A better answer replaces the one that
answers/BOARD.txt holds, a better bound the one in answers/table.csv, so no run makes them
worse. A board that is changed under its name must have its answer and its row deleted first.
"""

from __future__ import annotations

import argparse
import csv
import io
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from interrupt import interruptible

from nlrouter.answer import Cost
from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.files.answer_file import read_answer
from nlrouter.files.atomic import write_atomically
from nlrouter.files.problem_file import read_problem
from nlrouter.record import RunRecord, parse_record
from nlrouter.result import Standing, Status

ROOT = Path(__file__).resolve().parent.parent
PROBLEMS = ROOT / "problems"
ANSWERS = ROOT / "answers"
COMMAND = (sys.executable, "-m", "nlrouter.commands.nlroute")
COLUMNS = ("board", "cost", "cells", "bends", "bound", "status")


def cells(board: str, row: Standing, blank: str = "") -> list[str]:
    """Return a board's text for each of the `COLUMNS`."""
    cost = row.cost
    numbers = [None] * 3 if cost is None else [cost.total, cost.length, cost.bends]
    shown = [blank if n is None else str(n) for n in [*numbers, row.bound]]
    return [board, *shown, row.status]


def main(arguments: Sequence[str] | None = None, command: Sequence[str] = COMMAND) -> int:
    """Route the boards, or print the table; return the exit code."""
    options = _parse(arguments)
    table_path = options.directory / "table.csv"
    table = read_table(table_path)
    if options.markdown:
        print(format_markdown(table), end="")
        return 0
    for path in options.boards:
        answer = options.directory / path.name
        limit = f"{options.time_limit:g}"
        record = route([*command, str(path), "-o", str(answer), "--time-limit", limit])
        row = merge(table.get(path.stem, Standing()), record, path, answer)
        table[path.stem] = row
        write_table(table_path, table)
        print(*cells(path.stem, row, blank="-"), flush=True)
    return 0


def route(command: Sequence[str]) -> RunRecord:
    """Run nlroute and return its figures."""
    run = subprocess.run([*command, "--json", "--quiet"], stdout=subprocess.PIPE, check=False)
    record = parse_record(run.stdout, RunRecord)
    if record is None:
        raise SystemExit(f"no figures from {' '.join(command)}")
    return record


def merge(row: Standing, record: RunRecord, problem: Path, answer: Path) -> Standing:
    """Add what a run found to what was known of a board.

    Parameters
    ----------
    row
        What was known.
    record
        The figures of the run. Its cost is not needed: the answer file may hold a better one.
    problem, answer
        The files of the board and of its best answer, which need not exist.

    Returns
    -------
    Standing
        What is known now.

    Raises
    ------
    SystemExit
        If that contradicts itself, so that nothing of it is recorded.
    """
    bounds = [bound for bound in (row.bound, record.lower_bound) if bound is not None]
    bound = max(bounds, default=None)
    infeasible = row.infeasible or record.status == Status.INFEASIBLE
    if not answer.exists():
        return Standing(None, bound, infeasible)
    found = read_answer(str(answer))
    cost = measure(found)
    if broken := violations(read_problem(str(problem)), found):
        raise SystemExit(f"{answer} is wrong: {broken[0].text}")
    known = Standing(cost, bound, infeasible)
    if known.is_contradictory:
        proof = "infeasible" if infeasible else f"bounded by {bound}"
        raise SystemExit(f"{problem} is not {proof}: {answer} costs {cost.total}")
    return known


def read_table(path: Path) -> dict[str, Standing]:
    """Read the rows by board; none if there is no file."""
    if not path.exists():
        return {}
    with path.open(newline="") as stream:
        return {fields["board"]: _row(fields) for fields in csv.DictReader(stream)}


def _row(fields: dict[str, str]) -> Standing:
    """Return the row that the text of its fields stands for."""
    cost = Cost(int(fields["cells"]), int(fields["bends"])) if fields["cost"] else None
    bound = int(fields["bound"]) if fields["bound"] else None
    return Standing(cost, bound, fields["status"] == Status.INFEASIBLE)


def write_table(path: Path, table: dict[str, Standing]) -> None:
    """Write the rows in the order of the boards' names."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(cells(board, row) for board, row in sorted(table.items()))
    write_atomically(str(path), text.getvalue())


def format_markdown(table: dict[str, Standing]) -> str:
    """Return the table in Markdown, with the gap in percent."""
    rows = [[*COLUMNS[:-1], "gap %", COLUMNS[-1]], ["---", *["--:"] * 5, "---"]]
    for board, row in sorted(table.items()):
        *known, status = cells(f"`{board}`", row, blank="–")
        rows.append([*known, "–" if row.gap is None else f"{100 * row.gap:.2f}", status])
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "boards", nargs="*", type=Path, metavar="BOARD", help="default: all of problems/"
    )
    parser.add_argument(
        "--time-limit", type=float, default=60.0, metavar="S", help="per board (default: 60)"
    )
    parser.add_argument("--directory", type=Path, default=ANSWERS, help="default: answers/")
    parser.add_argument(
        "--markdown", action="store_true", help="route nothing, print the table in Markdown"
    )
    options = parser.parse_args(arguments)
    options.boards = options.boards or sorted(PROBLEMS.glob("*.txt"))
    return options


if __name__ == "__main__":
    sys.exit(interruptible(main))
