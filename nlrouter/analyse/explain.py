"""Why an answer costs what it costs, and what keeps a board from having one.

All of it is about one line or two at a time, the others staying as they are: which other via a
line could have had, and which lines it goes around. What no single exchange can show, such as a
cheaper answer in which many lines move, is not told here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import inf

import numpy as np
from numpy.typing import ArrayLike, NDArray

from nlrouter.answer import Answer, Cost, as_answer
from nlrouter.checker.cost import bends
from nlrouter.checker.rules import violations
from nlrouter.checker.usable import usable
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.find.drawn import drawn_nets
from nlrouter.engine.nets.nets import OPEN, BoardNets, framed, nets_of
from nlrouter.engine.paths.cost import path_cost
from nlrouter.engine.paths.single import cheapest_path
from nlrouter.problem import Problem

IN_THE_WAY = 100.0
"""What a cell of another line costs a missing one, so that it runs into as few as it can."""

UNREACHED = 1e9
"""More than any way costs."""


@dataclass(frozen=True)
class ViaUse:
    """The via of a line, and what another would have cost.

    Parameters
    ----------
    line, via
        The line's number and its via's name.
    next_via, next_line, next_extra, next_around
        The best other via of the same layers if the line were alone on the board, the line that
        has it, how much more it would cost then (negative for less), and which other lines stand
        on the way there; None if no other via can be reached.
    swap_via, swap_line, swap_extra
        The best other via with all other lines as they are but one: the via, the line that has
        it now and would take this one's in exchange, and how much more the two would cost, one
        routed after the other; None if none is found so, or if the line is fixed.
    """

    line: int
    via: str
    next_via: str | None = None
    next_line: int | None = None
    next_extra: int | None = None
    next_around: list[int] = field(default_factory=list)
    swap_via: str | None = None
    swap_line: int | None = None
    swap_extra: int | None = None


@dataclass(frozen=True)
class Detour:
    """A line that costs more than it would alone on the board, with the same via.

    Parameters
    ----------
    line, cost
        Its number and what it costs.
    least
        What it would cost with only the ends and vias of the others in the way.
    around
        The lines that stand on that cheaper way.
    """

    line: int
    cost: int
    least: int
    around: list[int]


@dataclass(frozen=True)
class Explanation:
    """What an answer's cost is made of.

    Parameters
    ----------
    layers
        The cost of each layer.
    vias
        A `ViaUse` for each layer-crossing line.
    detours
        The lines that detour, those with the longest detours first.
    """

    layers: list[Cost]
    vias: list[ViaUse]
    detours: list[Detour]


@dataclass(frozen=True)
class Missing:
    """A line that is missing from a partial answer.

    Parameters
    ----------
    line
        Its number.
    blockers
        The lines that stand in its way where fewest of their cells do, or have the via there;
        empty if it is walled in.
    walled_in
        Whether ends and vias alone leave it no way.
    """

    line: int
    blockers: list[int]
    walled_in: bool = False


def explain(problem: Problem, answer: ArrayLike, fixed: Iterable[int] = ()) -> Explanation:
    """Explain a correct answer.

    Parameters
    ----------
    problem
        The board.
    answer
        ``(layers, height, width)`` line numbers, 0 where empty.
    fixed
        Numbers of lines that could not have other vias.

    Returns
    -------
    Explanation
        The cost of each layer, the vias with what others would cost, and the detours.

    Raises
    ------
    ValueError
        If the answer has another shape than the board or breaks a rule, or there is no such line
        as a fixed one.

    Examples
    --------
    Line 1 goes around line 2, which stands in its straight way:

    >>> board = Problem(3, 4, 1, [((0, 1, 1), (2, 1, 1)), ((1, 0, 1), (1, 2, 1))])
    >>> explain(board, [[[0, 2, 0], [1, 2, 1], [1, 2, 1], [1, 1, 1]]]).detours
    [Detour(line=1, cost=9, least=3, around=[2])]
    """
    drawn = as_answer(answer, problem.shape)
    if found := violations(problem, drawn):
        raise ValueError(f"answer: {found[0].text}, expected a correct one")
    keep, count = frozenset(fixed), len(problem.lines)
    if strangers := sorted(number for number in keep if not 1 <= number <= count):
        raise ValueError(f"fixed: found line {strangers[0]}, expected numbers from 1 to {count}")
    bent = bends(drawn)
    layers = [Cost(int((layer > 0).sum()), int(bent[z].sum())) for z, layer in enumerate(drawn)]
    board = _Drawing(problem, drawn)
    vias = [use for i in range(len(board.nets.classes)) for use in board.via_uses(i, keep)]
    detours = [detour for line in problem.lines if (detour := board.detour(line.number))]
    return Explanation(
        layers,
        sorted(vias, key=lambda use: use.line),
        sorted(detours, key=lambda detour: detour.least - detour.cost),
    )


def missing_lines(
    problem: Problem, partial: ArrayLike, kept: ArrayLike | None = None
) -> list[Missing]:
    """Say of each line that cannot be added to correct lines what stands in its way.

    Lines that are missing though nothing is in their way are added one after the other.

    Parameters
    ----------
    problem
        The board.
    partial
        The lines that there are, each complete and correct, as `Result.partial` has them:
        ``(layers, height, width)`` line numbers, 0 elsewhere.
    kept
        Cells that are taken besides, each by the line of the number there, as `Completed.kept` has
        them for the board of `Completed.rest`. A missing line can be in its own way with them.

    Returns
    -------
    list of Missing
        The lines that cannot be added, in the order of their numbers; empty if all can.

    Raises
    ------
    ValueError
        If ``partial`` has another shape than the board, or a line in it is wrong.

    Examples
    --------
    >>> board = Problem(3, 3, 1, [((0, 1, 1), (2, 1, 1)), ((1, 0, 1), (1, 2, 1))])
    >>> missing_lines(board, [[[0, 0, 0], [1, 1, 1], [0, 0, 0]]])
    [Missing(line=2, blockers=[1], walled_in=False)]
    """
    lines, wrong = usable(problem, as_answer(partial, problem.shape, "partial"))
    if wrong:
        raise ValueError(f"partial: expected complete and correct lines: {wrong[0]}")
    board = _Drawing(problem, lines, kept)
    missing = sorted({line.number for line in problem.lines} - set(lines.ravel().tolist()))
    left = [number for number in missing if not board.add(number)]
    return [board.obstacles(number) for number in left]


class _Drawing:
    """Lines on a board, with the paths of their nets."""

    def __init__(self, problem: Problem, answer: Answer, kept: ArrayLike | None = None) -> None:
        self.problem = problem
        self.nets: BoardNets = nets_of(problem)
        taken = answer if kept is None else np.maximum(answer, as_answer(kept, problem.shape))
        self.owner = framed(taken)
        drawn = drawn_nets(self.nets, answer)
        self.paths = drawn.paths
        self.chosen = drawn.chosen
        self.costs = [0 if path is None else path_cost(path, len(path)) for path in self.paths]

    def detour(self, number: int) -> Detour | None:
        """Compare a line with what it would be alone; None if it does not detour."""
        nets = self.nets
        spent = least = 0
        around: set[int] = set()
        for net in np.flatnonzero(nets.line == number).tolist():
            path = self.paths[net]
            assert path is not None
            alone = self._alone(net, int(path[-1]))
            spent += self.costs[net]
            least += path_cost(alone, len(alone))
            around |= self._owners(nets.layer[net], alone, number)
        if spent == least:
            return None
        constant = int(((self.owner == number) & ~nets.free).sum())
        return Detour(number, spent + constant, least + constant, sorted(around))

    def via_uses(self, i: int, fixed: frozenset[int]) -> list[ViaUse]:
        """Compare the vias of the lines of class ``i`` with those of their best exchanges."""
        nets = self.nets
        span, chosen = nets.classes[i], self.chosen[i]
        numbers = nets.line[span.lower].tolist()
        names = [self.problem.vias[span.vias[via]].name for via in chosen]
        # What lines cost for each via alone on the board bounds what an exchange can save.
        least = Dual(nets).via_costs(i)
        costs = np.array(self.costs)
        spent = costs[span.lower] + costs[span.upper]
        known: dict[frozenset[int], float] = {}
        uses = []
        for row, number in enumerate(numbers):
            use = ViaUse(number, names[row])
            alone = least[row, chosen] - least[row, chosen[row]]
            alone[row] = inf
            following = int(np.argmin(alone))
            if alone[following] < UNREACHED:
                target = int(span.via_cells[chosen[following]])
                around = set[int]()
                for net in (int(span.lower[row]), int(span.upper[row])):
                    around |= self._owners(nets.layer[net], self._alone(net, target)[:-1], number)
                use = replace(
                    use,
                    next_via=names[following],
                    next_line=numbers[following],
                    next_extra=round(alone[following]),
                    next_around=sorted(around - {numbers[following]}),
                )
            partner, best = -1, inf
            hope = least[row, chosen] - spent[row] + least[:, chosen[row]] - spent
            for other in np.argsort(hope, kind="stable").tolist():
                if hope[other] >= min(best, UNREACHED):
                    break
                if other == row or not fixed.isdisjoint((number, numbers[other])):
                    continue
                pair = frozenset((row, other))
                if pair not in known:
                    known[pair] = self._exchange(i, row, other) - spent[row] - spent[other]
                if known[pair] < best:
                    partner, best = other, known[pair]
            if partner >= 0:
                use = replace(
                    use, swap_via=names[partner], swap_line=numbers[partner], swap_extra=int(best)
                )
            uses.append(use)
        return uses

    def _exchange(self, i: int, row: int, other: int) -> float:
        """Return what two lines of class ``i`` cost with each other's via; `inf` if they cannot.

        One of the two is routed before the other, in both orders, on each layer.
        """
        nets = self.nets
        span, chosen = nets.classes[i], self.chosen[i]
        numbers = [0, *nets.line[span.lower[[row, other]]].tolist()]
        total = 0.0
        for members in (span.lower, span.upper):
            z = nets.layer[members[0]]
            free = nets.free[z] & np.isin(self.owner[z], numbers)
            first = int(members[row]), int(span.via_cells[chosen[other]])
            second = int(members[other]), int(span.via_cells[chosen[row]])
            total += min(self._both(first, second, free), self._both(second, first, free))
        return total

    def _both(
        self, first: tuple[int, int], second: tuple[int, int], free: NDArray[np.bool_]
    ) -> float:
        """Return the cost of two nets, each with its target, routed one after the other."""
        cost = 0
        left = free.copy()
        for net, target in (first, second):
            path = cheapest_path(self.nets, net, target, left)
            if not len(path):
                return inf
            left[path] = False
            cost += path_cost(path, len(path))
        return cost

    def obstacles(self, number: int) -> Missing:
        """Find the way of a missing line on which fewest cells of other lines are."""
        way = self._way(number)
        owners = {int(self.owner[z, cell]) for z, path in way for cell in path[1:]}
        return Missing(number, sorted(owners - {0}), walled_in=not way)

    def add(self, number: int) -> bool:
        """Draw a missing line if nothing stands in its way; return whether it is drawn."""
        way = self._way(number)
        if not way or any(self.owner[z, path[1:]].any() for z, path in way):
            return False
        for z, path in way:
            self.owner[z, path] = number
        return True

    def _way(self, number: int) -> list[tuple[int, NDArray[np.int32]]]:
        """Return the layers and paths of the way on which least is; none if there is no way."""
        nets = self.nets
        members = np.flatnonzero(nets.line == number).tolist()
        best: list[tuple[int, NDArray[np.int32]]] = []
        least = inf
        for target in self._targets(members[0]):
            way, cost = [], 0
            for net in members:
                z = nets.layer[net]
                nuisance = IN_THE_WAY * (self.owner[z] > 0)
                path = cheapest_path(nets, net, target, nets.free[z], nuisance)
                if not len(path):
                    break
                way.append((int(z), path))
                cost += path_cost(path, len(path)) + int(nuisance[path[1:]].sum())
            else:
                if cost < least:
                    best, least = way, cost
        return best

    def _targets(self, net: int) -> list[int]:
        """Return where a missing net may lead: its end, or the vias of its layers."""
        nets = self.nets
        if nets.target[net] != OPEN:
            return [int(nets.target[net])]
        return next(span.via_cells.tolist() for span in nets.classes if net in span.lower)

    def _alone(self, net: int, target: int) -> NDArray[np.int32]:
        """Return a net's cheapest path if only ends and vias are in the way."""
        nets = self.nets
        z = nets.layer[net]
        others = (self.owner[z] > 0) & (self.owner[z] != nets.line[net])
        # Too little to make a detour of: of equally cheap ways, the one with fewest others.
        return cheapest_path(nets, net, target, nets.free[z], others / nets.cells)

    def _owners(self, z: int, path: NDArray[np.int32], number: int) -> set[int]:
        """Return the other lines that have cells of a path."""
        return set(self.owner[z, path].tolist()) - {0, number}
