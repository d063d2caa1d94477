"""Draws boards and answers in files and as text: what ``nldraw`` does."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from numbers import Real
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from nlrouter.answer import Answer, as_answer
from nlrouter.arguments import whole_number
from nlrouter.checker.cost import measure
from nlrouter.drawing.formats import FORMATS, QUICKEST, SLOWEST, STILL
from nlrouter.extras import require
from nlrouter.files.atomic import write_atomically
from nlrouter.files.names import ending
from nlrouter.problem import Problem

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from nlrouter.drawing.animation import AnimationConfig
    from nlrouter.drawing.scene import Scene
    from nlrouter.drawing.words import Words

MOST_FRAMES = 100
"""Most answers of a history that are shown: more than that nobody watches to the end."""

Watch = Callable[["Iterator[Figure]", int], "Iterator[Figure]"]
"""Passes frames on, of so many, and may tell of each."""


def draw(
    problem: Problem,
    answer: ArrayLike | None = None,
    output: str | os.PathLike[str] | None = None,
    *,
    title: str = "",
    bound: int | None = None,
    layers: Iterable[int] | None = None,
    stack: bool = False,
    dark: bool = False,
    pace: float | None = None,
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
        A file to write, as SVG, PNG, PDF or GIF by its ending. A GIF shows one layer after
        another.
    title
        What the caption starts with.
    bound
        A proven lower bound, to be told with a correct answer.
    layers
        The layers to show, from 1 as in the files; all by default.
    stack
        Whether layers lie above each other at a slant, with vias as posts between them.
    dark
        Whether the paper is dark.
    pace
        Seconds for each layer of a GIF, from 0.05 to 60; 2 by default.
    lang
        Language of the caption, ``en`` or ``ja``. It is English, with a warning, where no font has
        Japanese characters.

    Returns
    -------
    matplotlib.figure.Figure
        The picture of these layers beside or above each other.

    Raises
    ------
    ValueError
        If the ending of ``output`` is none of these, the answer has another shape than the board
        or costs less than the bound, there is no such layer or language, options do not go
        together, or the board has more on it than a picture can show.
    FileError
        If it cannot be written.
    MissingExtra
        If matplotlib, or Pillow for a GIF, is not installed.

    Examples
    --------
    >>> board = Problem(3, 1, 1, [((0, 0, 1), (2, 0, 1))])
    >>> figure = draw(board, [[[1, 1, 1]]], title="a line", bound=3)
    >>> figure.savefig("line.png")  # doctest: +SKIP
    """
    require("draw")
    from nlrouter.drawing.picture import draw as draw_scene
    from nlrouter.drawing.picture import render

    path = None if output is None else os.fspath(output)
    form = None if path is None else ending(path)
    if form not in (None, *FORMATS):
        raise ValueError(f"{path}: expected an ending of {', '.join(STILL)} or gif")
    if form == "gif" and stack:
        raise ValueError("stack: it shows all layers at once, a GIF one after another")
    if form != "gif" and pace is not None:
        raise ValueError(f"{pace=}: expected an output that ends in gif")
    _require_pace(pace)
    scene = _scene(problem, answer, title, bound, picture_words(lang, _warn))
    shown = _layers(problem, layers)
    figure = draw_scene(scene, shown, stack=stack, dark=dark)
    if path is not None and form is not None:
        content = layers_gif(scene, shown, dark, pace) if form == "gif" else render(figure, form)
        write_atomically(path, content)
    return figure


