"""Random puzzles of all kinds that consist of houses, givens and clues of one kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from nlrouter.deadline import Deadline
from numplace.cell import Cell
from numplace.constraints import Constraint
from numplace.generate.clues import (
    cages,
    inequalities,
    joints,
    parities,
    sandwiches,
    thermometers,
)
from numplace.generate.jigsaw import random_regions
from numplace.generate.random_answer import random_answer
from numplace.generate.symmetry import orbits
from numplace.generate.thin import Clue, Thinner
from numplace.puzzle import Puzzle, make_puzzle
from numplace.shapes import frame, square


@dataclass(frozen=True)
class Kind:
    """A kind of puzzle.

    Parameters
    ----------
    clues
        Its clues, read off an answer.
    blocks
        Whether grids have blocks if nothing is said.
    stay
        Whether the clues all stay, and only givens go.
    alone
        Whether clues that need no givens are looked for.
    """

    clues: Callable[[Mapping[Cell, int], int, Random], Sequence[Constraint]]
    blocks: bool = True
    stay: bool = False
    alone: bool = False


KINDS: dict[str, Kind] = {
    "jigsaw": Kind(lambda answer, side, random: (), blocks=False),
    "inequality": Kind(lambda answer, side, random: inequalities(answer), blocks=False),
    "joint": Kind(lambda answer, side, random: joints(answer), blocks=False, stay=True),
    "parity": Kind(lambda answer, side, random: parities(answer)),
    "killer": Kind(lambda answer, side, random: cages(answer, random), stay=True, alone=True),
    "sandwich": Kind(lambda answer, side, random: sandwiches(answer, side), stay=True),
    "thermometer": Kind(lambda answer, side, random: thermometers(answer, random), stay=True),
    "arrow": Kind(lambda answer, side, random: inequalities(answer)),
}
"""All kinds, by name. Jigsaw has its regions beside givens."""

SPARE_CLUES, SPARE_GIVENS = 0.25, 0.1
"""Shares of the clues that could go, and of the givens where there are no clues, which stay if
the puzzle need not be minimal: those without any to spare are hard on people."""

ALONE_TRIES = 10
"""Sets of clues tried in the search for one that needs no givens."""


@dataclass(frozen=True)
class Wish:
    """What a puzzle should be like.

    Parameters
    ----------
    side
        Cells of a line.
    block
        Width and height of a block, whose product is the side; None for no blocks.
    least
        Givens that stay at least.
    minimal
        Whether nothing may be superfluous.
    symmetry
        Of the places of givens; one of `numplace.generate.symmetry.SYMMETRIES`.
    """

    side: int
    block: tuple[int, int] | None
    least: int = 0
    minimal: bool = False
    symmetry: str = "none"


def make_variant(
    kind: str, wish: Wish, random: Random, deadline: Deadline | None = None
) -> tuple[Puzzle, dict[Cell, int]]:
    """Return a random puzzle with exactly one answer, and the answer.

    Parameters
    ----------
    kind
        One of `KINDS`.
    deadline
        When to stop taking away; by default after a fixed amount of work.

    Raises
    ------
    ValueError
        If the symmetry does not fit.
    """
    while True:
        houses = square(wish.side) if wish.block is None else frame(*wish.block)
        if kind == "jigsaw":
            houses += random_regions(wish.side, random)
        grid = make_puzzle(houses)
        answer = random_answer(grid, random)
        if answer is not None:  # Some regions have none.
            break
    rule = KINDS[kind]
    clues = rule.clues(answer, wish.side, random)
    for _ in range(ALONE_TRIES if rule.alone and not wish.least else 0):
        if enough(grid, answer, clues):
            break
        clues = rule.clues(answer, wish.side, random)
    puzzle = thin_puzzle(grid, answer, clues, wish, random, stay=rule.stay, deadline=deadline)
    return puzzle, answer


def enough(grid: Puzzle, answer: Mapping[Cell, int], clues: Sequence[Constraint]) -> bool:
    """Return whether it is soon seen that clues leave no other answer, without any givens."""
    clue = Clue(constraints=tuple(clues))
    with Thinner(grid, answer, [clue]) as thinner:
        return thinner.enough([clue]) is not None


def thin_puzzle(
    grid: Puzzle,
    answer: Mapping[Cell, int],
    clues: Sequence[Constraint],
    wish: Wish,
    random: Random,
    *,
    stay: bool = False,
    deadline: Deadline | None = None,
) -> Puzzle:
    """Return a puzzle with this as its only answer, givens and then clues taken away.

    Parameters
    ----------
    grid
        Everything that stays.
    clues
        What may go beside the givens.
    stay
        Whether clues only go where the puzzle is to be minimal.
    deadline
        As in `make_variant`.
    """
    groups = orbits(grid.cells, grid.width, grid.height, wish.symmetry)
    givens = [Clue(givens=group) for group in groups]
    more = [Clue(constraints=(clue,)) for clue in clues]
    random.shuffle(givens)
    random.shuffle(more)
    with Thinner(grid, answer, [*givens, *more], deadline) as thinner:
        least = -(-wish.least * len(givens) // len(grid.cells))
        kept = thinner.thin([*givens, *more], givens, least)
        if wish.minimal:
            kept = thinner.thin(kept, more)
        elif not clues and not wish.least:
            kept = _with_spare(kept, givens, SPARE_GIVENS, random)
        elif not stay:
            kept = _with_spare(thinner.thin(kept, more), more, SPARE_CLUES, random)
        order = {id(clue): at for at, clue in enumerate(clues)}
        kept.sort(key=lambda clue: [order[id(each)] for each in clue.constraints])
        return thinner.puzzle(kept)


def _with_spare(
    kept: Sequence[Clue], clues: Sequence[Clue], share: float, random: Random
) -> list[Clue]:
    """Return clues with a share of those that could go."""
    gone = [clue for clue in clues if clue not in set(kept)]
    return [*kept, *random.sample(gone, round(share * len(gone)))]
