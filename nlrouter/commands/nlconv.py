"""The command ``nlconv``: boards from a spreadsheet of the organisers' format, and back."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from nlrouter.commands.frame import Exit, command, make_parser
from nlrouter.commands.option_types import place
from nlrouter.files.names import is_spreadsheet

EPILOG = """\
examples:
  nlconv boards.xlsx -o problems/      a problem file, and an answer file where the sheet is
                                       marked with A in C1, for each board of the spreadsheet
  nlconv Q1.txt -o Q1.xlsx             a problem as a spreadsheet
  nlconv Q1.txt A1.txt -o Q1.xlsx      a problem with its answer

exit codes:
  0  all files are written
  1  interrupted, or standard output did not take their names
  2  bad input or usage; nothing is written
"""


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = make_parser(
        "nlconv",
        "Turn spreadsheets of boards into problem and answer files, and back.",
        EPILOG,
    )
    parser.add_argument("source", metavar="FILE", help="spreadsheet (.xlsx) or problem file")
    parser.add_argument("answer", metavar="ANSWER", nargs="?", help="answer to the problem file")
    parser.add_argument(
        "-o",
        dest="output",
        type=place,
        metavar="OUT",
        help="folder for the text files (default: this folder), or the spreadsheet to write",
    )
    parser.add_argument("--force", action="store_true", help="replace files that exist")
    args = parser.parse_args(argv)
    if is_spreadsheet(args.source):
        if args.answer is not None:
            parser.error("an answer goes with a problem file, not with a spreadsheet")
    elif args.output is None or not is_spreadsheet(args.output):
        parser.error(f"{args.source} is no .xlsx, and a problem file needs -o FILE.xlsx")
    return args


def _run(args: argparse.Namespace) -> Exit:
    from nlrouter.commands.nlconv_run import run

    return run(args)


main = command("nlconv", parse, _run)

if __name__ == "__main__":
    sys.exit(main())
