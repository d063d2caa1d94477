"""The command ``nldraw``: a picture of a board and its answer, in a file or in the terminal."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress

from nlrouter.commands.frame import command, make_parser
from nlrouter.commands.language import CODES, preferred
from nlrouter.commands.option_types import whole_number
from nlrouter.drawing.formats import FORMATS, QUICKEST, SLOWEST
from nlrouter.files.names import ending

ENDINGS = " or ".join([", ".join(f".{form}" for form in FORMATS[:-1]), f".{FORMATS[-1]}"])
"""The endings of files that can be drawn, in words."""

EPILOG = """\
examples:
  nldraw board.txt                                   the board, in the terminal
  nldraw board.txt answer.txt -o answer.svg          all layers side by side
  nldraw board.txt answer.txt --stack -o answer.svg  layers above each other, at a slant
  nldraw board.txt answer.txt -o answer.gif          one layer after another
  nldraw board.txt --history DIR -o search.gif

exit codes:
  0  drawn; a wrong answer is drawn with its violations marked
  1  interrupted, or standard output did not take it
  2  bad input or usage
"""


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = make_parser(
        "nldraw",
        "Draw a NumberLink problem (ADC2016), or an answer to it, right or wrong.",
        EPILOG,
    )
    parser.add_argument("problem", metavar="PROBLEM", help="problem file; - is standard input")
    parser.add_argument(
        "answer", metavar="ANSWER", nargs="?", help="answer file; - is standard input"
    )
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        help=f"picture to write; its ending, {ENDINGS}, is its format (default: draw in the "
        "terminal)",
    )
    parser.add_argument(
        "--stack",
        action="store_true",
        help="in a picture, lay the layers above each other at a slant, layer 1 lowest, with "
        "vias as posts between them",
    )
    parser.add_argument("--dark", action="store_true", help="in a picture, dark paper")
    parser.add_argument(
        "--history",
        metavar="DIR",
        help="draw the answers in a folder that nlroute --history has filled, one after another "
        "in a GIF",
    )
    parser.add_argument(
        "--pace",
        type=_pace,
        metavar="SECONDS",
        help="seconds for each frame of a GIF (default: 2 for a layer, 0.9 for an answer of a "
        "history)",
    )
    parser.add_argument(
        "--bound",
        type=whole_number(0),
        metavar="N",
        help="proven lower bound on the cost, to be told in the caption",
    )
    parser.add_argument(
        "--lang",
        choices=CODES,
        default=preferred(),
        help="language of captions, English or Japanese (default: the locale's)",
    )
    parser.add_argument(
        "--ascii",
        action="store_true",
        help="in the terminal, plain ASCII characters, and English",
    )
    args = parser.parse_args(argv)
    _refuse_contradictions(parser, args)
    return args


def _pace(text: str) -> float:
    with suppress(ValueError):
        if QUICKEST <= (value := float(text)) <= SLOWEST:
            return value
    expected = f"a number of seconds from {QUICKEST:g} to {SLOWEST:g}"
    raise argparse.ArgumentTypeError(f"{text!r} is not {expected}")


def _refuse_contradictions(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """End with a usage error where options do not go together."""
    kind = None if args.output is None else ending(args.output)
    if kind not in (None, *FORMATS):
        parser.error(f"-o {args.output}: the name must end in {ENDINGS}")
    if args.problem == args.answer == "-":
        parser.error("only one of PROBLEM and ANSWER can be standard input")
    if args.history is not None:
        if args.answer is not None:
            parser.error("--history takes the answers from a folder, so ANSWER does not go with it")
        if kind != "gif":
            parser.error("--history needs -o and a name that ends in .gif")
    elif args.bound is not None and args.answer is None:
        parser.error("--bound needs an ANSWER or --history")
    if args.ascii and kind is not None:
        parser.error("--ascii is for the terminal, so -o does not go with it")
    if kind is None and (args.stack or args.dark):
        parser.error("--stack and --dark are for pictures, so they need -o")
    if args.stack and kind == "gif" and args.history is None:
        parser.error("--stack shows all layers at once, a GIF one after another")
    if args.pace is not None and kind != "gif":
        parser.error("--pace is for a GIF, so it needs -o and a name that ends in .gif")


main = command("nldraw", parse)

if __name__ == "__main__":
    sys.exit(main())
