"""The cores of MaxSAT as a certificate has them: in its variables, and without needless lemmas.

The clauses of the search and those of the check say the same, so a lemma that the solver has
learnt is one of the check as well, once its variables have the check's numbers.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nlrouter.certificate import Core, Cores
from nlrouter.checker.certificate.board import Case, Layers, SpanClass, every_via
from nlrouter.checker.certificate.clauses import CaseClauses, clauses_of
from nlrouter.checker.certificate.cores import count_of
from nlrouter.checker.certificate.propagate import Propagator
from nlrouter.deadline import Deadline
from nlrouter.engine.exact.maxsat import MaxSat
from nlrouter.engine.nets.nets import Nets


def cores_of(maxsat: MaxSat, choices: int, deadline: Deadline) -> Cores | None:
    """Return what proves the bound of a search; None if time is up, or its record does not.

    Parameters
    ----------
    maxsat
        The search.
    choices
        In the case that it is for, how many choices of a line and a via are left in all; those of
        the search's own nets are among them.
    deadline
        When to give up.
    """
    maxsat.keep_record()
    board = board_of(maxsat.nets)
    case = Case(tuple(range(len(board.free))), every_via(board))
    formula = clauses_of(board, case)
    number = _numbers(maxsat, formula, board)
    own = sum(len(left) for rows in case.vias for left in rows)
    trimmed = _trimmed(maxsat, formula, number, deadline)
    return None if trimmed is None else _shifted(trimmed, formula.variables, choices - own)


def board_of(nets: Nets) -> Layers:
    """Return the nets of some layers as the check sees them."""
    rows, columns = nets.cells // nets.stride - 2, nets.stride - 2
    free = nets.free.reshape(nets.layers, rows + 2, nets.stride)[:, 1:-1, 1:-1]

    def unframed(cells: NDArray[np.int32]) -> tuple[int, ...]:
        inner = (cells // nets.stride - 1) * columns + cells % nets.stride - 1
        return tuple(np.where(cells < 0, -1, inner).tolist())

    return Layers(
        height=rows,
        width=columns,
        free=tuple(tuple(layer.ravel().tolist()) for layer in free),
        layer=tuple(nets.layer.tolist()),
        source=unframed(nets.source),
        target=unframed(nets.target),
        classes=tuple(
            SpanClass(
                tuple(span.lower.tolist()), tuple(span.upper.tolist()), unframed(span.via_cells)
            )
            for span in nets.classes
        ),
    )


def _numbers(maxsat: MaxSat, formula: CaseClauses, board: Layers) -> NDArray[np.int64]:
    """Return the check's number of each variable of the search, -1 where it has none."""
    clauses, cells = maxsat.clauses, board.height * board.width
    number = np.full(clauses.variables + 1, -1)
    layer, here = np.divmod(clauses.cells, maxsat.nets.cells)
    row, column = np.divmod(here, maxsat.nets.stride)
    place = (row - 1) * board.width + column - 1
    first = np.array(formula.edges)[layer]
    one, other = clauses.ends.T
    edge = 2 * place[one] + (clauses.cells[other] - clauses.cells[one] != 1)
    number[clauses.edges] = first[one] + edge
    inner = clauses.inner
    number[clauses.used[inner]] = (first + 2 * cells + place)[inner]
    number[clauses.bends] = (first + 3 * cells + place)[inner]
    width = clauses.labels.shape[1]
    bits = np.arange(width)
    label = (first + 4 * cells + width * place)[:, None] + bits
    open_to = inner | ((clauses.labels > 1).all(axis=1) if width else inner)
    number[clauses.labels[open_to]] = label[open_to]
    number[clauses.differs] = (first[one] + (4 + width) * cells + width * edge)[:, None] + bits
    last = formula.variables
    for takes in reversed(clauses.takes):
        last -= takes.size
        number[takes] = last + np.arange(takes.size).reshape(takes.shape)
    return number


def _trimmed(
    maxsat: MaxSat, formula: CaseClauses, number: NDArray[np.int64], deadline: Deadline
) -> list[Core] | None:
    """Return the cores with the lemmas that they rest on."""
    counts = sum(len(costs) * (len(costs) + 1) // 2 for _, costs in maxsat.paid)
    number = np.append(number, formula.variables + np.arange(counts))
    known = Propagator(formula.variables)
    known.add(formula.clauses)
    given = known.clauses
    learnt: dict[int, tuple[int, NDArray[np.int64]]] = {}
    rests_on: dict[int, list[int]] = {}
    record = iter(maxsat.record)
    refuted = 0
    wanted: list[int] = []
    found = [(when, number[costs].tolist()) for when, costs in maxsat.paid]
    for index, (when, costs) in enumerate(found):
        while refuted < when and not known.contradiction:
            line = next(record, None)
            if line is None or deadline.passed():
                return None
            if line == "0":
                refuted += 1
            elif not line.startswith("d"):
                words = np.fromstring(line, np.int64, sep=" ")[:-1]
                lemma = 2 * number[abs(words)] + (words < 0)
                reasons = known.reasons((lemma ^ 1).tolist(), given)
                if reasons is None:
                    return None
                rests_on[known.clauses] = reasons
                learnt[known.clauses] = index, lemma
                known.add_flat(lemma.astype(np.int32), np.array([len(lemma)]))
        if known.contradiction:  # Of all that is known; from which part of it is not told.
            wanted = list(rests_on)
            found = [*found[:index], (when, [])]
            break
        reasons = known.reasons([2 * cost + 1 for cost in costs], given)
        if reasons is None:
            return None
        rests_on[known.clauses] = reasons
        wanted.append(known.clauses)
        clauses, _, new = count_of(costs, known.variables)
        known.grow(new)
        known.add([[2 * cost for cost in costs], *clauses])
    needed = _reached(wanted, rests_on)
    lemmas: list[list[tuple[int, ...]]] = [[] for _ in found]
    for clause in sorted(needed & learnt.keys()):
        index, lemma = learnt[clause]
        lemmas[index].append(tuple(lemma.tolist()))
    return [
        Core(tuple(before), tuple(costs)) for before, (_, costs) in zip(lemmas, found, strict=True)
    ]


def _reached(wanted: list[int], rests_on: dict[int, list[int]]) -> set[int]:
    """Return some clauses and all that they rest on."""
    reached = set()
    while wanted:
        clause = wanted.pop()
        if clause not in reached:
            reached.add(clause)
            wanted += rests_on.get(clause, [])
    return reached


def _shifted(cores: list[Core], last: int, by: int) -> Cores:
    """Return cores whose variables from ``last`` on, the counts, come after more choices."""
    return Cores(
        tuple(
            Core(
                tuple(
                    tuple(literal + 2 * by * (literal >= 2 * last) for literal in lemma)
                    for lemma in core.lemmas
                ),
                tuple(cost + by * (cost >= last) for cost in core.costs),
            )
            for core in cores
        )
    )
