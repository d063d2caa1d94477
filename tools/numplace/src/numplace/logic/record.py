"""Steps as JSON records, one object a line."""

from __future__ import annotations

from typing import Any

from numplace.logic.step import Candidate, Step


def step_record(number: int, step: Step) -> dict[str, Any]:
    """Return the record of a step.

    Parameters
    ----------
    number
        The place of the step in the explanation, from 1. Steps that are alternatives to one
        another have the same.
    """
    record: dict[str, Any] = {
        "n": number,
        "technique": step.technique,
        "houses": list(step.houses),
        "cells": [str(cell) for cell in step.cells],
        "digits": list(step.digits),
        "places": _candidates(step.places),
        "strikes": _candidates(step.strikes),
    }
    if step.clues:
        record["clues"] = list(step.clues)
    if step.path:
        record["path"] = [[[str(cell) for cell in cells], digit] for cells, digit in step.path]
    if step.unique:
        record["if_unique"] = True
    return record


def _candidates(candidates: tuple[Candidate, ...]) -> list[list[str | int]]:
    return [[str(cell), digit] for cell, digit in candidates]
