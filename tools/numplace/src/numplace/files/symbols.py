"""One character for each number, as grids written without separators have."""

from __future__ import annotations

BLANKS = ".0_*"
"""What stands for an empty cell, beside a space where spaces count."""

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
"""The character of each number from 1 on."""


def number_of(character: str) -> int | None:
    """Return the number of a character, 0 for an empty cell, None if it is neither."""
    if character in BLANKS:
        return 0
    index = SYMBOLS.find(character.upper()) if character.isascii() else -1
    return None if index < 0 else index + 1


def symbol_of(number: int | None) -> str:
    """Return the character of a number, ``.`` for none."""
    return SYMBOLS[number - 1] if number else "."
