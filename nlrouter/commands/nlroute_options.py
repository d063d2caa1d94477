"""The options of ``nlroute``. Light to import: ``--help`` waits for no engine."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from contextlib import suppress

from nlrouter import __version__

STANDARD = "-"
"""Stands for standard input and standard output."""

EPILOG = """\
Ctrl-C and SIGTERM end the search early and keep the best answer so far.

exit codes:
  0  an answer was found and is where it should be
  1  there is none: not found in time, or not written
  2  bad input or usage
  3  the problem is proven to have no answer
"""


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="nlroute",
        description="Route a multi-layer NumberLink problem (ADC2016) at the least cost.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("problem", metavar="PROBLEM", help="problem file; - is standard input")
    parser.add_argument(
        "-o",
        dest="output",
        metavar="ANSWER",
        help="answer file, written at each better answer; a better correct answer that it "
        "already holds is kept (default: standard output, at the end)",
    )
    parser.add_argument(
        "--time-limit",
        type=_seconds,
        default=60.0,
        metavar="S",
        help="seconds to search, inf for no limit (default: 60)",
    )
    parser.add_argument(
        "--workers",
        type=_whole_number(least=1),
        default=_cores(),
        metavar="N",
        help="processes that search (default: one per core)",
    )
    parser.add_argument(
        "--seed",
        type=_whole_number(least=0),
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
        "--force", action="store_true", help="replace the answer file whatever it holds"
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one line of JSON on standard output instead of the answer",
    )
    talk = parser.add_mutually_exclusive_group()
    talk.add_argument("--quiet", action="store_true", help="no progress, no summary")
    talk.add_argument("--verbose", action="store_true", help="progress as lines, also in a pipe")
    parser.add_argument("--version", action="version", version=f"nlroute {__version__}")
    args = parser.parse_args(argv)
    if args.output == STANDARD:
        args.output = None
    return args


def _cores() -> int:
    """Cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _seconds(text: str) -> float:
    """Parse a time limit."""
    with suppress(ValueError):
        if (value := float(text)) > 0:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is not a positive number of seconds")


def _whole_number(least: int) -> Callable[[str], int]:
    """Return a parser of whole numbers that the engines can take."""
    most = 2**31 - 1

    def parse(text: str) -> int:
        with suppress(ValueError):
            if least <= (value := int(text)) <= most:
                return value
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} to {most}")

    return parse
