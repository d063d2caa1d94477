"""A puzzle of any kind as text: walls, clues in cells, signs between them, and the rest in words.

Walls part blocks, and the groups of puzzles without blocks; thin ones part cages and further
groups. A calcudoku looks as its own document draws it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from math import isqrt

from numplace.answer import Answer
from numplace.cell import Cell, in_reading_order, name_cells
from numplace.constraints import (
    Arithmetic,
    Cage,
    Constraint,
    Different,
    HiddenThermometers,
    House,
    Joint,
    Less,
    LessEqual,
    NotJoint,
    Parity,
    Sandwich,
    Thermometer,
)
from numplace.draw.calcudoku import draw_calcudoku
from numplace.draw.walls import ASCII, HEAVY, Border, draw_grid
from numplace.puzzle import Puzzle

SIGNS: dict[type, tuple[str, str, str, str]] = {
    Less: ("<", ">", "∧", "∨"),
    LessEqual: ("≤", "≥", "≤", "≥"),
    Joint: ("●", "●", "●", "●"),
    NotJoint: ("×", "×", "×", "×"),
}
"""Between ``a`` and ``b``: b to the right, to the left, below, above of a."""

IN_ASCII = {"∧": "^", "∨": "v", "≤": "{", "≥": "}", "●": "*", "×": "x"}
"""What stands for a sign in ASCII."""

BRACKETS = {True: ("(", ")"), False: ("[", "]")}
"""What is put around an odd and an even number."""

BOLD, GREEN, PLAIN = "\033[1m", "\033[32m", "\033[0m"

DIRECTIONS = {(0, -1): "up", (1, 0): "right", (0, 1): "down", (-1, 0): "left"}


def draw_puzzle(
    puzzle: Puzzle,
    answer: Answer | None = None,
    *,
    ascii: bool = False,
    colour: bool = False,
    marks: Mapping[Cell, Sequence[int]] | None = None,
) -> str:
    """Return the picture of a puzzle, ending in a line break.

    Parameters
    ----------
    answer
        Numbers to show beside the givens.
    ascii
        Whether to do without characters beyond ASCII.
    colour
        Whether givens are bold and the answer is green, by ANSI escapes.
    marks
        For empty cells the numbers that they may hold, to be shown small.
    """
    if any(isinstance(each, Arithmetic) for each in puzzle.constraints) and not marks:
        return draw_calcudoku(puzzle, answer, ascii_only=ascii)
    picture = _Picture(puzzle, answer or {}, ascii, colour, marks or {})
    return "".join(f"{line.rstrip()}\n" for line in picture.lines())


class _Picture:
    """What the parts of a picture are made from."""

    def __init__(
        self,
        puzzle: Puzzle,
        answer: Answer,
        ascii: bool,
        colour: bool,
        marks: Mapping[Cell, Sequence[int]],
    ) -> None:
        self.puzzle, self.answer, self.marks = puzzle, answer, marks
        self.ascii, self.colour = ascii, colour
        self.clues = _clues(puzzle.constraints)
        self.ways = _ways(puzzle.constraints)
        self.parity = {e.cell: e.odd for e in puzzle.constraints if isinstance(e, Parity)}
        self.signs = dict(_signs(puzzle.constraints))
        self.walls, self.thin = _regions(puzzle.constraints)
        largest = len(str(puzzle.largest))
        self.high = 3 if self.clues or self.ways or marks else 1
        self.wide = largest + 2
        if self.high > 1:
            texts = [*self.clues.values(), *self.ways.values()]
            self.wide = max(5, largest + 2, *map(len, texts)) if texts else max(5, largest + 2)
        # The rows of marks: as square as their numbers allow.
        self.values = sorted({value for domain in puzzle.domains.values() for value in domain})
        self.per_row = max(3, isqrt(max(0, len(self.values) - 1)) + 1)
        if marks:
            self.high = max(3, -(-len(self.values) // self.per_row))
            self.wide = max(self.wide, self.per_row * (largest + 1) - 1)
        self.wide += 1 - self.wide % 2  # Odd, so that signs stand in the middle.

    def lines(self) -> Iterator[str]:
        """Yield the grid, the sums beside it and what it does not show."""
        style = ASCII if self.ascii else HEAVY
        size = self.puzzle.width, self.puzzle.height
        grid = draw_grid(*size, self.cell_lines, self.border, style, self.sign)
        sums = [each for each in self.puzzle.constraints if isinstance(each, Sandwich)]
        for line in sums:
            if line.kind == "row":
                grid[(self.high + 1) * (line.number - 1) + 1 + self.high // 2] += f"  {line.sum}"
        yield from grid
        columns = {line.number: str(line.sum) for line in sums if line.kind == "column"}
        if columns:
            texts = (columns.get(x + 1, "").center(self.wide) for x in range(self.puzzle.width))
            yield " " + " ".join(texts)
        words = list(self.words())
        if words:
            yield ""
            yield from words

    def cell_lines(self, cell: Cell) -> list[str]:
        """Return clue, number and the place on a thermometer; or else the marks."""
        blank = " " * self.wide
        if cell not in self.puzzle.domains:
            return [blank] * self.high
        number = self.puzzle.givens.get(cell, self.answer.get(cell))
        if number is None and self.marks.get(cell):
            return self.mark_lines(cell)
        lines = [blank] * self.high
        text = "" if number is None else str(number)
        if cell in self.parity:
            left, right = BRACKETS[self.parity[cell]]
            text = left + text.center(len(str(self.puzzle.largest))) + right
        before = " " * ((self.wide - len(text)) // 2)
        after = " " * (self.wide - len(before) - len(text))
        if self.colour and number is not None:
            text = (BOLD if cell in self.puzzle.givens else GREEN) + text + PLAIN
        lines[self.high // 2] = before + text + after
        if self.high > 1:
            lines[0] = self.clues.get(cell, "").ljust(self.wide)
            lines[-1] = self.ways.get(cell, "").ljust(self.wide)
        return lines

    def mark_lines(self, cell: Cell) -> list[str]:
        """Return the numbers that a cell may hold, each at its own place."""
        longest = len(str(self.puzzle.largest))
        lines = []
        for row in range(self.high):
            values = self.values[row * self.per_row : (row + 1) * self.per_row]
            texts = [str(value) if value in self.marks[cell] else "" for value in values]
            texts += [""] * (self.per_row - len(texts))
            lines.append(" ".join(text.rjust(longest) for text in texts).center(self.wide))
        return lines

    def border(self, a: Cell, b: Cell) -> Border:
        """Tell what separates two neighbours."""
        inside = (a in self.puzzle.domains) + (b in self.puzzle.domains)
        if inside < 2:
            return Border.WALL if inside else Border.NOTHING
        if self.walls.get(a, frozenset()) != self.walls.get(b, frozenset()):
            return Border.WALL
        same = self.thin.get(a, frozenset()) == self.thin.get(b, frozenset())
        return Border.INSIDE if same else Border.LINE

    def sign(self, a: Cell, b: Cell) -> str:
        """Return the sign between two neighbours, or nothing."""
        sign = self.signs.get((a, b), "")
        return IN_ASCII.get(sign, sign) if self.ascii else sign

    def words(self) -> Iterator[str]:
        """Yield what the grid does not show."""
        shown = set(self.signs)
        moves: dict[str, int] = {}
        for each in self.puzzle.constraints:
            if isinstance(each, House) and each.kind == "diagonal":
                yield f"{each}: {each.cells[0]} to {each.cells[-1]} hold each number once"
            elif isinstance(each, Less | LessEqual | Joint | NotJoint):
                if (each.a, each.b) not in shown and (each.b, each.a) not in shown:
                    yield str(each)
            elif isinstance(each, Different):
                moves[each.reason] = moves.get(each.reason, 0) + 1
            elif isinstance(each, Thermometer):
                grows = "does not shrink" if each.frozen else "grows"
                yield f"{grows}: {name_cells(each.cells)}"
            elif isinstance(each, HiddenThermometers):
                for shape in each.shapes:
                    steps = (DIRECTIONS[b[0] - a[0], b[1] - a[1]] for a, b in pairwise(shape))
                    yield f"hidden thermometer: bulb, {', '.join(steps)}"
        for reason, number in moves.items():
            yield f"{number} pair{'s' * (number > 1)} of cells differ: {reason}"


def _clues(constraints: Sequence[Constraint]) -> dict[Cell, str]:
    """Return the sums of cages and clues of groups, at their first cells."""
    clues = {}
    for each in constraints:
        if isinstance(each, Cage):
            clues[in_reading_order(each.cells)[0]] = str(each.sum)
        elif isinstance(each, Arithmetic):
            clues[in_reading_order(each.cells)[0]] = f"{each.target}{each.op}"
    return clues


def _ways(constraints: Sequence[Constraint]) -> dict[Cell, str]:
    """Return where cells stand on thermometers: ``a0`` is the bulb of the first, then a1."""
    ways: dict[Cell, str] = {}
    thermometers = [each for each in constraints if isinstance(each, Thermometer)]
    for number, thermometer in enumerate(thermometers):
        name = chr(ord("a") + number) if number < 26 else f"{number + 1}:"
        for step, cell in enumerate(thermometer.cells):
            ways[cell] = ways.get(cell, "") + f"{name}{step}"
    return ways


def _signs(constraints: Sequence[Constraint]) -> Iterator[tuple[tuple[Cell, Cell], str]]:
    """Yield neighbours, left or upper one first, with the sign between them."""
    for each in constraints:
        if not isinstance(each, Less | LessEqual | Joint | NotJoint):
            continue
        right, left, below, above = SIGNS[type(each)]
        a, b = each.a, each.b
        if b == a.moved(1, 0):
            yield (a, b), right
        elif b == a.moved(-1, 0):
            yield (b, a), left
        elif b == a.moved(0, 1):
            yield (a, b), below
        elif b == a.moved(0, -1):
            yield (b, a), above


Regions = Mapping[Cell, frozenset[int]]


def _regions(constraints: Sequence[Constraint]) -> tuple[Regions, Regions]:
    """Return of each cell the regions that walls part, and those that thin walls part."""
    blocks = any(isinstance(each, House) and each.kind == "block" for each in constraints)
    walls: dict[Cell, frozenset[int]] = {}
    thin: dict[Cell, frozenset[int]] = {}
    for number, each in enumerate(constraints):
        is_house = isinstance(each, House) and each.kind in ("block", "group")
        if not is_house and not isinstance(each, Cage | Arithmetic):
            continue
        strong = isinstance(each, House) and (each.kind == "block" or not blocks)
        regions = walls if strong else thin
        for cell in each.cells:
            regions[cell] = regions.get(cell, frozenset()) | {number}
    return walls, thin