def animate(
    problem: Problem,
    answers: Iterable[ArrayLike],
    output: str | os.PathLike[str],
    *,
    title: str = "",
    bound: int | None = None,
    stack: bool = False,
    dark: bool = False,
    pace: float | None = None,
    lang: str = "en",
) -> None:
    """Draw answers one after another, such as those of a search, as a GIF.

    Of more than 100 answers some are left out, but not the last.

    Parameters
    ----------
    problem
        The board.
    answers
        One or more answers, each ``(layers, height, width)`` line numbers, 0 where empty.
    output
        The file to write; it ends in ``.gif``.
    bound
        A proven lower bound, to be told with correct answers.
    pace
        Seconds for each answer, from 0.05 to 60; 0.9 by default.
    title, stack, dark, lang
        See `draw`.

    Raises
    ------
    ValueError
        If there is no answer, the last one costs less than the bound, and as `draw` does.
    FileError
        If it cannot be written.
    MissingExtra
        If matplotlib or Pillow is not installed.

    Examples
    --------
    >>> board = Problem(3, 2, 1, [((0, 0, 1), (2, 0, 1))])
    >>> answers = [[[1, 0, 1], [1, 1, 1]]], [[[1, 1, 1], [0, 0, 0]]]
    >>> animate(board, answers, "search.gif", bound=3)  # doctest: +SKIP
    """
    require("draw")
    path = os.fspath(output)
    if ending(path) != "gif":
        raise ValueError(f"{path}: expected an ending of gif")
    _require_pace(pace)
    drawings = [as_answer(answer, problem.shape) for answer in answers]
    if not drawings:
        raise ValueError("answers: found none, expected one or more")
    _require_bound(bound, drawings[-1])
    words = picture_words(lang, _warn)
    content = history_gif(problem, drawings, title, bound, words, stack=stack, dark=dark, pace=pace)
    write_atomically(path, content)


def draw_text(
    problem: Problem,
    answer: ArrayLike | None = None,
    *,
    title: str = "",
    bound: int | None = None,
    width: int = 80,
    ascii: bool = False,
    colour: bool = False,
    lang: str = "en",
) -> str:
    """Draw a board in the characters of a terminal, with an answer if there is one.

    Parameters
    ----------
    problem
        The board.
    answer
        ``(layers, height, width)`` line numbers, 0 where empty.
    title
        What the caption starts with.
    bound
        A proven lower bound, to be told with a correct answer.
    width
        Columns: layers that do not fit beside each other come below. A layer that is wider than
        that is not broken.
    ascii
        Whether to use plain ASCII characters, and English.
    colour
        Whether to style the text by a terminal's escape sequences.
    lang
        Language of the caption, ``en`` or ``ja``.

    Returns
    -------
    str
        Lines of text, each with its line feed.

    Raises
    ------
    ValueError
        If the answer has another shape than the board or costs less than the bound, the language
        is unknown, or ``width`` is no whole number from 1.

    Examples
    --------
    >>> board = Problem(3, 2, 1, [((0, 0, 1), (2, 0, 1))])
    >>> print(draw_text(board, [[[1, 0, 1], [1, 1, 1]]], title="around", ascii=True))
    layer 1
      0
    0 1 . 1
    1 +---+
    <BLANKLINE>
    around   3X2X1, 1 line, 0 vias
    cost 7 = 5 cells + 2 bends   correct
    <BLANKLINE>
    """
    from nlrouter.drawing.terminal import ASCII, BOX, layer_width, render

    columns = whole_number(f"{width=}", width, least=1)
    scene = _scene(problem, answer, title, bound, _words("en" if ascii else lang))
    glyphs = ASCII if ascii else BOX
    return render(scene, max(columns, layer_width(problem, columns)), glyphs, colour=colour)


def picture_words(lang: str, complain: Callable[[str], None]) -> Words:
    """Return the words of a language, or English ones where no font has its characters.

    Parameters
    ----------
    lang
        ``en`` or ``ja``.
    complain
        Told in a sentence where they are English instead.
    """
    from nlrouter.drawing.fonts import has_japanese

    if lang == "ja" and not has_japanese():
        reason = "no font with Japanese characters was found, such as Noto Sans CJK JP or IPAGothic"
        complain(f"{reason}; captions are in English")
        lang = "en"
    return _words(lang)


