"""The command ``nlconv``: boards from a spreadsheet of the organisers' format, and back."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from nlrouter import __version__

DONE, BAD_INPUT = 0, 2
"""Exit codes. `BAD_INPUT` is argparse's own for bad usage."""

SPREADSHEETS = (".xlsx", ".xlsm")
"""What the name of a spreadsheet ends with."""

EPILOG = """\
examples:
  nlconv boards.xlsx -o problems/      a problem file, and an answer file where the sheet is
                                       marked with A in C1, for each board of the spreadsheet
  nlconv Q1.txt -o Q1.xlsx             a problem as a spreadsheet
  nlconv Q1.txt A1.txt -o Q1.xlsx      a problem with its answer

exit codes:
  0  all files are written
  2  bad input or usage; nothing is written
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
    from nlrouter.extras import MissingExtra
    from nlrouter.files.atomic import write_atomically
    from nlrouter.files.errors import FileError

    try:
        files = _to_text(args) if _is_spreadsheet(args.source) else _to_spreadsheet(args)
        if not args.force:
            _require_new(files)
        for path, content in files.items():
            write_atomically(path, content)
            print(path)
    except (FileError, MissingExtra) as error:
        print(f"nlconv: {error}", file=sys.stderr)
        return BAD_INPUT
    return DONE


def _to_text(args: argparse.Namespace) -> dict[str, str | bytes]:
    """Return the text files of a spreadsheet's boards, by path."""
    from nlrouter.checker.rules import violations
    from nlrouter.files.answer_file import format_answer
    from nlrouter.files.errors import FileError
    from nlrouter.files.names import answer_stem
    from nlrouter.files.problem_file import format_problem
    from nlrouter.files.xlsx_file import read_workbook

    folder = Path(args.output or ".")
    if not folder.is_dir():
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
            print(
                f"nlconv: {args.source}: the answer of {board.name} is wrong: {broken[0].text}",
                file=sys.stderr,
            )
    return files


def _to_spreadsheet(args: argparse.Namespace) -> dict[str, str | bytes]:
    """Return the spreadsheet of a problem, and its answer where one is given, by its path."""
    from nlrouter.checker.rules import violations
    from nlrouter.files.answer_file import read_answer
    from nlrouter.files.errors import FileError
    from nlrouter.files.problem_file import read_problem
    from nlrouter.files.xlsx_file import DrawnBoard, format_workbook, sheet_name

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
    from nlrouter.files.errors import FileError

    for path, content in files.items():
        data = content.encode() if isinstance(content, str) else content
        if os.path.exists(path) and (os.path.isdir(path) or Path(path).read_bytes() != data):
            raise FileError(path, None, "another file", "no such file (--force replaces it)")


def _is_spreadsheet(path: str) -> bool:
    return path.lower().endswith(SPREADSHEETS)


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="nlconv",
        description="Turn spreadsheets of boards into problem and answer files, and back.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("source", metavar="FILE", help="spreadsheet (.xlsx) or problem file")
    parser.add_argument("answer", metavar="ANSWER", nargs="?", help="answer to the problem file")
    parser.add_argument(
        "-o",
        dest="output",
        metavar="OUT",
        help="folder for the text files (default: this folder), or the spreadsheet to write",
    )
    parser.add_argument("--force", action="store_true", help="replace files that exist")
    parser.add_argument("--version", action="version", version=f"nlconv {__version__}")
    args = parser.parse_args(argv)
    if _is_spreadsheet(args.source):
        if args.answer is not None:
            parser.error("an answer goes with a problem file, not with a spreadsheet")
    elif args.output is None or not _is_spreadsheet(args.output):
        parser.error("a problem file needs -o FILE.xlsx, the spreadsheet to write")
    return args


if __name__ == "__main__":
    sys.exit(main())
