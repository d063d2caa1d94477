"""Random calcudoku, plain and Nylimb, with one answer, as hard as wanted.

A square is cut into random groups, whose clues come from the answer. While there is a second
answer, the clue of a group that tells the two apart is chosen, or, where no clue does, a group in
which they differ is cut. `harden` then changes groups at random and keeps what makes the puzzle
harder.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from random import Random

from nlrouter.deadline import Deadline
from numplace.answer import Answer
from numplace.cell import Cell, in_reading_order
from numplace.constraints.arithmetic import OPERATIONS, Arithmetic
from numplace.files.calcudoku_spec import LETTERS, calcudoku
from numplace.generate.squares import latin_square, nylimb_square
from numplace.puzzle import Puzzle
from numplace.regions import connected, near, pieces
from numplace.solve.calcudoku import SquareSolver


@dataclass(frozen=True)
class Recipe:
    """What is wanted.

    Parameters
    ----------
    side
        Cells of a line: 2 to 16, in Nylimb mode to 9.
    nylimb
        Whether lines hold the digits 0 to ``side``.
    two_cell
        Whether ``-`` and ``/`` are for groups of two cells only.
    tries
        Changes that `harden` tries.
    most
        Largest difficulty; 0 for any.
    enough
        Difficulty at which `harden` stops; 0 for none.
    """

    side: int = 6
    nylimb: bool = False
    two_cell: bool = False
    tries: int = 20
    most: int = 0
    enough: int = 0


@dataclass(frozen=True)
class Config:
    """Tunable numbers.

    Parameters
    ----------
    sizes
        How often a group is to have 2, 3, 4 and 5 cells. Pairs and threes are the usual ones in
        published puzzles; larger groups make the search long before they make it interesting.
    weights
        How often an operation is chosen, where it is possible: ``+ - * /``. Differences and
        quotients are rarely possible, so they are preferred.
    alone
        Share of the cells left alone that stay so, and are given; the others join a group.
    conflicts
        Of one search for a second answer. One that takes more is no pastime for people; they are
        a tenth of a second.
    changes
        Most changes in one try of `harden`.
    clue
        Share of the changes that only choose another clue.
    """

    sizes: tuple[int, ...] = (8, 8, 3, 1)
    weights: tuple[int, ...] = (2, 4, 2, 5)
    alone: float = 0.3
    conflicts: int = 2_000
    changes: int = 3
    clue: float = 0.3


DEFAULT = Config()


class Maker:
    """Makes calcudoku by a recipe.

    Parameters
    ----------
    seed
        The same seed gives the same puzzles.
    show
        Told, in `harden`, the number of tries so far and the difficulty reached.

    Attributes
    ----------
    interrupted
        Whether Ctrl-C has ended a climb.
    """

    def __init__(
        self,
        recipe: Recipe,
        seed: int,
        config: Config = DEFAULT,
        show: Callable[[int, int], None] = lambda *_: None,
    ) -> None:
        self.recipe = recipe
        self.config = config
        self.random = Random(seed)
        self.show = show
        self.interrupted = False
        self._solver = SquareSolver(recipe.side, recipe.nylimb)

    def grid(self) -> dict[Cell, int]:
        """Return a random square, by cells in reading order."""
        make = nylimb_square if self.recipe.nylimb else latin_square
        return make(self.recipe.side, self.random)

    def make(self, answer: Mapping[Cell, int], deadline: Deadline | None = None) -> Puzzle:
        """Return a puzzle with this as its only answer."""
        groups = [self._clued(cells, answer) for cells in self._cut(answer)]
        return self.harden(self._puzzle(groups, answer), answer, deadline)

    def harden(
        self, puzzle: Puzzle, answer: Mapping[Cell, int], deadline: Deadline | None = None
    ) -> Puzzle:
        """Return a puzzle with the same answer, which is its only one, and harder if possible.

        Parameters
        ----------
        puzzle
            Where to start; it may have other answers too.
        deadline
            When to stop trying; as after Ctrl-C, there is a puzzle even so.
        """
        recipe = self.recipe
        groups = [group for group in puzzle.constraints if isinstance(group, Arithmetic)]
        groups = [
            group if group.op in self._operations(group.cells, answer)
            else self._clued(group.cells, answer)
            for group in groups
        ]  # fmt: skip
        best = self._ease(self._tell_apart(self._puzzle(groups, answer), answer), answer)
        hardest = self._solver.difficulty(best, answer)
        # Ctrl-C ends the climb: the puzzle that is there is good, if not the hardest.
        try:
            for tries in range(recipe.tries):
                self.show(tries, hardest)
                if recipe.enough and hardest >= recipe.enough:
                    break
                if deadline is not None and deadline.passed():
                    break
                other = self._changed(best, answer)
                if self._second(other, answer) is not None:
                    continue
                hard = self._solver.difficulty(other, answer)
                if hard > hardest and (not recipe.most or hard <= recipe.most):
                    best, hardest = other, hard
        except KeyboardInterrupt:
            self.interrupted = True
        return best

    def _puzzle(self, groups: Sequence[Arithmetic], answer: Mapping[Cell, int]) -> Puzzle:
        """Return the puzzle of these groups, all other cells given."""
        grouped = {cell for group in groups for cell in group.cells}
        givens = {cell: number for cell, number in answer.items() if cell not in grouped}
        return calcudoku(self.recipe.side, groups, givens, nylimb=self.recipe.nylimb)

    def _cut(self, answer: Mapping[Cell, int]) -> list[tuple[Cell, ...]]:
        """Cut the square into random connected groups; what is left alone is in none."""
        free = set(answer)
        cuts: list[list[Cell]] = []
        # Where letters are few, groups must be larger.
        more = max(0, len(answer) // len(LETTERS) - 2)
        for cell in self.random.sample(sorted(answer), len(answer)):
            if cell not in free or len(cuts) == len(LETTERS):
                continue
            sizes = range(2 + more, 2 + more + len(self.config.sizes))
            wanted = self.random.choices(sizes, self.config.sizes)[0]
            cells = [cell]
            while len(cells) < wanted:
                edge = sorted({other for each in cells for other in near(each)} & free - set(cells))
                if not edge:
                    break
                cells.append(self.random.choice(edge))
            if len(cells) > 1:
                free -= set(cells)
                cuts.append(cells)
        for cell in sorted(free):
            beside = [cells for cells in cuts if set(near(cell)) & set(cells)]
            if beside and self.random.random() >= self.config.alone:
                min(beside, key=len).append(cell)
        return [in_reading_order(cells) for cells in cuts]

    def _operations(self, cells: Sequence[Cell], answer: Mapping[Cell, int]) -> dict[str, int]:
        """Return the operations that a group can have, with their targets."""
        numbers = sorted(answer[cell] for cell in cells)
        *others, largest = numbers
        targets = {"+": sum(numbers)}
        if numbers[0] > 0:
            targets["*"] = prod(numbers)
        if len(cells) == 2 or not self.recipe.two_cell:
            if largest >= sum(others):
                targets["-"] = largest - sum(others)
            if numbers[0] > 0 and largest % prod(others) == 0:
                targets["/"] = largest // prod(others)
        return targets

    def _clued(self, cells: Sequence[Cell], answer: Mapping[Cell, int]) -> Arithmetic:
        """Return a group with a random clue."""
        targets = self._operations(cells, answer)
        ops = list(targets)
        weights = [self.config.weights[OPERATIONS.index(op)] for op in ops]
        op = self.random.choices(ops, weights)[0]
        return Arithmetic(in_reading_order(cells), op, targets[op])

    def _second(self, puzzle: Puzzle, answer: Mapping[Cell, int]) -> Answer | None:
        """Return another answer; None if there is none; an empty one if that takes too long."""
        return self._solver.other_answer(puzzle, answer, self.config.conflicts)

    def _tell_apart(self, puzzle: Puzzle, answer: Mapping[Cell, int]) -> Puzzle:
        """Choose other clues and cut groups until there is only one answer.

        It ends, as every round excludes an answer for good, by a clue or by a cut.
        """
        others: list[Answer] = []
        while (other := self._second(puzzle, answer)) is not None:
            groups = [each for each in puzzle.constraints if isinstance(each, Arithmetic)]
            self.random.shuffle(groups)
            if other:
                others.append(other)
                chosen = next(self._telling(groups, answer, others), None)
                if chosen is not None:
                    old, new = chosen
                    groups = [new if group is old else group for group in groups]
                    puzzle = self._puzzle(groups, answer)
                    continue
            differing = [
                group for group in groups
                if not other or any(other[cell] != answer[cell] for cell in group.cells)
            ]  # fmt: skip
            largest = max(differing, key=lambda group: len(group.cells))
            cells = [cell for cell in largest.cells if not other or other[cell] != answer[cell]]
            puzzle = self._cut_up(groups, largest, self.random.choice(cells), answer)
        return puzzle

    def _telling(
        self, groups: Sequence[Arithmetic], answer: Mapping[Cell, int], others: Sequence[Answer]
    ) -> Iterator[tuple[Arithmetic, Arithmetic]]:
        """Yield groups and new clues for them, such that no other answer fits all clues."""
        failing = [
            {id(g) for g in groups if not g.holds([other[cell] for cell in g.cells])}
            for other in others
        ]
        for group in groups:
            for op, target in self._operations(group.cells, answer).items():
                new = Arithmetic(group.cells, op, target)
                if all(
                    fails - {id(group)} or not new.holds([other[cell] for cell in group.cells])
                    for fails, other in zip(failing, others, strict=True)
                ):
                    yield group, new

    def _cut_up(
        self,
        groups: Sequence[Arithmetic],
        group: Arithmetic,
        cell: Cell,
        answer: Mapping[Cell, int],
    ) -> Puzzle:
        """Cut a group in two, or take a cell out of it, which is then given."""
        kept = [each for each in groups if each is not group]
        halves = list(_halves(group.cells))
        parts: Sequence[tuple[Cell, ...]]
        if halves and len(kept) + 2 <= len(LETTERS):
            parts = self.random.choice(halves)
        else:
            parts = pieces(set(group.cells) - {cell})
        room = len(LETTERS) - len(kept)
        kept += [self._clued(part, answer) for part in parts if len(part) > 1][:room]
        return self._puzzle(kept, answer)

    def _ease(self, puzzle: Puzzle, answer: Mapping[Cell, int]) -> Puzzle:
        """Give cells until the puzzle is not harder than wanted."""
        while self.recipe.most and self._solver.difficulty(puzzle, answer) > self.recipe.most:
            groups = [each for each in puzzle.constraints if isinstance(each, Arithmetic)]
            group = self.random.choice(groups)
            kept = [each for each in groups if each is not group]
            parts = pieces(set(group.cells) - {self.random.choice(group.cells)})
            kept += [self._clued(part, answer) for part in parts if len(part) > 1]
            puzzle = self._tell_apart(self._puzzle(kept[: len(LETTERS)], answer), answer)
        return puzzle

    def _changed(self, puzzle: Puzzle, answer: Mapping[Cell, int]) -> Puzzle:
        """Return the puzzle with some groups joined, moved or given another clue."""
        groups = [each for each in puzzle.constraints if isinstance(each, Arithmetic)]
        for _ in range(self.random.randint(1, self.config.changes)):
            self._change(groups, answer)
        return self._puzzle(groups, answer)

    def _change(self, groups: list[Arithmetic], answer: Mapping[Cell, int]) -> None:
        """Change a group in place: another clue, or a cell more, taken from where it was."""
        at = self.random.randrange(len(groups)) if groups else None
        if at is None:
            return
        group = groups[at]
        edge = sorted({other for cell in group.cells for other in near(cell)} & set(answer))
        edge = [cell for cell in edge if cell not in group.cells]
        full = len(group.cells) >= self._most_cells() or not edge
        if full or self.random.random() < self.config.clue:
            groups[at] = self._clued(group.cells, answer)
            return
        cell = self.random.choice(edge)
        owner = next((each for each in groups if cell in each.cells), None)
        rest = [] if owner is None else [each for each in owner.cells if each != cell]
        if owner is not None and (len(rest) < 2 or not connected(rest)):
            return
        groups[at] = self._clued((*group.cells, cell), answer)
        if owner is not None:
            groups[groups.index(owner)] = self._clued(rest, answer)

    def _most_cells(self) -> int:
        """Return the size that groups do not grow beyond."""
        return max(1 + len(self.config.sizes), self.recipe.side // 2)


def _halves(cells: Sequence[Cell]) -> Iterator[tuple[tuple[Cell, ...], tuple[Cell, ...]]]:
    """Yield the ways to cut a group into two connected ones of two cells or more."""
    for size in range(2, len(cells) - 1):
        for part in combinations(cells, size):
            rest = tuple(cell for cell in cells if cell not in part)
            if cells[0] in part and connected(part) and connected(rest):
                yield part, rest
