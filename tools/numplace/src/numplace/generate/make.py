"""Making a puzzle of any kind; each has exactly one answer, which is proven."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from nlrouter.deadline import Deadline
from numplace.cell import Cell
from numplace.check.rules import violations
from numplace.generate.random_answer import random_answer
from numplace.generate.variants import KINDS as VARIANTS
from numplace.generate.variants import Wish, make_variant, thin_puzzle
from numplace.puzzle import Puzzle
from numplace.result import Status
from numplace.solve.count import count_answers

KINDS = ("plain", *VARIANTS, "calcudoku", "nylimb")
"""What can be made."""

PROOF_SECONDS = 10.0
"""What the proof of a finished puzzle may take past the deadline: the puzzle should not be lost.
Most take a hundredth of a second."""

ATTEMPTS = 300
"""Puzzles made in the search for one of a level: the rarest levels come once in some dozens."""


class NotMade(Exception):
    """There is no puzzle like that, or none was found in time."""


class NoAnswer(NotMade):
    """It is proven that there is no such puzzle."""


@dataclass(frozen=True)
class Request:
    """What puzzle is wanted.

    Parameters
    ----------
    kind
        One of `KINDS`.
    side
        Cells of a line; None for what is usual.
    block
        Width and height of a block; None for what is usual with the side.
    level
        A name of `numplace.logic.ladder.LEVELS`; None for any.
    clues
        Givens: of plain puzzles at most so many, of others at least; None for what comes.
    minimal
        Whether nothing may be superfluous.
    symmetry
        Of the places of givens.
    two_cell
        In calcudoku, whether ``-`` and ``/`` are for groups of two cells only.
    """

    kind: str
    side: int | None = None
    block: tuple[int, int] | None = None
    level: str | None = None
    clues: int | None = None
    minimal: bool = False
    symmetry: str = "none"
    two_cell: bool = False

    @property
    def width(self) -> int:
        """Cells of a line, where nothing was said those that are usual for the kind."""
        if self.kind in ("calcudoku", "nylimb"):
            return self.side or 6
        return math.prod(self.block) if self.block else self.side or 9


@dataclass(frozen=True)
class Made:
    """A puzzle and its answer."""

    puzzle: Puzzle
    answer: Mapping[Cell, int]


def make(request: Request, seed: int, deadline: Deadline | None = None) -> Made:
    """Return a puzzle as requested; the same seed gives the same puzzle.

    Parameters
    ----------
    deadline
        When to give up; by default after `ATTEMPTS`. With a deadline, what is made may depend
        on the machine.

    Raises
    ------
    ValueError
        If the request makes no sense.
    NotMade
        If no such puzzle was found.
    """
    random = Random(seed)
    for _ in range(ATTEMPTS):
        if deadline is not None and deadline.passed():
            break
        made = _make(request, random, deadline)
        if made is None:
            break
        if request.kind == "plain" or request.level is None:
            return proven(made, deadline)
        from numplace.logic.grade import grade
        from numplace.logic.solver import explain

        found = explain(made.puzzle)
        if found.solved and grade(found.steps).name == request.level:
            return proven(made, deadline)
    what = f"{request.kind} puzzle" + f" of level {request.level}" * (request.level is not None)
    raise NotMade(f"no {what} was found in time; another seed may have one")


def make_input(
    puzzle: Puzzle, seed: int, *, hard: bool = False, deadline: Deadline | None = None
) -> Made:
    """Return a puzzle with new givens, which make its answer the only one.

    Parameters
    ----------
    puzzle
        Houses and clues; its givens do not matter.
    hard
        Whether no given may be superfluous.

    Raises
    ------
    NoAnswer
        If houses and clues have no answer.
    NotMade
        If none was found.
    """
    random = Random(seed)
    grid = puzzle.with_givens({})
    answer = random_answer(grid, random)
    if answer is None:
        if count_answers(grid, 1, deadline=deadline).status is Status.NONE:
            raise NoAnswer("the puzzle has no answer, whatever is given")
        raise NotMade("no answer to the puzzle without givens was found")
    wish = Wish(puzzle.width, None, minimal=hard)
    made = Made(thin_puzzle(grid, answer, (), wish, random, deadline=deadline), answer)
    return proven(made, deadline)


def proven(made: Made, deadline: Deadline | None = None) -> Made:
    """Return a puzzle after another search has proven its answer the only one.

    Past the deadline it still has `PROOF_SECONDS`.

    Raises
    ------
    AssertionError
        If the answer is wrong, or there is another one: a defect of this program.
    NotMade
        If that was not decided in time.
    """
    wrong = violations(made.puzzle, made.answer)
    if wrong:
        raise AssertionError(wrong[0].text)
    if deadline is not None:
        deadline = Deadline(max(deadline.remaining(), PROOF_SECONDS))
    result = count_answers(made.puzzle, deadline=deadline).unless_interrupted()
    if result.status is Status.UNKNOWN:
        raise NotMade("that the answer is the only one was not proven in time")
    if result.status is not Status.UNIQUE or dict(result.answers[0]) != dict(made.answer):
        raise AssertionError("the puzzle has another answer")
    return made


def _make(request: Request, random: Random, deadline: Deadline | None) -> Made | None:
    """Return a puzzle of the kind; None if there was no time."""
    if request.kind in ("calcudoku", "nylimb"):
        # Not at the top: Numba takes longer to import than most puzzles to make.
        from numplace.generate.calcudoku import Maker, Recipe

        recipe = Recipe(
            side=request.width, nylimb=request.kind == "nylimb", two_cell=request.two_cell
        )
        maker = Maker(recipe, random.getrandbits(32))
        answer = maker.grid()
        made = Made(maker.make(answer, deadline), answer)
        if maker.interrupted:  # Which ends more than this puzzle.
            raise KeyboardInterrupt
        return made
    if request.kind == "plain":
        from numplace.generate.plain import PlainOptions, generate_plain

        block = _block(request, blocks=True)
        if block is None:
            raise ValueError(f"a grid of side {request.side} has no blocks; say --blocks WxH")
        options = PlainOptions(
            *block, request.level, request.clues, request.minimal, request.symmetry
        )
        puzzle = generate_plain(options, random, deadline or Deadline(math.inf))
        if puzzle is None:
            return None
        return Made(puzzle, count_answers(puzzle, 1).answers[0])
    block = _block(request, blocks=VARIANTS[request.kind].blocks)
    wish = Wish(request.width, block, request.clues or 0, request.minimal, request.symmetry)
    return Made(*make_variant(request.kind, wish, random, deadline))


def _block(request: Request, *, blocks: bool) -> tuple[int, int] | None:
    """Return the size of blocks, as near to squares as there are; None for a grid without."""
    if request.block is not None:
        width, height = request.block
        if request.side not in (None, width * height):
            raise ValueError(f"blocks of {width}x{height} make no grid of side {request.side}")
        return request.block
    if not blocks:
        return None
    side = request.width
    widths = (width for width in range(2, side) if side % width == 0 and width * width >= side)
    return next(((width, side // width) for width in widths), None)
