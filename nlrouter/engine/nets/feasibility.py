"""Boards that no answer can serve, told from the problem alone, with the reason."""

from __future__ import annotations

from collections import Counter, deque

import numpy as np

from nlrouter.answer import Answer
from nlrouter.engine.nets.alternating import crossing_lines
from nlrouter.engine.nets.crowding import crowded_cut
from nlrouter.grid import occupants
from nlrouter.problem import Cell, Problem


def infeasible_reason(problem: Problem, fixed: Answer | None = None) -> str:
    """Say why a board has no answer, or return an empty text if nothing simple shows it.

    Checked are the spans of lines and vias, and that each end can reach its partner, or some
    via of its line's span, over free cells, the order of ends along walls, and the straight cuts of
    each layer.

    Parameters
    ----------
    problem
        The board.
    fixed
        Lines that stay as they are, complete and correct, drawn as in an answer; none by default.
    """
    kept = np.zeros(problem.shape, np.int32) if fixed is None else fixed
    return (
        _spans(problem)
        or _reach(problem, kept)
        or crossing_lines(problem, kept)
        or crowded_cut(problem, kept)
    )


def _spans(problem: Problem) -> str:
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
    board = np.where(fixed > 0, fixed, occupants(problem))
    for line in problem.lines:
        if fixed[line.ends[0]]:
            continue
        for end, other in (line.ends, line.ends[::-1]):
            if end.z == other.z:
                goals = {other}
                goal = f"its other end {other}"
            else:
                vias = [via for via in problem.vias if via.span == line.span]
                vias = [via for via in vias if not fixed[via.cells[0]]]
                goals = {Cell(end.z, via.y, via.x) for via in vias}
                low, high = line.span
                goal = f"a via from layer {low + 1} to layer {high + 1}"
            if not _connected(board, end, goals):
                return (
                    f"LINE#{line.number} is walled in: no free way on layer {end.z + 1} leads "
                    f"from its end {end} to {goal}"
                )
    return ""


def _connected(board, start: Cell, goals: set[Cell]) -> bool:  # type: ignore[no-untyped-def]
    """Return whether some goal can be reached over free cells of the layer."""
    _, height, width = board.shape
    seen = {start}
    queue = deque([start])
    while queue:
        z, y, x = queue.popleft()
        for near in (Cell(z, y, x - 1), Cell(z, y, x + 1), Cell(z, y - 1, x), Cell(z, y + 1, x)):
            if near in goals:
                return True
            if near in seen or not (0 <= near.y < height and 0 <= near.x < width):
                continue
            if board[near] == 0:
                seen.add(near)
                queue.append(near)
    return False
