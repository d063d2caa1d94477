"""Tests of explanations: small boards where the right one can be seen, and answers of our own."""

from __future__ import annotations

from math import inf
from pathlib import Path

import numpy as np
import pytest

from nlrouter.analyse.explain import Detour, Missing, ViaUse, explain, missing_lines
from nlrouter.answer import Answer, Cost
from nlrouter.checker.clean import cheapest_path
from nlrouter.checker.cost import bends, measure
from nlrouter.checker.usable import usable
from nlrouter.files.answer_file import read_answer
from nlrouter.files.problem_file import parse_problem, read_problem
from nlrouter.grid import FREE, occupants
from nlrouter.problem import Cell, Line, Via
from nlrouter.result import Outcome, Standing
from nlrouter.tell.explanation import (
    Failure,
    explain_result,
    format_explanation,
    format_failure,
    format_told,
)

HERE = Path(__file__).resolve().parents[2]


def draw(*layers: str) -> Answer:
    """Return the drawing with these layers: rows divided by '/', a digit or '.' per cell."""
    return np.array(
        [[[int(c.replace(".", "0")) for c in row] for row in layer.split("/")] for layer in layers],
        dtype=np.int32,
    )


# Line 2 stands in the straight way of line 1, and line 3 is on its own.
WALL = parse_problem(
    "SIZE 6X4\nLINE_NUM 3\nLINE#1 (0,1)-(4,1)\nLINE#2 (2,0)-(2,2)\nLINE#3 (5,0)-(5,3)\n", "wall"
)
AROUND = draw("..2..3/1.2.13/1.2.13/111113")

# Two lines cross layers by vias in the same columns as their ends; each has the other's.
CROSSED = parse_problem(
    "SIZE 5X3X2\nLINE_NUM 2\nLINE#1 (0,0,1) (0,2,2)\nLINE#2 (4,0,1) (4,2,2)\n"
    "VIA#l (1,1,1) (1,1,2)\nVIA#r (3,1,1) (3,1,2)\n",
    "crossed",
)
STRAIGHT = draw("11.22/.1.2./.....", "...../.1.2./11.22")


def test_detour() -> None:
    """Tests that a detour is told with its length and the line that it goes around."""
    assert usable(WALL, AROUND)[1] == []
    explanation = explain(WALL, AROUND)
    assert explanation.detours == [Detour(1, 11, 5, [2])]
    assert explanation.vias == []
    assert explanation.layers == [measure(AROUND)]


def test_vias() -> None:
    """Tests that the next via is told with its price alone and in an exchange."""
    explanation = explain(CROSSED, STRAIGHT)
    assert explanation.detours == []
    # Alone: two cells more on either layer. Together, one of them goes round the other's via.
    assert explanation.vias[0] == ViaUse(1, "l", "r", 2, 4, [], "r", 2, 14)
    assert explanation.vias[1] == ViaUse(2, "r", "l", 1, 4, [], "l", 1, 14)


def test_no_exchange() -> None:
    """Tests that an exchange for which there is no room is not told."""
    problem = parse_problem(
        "SIZE 5X2X2\nLINE_NUM 2\nLINE#1 (0,0,1) (0,0,2)\nLINE#2 (4,0,1) (4,0,2)\n"
        "VIA#l (1,0,1) (1,0,2)\nVIA#r (3,0,1) (3,0,2)\n",
        "thin",
    )
    explanation = explain(problem, draw("11.22/.....", "11.22/....."))
    assert explanation.vias[0].next_via == "r" and explanation.vias[0].swap_via is None
    text = format_explanation(explanation)
    assert "of LINE#2: at best 12 more; no exchange found as the others lie\n" in text


def test_only_via() -> None:
    """Tests that a line that no other via is open to is told as such."""
    problem = parse_problem(
        "SIZE 4X1X2\nLINE_NUM 1\nLINE#1 (0,0,1) (0,0,2)\nVIA#l (1,0,1) (1,0,2)\n", "single"
    )
    explanation = explain(problem, draw("11..", "11.."))
    assert explanation.vias == [ViaUse(1, "l")]
    assert "LINE#1 takes VIA#l, the only one it can take\n" in format_explanation(explanation)


