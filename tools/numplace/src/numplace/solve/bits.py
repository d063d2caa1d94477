"""Search over candidate masks: the way for grids of houses and relations of two cells.

One grid is solved by plain Python, which is done before a compiler is loaded; only a hard one, or
many, get the compiled kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from nlrouter.deadline import Deadline
from numplace.cell import Cell
from numplace.constraints import House, Parity, Thermometer
from numplace.puzzle import Puzzle
from numplace.solve import bits_kernel
from numplace.solve.bits_kernel import EXHAUSTED, FOUND, PAUSED
from numplace.solve.compiled import compiled
from numplace.solve.deduction import RELATIONS, Deduction


@dataclass(frozen=True)
class BitsConfig:
    """The numbers of the search."""

    largest: int = 60
    """Largest number of a puzzle: masks are 64-bit integers with a sign."""
    most_cells: int = 1500
    """Cells of a puzzle: each level of the search has masks for all of them."""
    plain_visits: int = 32_000
    """Cells in all assignments that plain Python tries, 400 on a 9x9: about as long as loading
    OR-Tools or Numba."""
    plain_step: int = 20
    """Assignments of these between two looks at the clock, some tens of milliseconds."""
    compiled_nodes: int = 20_000
    """Assignments between two looks at the clock, some tens of milliseconds."""
    room: int = 64
    """Answers that are collected before they are handed on."""
    fast_nodes: int = 2_000
    """Assignments that `FastCounter` tries: grids of 9x9 need some hundreds at most."""


def knows(puzzle: Puzzle, config: BitsConfig | None = None) -> bool:
    """Return whether a puzzle has a size and only constraints that this search knows."""
    config = config or BitsConfig()
    return (
        all(
            isinstance(each, House | Parity | Thermometer) or type(each) in RELATIONS
            for each in puzzle.constraints
        )
        and puzzle.largest <= config.largest
        and len(puzzle.cells) <= config.most_cells
        and all(domain and domain[0] >= 1 for domain in puzzle.domains.values())
    )


class Shape:
    """The houses, peers and relations of a puzzle as the kernel wants them, without givens."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.deduction = Deduction(puzzle)
        self.cells = puzzle.cells
        index = {cell: i for i, cell in enumerate(puzzle.cells)}
        houses = [[index[cell] for cell in house.cells] for house in puzzle.houses]
        peers = [sorted(index[c] for c in self.deduction.peers[cell]) for cell in puzzle.cells]
        self.house_start, self.house_cell = _flatten(houses)
        self.peer_start, self.peer = _flatten(peers)
        arcs = [self.deduction.arcs[cell] for cell in puzzle.cells]
        self.arc_start, _ = _flatten([[0] * len(each) for each in arcs])
        self.arc_to = [index[other] for each in arcs for other, _ in each]
        rows: dict[tuple[int, ...], int] = {}
        self.tables: list[int] = []
        self.arc_row = []
        for _, supports in (arc for each in arcs for arc in each):
            key = tuple(supports)
            if key not in rows:
                rows[key] = len(self.tables)
                self.tables += supports
            self.arc_row.append(rows[key])

    @property
    def arrays(self) -> tuple[list[int], ...]:
        """The kernel's arguments that say what the puzzle is."""
        return (
            self.house_start,
            self.house_cell,
            self.peer_start,
            self.peer,
            self.arc_start,
            self.arc_to,
            self.arc_row,
            self.tables,
        )


def find_answers(
    puzzle: Puzzle,
    limit: int | None,
    deadline: Deadline,
    *,
    fast: bool = True,
    config: BitsConfig | None = None,
) -> Iterator[dict[Cell, int] | None]:
    """Yield different answers, then None if it is proven that there are no others.

    Parameters
    ----------
    puzzle
        One that this search `knows`.
    fast
        Whether to go on with the compiled kernel where plain Python takes long; else it ends
        there. The first compilation of an installation takes some ten seconds.
    """
    config = config or BitsConfig()
    shape = Shape(puzzle)
    n = len(puzzle.cells)
    candidates = shape.deduction.start()
    room = config.room if limit is None else max(1, min(config.room, limit))
    masks = [candidates[cell] for cell in puzzle.cells] + [0] * (n * n)
    work: list[Any] = [
        masks,
        [0] * n,
        [0] * n,
        [0, -1, 0],
        [0] * n,
        [0] * n,
        [0] * (n * room),
    ]
    arrays: Any = shape.arrays
    search: Callable[..., int] = bits_kernel.search
    nodes, left = config.plain_step, config.plain_visits // n
    if any(mask == 0 for mask in masks[:n]):
        yield None
        return
    found = 0
    while not deadline.passed():
        ended = search(n, *work, arrays, nodes)
        state, answers = work[3], work[6]
        for at in range(state[FOUND]):
            if found == limit:
                return
            found += 1
            numbers = answers[at * n : (at + 1) * n]
            yield {
                cell: int(mask).bit_length() - 1
                for cell, mask in zip(puzzle.cells, numbers, strict=True)
            }
        state[FOUND] = 0
        if ended == EXHAUSTED:
            yield None
            return
        if found == limit:
            return
        left -= nodes
        if search is bits_kernel.search and left <= 0:
            if not fast:
                return
            import numpy as np

            search, nodes = compiled(bits_kernel)["search"], config.compiled_nodes
            work = [np.array(each, dtype=np.int64) for each in work]
            arrays = tuple(np.array(each, dtype=np.int64) for each in arrays)


class FastCounter:
    """Counts the answers of one puzzle with ever other givens, compiled; for digging.

    Parameters
    ----------
    puzzle
        One that this search `knows`; its givens are not looked at.
    """

    def __init__(self, puzzle: Puzzle, config: BitsConfig | None = None) -> None:
        import numpy as np

        self._nodes = (config or BitsConfig()).fast_nodes

        bare = puzzle.with_givens({})
        shape = Shape(bare)
        self._cells = puzzle.cells
        n = len(puzzle.cells)
        candidates = shape.deduction.start()
        self._open = np.array([candidates[cell] for cell in puzzle.cells], dtype=np.int64)
        self._arrays = tuple(np.array(each, dtype=np.int64) for each in shape.arrays)
        self._work = [np.zeros(size, dtype=np.int64) for size in (n * (n + 1), n, n, 3, n, n)]
        self._search = compiled(bits_kernel)["search"]

    def find(self, givens: Mapping[Cell, int], limit: int = 2) -> list[dict[Cell, int]] | None:
        """Return up to ``limit`` answers with these givens; they are not checked.

        None if it is not decided within `BitsConfig.fast_nodes`.
        """
        import numpy as np

        n = len(self._cells)
        masks = self._open.copy()
        for index, cell in enumerate(self._cells):
            if cell in givens:
                masks[index] &= 1 << givens[cell]
        if not masks.all():
            return []
        self._work[0][:n] = masks
        self._work[3][:] = 0, -1, 0
        self._work[5][:] = 0
        answers = np.zeros(n * limit, dtype=np.int64)
        ended = self._search(n, *self._work[:6], answers, self._arrays, self._nodes)
        if ended == PAUSED:
            return None
        return [
            {
                cell: int(mask).bit_length() - 1
                for cell, mask in zip(self._cells, answers[at * n : (at + 1) * n], strict=True)
            }
            for at in range(int(self._work[3][FOUND]))
        ]


def _flatten(lists: list[list[int]]) -> tuple[list[int], list[int]]:
    """Return where each list starts in the whole, with the end, and the whole."""
    starts, whole = [0], []
    for each in lists:
        whole += each
        starts.append(len(whole))
    return starts, whole
