"""Draws boards and answers, as ``nldraw`` does."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from nlrouter.answer import as_answer
from nlrouter.extras import require
from nlrouter.files.atomic import write_atomically
from nlrouter.problem import Problem

if TYPE_CHECKING:
    from matplotlib.figure import Figure


def draw(
    problem: Problem,
    answer: ArrayLike | None = None,
    output: str | os.PathLike[str] | None = None,
    *,
    title: str = "",
    bound: int | None = None,
    stack: bool = False,
    dark: bool = False,
    lang: str = "en",
) -> Figure:
    """Draw a board, with an answer, right or wrong, if there is one.

    Parameters
    ----------
    problem
        The board.
    answer
        ``(layers, height, width)`` line numbers, 0 where empty.
    output
        A file to write, as SVG, PNG or PDF by its ending.
    title
        What the caption starts with.
    bound
        A proven lower bound, to be told with a correct answer.
    stack
        Whether layers lie above each other at a slant, with vias as posts between them.
    dark
        Whether the paper is dark.
    lang
        Language of the caption, ``en`` or ``ja``.

    Returns
    -------
    matplotlib.figure.Figure
        The picture.

    Raises
    ------
    ValueError
        If the ending of ``output`` is none of these, the language unknown, or the board has
        more on it than a picture can show.
    FileError
        If it cannot be written.
    MissingExtra
        If matplotlib is not installed.
    """
    require("draw")
    from nlrouter.drawing.picture import FORMATS, render
    from nlrouter.drawing.picture import draw as draw_scene
    from nlrouter.drawing.scene import compose
    from nlrouter.drawing.words import LANGUAGES

    if lang not in LANGUAGES:
        raise ValueError(f"found language {lang!r}, expected {' or '.join(LANGUAGES)}")
    drawing = None if answer is None else as_answer(answer, problem.shape)
    scene = compose(problem, drawing, title, bound=bound, words=LANGUAGES[lang])
    figure = draw_scene(scene, stack=stack, dark=dark)
    if output is not None:
        path = os.fspath(output)
        form = os.path.splitext(path)[1].removeprefix(".").lower()
        if form not in FORMATS:
            raise ValueError(f"{path}: expected an ending of {', '.join(FORMATS)}")
        write_atomically(path, render(figure, form))
    return figure
