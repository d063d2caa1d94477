"""The command ``nlscore``: the contest's points of teams, from folders of their answers."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from nlrouter import __version__

if TYPE_CHECKING:
    from nlrouter.checker.score import Verdict
    from nlrouter.problem import Problem

DONE, BAD_INPUT = 0, 2
"""Exit codes. `BAD_INPUT` is argparse's own for bad usage."""

EPILOG = """\
The answer to Q01.txt is A01.txt or Q01.txt; a team's name may stand before it, as in
NL_Q01.txt and T99_A01.txt. An answer that is wrong, missing or no answer at all has 0 points,
which standard error tells.

exit codes:
  0  the table is printed
  2  bad input or usage
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    argv
        The arguments, without the program's name; those of the process by default.

    Returns
    -------
    int
        The exit code. Bad usage raises `SystemExit` with code 2, as argparse does.
    """
    args = _parse(argv)
    from nlrouter.files.errors import FileError

    try:
        _score(args)
    except FileError as error:
        print(f"nlscore: {error}", file=sys.stderr)
        return BAD_INPUT
    return DONE


def _score(args: argparse.Namespace) -> None:
    """Judge all answers and print the table."""
    from nlrouter.checker.score import points
    from nlrouter.files.errors import FileError
    from nlrouter.files.problem_file import read_problem
    from nlrouter.tell.stream import emit

    for folder in (args.problems, *args.teams):
        if not folder.is_dir():
            raise FileError(str(folder), None, "no folder", "an existing folder")
    paths = sorted(args.problems.glob("*.txt"))
    if not paths:
        raise FileError(str(args.problems), None, "no *.txt file", "a folder of problem files")
    names = _team_names(args.teams)
    problems = {path.stem: read_problem(str(path)) for path in paths}
    verdicts = {
        board: [_verdict(problem, folder, board) for folder in args.teams]
        for board, problem in problems.items()
    }
    scores = {board: points([v.quality for v in row]) for board, row in verdicts.items()}
    totals = [sum(column) for column in zip(*scores.values(), strict=True)]
    if args.json:
        text = json.dumps(_record(names, verdicts, scores, totals)) + "\n"
    elif args.csv:
        text = _format_csv(names, scores, totals)
    else:
        text = _format_table(names, scores, totals)
    emit(sys.stdout, text)
    for board, row in verdicts.items():
        for name, verdict in zip(names, row, strict=True):
            if verdict.note:
                print(f"nlscore: {board}: {name}: {verdict.note}", file=sys.stderr)


def _team_names(folders: Sequence[Path]) -> list[str]:
    """Name the teams by their folders, by the whole path where two are named the same."""
    names = [folder.resolve().name for folder in folders]
    return names if len(set(names)) == len(names) else [str(folder) for folder in folders]


def _verdict(problem: Problem, folder: Path, board: str) -> Verdict:
    """Judge a team's answer to a board."""
    from nlrouter.checker.score import Verdict, give_verdict
    from nlrouter.files.errors import FileError
    from nlrouter.files.names import find_answers
    from nlrouter.files.text import read_text

    found = find_answers(folder, board)
    if not found:
        return Verdict(0.0, "no answer")
    if len(found) > 1:
        names = " and ".join(path.name for path in found)
        raise FileError(str(folder), None, f"{names} for the board {board}", "one answer")
    try:
        return give_verdict(problem, read_text(str(found[0]))[1])
    except FileError as error:
        return Verdict(0.0, str(error))


def _record(
    names: Sequence[str],
    verdicts: dict[str, list[Verdict]],
    scores: dict[str, list[float]],
    totals: Sequence[float],
) -> dict[str, object]:
    """Return what ``--json`` prints."""
    boards = {
        board: {
            name: {"points": points, "quality": verdict.quality, "note": verdict.note}
            for name, verdict, points in zip(names, verdicts[board], scores[board], strict=True)
        }
        for board in scores
    }
    return {"total": dict(zip(names, totals, strict=True)), "boards": boards}


def _format_csv(
    names: Sequence[str], scores: dict[str, list[float]], totals: Sequence[float]
) -> str:
    """Return the table as CSV."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(["board", *names])
    for board, row in [*scores.items(), ("total", totals)]:
        writer.writerow([board, *(f"{value:.4f}" for value in row)])
    return buffer.getvalue()


def _format_table(
    names: Sequence[str], scores: dict[str, list[float]], totals: Sequence[float]
) -> str:
    """Return the table with boards as rows and teams as columns, the sums below."""
    first = max(map(len, ["total", *scores]))
    widths = [max(8, len(name)) for name in names]
    text = ""
    rows = [("board", list(names))]
    rows += [(board, [f"{p:.2f}" for p in row]) for board, row in scores.items()]
    rows += [("total", [f"{p:.2f}" for p in totals])]
    for head, cells in rows:
        columns = (cell.rjust(width) for cell, width in zip(cells, widths, strict=True))
        text += "  ".join([head.ljust(first), *columns]) + "\n"
    return text


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="nlscore",
        description="Score teams as the contest does: 1 point for a correct answer, and 10 per "
        "board shared out in proportion to quality, 1 / cost.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("problems", metavar="PROBLEMS", type=Path, help="folder of problem files")
    parser.add_argument(
        "teams", metavar="TEAM", type=Path, nargs="+", help="folder of a team's answer files"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON, with quality and notes")
    form.add_argument("--csv", action="store_true", help="print the table as CSV")
    parser.add_argument("--version", action="version", version=f"nlscore {__version__}")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
