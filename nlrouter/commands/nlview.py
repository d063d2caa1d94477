"""The command ``nlview``: show a board in the browser, to draw on it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from nlrouter.commands.frame import Exit, command, make_parser
from nlrouter.commands.option_types import seconds, whole_number
from nlrouter.cores import cores
from nlrouter.extras import require

EPILOG = """\
The page's address is printed; it works on this machine only, until Ctrl-C ends the command.

exit codes:
  0  ended by Ctrl-C or SIGTERM
  1  the same, but standard output did not take the address
  2  bad input or usage
"""


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = make_parser(
        "nlview",
        "Show a NumberLink problem (ADC2016) in the browser: draw an answer, have "
        "it judged while drawing, let the router finish or improve it, edit the board.",
        EPILOG,
    )
    parser.add_argument(
        "problem",
        metavar="PROBLEM",
        nargs="?",
        help="problem file; - is standard input (default: begin with a sample or a new board)",
    )
    parser.add_argument(
        "answer",
        metavar="ANSWER",
        nargs="?",
        help="answer file, shown if it exists and written when saved (default: saved answers are "
        "downloads)",
    )
    parser.add_argument(
        "--port",
        type=_port,
        metavar="N",
        help="port on 127.0.0.1; 0 is any free one (default: the same for a board each time, if it "
        "is free, so that the browser finds again what was not saved)",
    )
    parser.add_argument(
        "--no-browser",
        dest="browser",
        action="store_false",
        help="print the address, but do not open it",
    )
    parser.add_argument(
        "--time-limit",
        type=seconds,
        default=60.0,
        metavar="S",
        help="seconds that the router searches at most when the page asks it to (default: 60)",
    )
    parser.add_argument(
        "--workers",
        type=whole_number(least=1),
        default=cores(),
        metavar="N",
        help="processes that search (default: one per core)",
    )
    args = parser.parse_args(argv)
    if args.problem == args.answer == "-":
        parser.error("only one of PROBLEM and ANSWER can be standard input")
    return args


def _port(text: str) -> int:
    """Parse a port's number; 0 stands for any that is free."""
    with suppress(ValueError):
        if 0 <= (value := int(text)) <= 65535:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is not a port's number from 0 to 65535")


main = command("nlview", parse, prepare=partial(require, "view"), interrupted=Exit.DONE)

if __name__ == "__main__":
    sys.exit(main())
