"""Small states for tests: an empty grid with a few candidates struck."""

from __future__ import annotations

from collections.abc import Iterable

from numplace.cell import parse_cell
from numplace.logic.state import State
from numplace.logic.step import Step
from numplace.plain import plain_puzzle
from numplace.puzzle import Puzzle


def empty(puzzle: Puzzle | None = None) -> State:
    """Return the state of a puzzle at the start, by default of an empty 9x9 grid."""
    return State.of(puzzle or plain_puzzle())


def leave(state: State, digit: int, house: str, *cells: str) -> State:
    """Strike a number from all cells of a house but these; return the state."""
    topology = state.topology
    kept = {topology.index[parse_cell(cell)] for cell in cells}
    for each in topology.houses:
        if each.name == house:
            for cell in set(each.cells) - kept:
                state.strike(cell, digit)
    return state


def mark(state: State, **marks: str) -> State:
    """Leave cells, such as ``r1c1="25"``, only these candidates; return the state."""
    for name, digits in marks.items():
        cell = state.topology.index[parse_cell(name)]
        for digit in range(1, 10):
            if str(digit) not in digits:
                state.strike(cell, digit)
    return state


def strikes(step: Step) -> str:
    """Return what a step strikes: ``r1c1-5 r1c2-5``."""
    return " ".join(f"{cell}-{digit}" for cell, digit in step.strikes)


def all_of(cells: Iterable[str], digit: int) -> str:
    """Return the same for one number and several cells, in reading order."""
    return " ".join(f"{cell}-{digit}" for cell in cells)
