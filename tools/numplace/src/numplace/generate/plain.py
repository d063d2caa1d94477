"""Plain puzzles: a grid with rows, columns and blocks, of a level and a symmetry."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

from nlrouter.deadline import Deadline
from numplace.generate.dig import Orbit, dig, uniqueness, without
from numplace.generate.full_grid import full_grid
from numplace.generate.symmetry import orbits
from numplace.logic.grade import Grade, grade
from numplace.logic.ladder import LADDER, LEVELS
from numplace.logic.solver import explain
from numplace.plain import plain_puzzle
from numplace.puzzle import Puzzle
from numplace.result import Status
from numplace.solve.count import WrongAnswer, count_answers


@dataclass(frozen=True)
class PlainOptions:
    """What a plain puzzle should be like.

    Parameters
    ----------
    block_width, block_height
        The size of a block in cells; the grid's side is their product.
    level
        One of `LEVELS`; None for any. The grade of the puzzle is exactly this.
    clues
        Givens that there should be at most; None for as few as digging finds, or as the level
        allows.
    minimal
        Whether no given, or group of givens that the symmetry holds together, may be superfluous.
    symmetry
        Of the places of givens; see `numplace.generate.symmetry.SYMMETRIES`.
    """

    block_width: int = 3
    block_height: int = 3
    level: str | None = None
    clues: int | None = None
    minimal: bool = False
    symmetry: str = "none"

    def __post_init__(self) -> None:
        if self.level is not None and self.level not in LEVELS:
            raise ValueError(f"{self.level!r} is none of {', '.join(LEVELS)}")


def generate_plain(
    options: PlainOptions, random: Random, deadline: Deadline | None = None
) -> Puzzle | None:
    """Return a random puzzle with exactly one answer, None if time ends before one is found.

    Grids are filled and dug until one has what is asked for; the same random numbers give the
    same puzzle.

    Raises
    ------
    ValueError
        If the symmetry does not fit the grid.
    """
    deadline = deadline or Deadline(math.inf)
    empty = plain_puzzle({}, options.block_width, options.block_height)
    groups = orbits(empty.cells, empty.width, empty.height, options.symmetry)
    unique = uniqueness(empty)
    while not deadline.passed():
        full = empty.with_givens(full_grid(empty, random))
        least = 0
        if options.clues is not None and not options.minimal and options.level is None:
            least = options.clues
        gone = dig(full, groups, random, least=least, unique=unique, stop=deadline.passed)
        puzzle = without(full, gone)
        if options.level is not None:
            found = _at_level(full, gone, options)
            if found is None:
                continue
            puzzle = found
        if options.clues is None or len(puzzle.givens) <= options.clues:
            # The digging counts without the checker: what leaves here has passed it.
            result = count_answers(puzzle).unless_interrupted()
            if result.status is not Status.UNIQUE or result.answers != (full.givens,):
                raise WrongAnswer("the digging left a puzzle without its answer alone")
            return puzzle
    return None


def _at_level(full: Puzzle, gone: list[Orbit], options: PlainOptions) -> Puzzle | None:
    """Return the puzzle of a level with the most of the groups gone, None if there is none."""
    assert options.level is not None
    level = LEVELS.index(options.level) + 1
    puzzle = without(full, gone)
    reached = _grade(puzzle, level)
    if reached is None and not options.minimal:
        # Puzzles get harder as givens go: bisection finds where the level is passed.
        least, most = 0, len(gone) - 1
        while least < most:
            middle = (least + most + 1) // 2
            if _grade(without(full, gone[:middle]), level) is None:
                most = middle - 1
            else:
                least = middle
        puzzle = without(full, gone[:least])
        reached = _grade(puzzle, level)
    return puzzle if reached is not None and reached.level == level else None


def _grade(puzzle: Puzzle, level: int) -> Grade | None:
    """Return the grade of a puzzle with one answer, None if it is above a level."""
    found = explain(puzzle, [each for each in LADDER if each.level <= level])
    if not found.solved:
        return None
    reached = grade(found.steps)
    return reached if reached.level <= level else None
