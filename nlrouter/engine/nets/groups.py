"""Lines that may stand in for each other on a layer, and the cells that they join there."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from nlrouter.answer import Answer
from nlrouter.problem import Cell, Line, Problem, Via


@dataclass(frozen=True)
class Group:
    """One line of a layer, or all lines of a span, which share its vias.

    Parameters
    ----------
    lines
        Their numbers.
    starts, stops
        The cells that they join, one of each per line, in any pairing: the two ends of a line, or
        the ends and the vias of a span.
    vias
        Whether the stops are vias.
    """

    lines: list[int]
    starts: list[Cell]
    stops: list[Cell]
    vias: bool


def groups_of(problem: Problem, fixed: Answer) -> list[list[Group]]:
    """Return the groups with lines on each layer.

    Parameters
    ----------
    problem
        The board; every span has as many vias as lines.
    fixed
        Lines that stay as they are, drawn as in an answer; they are in no group.
    """
    lines: dict[tuple[int, int], list[Line]] = defaultdict(list)
    vias: dict[tuple[int, int], list[Via]] = defaultdict(list)
    for line in problem.lines:
        if not fixed[line.ends[0]]:
            lines[line.span].append(line)
    for via in problem.vias:
        if not fixed[via.cells[0]]:
            vias[via.span].append(via)
    groups: list[list[Group]] = [[] for _ in range(problem.layers)]
    for span, members in sorted(lines.items()):
        if span[0] == span[1]:
            groups[span[0]] += [
                Group([line.number], [line.ends[0]], [line.ends[1]], False) for line in members
            ]
        else:
            for z in span:
                starts = [line.end_on(z) for line in members]
                stops = [Cell(z, via.y, via.x) for via in vias[span]]
                groups[z].append(Group([line.number for line in members], starts, stops, True))
    return groups
