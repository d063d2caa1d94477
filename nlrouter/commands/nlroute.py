"""The command ``nlroute``: route a problem file and write the best answer."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Sequence
from functools import partial

from nlrouter.commands import nlroute_batch_options as batch_options
from nlrouter.commands.frame import command, make_parser
from nlrouter.commands.option_types import place, seconds, whole_number
from nlrouter.cores import cores
from nlrouter.engines import Engine

NOT_FOR_PUZZLES = "start", "fix", "history", "explain", "progress"
"""Options about answers that are to be cheap."""

STANDARD = "-"
"""Stands for standard input and standard output."""

EPILOG = """\
Ctrl-C and SIGTERM end the search early and keep the best answer so far.

exit codes:
  0  an answer was found and is where it should be
  1  there is none: not found in time, or not written; or standard output did not take
     it all
  2  bad input or usage
  3  the problem is proven to have no answer

With --puzzle: 0 if there is proven to be only one answer (with --limit 1, if there is one), 1 if
that is not known or not certified as asked for, 3 if there is none, 4 if there are several.

With many boards: 0 if all are answered, 3 if all but those that are proven to have no answer,
2 if there is bad input among them, else 1.
"""


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = make_parser(
        "nlroute",
        "Route a multi-layer NumberLink problem (ADC2016) at the least cost.",
        EPILOG,
    )
    parser.add_argument(
        "problems", nargs="+", metavar="PROBLEM", help="problem file; - is standard input"
    )
    parser.add_argument(
        "-o",
        dest="output",
        type=place,
        metavar="ANSWER",
        help="answer file, written at each better answer; a better correct answer that it "
        "already holds is kept (default: standard output, at the end)",
    )
    parser.add_argument(
        "--time-limit",
        type=_seconds_or_none,
        metavar="S",
        help="seconds to search a board, inf for no limit, 0 to keep to what --start has "
        "(default: 60)",
    )
    parser.add_argument(
        "--start",
        metavar="ANSWER",
        help="answer file to start from, complete or not; what is wrong in it is dropped",
    )
    parser.add_argument(
        "--fix",
        type=_numbers,
        default=frozenset(),
        metavar="LINES",
        help="lines of --start to keep as they are, such as 3,7-9",
    )
    parser.add_argument(
        "--history",
        type=place,
        metavar="DIR",
        help="folder for every better answer of the run: 0001.txt, 0002.txt, ...",
    )
    parser.add_argument(
        "--explain",
        action="store_true",
        help="print on standard output, instead of the answer, why it costs what it does, or "
        "what stands in the way of one",
    )
    parser.add_argument(
        "--certificate",
        type=place,
        metavar="FILE",
        help="write what proves the lower bound, as the search has found it, so that nlcheck can "
        "verify it; with --puzzle, that there is no answer, or none but one that fills the board",
    )
    parser.add_argument(
        "--engine",
        choices=[engine.value for engine in Engine],
        default=Engine.PORTFOLIO.value,
        help="what routes a board: all methods (portfolio, the default), or one integer program "
        "in one thread, for boards of modest size (cp-sat)",
    )
    parser.add_argument(
        "--puzzle",
        choices=("adc", "nikoli", "flow"),
        metavar="RULES",
        help="find answers whatever they cost, and whether there is only one, by the rules adc "
        "(cells may stay empty, no line touches itself), nikoli (cells may stay empty, lines may "
        "run beside themselves) or flow (every cell is filled, lines may run beside themselves); "
        "for one layer",
    )
    parser.add_argument(
        "--limit",
        type=whole_number(least=1),
        metavar="N",
        help="with --puzzle, how many different answers are enough (default: 2)",
    )
    parser.add_argument(
        "--workers",
        type=whole_number(least=1),
        metavar="N",
        help="processes that search a board (default: one per core)",
    )
    parser.add_argument(
        "--seed",
        type=whole_number(least=0),
        default=0,
        metavar="N",
        help="seed of all random choices (default: 0)",
    )
    parser.add_argument(
        "--deterministic",
        action="store_true",
        help="same seed, same answer: the time limit counts work, not seconds, and "
        "one process does it all",
    )
    parser.add_argument(
        "--force",
        action="store_true",
        help="replace the files of -o and --certificate, and those of --history, whatever they "
        "hold; without it only empty files, a worse or wrong answer and an earlier certificate "
        "give way",
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one line of JSON on standard output instead of the answer",
    )
    batch_options.add_options(parser)
    talk = parser.add_mutually_exclusive_group()
    talk.add_argument("--quiet", action="store_true", help="no progress, no summary")
    talk.add_argument("--verbose", action="store_true", help="progress as lines, also in a pipe")
    talk.add_argument(
        "--progress",
        choices=["json"],
        help="progress on standard error as lines of JSON, the last of them with what --json has",
    )
    args = parser.parse_intermixed_args(argv)  # Boards may stand on both sides of an option.
    if args.output == STANDARD:
        args.output = None
    batch_options.settle(parser, args, STANDARD)
    if args.workers is None and not args.many:
        args.workers = cores()
    if args.certificate == STANDARD:
        parser.error("argument --certificate: needs a file, not standard output")
    if args.certificate is not None and args.fix:
        parser.error("argument --certificate: not with --fix; it is for the whole board")
    if args.fix and args.start is None:
        parser.error("argument --fix: needs --start, where the lines are drawn")
    if args.problem == args.start == STANDARD:
        parser.error("argument --start: standard input is the problem already")
    if args.puzzle is not None:
        _settle_puzzle(parser, args)
    elif args.limit is not None:
        parser.error("argument --limit: needs --puzzle")
    if args.time_limit == 0 and args.start is None:
        parser.error("argument --time-limit: 0, no search, needs --start")
    return args


def _settle_puzzle(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """Complain about options that are not for puzzles."""
    if args.many:
        parser.error("argument --puzzle: is for one problem")
    for name in NOT_FOR_PUZZLES:
        if getattr(args, name):
            parser.error(f"argument --puzzle: not with --{name}, which is about the cost")
    args.limit = args.limit or 2


def _seconds_or_none(text: str) -> float:
    """Parse a time limit, 0 for no search at all."""
    return 0.0 if text.strip() == "0" else seconds(text)


def _numbers(text: str) -> frozenset[int]:
    """Parse a list of line numbers and ranges."""
    numbers: set[int] = set()
    for item in text.split(","):
        match = re.fullmatch(r"\s*([0-9]{1,6})\s*(?:-\s*([0-9]{1,6})\s*)?", item, re.ASCII)
        if match is None or int(match[1]) > int(match[2] or match[1]):
            raise argparse.ArgumentTypeError(f"{item!r} is no line number or range such as 7-9")
        numbers.update(range(int(match[1]), int(match[2] or match[1]) + 1))
    return frozenset(numbers)


# Nothing here needs more threads of a library for matrices, whose memory can be scarce.
main = command(
    "nlroute", parse, prepare=partial(os.environ.setdefault, "OPENBLAS_NUM_THREADS", "1")
)

if __name__ == "__main__":
    sys.exit(main())
