"""A row or column of Nylimb mode: each digit stands in it exactly once."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from numplace.answer import Answer
from numplace.cell import Cell
from numplace.constraints.base import Violation, show


@dataclass(frozen=True)
class DigitLine:
    """The numbers of ``cells``, written out, have each digit from 0 to ``largest`` once.

    With one digit more than cells, exactly one cell of the line holds two digits.

    Parameters
    ----------
    kind
        ``row`` or ``column``.
    number
        Which of its kind, from 1.
    """

    cells: tuple[Cell, ...]
    largest: int
    kind: str
    number: int

    def broken(self, answer: Answer) -> list[Violation]:
        """Return the digits that are missing or there twice."""
        count = Counter(digit for cell in self.cells for digit in str(answer[cell]))
        wanted = {str(digit) for digit in range(self.largest + 1)}
        return [
            Violation(
                f"{self} has the digit {digit} {count[digit]} times: {show(self.cells, answer)}",
                self.cells,
            )
            for digit in sorted(wanted | set(count))
            if count[digit] != (digit in wanted)
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


def two_digit_domain(largest: int) -> tuple[int, ...]:
    """Return the numbers of a cell: digits up to ``largest``, one or two different ones."""
    pairs = [
        10 * tens + ones
        for tens in range(1, largest + 1)
        for ones in range(largest + 1)
        if tens != ones
    ]
    return (*range(largest + 1), *pairs)
