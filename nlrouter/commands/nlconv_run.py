"""What ``nlconv`` does: boards from a spreadsheet of the organisers' format, and back."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from nlrouter.checker.rules import violations
from nlrouter.commands.frame import Exit, complain, say
from nlrouter.files.answer_file import format_answer, read_answer
from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError
from nlrouter.files.names import answer_stem, is_spreadsheet
from nlrouter.files.problem_file import format_problem, read_problem
from nlrouter.files.xlsx_file import DrawnBoard, format_workbook, read_workbook, sheet_name


def run(args: argparse.Namespace) -> Exit:
    """Write the files; return the exit code."""
    files = _to_text(args) if is_spreadsheet(args.source) else _to_spreadsheet(args)
    if not args.force:
        _require_new(files)
    for path, content in files.items():
        write_atomically(path, content)
        say(path)
    return Exit.DONE


def _to_text(args: argparse.Namespace) -> dict[str, str | bytes]:
    """Return the text files of a spreadsheet's boards, by path."""
    folder = Path(args.output or ".")
    if not os.path.isdir(folder):
        raise FileError(str(folder), None, "no folder", "an existing folder for the text files")
    files: dict[str, str | bytes] = {}

    def add(stem: str, text: str) -> None:
        path = str(folder / f"{stem}.txt")
        if path.casefold() in map(str.casefold, files):
            raise FileError(args.source, None, f"two boards for {path}", "a name for each board")
        files[path] = text

    for board in read_workbook(args.source):
        add(board.name, format_problem(board.problem))
        if board.answer is None:
            continue
        stem = answer_stem(board.name)
        stem = f"{board.name}_answer" if stem == board.name else stem
        add(stem, format_answer(board.answer, len(board.problem.lines)))
        if broken := violations(board.problem, board.answer):
            complain(
                "nlconv",
                f"{args.source}: the answer of {board.name} is wrong: {broken[0].text}",
            )
    return files


def _to_spreadsheet(args: argparse.Namespace) -> dict[str, str | bytes]:
    """Return the spreadsheet of a problem, and its answer where one is given, by its path."""
    problem = read_problem(args.source)
    answer = None
    if args.answer is not None:
        answer = read_answer(args.answer)
        if broken := violations(problem, answer):
            # A drawing does not mark the ends, so that only a correct one shows them.
            found = f"a wrong answer ({broken[0].text})"
            raise FileError(args.answer, None, found, f"a correct answer to {args.source}")
    name = sheet_name(Path(args.source).stem)
    return {args.output: format_workbook([DrawnBoard(name, problem, answer)])}


def _require_new(files: dict[str, str | bytes]) -> None:
    """Refuse to replace a file by another content."""
    for path, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        if os.path.exists(path) and not _holds(path, data):
            raise FileError(path, None, "another file", "no such file (--force replaces it)")


def _holds(path: str, data: bytes) -> bool:
    """Return whether a file has just this content, and can be read."""
    try:
        return Path(path).read_bytes() == data
    except OSError:
        return False
