"""What ``nlcheck`` writes besides its verdict: a clean answer, and pictures of the layers.

As the contest's checker has them, for all layers.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from nlrouter.answer import Answer
from nlrouter.checker.clean import CannotClean, clean
from nlrouter.checker.cost import measure
from nlrouter.commands.drawable import drawable
from nlrouter.commands.frame import tell
from nlrouter.files.answer_file import format_answer, read_contest_answer
from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError
from nlrouter.keep.place import require_apart, require_replaceable
from nlrouter.problem import Problem


def require_places(args: argparse.Namespace) -> None:
    """Raise `FileError` where the clean answer would replace what is no answer."""
    if args.clean is not None:
        others = {
            "the problem itself": args.input,
            "the certificate to be checked": args.certificate,
        }
        require_apart(args.clean, others, "another file for --clean")
        require_replaceable(args.clean, "answer", read_contest_answer, force=args.force)


def write_files(
    args: argparse.Namespace, problem: Problem, answers: list[Answer], name: str
) -> None:
    """Write the files that the options ask for.

    Parameters
    ----------
    args
        The command line.
    problem
        The board.
    answers
        The answers in the target file; none to draw the problem.
    name
        The file's name, for messages and captions.

    Raises
    ------
    FileError
        If there is more than one answer, it is not of the board's size, or a file cannot be
        written.
    """
    if args.clean is None and args.png is None and args.gif is None:
        return

    if len(answers) > 1:
        raise FileError(name, None, f"{len(answers)} answers", "one for --clean, --png and --gif")
    answer = answers[0] if answers else None
    if answer is not None and answer.shape != problem.shape:
        expected = "one of the problem's, for --clean, --png and --gif"
        raise FileError(name, None, "another SIZE", expected)
    if args.clean is not None and answer is not None:
        _write_clean(args.clean, problem, answer, name)
    if args.png is not None:
        _write_layers(args.png, "png", problem, answer, name)
    if args.gif is not None:
        _write_layers(args.gif, "gif", problem, answer, name)


def _write_clean(path: str, problem: Problem, answer: Answer, name: str) -> None:
    """Write the cleaned answer and say what it costs, or why there is none."""
    try:
        cleaned = clean(problem, answer)
    except CannotClean as error:
        tell(f"{name} cannot be cleaned, {path} is not written: {error}")
        return
    write_atomically(path, format_answer(cleaned, len(problem.lines)))
    before, after = measure(answer).total, measure(cleaned).total
    tell(f"{path}: cost {after}, in {name} {before}")


def _write_layers(path: str, form: str, problem: Problem, answer: Answer | None, name: str) -> None:
    """Write one picture for each layer, numbered as layers are."""
    from nlrouter.drawing.scene import compose

    scene = compose(problem, answer, Path(name).stem)
    for z in range(problem.layers):
        with drawable(path):
            from nlrouter.drawing.animation import animate
            from nlrouter.drawing.picture import draw, render

            figure = draw(scene, [z])
            content = animate([figure]) if form == "gif" else render(figure, form)
        write_atomically(f"{path.removesuffix(f'.{form}')}.{z + 1}.{form}", content)
