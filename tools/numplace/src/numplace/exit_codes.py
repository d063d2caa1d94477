"""The exit codes of all commands."""

from __future__ import annotations

from collections.abc import Iterable

from numplace.result import Result, Status

SUCCESS, NOT_DONE, BAD_INPUT, NO_SOLUTION, NOT_UNIQUE = range(5)
"""`BAD_INPUT` is argparse's own for bad usage."""


def code_of(result: Result, *, unique: bool = False) -> int:
    """Return the exit code that a result means.

    Parameters
    ----------
    unique
        Whether it was asked that the answer be the only one.
    """
    if result.status is Status.NONE:
        return NO_SOLUTION
    if result.status is Status.SEVERAL and unique:
        return NOT_UNIQUE
    if not result.answers or (unique and result.status is Status.UNKNOWN):
        return NOT_DONE
    return SUCCESS


def worst(codes: Iterable[int]) -> int:
    """Return the code of several results: success if all are, else the gravest."""
    gravity = (SUCCESS, NOT_UNIQUE, NO_SOLUTION, NOT_DONE, BAD_INPUT)
    return max(codes, key=gravity.index, default=SUCCESS)
