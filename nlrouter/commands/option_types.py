"""Types of options that several commands have. Light to import."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import suppress


def place(text: str) -> str:
    """Parse the name of a file or folder to write, which an unset variable of a shell is not."""
    if text:
        return text
    raise argparse.ArgumentTypeError("'' names no file")


def seconds(text: str) -> float:
    """Parse a time limit; `inf` is one."""
    with suppress(ValueError):
        if (value := float(text)) > 0:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is not a positive number of seconds")


def whole_number(least: int) -> Callable[[str], int]:
    """Return a parser of whole numbers that the engines can take."""
    most = 2**31 - 1

    def parse(text: str) -> int:
        with suppress(ValueError):
            if least <= (value := int(text)) <= most:
                return value
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from {least} to {most}")

    return parse
