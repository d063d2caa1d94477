"""Locked candidates: all places of a number in one house see a place outside it."""

from __future__ import annotations

from collections.abc import Iterator

from numplace.logic.bitset import members
from numplace.logic.build import between, each, striking
from numplace.logic.singles import BLOCKS_FIRST, by_kind
from numplace.logic.state import State
from numplace.logic.step import Step


def pointing(state: State) -> Iterator[Step]:
    """Find numbers whose places in a block, or a group, all lie in another house."""
    return _locked(state, "pointing", pointing=True)


def claiming(state: State) -> Iterator[Step]:
    """Find numbers whose places in a row, column or diagonal all lie in another house."""
    return _locked(state, "claiming", pointing=False)


def common_peers(state: State) -> Iterator[Step]:
    """Find numbers whose places in a house are all seen from a cell, though in no one house.

    Where houses overlap, or cells a knight's move apart differ, this goes beyond the two above.
    """
    topology = state.topology
    for house in topology.houses:
        for digit in members(house.digits):
            places = state.at(digit) & house.bits
            if not 2 <= places.bit_count() <= 4:
                continue
            lost = topology.seen_by_all(places) & state.at(digit) & ~house.bits
            for line in topology.lines_with(places):
                lost &= ~line.bits
            if lost:
                yield striking(
                    state,
                    "common peers",
                    each(lost, digit),
                    cells=members(places),
                    digits=[digit],
                    houses=[house.name],
                    pairs=between(places, lost),
                )


def _locked(state: State, technique: str, *, pointing: bool) -> Iterator[Step]:
    topology = state.topology
    for house in by_kind(state, BLOCKS_FIRST):
        if (house.kind in ("block", "group")) != pointing:
            continue
        for digit in members(house.digits):
            places = state.at(digit) & house.bits
            if places.bit_count() < 2:
                continue
            for other in topology.lines_with(places):
                lost = other.bits & state.at(digit) & ~places
                # A smaller house inside this one locks nothing.
                if other is house or not lost:
                    continue
                clues = [] if other.digits else [other.name]
                yield striking(
                    state,
                    technique,
                    each(lost, digit),
                    cells=members(places),
                    digits=[digit],
                    houses=[house.name] + [other.name] * bool(other.digits),
                    clues=clues,
                )
