"""``numplace print``: a puzzle of any format as a picture of text."""

from __future__ import annotations

import argparse
import json
import os
import sys

from nlrouter.tell.stream import is_terminal
from numplace.commands.options import add_file, load, say


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_file(parser)
    parser.add_argument("answer", nargs="?", metavar="ANSWER", help="file with an answer to show")
    parser.add_argument(
        "--marks", action="store_true", help="show the candidates that houses leave"
    )
    parser.add_argument("--ascii", action="store_true", help="only characters of ASCII")
    parser.add_argument(
        "--no-colour", action="store_true", help="no colours, which a terminal gets otherwise"
    )
    parser.add_argument("--json", action="store_true", help="as JSON, one object a line")


def run(args: argparse.Namespace) -> int:
    """Run the command; return its exit code."""
    from nlrouter.files.text import read_text
    from numplace.draw.terminal import draw_puzzle
    from numplace.files.answers import parse_answer

    puzzles = load(args)
    colour = not args.no_colour and is_terminal(sys.stdout) and "NO_COLOR" not in os.environ
    for number, puzzle in enumerate(puzzles):
        answer = None
        if args.answer is not None:
            name, text = read_text(args.answer)
            answer = parse_answer(puzzle, text, name)
        marks = None
        if args.marks:
            from numplace.solve.deduction import Deduction

            marks = Deduction(puzzle).marks()
        picture = draw_puzzle(
            puzzle, answer, ascii=args.ascii, colour=colour and not args.json, marks=marks
        )
        if args.json:
            record = {"file": args.file, "format": puzzle.origin.format, "picture": picture}
            say(json.dumps(record, ensure_ascii=args.ascii) + "\n")
        else:
            say("\n" * bool(number) + picture)
    return 0