def test_exchange() -> None:
    """Tests that the best exchange is told with what it costs both, unless a line is fixed."""
    problem = parse_problem(
        "SIZE 5X5X2\nLINE_NUM 2\nLINE#1 (0,0,1) (0,0,2)\nLINE#2 (4,4,1) (4,4,2)\n"
        "VIA#l (0,4,1) (0,4,2)\nVIA#r (4,0,1) (4,0,2)\n",
        "square",
    )
    answer = draw("1...2/1...2/1...2/1...2/1...2", "1...2/1...2/1...2/1...2/1...2")
    first, second = explain(problem, answer).vias
    assert first == ViaUse(1, "l", "r", 2, 0, [], "r", 2, 0)
    assert second == ViaUse(2, "r", "l", 1, 0, [], "l", 1, 0)
    assert explain(problem, answer, frozenset({2})).vias[0].swap_via is None


def test_exchange_that_saves() -> None:
    """Tests that an exchange that would make the answer cheaper is told as such."""
    problem = parse_problem(
        "SIZE 7X3X2\nLINE_NUM 2\nLINE#1 (0,0,1) (0,0,2)\nLINE#2 (6,2,1) (6,2,2)\n"
        "VIA#l (2,0,1) (2,0,2)\nVIA#r (4,2,1) (4,2,2)\n",
        "apart",
    )
    answer = draw("1.22222/1.....2/11111.2", "1.22222/1.....2/11111.2")
    assert usable(problem, answer)[1] == []
    first, second = explain(problem, answer).vias
    saved = measure(answer).total - 12
    assert (first.swap_via, first.swap_line, first.swap_extra) == ("l", 2, -saved)
    assert (second.swap_via, second.swap_line, second.swap_extra) == ("r", 1, -saved)


def test_words() -> None:
    """Tests that an explanation reads well."""
    assert format_explanation(explain(WALL, AROUND)) == (
        "cost per layer:\n"
        "  layer 1: 18 = 16 cells + 2 bends\n"
        "detours:\n"
        "  LINE#1 costs 11, 6 more than alone, around LINE#2\n"
    )
    assert format_explanation(explain(CROSSED, STRAIGHT)) == (
        "cost per layer:\n"
        "  layer 1: 8 = 6 cells + 2 bends\n"
        "  layer 2: 8 = 6 cells + 2 bends\n"
        "vias:\n"
        "  LINE#1 takes VIA#l; next is VIA#r of LINE#2: at best 4 more; "
        "exchanged with LINE#2 for VIA#r: both 14 more\n"
        "  LINE#2 takes VIA#r; next is VIA#l of LINE#1: at best 4 more; "
        "exchanged with LINE#1 for VIA#l: both 14 more\n"
        "detours: none\n"
    )


def test_missing_lines() -> None:
    """Tests that a missing line is told with what stands in its way: as little as can be."""
    problem = parse_problem(
        "SIZE 5X3\nLINE_NUM 3\nLINE#1 (0,1)-(4,1)\nLINE#2 (1,0)-(1,2)\nLINE#3 (3,0)-(3,2)\n", "bars"
    )
    drawing = draw(".2.3./.2.3./.2.3.")
    assert missing_lines(problem, drawing) == [Missing(1, [2, 3])]
    found = missing_lines(problem, draw("...3./...3./...3."))
    assert found == [Missing(1, [2, 3])]
    assert format_failure(Failure("", 3, found)) == (
        "no answer: none was found in time, nor a proof that there is none\n"
        "2 of 3 lines could be routed together; missing:\n"
        "  LINE#1: LINE#2, LINE#3 stand in its way\n"
    )


def test_missing_line_takes_a_via_that_is_left() -> None:
    """Tests that a missing line across layers is added by a via that no line has."""
    drawing = np.where(STRAIGHT == 1, 1, 0)
    assert missing_lines(CROSSED, drawing) == []


def test_nothing_drawn_in_time() -> None:
    """Tests that what goes together is told even where the search came to nothing."""
    outcome = Outcome(CROSSED, None, Standing(None, 4), 0.0)
    assert format_told(explain_result(CROSSED, outcome, frozenset())) == (
        "no answer: none was found in time, nor a proof that there is none\n"
        "2 of 2 lines could be routed together: a longer search has an answer\n"
    )


