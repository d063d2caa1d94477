"""The command ``nlgen``: make problem files that have a hidden answer."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from contextlib import suppress

from nlrouter.arguments import LARGEST
from nlrouter.commands.frame import command, make_parser
from nlrouter.commands.option_types import place, seconds, whole_number

KINDS = {
    "random": "ends and vias scattered at random; takes --fill and --windiness",
    "full": "the hidden answer fills every cell; takes --unique",
    "bus": "long parallel buses; takes --windiness",
    "detours": "nested lines that lead around each other",
    "channel": "pins in the first and in the last row",
    "switchbox": "pins on all four sides",
    "escape": "a block of ends in the middle, their partners on the rim",
}
"""The kinds of boards, as in `generate.KINDS`, and what they are."""

EPILOG = (
    "kinds:\n"
    + "".join(f"  {name:<11}{text}\n" for name, text in KINDS.items())
    + """
grades of --difficulty:
  easy    the first answer is optimal, and the bound without branching proves it
  medium  one of the two is so
  hard    neither is so
  open    the optimum was not proven within --time-limit
and of --difficulty with --unique on one layer, for people:
  easy       what is known around each cell is enough
  medium     and that no line turns three times around a square
  hard       and suppositions that come to nothing, whose number is told
  very hard  more is needed

exit codes:
  0  all boards are as asked for
  1  a board was not found, or not proven to be what it should be, in time; or
     interrupted, or standard output did not take it all
  2  bad usage, or a board that cannot be
"""
)


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = make_parser(
        "nlgen",
        "Make NumberLink problems (ADC2016) that have a hidden answer.",
        EPILOG,
    )
    board = parser.add_argument_group("the board")
    board.add_argument("--kind", choices=KINDS, default="random", help="default: random")
    board.add_argument(
        "--size", type=_size, required=True, metavar="XxYxZ", help="columns, rows and layers"
    )
    board.add_argument(
        "--lines",
        type=whole_number(1),
        metavar="N",
        help="lines (default: what suits size and kind)",
    )
    board.add_argument(
        "--vias",
        type=_number_or_share,
        metavar="N|P%",
        help="lines across layers, a number or a share of all (default: 25%%)",
    )
    board.add_argument(
        "--spans",
        type=_spans,
        default="any",
        metavar="S",
        help="layers that vias join: any, adjacent, through (all of them), or a list such as "
        "1-8,2-7 (default: any)",
    )
    board.add_argument(
        "--fill", type=_share, metavar="F", help="share of filled cells, 0.6 or 60%% (default: 0.6)"
    )
    board.add_argument(
        "--windiness",
        type=_share,
        metavar="W",
        help="how often lines turn where they could go straight on, 0 to 1 (default: 0.5, or "
        "0.15 for a bus)",
    )
    board.add_argument(
        "--seed", type=whole_number(0), default=0, metavar="N", help="same seed, same board"
    )
    board.add_argument(
        "--unique",
        nargs="?",
        const="adc",
        choices=("adc", "nikoli", "flow"),
        metavar="RULES",
        help="cut lines until the board has only one answer, and prove that (kind full), by the "
        "rules adc, or on one layer those of puzzles; see nlroute --puzzle (default: adc)",
    )
    output = parser.add_argument_group("output")
    output.add_argument(
        "-o",
        dest="output",
        type=place,
        metavar="PROBLEM",
        help="problem file; with --count, a folder (default: standard output)",
    )
    output.add_argument(
        "--answer",
        type=place,
        metavar="FILE",
        help="file of the hidden answer (default: that of -o with the suffix .hidden)",
    )
    output.add_argument(
        "--count",
        type=whole_number(1),
        metavar="N",
        help="make N boards, with seeds from --seed on",
    )
    output.add_argument("--force", action="store_true", help="replace files that are there")
    output.add_argument(
        "--solve",
        action="store_true",
        help="write the optimal answer, once it is proven, with the suffix .optimum",
    )
    output.add_argument(
        "--difficulty",
        action="store_true",
        help="grade the board by what the router needs for it; with --unique on one layer, by "
        "what a person needs as well",
    )
    output.add_argument(
        "--time-limit",
        type=seconds,
        default=60.0,
        metavar="S",
        help="for a board's proofs, in seconds of work of a typical machine (default: 60)",
    )
    output.add_argument("--json", action="store_true", help="a line of JSON per board")
    output.add_argument("--quiet", action="store_true", help="no summary")
    args = parser.parse_args(argv)
    if args.output == "-":
        args.output = None
    if args.output is None and (args.count or args.solve or args.json):
        parser.error("--count, --solve and --json need -o")
    if args.answer == "-":
        parser.error("--answer needs a file, not standard output")
    if args.count and args.seed + args.count - 1 > LARGEST:
        parser.error(f"--seed {args.seed}: {args.count} boards have seeds up to {LARGEST} only")
    if args.count and args.answer is not None:
        parser.error("--answer is for one board, not for --count")
    if args.unique and args.kind != "full":
        parser.error(
            "--unique needs --kind full: hardly a board with empty cells has only one answer"
        )
    return args


def _size(text: str) -> tuple[int, int, int]:
    """Parse a size as SIZE has it: columns, rows and layers."""
    from nlrouter.files.errors import FileError
    from nlrouter.files.text import MAX_CELLS, parse_size
    from nlrouter.problem import MAX_LAYERS

    with suppress(FileError):
        size = parse_size(f"SIZE {text}", "--size", 1)
        return size.width, size.height, size.layers
    raise argparse.ArgumentTypeError(
        f"{text!r} is not a size such as 10x10x2, up to {MAX_LAYERS} layers and {MAX_CELLS} cells"
    )


def _number_or_share(text: str) -> int | float:
    """Parse a number, or a share in percent as a float."""
    if text.endswith("%"):
        return _share(text)
    return whole_number(0)(text)


def _share(text: str) -> float:
    """Parse a share, as a number up to 1 or in percent."""
    with suppress(ValueError):
        value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
        if 0 <= value <= 1:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is not a share from 0 to 1, or from 0% to 100%")


def _spans(text: str) -> str | tuple[tuple[int, int], ...]:
    """Parse spans: a word, or pairs of layers, which become indices from 0."""
    if text in ("any", "adjacent", "through"):
        return text
    with suppress(ValueError):
        pairs = [part.split("-") for part in text.split(",")]
        spans = tuple((int(low) - 1, int(high) - 1) for low, high in pairs)
        if all(0 <= low < high for low, high in spans):
            return spans
    raise argparse.ArgumentTypeError(
        f"{text!r} is not any, adjacent, through, or spans such as 1-8,2-7"
    )


main = command("nlgen", parse)

if __name__ == "__main__":
    sys.exit(main())
