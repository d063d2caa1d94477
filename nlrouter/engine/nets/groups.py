"""Lines that may stand in for each other on a layer, and the cells that they join there."""

from __future__ import annotations

from dataclasses import dataclass

from nlrouter.answer import Answer
from nlrouter.problem import Cell, Problem


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


def groups_on(problem: Problem, fixed: Answer, z: int) -> list[Group]:
    """Return the groups with lines on a layer.

    Parameters
    ----------
    problem
        The board; every span has as many vias as lines.
    fixed
        Lines that stay as they are, drawn as in an answer; they are in no group.
    z
        The layer, from 0.
    """
    groups = []
    spans = sorted({line.span for line in problem.lines})
    for span in spans:
        lines = [n for n in problem.lines if n.span == span and not fixed[n.ends[0]]]
        if span[0] == span[1] == z:
            groups += [Group([n.number], [n.ends[0]], [n.ends[1]], False) for n in lines]
        elif z in span and lines:
            vias = [v for v in problem.vias if v.span == span and not fixed[v.cells[0]]]
            starts = [line.end_on(z) for line in lines]
            stops = [Cell(z, via.y, via.x) for via in vias]
            groups.append(Group([line.number for line in lines], starts, stops, True))
    return groups
