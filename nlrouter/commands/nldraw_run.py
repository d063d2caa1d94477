"""What ``nldraw`` does: a picture of a board and its answer, in a file or in the terminal."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from nlrouter.answer import Answer
from nlrouter.commands.drawable import drawable
from nlrouter.commands.frame import Exit, complain, put
from nlrouter.drawing.scene import Scene, compose
from nlrouter.drawing.terminal import ASCII, BOX, layer_width, render
from nlrouter.drawing.words import ENGLISH, LANGUAGES, Words
from nlrouter.files.answer_file import read_answer, require_shape
from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError
from nlrouter.files.folder import text_files
from nlrouter.files.names import ending
from nlrouter.files.problem_file import read_problem
from nlrouter.interface.pictures import expected_bound, history_gif, layers_gif, picture_words
from nlrouter.keep.place import require_apart
from nlrouter.problem import Problem
from nlrouter.tell.stream import is_terminal

if TYPE_CHECKING:
    import argparse

    from matplotlib.figure import Figure


def run(args: argparse.Namespace) -> Exit:
    """Read, draw and write; return the exit code."""
    problem = read_problem(args.problem)
    title = "standard input" if args.problem == "-" else _title(args.problem)
    if args.output is None:
        return Exit.DONE if _print(args, problem, title) else Exit.NOT_DONE
    others = {"the problem itself": args.problem, "the answer itself": args.answer}
    require_apart(args.output, others, "another file for the picture")
    with drawable(args.problem):
        if args.history is not None:
            content = _animate_history(args, problem, title)
        else:
            content = _render(args, _compose(args, problem, title, _words(args)))
    write_atomically(args.output, content)
    return Exit.DONE


def _compose(args: argparse.Namespace, problem: Problem, title: str, words: Words) -> Scene:
    """Read the answer, if there is one, and judge it."""
    answer = None if args.answer is None else _read_answer(problem, args.answer)
    _check_bound(args.bound, answer)
    return compose(problem, answer, title, bound=args.bound, words=words)


def _words(args: argparse.Namespace) -> Words:
    """Return the words of a picture."""
    return picture_words(args.lang, partial(complain, "nldraw"))


def _print(args: argparse.Namespace, problem: Problem, title: str) -> bool:
    """Draw in the terminal, with what it has: colours, box-drawing characters, columns."""
    terminal = sys.stdout is not None and sys.stdout.isatty()
    colour = terminal and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
    encoding = "ascii" if args.ascii else getattr(sys.stdout, "encoding", None) or "utf-8"
    glyphs = BOX if _can_encode(BOX.joints, encoding) else ASCII
    words = LANGUAGES[args.lang]
    scene = _compose(args, problem, title, words if _can_encode(words.vias, encoding) else ENGLISH)
    width = shutil.get_terminal_size().columns
    needed = layer_width(problem, width)
    if terminal and width < needed:
        expected = f"{needed} for a layer; -o FILE writes a picture, and `| less -S` scrolls"
        raise FileError(args.problem, None, f"a terminal of {width} columns", expected)
    text = render(scene, max(width, needed), glyphs, colour=colour)
    return put(text.encode(encoding, "replace").decode(encoding), "the picture")


def _can_encode(text: str, encoding: str) -> bool:
    """Whether an encoding has these characters."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _render(args: argparse.Namespace, scene: Scene) -> bytes:
    """Draw for a file: all layers, or one after another in a GIF."""
    from nlrouter.drawing.picture import draw, render

    kind = ending(args.output)
    if kind == "gif":
        return layers_gif(scene, range(scene.problem.layers), args.dark, args.pace, _with_progress)
    return render(draw(scene, stack=args.stack, dark=args.dark), kind)


def _animate_history(args: argparse.Namespace, problem: Problem, title: str) -> bytes:
    """Draw the successive answers of a search."""
    answers = [_read_answer(problem, path) for path in _history_files(args.history)]
    _check_bound(args.bound, answers[-1])
    return history_gif(
        problem,
        answers,
        title,
        args.bound,
        _words(args),
        stack=args.stack,
        dark=args.dark,
        pace=args.pace,
        watch=_with_progress,
    )


def _history_files(folder: str) -> list[str]:
    """Return the answer files of a history, in the order of their names."""
    paths = [str(path) for path in text_files(folder, "a folder of answers")]
    if not paths:
        raise FileError(folder, None, "no file *.txt", "the answers of a search, 0001.txt first")
    return paths


def _read_answer(problem: Problem, path: str) -> Answer:
    """Read an answer that fits on the board."""
    answer = read_answer(path)
    require_shape(path, answer, problem)
    return answer


def _check_bound(bound: int | None, answer: Answer | None) -> None:
    """Refuse a bound that the answer itself disproves."""
    if expected := expected_bound(bound, answer):
        raise FileError("--bound", None, str(bound), expected)


def _with_progress(figures: Iterator[Figure], count: int) -> Iterator[Figure]:
    """Count the frames on standard error while they are drawn, if it is a terminal."""
    if not is_terminal(sys.stderr):
        yield from figures
        return
    from nlrouter.tell.redrawn import Redrawn

    redrawn = Redrawn(sys.stderr)
    for index, figure in enumerate(figures, start=1):
        redrawn.show(f"frame {index} of {count}")
        yield figure
    redrawn.clear()


def _title(path: str) -> str:
    """Return the name of a file without folder and ending, safe to print."""
    return "".join(char if char.isprintable() else "?" for char in Path(path).stem)
