"""Which lines of a board are likely to lie beside each other, whatever the answer.

Each line is expected around the straight way between its ends, and a line over two layers
around the way from each end to the via that it is likely to take.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

import numpy as np
from minilsap import linear_sum_assignment
from numpy.typing import NDArray

from nlrouter.problem import Cell, Problem


@dataclass(frozen=True)
class NearnessConfig:
    """How nearness is measured.

    Parameters
    ----------
    detour
        Cells: a way longer by as much is 1/e as likely. Of 1 to 6 this makes the fewest lines
        that touch, in the answers to our boards, share a colour.
    reach
        Rows and columns over which two lines are neighbours; 1 is touching, by a corner too.
    everywhere
        Nearness of lines that have nothing to do with each other, as part of the mean one: they
        share a picture still.
    most_samples, most_work
        Larger layers, and more lines, are looked at by fewer cells, so that it takes a second.
    """

    detour: float = 2.0
    reach: int = 1
    everywhere: float = 0.02
    most_samples: int = 4096
    most_work: float = 1e10


def nearness(problem: Problem) -> NDArray[np.float64]:
    """Return how close each pair of lines is expected to lie.

    Returns
    -------
    numpy.ndarray
        ``(lines, lines)``, symmetric, its diagonal 0, its mean about 1.
    """
    config = NearnessConfig()
    if not problem.lines:
        return np.zeros((0, 0))
    count = len(problem.lines)
    near = np.zeros((count, count))
    for pieces in _pieces(problem).values():
        lines = np.array([line for line, _, _ in pieces])
        likely = _likelihood(problem, [(one, other) for _, one, other in pieces], config)
        felt = _spread(likely, config.reach).reshape(len(lines), -1)
        pairs = likely.reshape(len(lines), -1) @ felt.T
        near[np.ix_(lines, lines)] += pairs + pairs.T
    np.fill_diagonal(near, 0.0)
    near = near / (near.mean() or 1.0) + config.everywhere
    np.fill_diagonal(near, 0.0)
    return near


def _pieces(problem: Problem) -> dict[int, list[tuple[int, Cell, Cell]]]:
    """Return for each layer the index of each line on it, and the two cells that it joins there."""
    pieces: dict[int, list[tuple[int, Cell, Cell]]] = defaultdict(list)
    crossing: dict[tuple[int, int], list[int]] = defaultdict(list)
    for index, line in enumerate(problem.lines):
        if line.crosses_layers:
            crossing[line.span].append(index)
        else:
            pieces[line.ends[0].z].append((index, *line.ends))
    for span, indices in crossing.items():
        vias = [via for via in problem.vias if via.span == span]
        ends = np.array([[end[1:] for end in problem.lines[index].ends] for index in indices])
        places = np.array([(via.y, via.x) for via in vias]).reshape(-1, 2)
        # The least length in all is what good answers come close to.
        lengths = np.abs(ends[:, None] - places[None, :, None]).sum(axis=(2, 3))
        taken = dict(zip(*linear_sum_assignment(lengths), strict=True))
        for row, index in enumerate(indices):
            for end in problem.lines[index].ends:
                # Where vias are missing, all that is known of a line is its ends.
                stop = (vias[taken[row]].y, vias[taken[row]].x) if row in taken else end[1:]
                pieces[end.z].append((index, end, Cell(end.z, *stop)))
    return pieces


def _likelihood(
    problem: Problem, pairs: list[tuple[Cell, Cell]], config: NearnessConfig
) -> NDArray[np.float32]:
    """Return ``(pieces, rows, columns)``: how much of each piece is expected in each cell.

    Large layers are sampled at every n-th row and column.
    """
    samples = min(config.most_samples, max(64.0, config.most_work / len(pairs) ** 2))
    step = 1
    while -(-problem.height // step) * -(-problem.width // step) > samples:
        step += 1
    y = np.arange(0, problem.height, step, dtype=np.float32)[None, :, None]
    x = np.arange(0, problem.width, step, dtype=np.float32)[None, None, :]
    one, other = (
        np.array([pair[side][1:] for pair in pairs], dtype=np.float32)[:, :, None, None]
        for side in (0, 1)
    )
    through = sum(abs(y - end[:, 0]) + abs(x - end[:, 1]) for end in (one, other))
    length = abs(one - other).sum(axis=1)
    likely = np.exp((length - through) / (config.detour + step - 1))
    return likely * ((length + 1) / likely.sum(axis=(1, 2), keepdims=True))


def _spread(likely: NDArray[np.float32], reach: int) -> NDArray[np.float32]:
    """Return the sums over the cells within reach."""
    for axis in (1, 2):
        sums = likely.copy()
        size = likely.shape[axis]
        for shift in range(1, min(reach, size - 1) + 1):
            low = [slice(None)] * 3
            high = [slice(None)] * 3
            low[axis], high[axis] = slice(None, -shift), slice(shift, None)
            sums[tuple(low)] += likely[tuple(high)]
            sums[tuple(high)] += likely[tuple(low)]
        likely = sums
    return likely
