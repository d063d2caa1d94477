"""The command ``nlcheck``: judge a problem file, or the answers to it.

Two voices speak: the contest's checker on standard output, in the original's own format, and
the rules on standard error, where an answer breaks them or the two voices differ.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from nlrouter.checker import CONTEST_RULES
from nlrouter.commands.frame import command, make_parser
from nlrouter.commands.option_types import place

EPILOG = """\
exit codes:
  0  the problem is well-formed; every answer is correct, by the contest and by the rules, or by
     the rules alone where the contest's checker reads no answer (a board of one column)
  1  an answer is wrong, by the contest or by the rules, or a certificate does not hold; or
     interrupted, or standard output did not take it all
  2  bad usage, or a file that is not well-formed: for an answer file too, whatever the contest's
     checker, which reads some of them, says of it
"""


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = make_parser(
        "nlcheck",
        "Judge a NumberLink problem (ADC2016), or answers to it, as the contest's "
        "checker does and by the rules.",
        EPILOG,
    )
    parser.add_argument(
        "--input", required=True, metavar="FILE", help="problem file; - is standard input"
    )
    parser.add_argument("--target", metavar="FILE", help="answer file; - is standard input")
    parser.add_argument(
        "--certificate",
        metavar="FILE",
        help="certificate of a lower bound, as nlroute writes it: tell what it proves, and what "
        "that means for the answers; or that of a puzzle's only answer",
    )
    parser.add_argument(
        "--rule",
        choices=(*CONTEST_RULES, "nikoli", "flow"),
        default="ADC2016",
        help="rules of the contest's checker; those before 2016 are for one layer, where they "
        "mean the same checks (default: ADC2016). Of puzzles with one layer, by the rules alone: "
        "nikoli (lines may run beside themselves), flow (so too, and every cell is filled)",
    )
    parser.add_argument(
        "--clean",
        type=place,
        metavar="FILE",
        help="write the answer without useless pieces and detours, each line as short as its "
        "neighbours allow",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="let --clean replace a file whatever it holds; without it only an empty file and an "
        "answer give way",
    )
    for form in ("png", "gif"):
        parser.add_argument(
            f"--{form}",
            type=place,
            metavar="FILE",
            help=f"write a picture of each layer, FILE.1.{form} and so on",
        )
    parser.add_argument(
        "--verbose", action="store_true", help="tell sizes, and length and bends of each line"
    )
    parser.add_argument("--debug", action="store_true", help="also print the boards as read")
    args = parser.parse_args(argv)
    if [args.input, args.target, args.certificate].count("-") > 1:
        parser.error("only one of --input, --target and --certificate can be standard input")
    if args.clean is not None and args.target is None:
        parser.error("--clean needs --target, the answer to clean")
    return args


main = command("nlcheck", parse)

if __name__ == "__main__":
    sys.exit(main())
