"""What signs between two or more cells leave: order, joints, parity, thermometers."""

from __future__ import annotations

from collections.abc import Iterator

from numplace.constraints import (
    HiddenThermometers,
    Joint,
    Less,
    LessEqual,
    NotJoint,
    Parity,
    Thermometer,
)
from numplace.logic.bitset import members
from numplace.logic.build import striking
from numplace.logic.feasible import rising
from numplace.logic.state import State
from numplace.logic.step import Step
from numplace.logic.topology import Clue


def parity(state: State) -> Iterator[Step]:
    """Strike odd numbers from even cells and the other way round."""
    for clue in state.topology.clues:
        if isinstance(clue.constraint, Parity):
            odd = clue.constraint.odd
            mask = state.masks[clue.cells[0]]
            kept = [sum(1 << digit for digit in members(mask) if digit % 2 == odd)]
            yield from _keeping(state, "parity", clue, kept)


def order(state: State) -> Iterator[Step]:
    """Strike what has no smaller, or no larger, number on the other side of a sign."""
    for clue in state.topology.clues:
        if isinstance(clue.constraint, (Less, LessEqual)):
            frozen = isinstance(clue.constraint, LessEqual)
            masks = [state.masks[cell] for cell in clue.cells]
            yield from _keeping(state, "order", clue, rising(masks, frozen=frozen))


def thermometer(state: State) -> Iterator[Step]:
    """Strike what leaves too few numbers towards the bulb or the end."""
    for clue in state.topology.clues:
        if isinstance(clue.constraint, Thermometer):
            masks = [state.masks[cell] for cell in clue.cells]
            kept = rising(masks, frozen=clue.constraint.frozen)
            yield from _keeping(state, "thermometer", clue, kept)


def joint(state: State) -> Iterator[Step]:
    """Strike what has no partner across a joint, or across "no joint"."""
    for clue in state.topology.clues:
        if isinstance(clue.constraint, (Joint, NotJoint)):
            near = isinstance(clue.constraint, Joint)
            a, b = (state.masks[cell] for cell in clue.cells)
            kept = [_partnered(a, b, near), _partnered(b, a, near)]
            yield from _keeping(state, "joint", clue, kept)


def hidden_thermometer(state: State) -> Iterator[Step]:
    """Strike what fits none of the places that a hidden thermometer may still have."""
    for clue in state.topology.clues:
        constraint = clue.constraint
        if not isinstance(constraint, HiddenThermometers):
            continue
        index = state.topology.index
        ways = []
        for shape in constraint.shapes:
            fitting = []
            for way in constraint.placements(shape):
                cells = [index[cell] for cell in way]
                kept = rising([state.masks[cell] for cell in cells])
                if kept is not None:
                    fitting.append(dict(zip(cells, kept, strict=True)))
            ways.append(fitting)
        for number, fitting in enumerate(ways):
            others = ways[:number] + ways[number + 1 :]
            fitting = [
                way for way in fitting if all(any(not way.keys() & o for o in f) for f in others)
            ]
            kept_by_cell = [
                _union(way.get(cell, state.masks[cell]) for way in fitting) for cell in clue.cells
            ]
            yield from _keeping(state, "hidden thermometer", clue, kept_by_cell)


def _union(masks: Iterator[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _partnered(mask: int, other: int, near: bool) -> int:
    """Return the candidates that differ by 1, or by 2 or more, from some of another cell."""
    kept = 0
    for digit in members(mask):
        neighbours = (1 << digit << 1) | (1 << digit >> 1)
        partners = other & neighbours if near else other & ~neighbours & ~(1 << digit)
        if partners:
            kept |= 1 << digit
    return kept


def _keeping(state: State, name: str, clue: Clue, kept: list[int] | None) -> Iterator[Step]:
    """Return the step that strikes all but these candidates of a clue's cells, if any goes."""
    if kept is None:  # A contradiction: whatever is in the first cell goes.
        kept = [0, *(state.masks[cell] for cell in clue.cells[1:])]
    strikes = [
        (cell, digit)
        for cell, mask in zip(clue.cells, kept, strict=True)
        for digit in members(state.masks[cell] & ~mask)
    ]
    if strikes:
        digits = dict.fromkeys(digit for _, digit in strikes)
        yield striking(
            state, name, strikes, cells=clue.cells, digits=sorted(digits), clues=[clue.name]
        )
