"""Assumptions: what follows if a candidate is true, down to a contradiction. The last resort."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from numplace.logic import bounds, sums
from numplace.logic.bitset import members
from numplace.logic.build import striking
from numplace.logic.state import State
from numplace.logic.step import Step

Finder = Callable[[State], Iterator[Step]]

FOLLOWING: tuple[Finder, ...] = (
    bounds.parity,
    bounds.order,
    bounds.thermometer,
    bounds.joint,
    sums.combinations_of_clue,
)
"""What is applied to clues, beside singles, to see what an assumption leads to."""

NODES = 2_000
"""Assumptions within assumptions before a search gives up."""


def assumption(state: State) -> Iterator[Step]:
    """Find candidates that lead to a contradiction by singles, and the clues' bounds, alone."""
    for cell, digit in _candidates(state):
        trial = state.copy()
        trial.place(cell, digit)
        if follow(trial) is not None:
            yield _step(state, "assumption", [(cell, digit)], [(cell, digit)])


def forcing_net(state: State) -> Iterator[Step]:
    """Find candidates that go whichever number a cell, or place a number of a house, has."""
    for choices in _alternatives(state):
        left = [0] * len(state.masks)
        for cell, digit in choices:
            trial = state.copy()
            trial.place(cell, digit)
            if follow(trial) is None:
                left = [a | b for a, b in zip(left, trial.masks, strict=True)]
        strikes = [
            (cell, digit)
            for cell in members(state.open)
            for digit in members(state.masks[cell] & ~left[cell])
        ]
        if strikes:
            yield _step(state, "forcing net", strikes, choices)


def search(state: State) -> Iterator[Step]:
    """Find candidates that no solution has, by assumptions within assumptions."""
    for cell, digit in _candidates(state):
        trial = state.copy()
        trial.place(cell, digit)
        if _refuted(trial, [NODES]):
            yield _step(state, "search", [(cell, digit)], [(cell, digit)])


def follow(state: State) -> str | None:
    """Fill in what singles and bounds force; return the contradiction they end in, if any."""
    while True:
        wrong = state.contradiction()
        if wrong is not None:
            return wrong
        if not _advance(state):
            return None


def _advance(state: State) -> bool:
    """Apply all steps of the first kind that has some."""
    if state.place_singles():
        return True
    if state.topology.clues:
        for find in FOLLOWING:
            # Taken together: what the first strikes can only make the others strike more.
            steps = list(find(state))
            for step in steps:
                state.apply(step)
            if steps:
                return True
    return False


def _refuted(state: State, nodes: list[int]) -> bool:
    """Return whether it is certain that a state has no solution."""
    nodes[0] -= 1
    if follow(state) is not None:
        return True
    if state.solved or nodes[0] <= 0:
        return False
    cell = min(members(state.open), key=lambda each: state.masks[each].bit_count())
    for digit in members(state.masks[cell]):
        trial = state.copy()
        trial.place(cell, digit)
        if not _refuted(trial, nodes):
            return False
    return True


def _candidates(state: State) -> Iterator[tuple[int, int]]:
    """Return all candidates, those of cells with few first."""
    for cell in sorted(members(state.open), key=lambda each: state.masks[each].bit_count()):
        for digit in members(state.masks[cell]):
            yield cell, digit


def _alternatives(state: State) -> Iterator[list[tuple[int, int]]]:
    """Return the sets of candidates one of which is true: of cells, of numbers in houses."""
    for cell in members(state.open):
        yield [(cell, digit) for digit in members(state.masks[cell])]
    for house in state.topology.houses:
        for digit in members(house.digits):
            places = state.at(digit) & house.bits
            if places:
                yield [(cell, digit) for cell in members(places)]


def _step(
    state: State, name: str, strikes: list[tuple[int, int]], assumed: list[tuple[int, int]]
) -> Step:
    """Return a step that rests on the whole puzzle."""
    houses, clues = state.topology.all_names
    step = striking(
        state,
        name,
        strikes,
        cells=members(state.open),
        digits=state.digits,
        houses=houses,
        clues=clues,
        path=[(1 << cell, digit) for cell, digit in assumed],
    )
    return replace(step, main=(0, 0))
