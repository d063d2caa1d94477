"""The command ``nldraw``: a picture of a board and its answer, in a file or in the terminal.

Only light modules are imported up here: neither ``--help`` nor a mistyped option should wait
for matplotlib.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from nlrouter import __version__

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from nlrouter.answer import Answer
    from nlrouter.drawing.scene import Scene
    from nlrouter.problem import Problem

DRAWN, NOT_DRAWN, BAD_INPUT = range(3)
"""Exit codes. `BAD_INPUT` is argparse's own for bad usage."""

FORMATS = ("svg", "png", "pdf", "gif")
"""Endings of the files that can be drawn."""

MOST_FRAMES = 100
"""Most answers of a history that are shown: more than that nobody watches to the end."""

EPILOG = """\
examples:
  nldraw board.txt                            the board, in the terminal
  nldraw board.txt answer.txt -o answer.svg   all layers side by side
  nldraw board.txt answer.txt -o answer.gif   one layer after another
  nldraw board.txt --history DIR -o search.gif

exit codes:
  0  drawn; a wrong answer is drawn with its violations marked
  1  interrupted, or standard output did not take it
  2  bad input or usage
"""


def main(argv: list[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    argv
        The arguments, without the program's name; those of the process by default.

    Returns
    -------
    int
        The exit code. Bad usage raises `SystemExit` with code 2, as argparse does.
    """
    args = _parse(argv)
    from nlrouter.files.errors import FileError
    from nlrouter.tell.stream import emit

    try:
        return DRAWN if _draw(args) else NOT_DRAWN
    except FileError as error:
        emit(sys.stderr, f"nldraw: {error}\n")
        return BAD_INPUT
    except KeyboardInterrupt:
        return NOT_DRAWN


def _draw(args: argparse.Namespace) -> bool:
    """Read, draw and write; return whether the picture is where it should be."""
    from nlrouter.drawing.scene import compose
    from nlrouter.files.problem_file import read_problem

    problem = read_problem(args.problem)
    title = "standard input" if args.problem == "-" else _title(args.problem)
    if args.history is not None:
        _write(args.output, _animate_history(args, problem, title))
        return True
    answer = None if args.answer is None else _read_answer(problem, args.answer)
    _check_bound(args.bound, answer)
    scene = compose(problem, answer, title, bound=args.bound)
    if args.output is None:
        return _print(scene, ascii_only=args.ascii)
    _write(args.output, _render(scene, _form(args.output)))
    return True


def _print(scene: Scene, *, ascii_only: bool) -> bool:
    """Draw in the terminal, with what it has: colours, box-drawing characters, columns."""
    from nlrouter.drawing.terminal import ASCII, BOX, render
    from nlrouter.tell.stream import emit

    colour = (
        sys.stdout is not None
        and sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
    )
    encoding = "ascii" if ascii_only else getattr(sys.stdout, "encoding", None) or "utf-8"
    glyphs = BOX if _can_encode(BOX.joints, encoding) else ASCII
    text = render(scene, shutil.get_terminal_size().columns, glyphs, colour=colour)
    return emit(sys.stdout, text.encode(encoding, "replace").decode(encoding))


def _can_encode(text: str, encoding: str) -> bool:
    """Whether an encoding has these characters."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _render(scene: Scene, form: str) -> bytes:
    """Draw for a file: all layers, or one after another in a GIF."""
    from nlrouter.drawing.palette import MUTED, colour_lines
    from nlrouter.drawing.picture import draw, render

    if form != "gif":
        return render(draw(scene), form)
    from nlrouter.drawing.animation import animate

    colours = colour_lines(scene.problem, scene.answer, len(MUTED))
    layers = range(scene.problem.layers)
    frames = (draw(scene, [z], colours=colours) for z in layers)
    return animate(_with_progress(frames, len(layers)))


def _animate_history(args: argparse.Namespace, problem: Problem, title: str) -> bytes:
    """Draw the successive answers of a search, the last of them in any case."""
    from nlrouter.drawing.animation import animate
    from nlrouter.drawing.palette import MUTED, colour_lines
    from nlrouter.drawing.picture import draw
    from nlrouter.drawing.scene import compose

    answers = [_read_answer(problem, path) for path in _history_files(args.history)]
    count = len(answers)
    step = -(-count // MOST_FRAMES)
    shown = range((count - 1) % step, count, step)
    _check_bound(args.bound, answers[-1])
    colours = colour_lines(problem, answers[-1], len(MUTED))

    def frames() -> Iterator[Figure]:
        for index in shown:
            name = f"{title}, answer {index + 1} of {count}"
            scene = compose(problem, answers[index], name, bound=args.bound)
            yield draw(scene, colours=colours)

    return animate(_with_progress(frames(), len(shown)))


def _history_files(folder: str) -> list[str]:
    """Return the answer files of a history, in the order of their names."""
    from nlrouter.files.errors import FileError

    try:
        paths = sorted(str(path) for path in Path(folder).iterdir() if path.suffix == ".txt")
    except OSError as error:
        found = f"no readable folder ({error.strerror or error})"
        raise FileError(folder, None, found, "a folder of answers") from error
    if not paths:
        raise FileError(folder, None, "no file *.txt", "the answers of a search, 0001.txt first")
    return paths


def _read_answer(problem: Problem, path: str) -> Answer:
    """Read an answer that fits on the board."""
    from nlrouter.files.answer_file import read_answer
    from nlrouter.files.errors import FileError

    answer = read_answer(path)
    if answer.shape != problem.shape:
        found, expected = (
            "X".join(map(str, shape[::-1])) for shape in (answer.shape, problem.shape)
        )
        raise FileError(path, None, f"SIZE {found}", f"SIZE {expected}, as the problem has")
    return answer


def _check_bound(bound: int | None, answer: Answer | None) -> None:
    """Refuse a bound that the answer itself disproves."""
    from nlrouter.checker.cost import measure
    from nlrouter.files.errors import FileError

    if bound is not None and answer is not None and bound > measure(answer).total:
        expected = f"at most {measure(answer).total}, the cost of the answer"
        raise FileError("--bound", None, str(bound), expected)


def _with_progress(figures: Iterator[Figure], count: int) -> Iterator[Figure]:
    """Count the frames on standard error while they are drawn, if it is a terminal."""
    from nlrouter.tell.stream import emit

    live = sys.stderr is not None and sys.stderr.isatty()
    for index, figure in enumerate(figures, start=1):
        if live:
            emit(sys.stderr, f"\rframe {index} of {count}")
        yield figure
    if live:
        emit(sys.stderr, "\r" + " " * 40 + "\r")


def _write(path: str, content: bytes) -> None:
    from nlrouter.files.atomic import write_atomically

    write_atomically(path, content)


def _title(path: str) -> str:
    """Return the name of a file without folder and ending, safe to print."""
    return "".join(char if char.isprintable() else "?" for char in Path(path).stem)


def _form(path: str) -> str:
    """Return the ending of a file, which names its format."""
    return Path(path).suffix.lower().removeprefix(".")


def _parse(argv: list[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="nldraw",
        description="Draw a NumberLink problem (ADC2016), or an answer to it, right or wrong.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("problem", metavar="PROBLEM", help="problem file; - is standard input")
    parser.add_argument(
        "answer", metavar="ANSWER", nargs="?", help="answer file; - is standard input"
    )
    parser.add_argument(
        "-o",
        dest="output",
        metavar="FILE",
        help="picture to write; its ending, .svg, .png, .pdf or .gif, is its format "
        "(default: draw in the terminal)",
    )
    parser.add_argument(
        "--history",
        metavar="DIR",
        help="draw the answers in a folder that nlroute --history has filled, one after another "
        "in a GIF",
    )
    parser.add_argument(
        "--bound",
        type=int,
        metavar="N",
        help="proven lower bound on the cost, to be told in the caption",
    )
    parser.add_argument(
        "--ascii", action="store_true", help="in the terminal, plain ASCII characters"
    )
    parser.add_argument("--version", action="version", version=f"nldraw {__version__}")
    args = parser.parse_args(argv)
    _refuse_contradictions(parser, args)
    return args


def _refuse_contradictions(parser: argparse.ArgumentParser, args: argparse.Namespace) -> None:
    """End with a usage error where options do not go together."""
    if args.output is not None and _form(args.output) not in FORMATS:
        parser.error(f"-o {args.output}: the name must end in .svg, .png, .pdf or .gif")
    if args.problem == args.answer == "-":
        parser.error("only one of PROBLEM and ANSWER can be standard input")
    if args.history is not None and args.answer is not None:
        parser.error("--history takes the answers from a folder, so ANSWER does not go with it")
    if args.history is not None and (args.output is None or _form(args.output) != "gif"):
        parser.error("--history needs -o and a name that ends in .gif")
    if args.bound is not None and args.answer is None and args.history is None:
        parser.error("--bound needs an ANSWER or --history")
    if args.ascii and args.output is not None:
        parser.error("--ascii is for the terminal, so -o does not go with it")


if __name__ == "__main__":
    sys.exit(main())
