"""Whether a clue can still hold, and which candidates of a few cells have a part in that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import singledispatch
from math import prod

from numplace.constraints import (
    Arithmetic,
    Cage,
    Constraint,
    DigitLine,
    Joint,
    Less,
    LessEqual,
    NotJoint,
    Parity,
    Sandwich,
    Thermometer,
)
from numplace.logic.bitset import bitset, lowest, members
from numplace.logic.topology import Gap

BUDGET = 20_000
"""Assignments tried for one clue or line before no candidate of it is called impossible."""

Masks = Sequence[int]
"""The candidates of each cell of a constraint, in its order."""


@singledispatch
def can_hold(constraint: Constraint | Gap, masks: Masks) -> bool:
    """Return False only if no choice of candidates fulfils a constraint.

    It is exact where each cell has one candidate, and otherwise errs on the side of True; that
    some cells must differ is not considered.
    """
    return True


@can_hold.register
def _(constraint: Parity, masks: Masks) -> bool:
    return any(digit % 2 == constraint.odd for digit in members(masks[0]))


@can_hold.register
def _(constraint: Less, masks: Masks) -> bool:
    return all(masks) and lowest(masks[0]) < highest(masks[1])


@can_hold.register
def _(constraint: LessEqual, masks: Masks) -> bool:
    return all(masks) and lowest(masks[0]) <= highest(masks[1])


@can_hold.register
def _(constraint: Gap, masks: Masks) -> bool:
    return all(masks) and lowest(masks[0]) + constraint.least <= highest(masks[1])


@can_hold.register
def _(constraint: Joint, masks: Masks) -> bool:
    return bool((masks[0] << 1 | masks[0] >> 1) & masks[1])


@can_hold.register
def _(constraint: NotJoint, masks: Masks) -> bool:
    return any(masks[1] & ~(7 << digit >> 1) for digit in members(masks[0]))


@can_hold.register
def _(constraint: Thermometer, masks: Masks) -> bool:
    return rising(masks, frozen=constraint.frozen) is not None


@can_hold.register
def _(constraint: Cage, masks: Masks) -> bool:
    return all(masks) and sum(map(lowest, masks)) <= constraint.sum <= sum(map(highest, masks))


@can_hold.register
def _(constraint: Arithmetic, masks: Masks) -> bool:
    if not all(masks):
        return False
    lows = [lowest(mask) for mask in masks]
    highs = [highest(mask) for mask in masks]
    target = constraint.target
    if lows == highs:
        return constraint.holds(lows)
    if constraint.op == "+":
        return sum(lows) <= target <= sum(highs)
    if constraint.op == "*":
        known = prod(low for low, high in zip(lows, highs, strict=True) if low == high)
        return prod(lows) <= target <= prod(highs) and (known == 0 or target % known == 0)
    if constraint.op == "-":
        return any(
            low - (sum(highs) - high) <= target <= high - (sum(lows) - low)
            for low, high in zip(lows, highs, strict=True)
        )
    return any(
        target * prod(lows[:at] + lows[at + 1 :]) <= highs[at]
        and lows[at] <= target * prod(highs[:at] + highs[at + 1 :])
        for at in range(len(masks))
    )


@can_hold.register
def _(constraint: Sandwich, masks: Masks) -> bool:
    ends = []
    for end in (constraint.low, constraint.high):
        places = [at for at, mask in enumerate(masks) if mask >> end & 1]
        if not places:
            return False
        fixed = [at for at in places if masks[at] == 1 << end]
        ends.append(fixed or places)
    if len(ends[0]) > 1 or len(ends[1]) > 1:
        return True
    first, last = sorted((ends[0][0], ends[1][0]))
    between = masks[first + 1 : last]
    return all(between) and (
        sum(map(lowest, between)) <= constraint.sum <= sum(map(highest, between))
    )


@can_hold.register
def _(constraint: DigitLine, masks: Masks) -> bool:
    taken: set[str] = set()
    for mask in masks:
        if mask.bit_count() == 1:
            digits = str(lowest(mask))
            if taken & set(digits):
                return False
            taken |= set(digits)
    left = {digit for mask in masks for number in members(mask) for digit in str(number)}
    return left >= set(map(str, range(constraint.largest + 1)))


def highest(bits: int) -> int:
    """Return the largest member of a set that is not empty."""
    return bits.bit_length() - 1


def rising(masks: Masks, *, frozen: bool = False) -> list[int] | None:
    """Return the candidates that cells of a rising row keep; None if one keeps none.

    Parameters
    ----------
    frozen
        Whether neighbours may be equal.
    """
    step = 0 if frozen else 1
    kept = list(masks)
    bound = -step
    for at, mask in enumerate(kept):
        kept[at] = mask >> (bound + step) << (bound + step)
        if not kept[at]:
            return None
        bound = lowest(kept[at])
    bound = highest(kept[-1]) + step
    for at in range(len(kept) - 1, -1, -1):
        kept[at] &= (1 << (bound - step + 1)) - 1
        if not kept[at]:
            return None
        bound = highest(kept[at])
    return kept


class Assignments:
    """The ways to fill some cells such that clues hold and cells that see each other differ.

    Parameters
    ----------
    masks
        The candidates of the cells.
    peers
        For each cell the set of those that it must differ from; others than the cells may be
        among them.
    clues
        Clues, or gaps, with the cells that they read, which are among these cells.
    """

    def __init__(
        self,
        masks: Mapping[int, int],
        peers: Sequence[int],
        clues: Sequence[tuple[Constraint | Gap, tuple[int, ...]]],
    ) -> None:
        self.masks = dict(masks)
        self.cells = bitset(masks)
        self.peers = {cell: members(peers[cell] & self.cells) for cell in masks}
        self.clues = clues
        self._left = BUDGET

    def kept(self) -> dict[int, int]:
        """Return for each cell the candidates that occur in some way to fill all.

        If the budget runs out, those not yet decided are kept.
        """
        kept = dict.fromkeys(self.masks, 0)
        for cell, mask in self.masks.items():
            for digit in members(mask):
                if kept[cell] >> digit & 1:
                    continue
                masks = dict(self.masks)
                masks[cell] = 1 << digit
                found = self._fill(masks, [cell])
                if found is not None:
                    for each, bits in found.items():
                        kept[each] |= bits
                elif self._left <= 0:
                    return dict(self.masks)
        return kept

    def _fill(self, masks: dict[int, int], fresh: list[int]) -> dict[int, int] | None:
        """Return one way to fill all, given masks and the cells newly fixed in them."""
        self._left -= 1
        if self._left <= 0 or not self._spread(masks, fresh):
            return None
        for clue, cells in self.clues:
            if not can_hold(clue, [masks[cell] for cell in cells]):
                return None
        open_cells = [cell for cell, mask in masks.items() if mask & (mask - 1)]
        if not open_cells:
            return masks
        cell = min(open_cells, key=lambda each: masks[each].bit_count())
        for digit in members(masks[cell]):
            branch = dict(masks)
            branch[cell] = 1 << digit
            found = self._fill(branch, [cell])
            if found is not None:
                return found
        return None

    def _spread(self, masks: dict[int, int], fresh: list[int]) -> bool:
        """Strike the numbers of fixed cells from what sees them; False if a cell is left empty."""
        while fresh:
            cell = fresh.pop()
            fixed = masks[cell]
            for peer in self.peers[cell]:
                if masks[peer] & fixed:
                    masks[peer] &= ~fixed
                    if not masks[peer]:
                        return False
                    if not masks[peer] & (masks[peer] - 1):
                        fresh.append(peer)
        return True
