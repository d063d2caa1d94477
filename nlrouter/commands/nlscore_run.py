"""What ``nlscore`` does: the contest's points of teams, from folders of their answers."""

from __future__ import annotations

import argparse
import csv
import io
import json
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from rich.text import Text

from nlrouter.checker.score import Verdict, give_verdict, points
from nlrouter.commands.frame import Exit, complain, put
from nlrouter.files.errors import FileError
from nlrouter.files.folder import text_files
from nlrouter.files.names import find_answers
from nlrouter.files.problem_file import read_problem
from nlrouter.files.text import read_text
from nlrouter.problem import Problem
from nlrouter.tell.tables import add_numbers, format_plain, plain_table


def run(args: argparse.Namespace) -> Exit:
    """Judge all answers and print the table; return the exit code."""
    paths = text_files(str(args.problems), "a folder of problem files")
    if not paths:
        raise FileError(str(args.problems), None, "no *.txt file", "a folder of problem files")
    teams = [_Team(folder, text_files(str(folder), "a team's folder")) for folder in args.teams]
    names = _team_names(args.teams)
    problems = {path.stem: read_problem(str(path)) for path in paths}
    verdicts = {
        board: [_verdict(problem, team, board) for team in teams]
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
    code = Exit.DONE if put(text, "the table") else Exit.NOT_DONE
    for board, row in verdicts.items():
        for name, verdict in zip(names, row, strict=True):
            if verdict.note:
                complain("nlscore", f"{board}: {name}: {verdict.note}")
    return code


class _Team(NamedTuple):
    """A team's folder, and the text files in it."""

    folder: Path
    files: list[Path]


def _team_names(folders: Sequence[Path]) -> list[str]:
    """Name the teams by their folders, by the whole path where two are named the same."""
    names = [folder.resolve().name for folder in folders]
    return names if len(set(names)) == len(names) else [str(folder) for folder in folders]


def _verdict(problem: Problem, team: _Team, board: str) -> Verdict:
    """Judge a team's answer to a board."""
    found = find_answers(team.files, board)
    if not found:
        return Verdict(0.0, "no answer")
    if len(found) > 1:
        names = " and ".join(path.name for path in found)
        raise FileError(str(team.folder), None, f"{names} for the board {board}", "one answer")
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
    table = plain_table()
    for name in names:
        add_numbers(table, name)
    for head, row in [*scores.items(), ("total", totals)]:
        table.add_row(Text(head), *(f"{points:.2f}" for points in row))
    return "\n".join(format_plain(table)) + "\n"