def expected_bound(bound: int | None, answer: Answer | None) -> str:
    """Return what is expected instead of a bound that an answer disproves; empty if none does."""
    if bound is None:
        return ""
    if answer is None:
        return "none without an answer"
    cost = measure(answer).total
    return f"at most {cost}, the cost of the answer" if bound > cost else ""


def layers_gif(
    scene: Scene,
    layers: Sequence[int],
    dark: bool,
    pace: float | None,
    watch: Watch = lambda frames, _: frames,
) -> bytes:
    """Return a GIF of one layer after another; ``layers`` count from 0."""
    from nlrouter.drawing.animation import LAYERS
    from nlrouter.drawing.picture import draw

    frames = (draw(scene, [z], dark=dark) for z in layers)
    return _gif(watch(frames, len(layers)), LAYERS, pace)


def history_gif(
    problem: Problem,
    answers: Sequence[Answer],
    title: str,
    bound: int | None,
    words: Words,
    *,
    stack: bool,
    dark: bool,
    pace: float | None,
    watch: Watch = lambda frames, _: frames,
) -> bytes:
    """Return a GIF of the successive answers of a search, the last of them in any case."""
    from nlrouter.drawing.animation import AnimationConfig
    from nlrouter.drawing.picture import draw
    from nlrouter.drawing.scene import compose

    count = len(answers)
    step = -(-count // MOST_FRAMES)
    shown = range((count - 1) % step, count, step)

    def frames() -> Iterator[Figure]:
        for index in shown:
            name = words.frame(title, index + 1, count)
            scene = compose(problem, answers[index], name, bound=bound, words=words)
            yield draw(scene, stack=stack, dark=dark)

    return _gif(watch(frames(), len(shown)), AnimationConfig(), pace)


def _gif(frames: Iterator[Figure], config: AnimationConfig, pace: float | None) -> bytes:
    """Return a GIF at its own pace or at so many seconds for each frame."""
    from nlrouter.drawing.animation import animate

    return animate(frames, config if pace is None else replace(config, hold=round(1000 * pace)))


def _scene(
    problem: Problem, answer: ArrayLike | None, title: str, bound: int | None, words: Words
) -> Scene:
    """Take up an answer, if there is one, and judge it."""
    from nlrouter.drawing.scene import compose

    drawing = None if answer is None else as_answer(answer, problem.shape)
    _require_bound(bound, drawing)
    return compose(problem, drawing, title, bound=bound, words=words)


def _require_bound(bound: int | None, answer: Answer | None) -> None:
    """Refuse a bound that the answer itself disproves, or that is about none."""
    if bound is not None:
        whole_number(f"{bound=}", bound, least=0)
    if expected := expected_bound(bound, answer):
        raise ValueError(f"bound: found {bound}, expected {expected}")


def _words(lang: str) -> Words:
    """Return the words of a language."""
    from nlrouter.drawing.words import LANGUAGES

    if lang not in LANGUAGES:
        raise ValueError(f"found language {lang!r}, expected {' or '.join(LANGUAGES)}")
    return LANGUAGES[lang]


def _layers(problem: Problem, layers: Iterable[int] | None) -> Sequence[int]:
    """Return the layers to show, from 0."""
    if layers is None:
        return range(problem.layers)
    shown = [whole_number(f"{layer=}", layer, least=1, most=problem.layers) - 1 for layer in layers]
    if not shown:
        raise ValueError("layers: found none, expected one or more")
    return shown


def _require_pace(pace: float | None) -> None:
    """Refuse a pace that nobody could watch."""
    if pace is not None and not (isinstance(pace, Real) and QUICKEST <= float(pace) <= SLOWEST):
        raise ValueError(f"{pace=} is not a number of seconds from {QUICKEST:g} to {SLOWEST:g}")


def _warn(sentence: str) -> None:
    """Warn whoever called the public function."""
    warnings.warn(sentence, RuntimeWarning, stacklevel=4)
