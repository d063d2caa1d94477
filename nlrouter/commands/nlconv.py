"""The command ``nlconv``: boards and answers from one form into another."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from nlrouter.commands.frame import command, make_parser
from nlrouter.commands.option_types import place
from nlrouter.files.names import is_spreadsheet

FORMS = "contest", "address", "pzprv3", "grid"
"""The forms of text that are written."""

EPILOG = """\
examples:
  nlconv boards.xlsx -o problems/      a problem file, and an answer file where the sheet is
                                       marked with A in C1, for each board of the spreadsheet
  nlconv Q1.txt -o Q1.xlsx             a problem as a spreadsheet
  nlconv Q1.txt A1.txt -o Q1.xlsx      a problem with its answer
  nlconv 'https://puzz.link/p?numlin/5/5/...' -o Q1.txt
                                       a problem file of the contest's form
  nlconv Q1.txt --to address           a puzz.link address of a board with one layer
  nlconv Q1.txt A1.txt --to pzprv3     a file for pzprv3 with the answer's lines

forms of --to, all of which are read as well, told apart by their content:
  contest  the contest's problem or, if an answer is given, answer
  address  a puzz.link address, without an answer
  pzprv3   pzprv3's text file, with the lines of the answer if one is given
  grid     rows of characters or numbers, of the problem or, if one is given, the answer

exit codes:
  0  all files are written
  1  interrupted, or standard output did not take their names
  2  bad input or usage; nothing is written
"""


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = make_parser(
        "nlconv",
        "Turn boards and answers from one form into another.",
        EPILOG,
    )
    parser.add_argument(
        "source", metavar="FILE", help="spreadsheet (.xlsx), problem file or address"
    )
    parser.add_argument("answer", metavar="ANSWER", nargs="?", help="answer to the problem file")
    parser.add_argument(
        "-o",
        dest="output",
        type=place,
        metavar="OUT",
        help="of a spreadsheet, the folder for the text files (default: this folder); else the "
        "file to write, a spreadsheet by its ending .xlsx (default: standard output)",
    )
    parser.add_argument("--to", choices=FORMS, help="form to write (default: contest)")
    parser.add_argument("--force", action="store_true", help="replace files that exist")
    args = parser.parse_args(argv)
    if is_spreadsheet(args.source):
        if args.answer is not None:
            parser.error("an answer goes with a problem file, not with a spreadsheet")
        if args.to not in (None, "contest"):
            parser.error("a spreadsheet's boards are written as the contest's files only")
    elif args.output is not None and is_spreadsheet(args.output):
        if args.to is not None:
            parser.error("--to is not for a spreadsheet")
    elif args.to == "address" and args.answer is not None:
        parser.error("an address holds no answer; --to pzprv3 does")
    return args


main = command("nlconv", parse)

if __name__ == "__main__":
    sys.exit(main())
