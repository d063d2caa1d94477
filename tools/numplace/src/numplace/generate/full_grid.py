"""Random full grids of puzzles that have houses only."""

from __future__ import annotations

from random import Random

from numplace.cell import Cell
from numplace.logic.bitset import lowest, members
from numplace.logic.topology import Topology
from numplace.puzzle import Puzzle

MOST_NODES = 2_000
"""Cells filled before a fresh start: a bad beginning costs more than a new one."""


def full_grid(puzzle: Puzzle, random: Random) -> dict[Cell, int]:
    """Return a random answer to a puzzle of houses, and of cells that differ.

    The cell with the fewest numbers left is filled next, with a random one. Not all answers are
    equally likely.

    Raises
    ------
    ValueError
        If the puzzle has clues, or no answer.
    """
    topology = Topology(puzzle)
    if topology.clues:
        raise ValueError(f"{topology.clues[0].name} is no house")
    masks = list(topology.domains)
    for cell, number in puzzle.givens.items():
        masks[topology.index[cell]] = 1 << number
    while True:
        budget = [MOST_NODES]
        filled = _fill(topology, masks, 0, random, budget)
        if filled is not None:
            return {cell: lowest(filled[at]) for at, cell in enumerate(topology.cells)}
        if budget[0] > 0:
            raise ValueError("the puzzle has no answer")


def _fill(
    topology: Topology, masks: list[int], done: int, random: Random, budget: list[int]
) -> list[int] | None:
    """Fill the cells that are not done; None if it fails or the budget ends."""
    budget[0] -= 1
    left = [cell for cell in range(len(masks)) if not done >> cell & 1]
    if not left:
        return masks
    fewest = min(masks[cell].bit_count() for cell in left)
    cell = random.choice([cell for cell in left if masks[cell].bit_count() == fewest])
    digits = list(members(masks[cell]))
    random.shuffle(digits)
    for digit in digits:
        branch = masks.copy()
        branch[cell] = 1 << digit
        open_peers = topology.peers[cell] & ~done
        if all(_strike(branch, peer, 1 << digit) for peer in members(open_peers)):
            found = _fill(topology, branch, done | 1 << cell, random, budget)
            if found is not None:
                return found
        if budget[0] <= 0:
            return None
    return None


def _strike(masks: list[int], cell: int, bit: int) -> bool:
    masks[cell] &= ~bit
    return bool(masks[cell])