def test_missing_line_whose_via_is_taken() -> None:
    """Tests that who has the only via in reach stands in the way, and not ends and vias."""
    problem = parse_problem(
        "SIZE 7X1X2\nLINE_NUM 2\nLINE#1 (4,0,1) (4,0,2)\nLINE#2 (0,0,1) (0,0,2)\n"
        "VIA#a (2,0,1) (2,0,2)\nVIA#b (6,0,1) (6,0,2)\n",
        "taken",
    )
    assert missing_lines(problem, draw("..111..", "..111..")) == [Missing(2, [1])]


def test_walled_in() -> None:
    """Tests that a line that ends and vias leave no way is told as such."""
    problem = parse_problem(
        "SIZE 3X3\nLINE_NUM 2\nLINE#1 (0,0)-(2,2)\nLINE#2 (1,0)-(0,1)\n", "corner"
    )
    found = missing_lines(problem, np.zeros(problem.shape, np.int32))
    assert found[0] == Missing(1, [], walled_in=True)
    text = format_failure(Failure("walled", 2, found))
    assert "  LINE#1: ends and vias leave it no way\n" in text
    assert text.startswith("no answer: walled\n")


@pytest.mark.parametrize("name", ["random_12x12x3", "all_vias_14x20x4", "nested_detours_13x13x2"])
def test_other_search(name: str) -> None:
    """Tests that what lines would cost alone is what the checker's own path search says."""
    problem = read_problem(str(HERE / "problems" / f"{name}.txt"))
    answer = read_answer(str(HERE / "answers" / f"{name}.txt"))
    free = {Cell(*cell) for cell in np.argwhere(occupants(problem) == FREE).tolist()}
    taken = {int(answer[via.cells[0]]): via for via in problem.vias}

    def alone(line: Line, via: Via | None) -> float:
        pairs = [line.ends]
        if via is not None:
            pairs = [(line.end_on(cell.z), cell) for cell in (via.cells[0], via.cells[-1])]
        paths = [cheapest_path(*pair, free) for pair in pairs]
        if None in paths:
            return inf
        own = np.zeros(problem.shape, np.int32)
        for cell in [cell for path in paths for cell in path or []]:
            own[cell] = 1
        return measure(own).total + (0 if via is None else len(via.cells) - 2)

    explanation = explain(problem, answer)
    least = {line.number: alone(line, taken.get(line.number)) for line in problem.lines}
    cost = {number: measure(np.where(answer == number, answer, 0)).total for number in least}
    told = {detour.line: (detour.cost, detour.least) for detour in explanation.detours}
    assert told == {n: (cost[n], least[n]) for n in least if cost[n] > least[n]}
    for use in explanation.vias:
        line = problem.lines[use.line - 1]
        others = [via for via in problem.vias if via.span == line.span and via.name != use.via]
        best = min((alone(line, via) for via in others), default=inf)
        assert (inf if use.next_extra is None else use.next_extra) == best - least[use.line]


@pytest.mark.parametrize("name", ["random_12x12x3", "all_vias_14x20x4", "stacked_vias_5x5x6"])
def test_own_answers(name: str) -> None:
    """Tests that figures of larger answers add up, and that no exchange improves an optimum."""
    problem = read_problem(str(HERE / "problems" / f"{name}.txt"))
    answer = read_answer(str(HERE / "answers" / f"{name}.txt"))
    explanation = explain(problem, answer)
    cost = measure(answer)
    assert sum(layer.length for layer in explanation.layers) == cost.length
    assert sum(layer.bends for layer in explanation.layers) == cost.bends
    crossing = [line.number for line in problem.lines if line.crosses_layers]
    assert [use.line for use in explanation.vias] == crossing
    columns = {via.name: via.cells for via in problem.vias}
    for use in explanation.vias:
        assert all(answer[cell] == use.line for cell in columns[use.via])
        assert use.swap_extra is None or use.swap_extra >= 0
        if use.next_via is not None:
            assert all(answer[cell] == use.next_line for cell in columns[use.next_via])
    for detour in explanation.detours:
        own = np.where(answer == detour.line, answer, 0)
        assert detour.cost == Cost(int((own > 0).sum()), int(bends(own).sum())).total
        assert detour.least < detour.cost and detour.around
