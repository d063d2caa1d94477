"""The cheapest answer to a tiny board, by trying everything.

Knows the rules and the problem, and nothing of any engine: the lines' pieces on a layer are paths
that touch neither themselves nor each other's cells, so every such path of every piece is tried,
one piece after the other, for every way to give the lines their vias.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from itertools import permutations, product
from math import inf

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.compiled import njit
from nlrouter.problem import Problem, Via

MOST_STEPS = 3_000_000
"""Steps on one layer after which a board is no tiny one: some hundredths of a second."""

WALL = -1


class TooLarge(Exception):
    """A board on which trying everything takes too long."""


class Exhaustive:
    """All answers to a board in which some lines stay as they are.

    Parameters
    ----------
    problem
        The board.
    fixed
        The lines that stay, drawn as in an answer; none by default.
    only
        The numbers of the lines that count, if not all do.
    """

    def __init__(
        self, problem: Problem, fixed: Answer | None = None, only: set[int] | None = None
    ) -> None:
        self._problem = problem
        self._fixed = np.zeros(problem.shape, np.int32) if fixed is None else fixed
        numbers = {line.number for line in problem.lines} if only is None else only
        numbers = numbers - set(np.unique(self._fixed).tolist())
        self._lines = [line for line in problem.lines if line.number in numbers]
        self._vias = [via for via in problem.vias if not self._fixed[via.cells[0]]]
        if only is not None:
            spans = Counter(line.span for line in self._lines)
            groups = {span: [via for via in self._vias if via.span == span] for span in spans}
            self._vias = [via for span, count in spans.items() for via in groups[span][:count]]
        self._walls = self._fixed.copy()
        for via in problem.vias:
            for cell in via.cells:
                self._walls[cell] = WALL
        for line in problem.lines:
            for end in line.ends:
                self._walls[end] = WALL
        self._costs: dict[tuple[int, tuple[tuple[int, int, int], ...]], float] = {}

    def cost(self) -> float:
        """Return the cost of the cheapest answer; infinite if there is none.

        Raises
        ------
        TooLarge
            If that would take too long.
        """
        constant = _cost_of(self._fixed) + 2 * len(self._lines)
        constant += sum(len(via.cells) for via in self._vias)
        best = inf
        for vias in self._matchings():
            total = 0.0
            for z, pieces in self._pieces(vias).items():
                if (z, pieces) not in self._costs:
                    self._costs[z, pieces] = self._layer(z, pieces, None)[0]
                total += self._costs[z, pieces]
            best = min(best, total)
        return constant + best

    def each_alone(self) -> bool:
        """Return whether every line could be routed if it were alone between all ends and vias."""
        return all(
            any(
                all(
                    self._layer(z, (piece,), None)[0] < inf
                    for z, pieces in self._pieces(vias).items()
                    for piece in pieces
                    if piece[0] == line.number
                )
                for vias in self._matchings()
            )
            for line in self._lines
        )

    def any_answer(self, rnd: random.Random) -> Answer | None:
        """Return some answer; None if there is none.

        Raises
        ------
        TooLarge
            If finding it would take too long.
        """
        matchings = list(self._matchings())
        rnd.shuffle(matchings)
        for vias in matchings[:6]:
            answer = self._fixed.copy()
            for line, via in vias.items():
                for cell in via.cells:
                    answer[cell] = line
            for z, pieces in self._pieces(vias).items():
                cost, layer = self._layer(z, pieces, rnd)
                if cost == inf:
                    break
                answer[z] += layer * (answer[z] == 0)
            else:
                return answer
        return None

    def _matchings(self) -> Iterator[dict[int, Via]]:
        """Yield for each way to give lines their vias the via of each line's number."""
        spans = sorted({line.span for line in self._lines if line.crosses_layers})
        spans += sorted({via.span for via in self._vias} - set(spans))
        lines = [[line.number for line in self._lines if line.span == span] for span in spans]
        vias = [[via for via in self._vias if via.span == span] for span in spans]
        if [len(group) for group in lines] != [len(group) for group in vias]:
            return
        for chosen in product(*map(permutations, vias)):
            yield {
                number: via
                for numbers, group in zip(lines, chosen, strict=True)
                for number, via in zip(numbers, group, strict=True)
            }

    def _pieces(self, vias: dict[int, Via]) -> dict[int, tuple[tuple[int, int, int], ...]]:
        """Return for each layer its pieces: number, and the two ends as cells of the layer."""
        width = self._problem.width
        found: dict[int, list[tuple[int, int, int]]] = {}
        for line in self._lines:
            first, second = ((end.z, end.y * width + end.x) for end in line.ends)
            if line.number in vias:
                via = vias[line.number].y * width + vias[line.number].x
                found.setdefault(first[0], []).append((line.number, first[1], via))
                found.setdefault(second[0], []).append((line.number, second[1], via))
            else:
                found.setdefault(first[0], []).append((line.number, first[1], second[1]))
        return {z: tuple(pieces) for z, pieces in found.items()}

    def _layer(
        self, z: int, pieces: tuple[tuple[int, int, int], ...], rnd: random.Random | None
    ) -> tuple[float, NDArray[np.int32]]:
        """Return inner cells and bends of the cheapest way, or of any, and the layer."""
        height, width = self._problem.height, self._problem.width
        owner = np.full((height + 2, width + 2), WALL, np.int32)
        owner[1:-1, 1:-1] = np.where(self._walls[z] != 0, WALL, 0)
        framed = [
            [(cell // width + 1) * (width + 2) + cell % width + 1 for cell in piece[1:]]
            for piece in pieces
        ]
        ends = np.array(framed, np.int32)
        turn = np.zeros(owner.size, np.int32)
        if rnd is not None:
            turn = np.array([rnd.randrange(8) for _ in range(owner.size)], np.int32)
        cost, drawn = _search(owner.ravel(), width + 2, ends, turn, rnd is not None, MOST_STEPS)
        if cost == -2:
            raise TooLarge
        layer = drawn.reshape(owner.shape)[1:-1, 1:-1]
        numbers = np.array([0] + [piece[0] for piece in pieces], np.int32)
        return (inf if cost < 0 else float(cost)), numbers[np.maximum(layer, 0)]


@njit(cache=True)
def _between(one, other, stride):  # type: ignore[no-untyped-def]
    """Return the fewest steps from a cell to another."""
    return abs(one // stride - other // stride) + abs(one % stride - other % stride)


@njit(cache=True)
def _touches(owner, step, here, there, target):  # type: ignore[no-untyped-def]
    """Whether a path that goes on touches itself, or turns away from its target beside it."""
    for way in step:
        beside = there + way
        if here + way == target:
            return True
        if beside != here and beside != target and owner[beside] == owner[here]:
            return True
    return False


@njit(cache=True)
def _search(owner, stride, ends, turn, first, most):  # type: ignore[no-untyped-def]
    """Try every path of every piece; return the least cost, and the cells of the pieces.

    -1 if there is no way, -2 if it takes too many steps. With ``first`` it ends at the first way
    that it comes across, ``turn`` being where it looks first at each cell.
    """
    count = ends.shape[0]
    step = np.array([1, stride, -1, -stride])
    for k in range(count):
        owner[ends[k, 0]] = k + 1
        owner[ends[k, 1]] = k + 1
    # What the pieces from one on cost at least, all cells but the ends.
    rest = np.zeros(count + 1, np.int64)
    for k in range(count - 1, -1, -1):
        rest[k] = rest[k + 1] + _between(ends[k, 0], ends[k, 1], stride) - 1
    size = owner.size + count + 1
    cell = np.zeros(size, np.int64)
    piece = np.zeros(size, np.int64)
    tried = np.zeros(size, np.int64)
    came = np.zeros(size, np.int64)
    cost = np.zeros(size, np.int64)
    best = np.int64(1) << 40
    drawn = owner.copy()
    depth = 0
    cell[0] = ends[0, 0]
    came[0] = -1
    steps = 0
    while depth >= 0:
        here = cell[depth]
        k = piece[depth]
        target = ends[k, 1]
        if tried[depth] == 4:
            if came[depth] >= 0:
                owner[here] = 0
            depth -= 1
            continue
        look = turn[here]
        way = (look + (tried[depth] if look < 4 else 4 - tried[depth])) % 4
        tried[depth] += 1
        steps += 1
        if steps > most:
            return -2, drawn
        there = here + step[way]
        axis = way % 2
        paid = cost[depth] + (1 if came[depth] >= 0 and came[depth] != axis else 0)
        if there == target:
            if paid + rest[k + 1] >= best:
                continue
            if k + 1 == count:
                best = paid
                drawn = owner.copy()
                if first:
                    return best, drawn
                continue
            depth += 1
            cell[depth] = ends[k + 1, 0]
            piece[depth] = k + 1
            tried[depth] = 0
            came[depth] = -1
            cost[depth] = paid
            continue
        if owner[there] != 0:
            continue
        if _touches(owner, step, here, there, target):
            continue
        if paid + _between(there, target, stride) + rest[k + 1] >= best:
            continue
        owner[there] = k + 1
        depth += 1
        cell[depth] = there
        piece[depth] = k
        tried[depth] = 0
        came[depth] = axis
        cost[depth] = paid + 1
    return (best if best < np.int64(1) << 40 else -1), drawn


def _cost_of(answer: Answer) -> int:
    """Return filled cells and bends of what is drawn."""
    framed = np.pad(answer, ((0, 0), (1, 1), (1, 1)))
    inner = framed[:, 1:-1, 1:-1]
    across = (inner == framed[:, 1:-1, :-2]) | (inner == framed[:, 1:-1, 2:])
    down = (inner == framed[:, :-2, 1:-1]) | (inner == framed[:, 2:, 1:-1])
    return int(np.count_nonzero(inner)) + int(np.count_nonzero((inner > 0) & across & down))
