"""Boards that no answer can serve, told from the problem alone, with the reason."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.engine.nets.alternating import crossing_lines
from nlrouter.engine.nets.crowding import crowded_block
from nlrouter.engine.nets.regions import regions_of
from nlrouter.grid import FREE, occupants
from nlrouter.problem import Cell, Problem, Via


def infeasible_reason(problem: Problem, fixed: Answer | None = None) -> str:
    """Say why a board has no answer, or return an empty text if nothing simple shows it.

    The first reason that holds is told: a span with too few vias, an end that is walled in, lines
    whose ends alternate along a wall, or a block of cells that more lines must leave than can.

    Each is a function of the board and the fixed lines, and may rely on it that those before it
    have found nothing. The ends of a line differ; if both are on one layer it stays there, else it
    takes one via of just its span, which no other line takes. Free cells, with no end, no via of
    any span through them and no fixed line, are ``(fixed == 0) & (occupants(problem) == FREE)``.

    Parameters
    ----------
    problem
        The board.
    fixed
        ``(layers, height, width)`` for each cell the number of the fixed line on it, its ends and
        via included, else 0; they are complete and correct. None by default.
    """
    kept = np.zeros(problem.shape, np.int32) if fixed is None else fixed
    return (
        missing_vias(problem)
        or _reach(problem, kept)
        or crossing_lines(problem, kept)
        or crowded_block(problem, kept)
    )


def missing_vias(problem: Problem) -> str:
    """Compare, span by span, the lines with the vias that they need."""
    lines = Counter(line.span for line in problem.lines if line.crosses_layers)
    vias = Counter(via.span for via in problem.vias)
    for (low, high), count in sorted(lines.items()):
        if vias[low, high] < count:
            names = ", ".join(
                f"LINE#{line.number}" for line in problem.lines if line.span == (low, high)
            )
            return (
                f"{count} line{'s' * (count > 1)} ({names}) must cross from layer {low + 1} to "
                f"layer {high + 1}, but {vias[low, high]} via{'s' * (vias[low, high] != 1)} "
                f"join{'s' * (vias[low, high] == 1)} just these layers"
            )
    return ""


def _reach(problem: Problem, fixed: Answer) -> str:
    """Look for an end that is walled in by other ends, vias, fixed lines and the border."""
    free = (fixed == 0) & (occupants(problem) == FREE)
    regions = [regions_of(np.pad(layer, 1)) for layer in free]
    vias: dict[tuple[int, int], list[Via]] = defaultdict(list)
    for via in problem.vias:
        if not fixed[via.cells[0]]:
            vias[via.span].append(via)
    for line in problem.lines:
        if fixed[line.ends[0]]:
            continue
        for end, other in (line.ends, line.ends[::-1]):
            if end.z == other.z:
                goals = [other]
                goal = f"its other end {other}"
            else:
                goals = [Cell(end.z, via.y, via.x) for via in vias[line.span]]
                low, high = line.span
                goal = f"a via from layer {low + 1} to layer {high + 1}"
            if not _connected(regions[end.z], end, goals):
                return (
                    f"LINE#{line.number} is walled in: no free way on layer {end.z + 1} leads "
                    f"from its end {end} to {goal}"
                )
    return ""


def _connected(regions: NDArray[np.int32], start: Cell, goals: list[Cell]) -> bool:
    """Return whether a goal of the layer touches the start or a region of free cells beside it.

    ``regions`` numbers the connected free cells of the framed layer from 1.
    """
    beside = _beside(regions, start)
    return any(
        abs(goal.y - start.y) + abs(goal.x - start.x) == 1 or beside & _beside(regions, goal)
        for goal in goals
    )


def _beside(regions: NDArray[np.int32], cell: Cell) -> set[int]:
    """Return the regions that touch a cell."""
    _, y, x = cell
    near = (regions[y, x + 1], regions[y + 2, x + 1], regions[y + 1, x], regions[y + 1, x + 2])
    return {int(region) for region in near if region}
