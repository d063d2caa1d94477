"""Cells with one candidate, and numbers with one cell."""

from __future__ import annotations

from collections.abc import Iterator

from numplace.logic.bitset import lowest, members
from numplace.logic.build import placing
from numplace.logic.state import State
from numplace.logic.step import Step
from numplace.logic.topology import Line

LINES_FIRST = ("row", "column", "block")
BLOCKS_FIRST = ("block", "group", "row", "column")


def full_house(state: State) -> Iterator[Step]:
    """Find houses with one open cell."""
    for house in state.topology.houses:
        left = house.bits & state.open
        if left.bit_count() == 1:
            cell = lowest(left)
            if state.masks[cell].bit_count() == 1:
                yield placing(state, "full house", cell, lowest(state.masks[cell]), house.name)


def naked_single(state: State) -> Iterator[Step]:
    """Find cells with one candidate."""
    for cell in members(state.open):
        if state.masks[cell].bit_count() == 1:
            yield placing(state, "naked single", cell, lowest(state.masks[cell]))


def hidden_single(state: State) -> Iterator[Step]:
    """Find numbers with one cell in a house; blocks first, where people look first."""
    return _hidden_single(state, BLOCKS_FIRST)


def hidden_single_lines_first(state: State) -> Iterator[Step]:
    """Find the same in rows, then columns, then blocks: the order of the text document."""
    return _hidden_single(state, LINES_FIRST)


def _hidden_single(state: State, kinds: tuple[str, ...]) -> Iterator[Step]:
    for house in by_kind(state, kinds):
        for digit in members(house.digits):
            places = state.at(digit) & house.bits
            if places and not places & (places - 1):
                yield placing(state, "hidden single", lowest(places), digit, house.name)


def by_kind(state: State, kinds: tuple[str, ...]) -> list[Line]:
    """Return the houses by kind in this order, those of other kinds last."""
    rank = {kind: number for number, kind in enumerate(kinds)}
    return sorted(state.topology.houses, key=lambda house: rank.get(house.kind, len(kinds)))
