"""The command ``nlscore``: the contest's points of teams, from folders of their answers."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from nlrouter.commands.frame import command, make_parser

EPILOG = """\
The answer to Q01.txt is A01.txt or Q01.txt; a team's name may stand before it, as in
NL_Q01.txt and T99_A01.txt. An answer that is wrong, missing or no answer at all has 0 points,
which standard error tells.

exit codes:
  0  the table is printed
  1  interrupted, or standard output did not take the table
  2  bad input or usage
"""


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = make_parser(
        "nlscore",
        "Score teams as the contest does: 1 point for a correct answer, and 10 per "
        "board shared out in proportion to quality, 1 / cost.",
        EPILOG,
    )
    parser.add_argument("problems", metavar="PROBLEMS", type=Path, help="folder of problem files")
    parser.add_argument(
        "teams", metavar="TEAM", type=Path, nargs="+", help="folder of a team's answer files"
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print JSON, with quality and notes")
    form.add_argument("--csv", action="store_true", help="print the table as CSV")
    return parser.parse_args(argv)


main = command("nlscore", parse)

if __name__ == "__main__":
    sys.exit(main())
