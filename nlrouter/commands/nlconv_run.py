"""What ``nlconv`` does: boards and answers from one form into another."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from nlrouter.checker.drawn import CannotTell, strokes_of
from nlrouter.checker.rules import violations
from nlrouter.commands.frame import Exit, complain, put, say
from nlrouter.files.answer_file import format_answer, read_answer, read_drawing, require_shape
from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError
from nlrouter.files.grid_file import format_grid_answer
from nlrouter.files.labels import require_one_layer
from nlrouter.files.names import answer_stem, is_spreadsheet
from nlrouter.files.problem_file import format_problem, read_problem
from nlrouter.files.pzpr_file import format_pzprv3
from nlrouter.files.xlsx_file import DrawnBoard, format_workbook, read_workbook, sheet_name


def run(args: argparse.Namespace) -> Exit:
    """Write the files; return the exit code."""
    if is_spreadsheet(args.source):
        files = _to_text(args)
    elif args.output is not None and is_spreadsheet(args.output):
        files = _to_spreadsheet(args)
    else:
        text = _in_form(args)
        if args.output is None:
            put(text, "the converted text", whole=True)
            return Exit.DONE
        files = {args.output: text}
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


def _in_form(args: argparse.Namespace) -> str:
    """Return the problem, or the answer where one is given, in the form of ``--to``."""
    problem = read_problem(args.source)
    if args.answer is None:
        return format_problem(problem, args.to or "contest")
    answer, strokes = read_drawing(args.answer)
    require_shape(args.answer, answer, problem)
    if args.to == "pzprv3":
        try:
            require_one_layer(problem, "a pzprv3 file")
            strokes = strokes or strokes_of(problem, answer)
        except (ValueError, CannotTell) as error:
            raise FileError(args.answer, None, f"a wrong answer ({error})", "lines") from error
        return format_pzprv3(problem, strokes)
    if args.to == "grid":
        require_one_layer(problem, "a plain grid")
        return format_grid_answer(answer, len(problem.lines))
    return format_answer(answer, len(problem.lines))


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
