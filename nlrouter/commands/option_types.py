"""Types of options that several commands have. Light to import."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import suppress

from nlrouter import arguments


def place(text: str) -> str:
    """Parse the name of a file or folder to write, which an unset variable of a shell is not."""
    if text:
        return text
    raise argparse.ArgumentTypeError("'' names no file")


def seconds(text: str) -> float:
    """Parse a time limit; `inf` is one."""
    value = None
    with suppress(ValueError):
        value = float(text)
    try:
        return arguments.positive_seconds(repr(text), value)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def whole_number(least: int) -> Callable[[str], int]:
    """Return a parser of whole numbers that the engines can take."""

    def parse(text: str) -> int:
        value = None
        with suppress(ValueError):
            value = int(text)
        try:
            return arguments.whole_number(repr(text), value, least)
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    return parse
