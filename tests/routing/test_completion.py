"""Half-drawn lines, continued from where they end."""

from __future__ import annotations

import threading
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlrouter.answer import Answer
from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.checker.usable import usable
from nlrouter.deadline import WALL, Deadline
from nlrouter.files.answer_file import parse_answer
from nlrouter.files.problem_file import parse_problem, read_problem
from nlrouter.generators import generate
from nlrouter.grid import follow
from nlrouter.problem import Problem
from nlrouter.result import Progress, Status
from nlrouter.routing.completion import complete
from nlrouter.routing.completion import take_up as take_up_kept
from nlrouter.routing.half_drawn import Continuation, continuation
from nlrouter.tell.explanation import Failure, explain_result, format_told

BOARDS = Path(__file__).resolve().parents[2] / "problems"

FLAT = parse_problem(
    "SIZE 5X4X1\nLINE_NUM 2\nLINE#1 (0,0,1) (4,0,1)\nLINE#2 (0,3,1) (4,3,1)\n", "flat"
)
THROUGH = parse_problem(
    "SIZE 4X3X3\nLINE_NUM 2\nLINE#1 (0,0,1) (3,0,3)\nLINE#2 (0,2,1) (3,2,3)\n"
    "VIA#a (2,0,1) (2,0,2) (2,0,3)\nVIA#b (2,2,1) (2,2,2) (2,2,3)\n",
    "through",
)


def drawing(problem: Problem, *layers: str) -> Answer:
    """Read a drawing of one-digit numbers, rows apart by blanks."""
    size = f"SIZE {problem.width}X{problem.height}X{problem.layers}\n"
    rows = (
        f"LAYER {z}\n" + "".join(",".join(row) + "\n" for row in layer.split())
        for z, layer in enumerate(layers, start=1)
    )
    return parse_answer(size + "".join(rows), "drawing")


def take_up(problem: Problem, drawn: Answer) -> Continuation:
    """Take up a drawing, as the page's router does."""
    return continuation(problem, drawn, usable(problem, drawn)[0])


def finish(problem: Problem, drawn: Answer) -> tuple[Answer, list[int], int | None]:
    """Route what is missing; return the answer, the lines cut short, and the bound."""
    result = complete(problem, drawn, time_limit=20, workers=1)
    assert result.answer is not None and not violations(problem, result.answer)
    return result.answer, list(result.cut), result.lower_bound


def test_line_goes_on_from_both_ends() -> None:
    """Tests that what is drawn stays, from both ends, and that the bound is that of the whole."""
    drawn = drawing(FLAT, "10001 10001 00000 20002")
    assert take_up(FLAT, drawn).lines == [1]
    answer, cut, bound = finish(FLAT, drawn)
    assert (answer[drawn > 0] == drawn[drawn > 0]).all()
    assert cut == [] and bound is not None and bound <= measure(answer).total
    assert measure(answer).total == 14  # 7 + 2 bends, and a straight line of 5.


def test_via_that_is_drawn_is_taken() -> None:
    """Tests that a half-drawn line keeps its via, which the others then cannot take."""
    drawn = drawing(THROUGH, "1110 0000 2000", "0010 0000 0000", "0010 0000 0002")
    rest = take_up(THROUGH, drawn)
    assert rest.lines == [1] and len(rest.problem.vias) == 1
    answer, _, _ = finish(THROUGH, drawn)
    assert answer[1, 0, 2] == 1 and answer[1, 2, 2] == 2


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        ("10001 00000 00000 20002", []),
        ("10001 00100 00000 20002", []),
        ("11001 11000 00000 20002", []),
        ("11111 00000 00000 20002", []),
        ("11001 01000 00000 20022", [1, 2]),
    ],
)
def test_what_can_be_continued(rows: str, lines: list[int]) -> None:
    """Tests that ends alone, loose pieces, heaps and complete lines are not continued."""
    assert take_up(FLAT, drawing(FLAT, rows)).lines == lines


def test_what_is_drawn_stays_though_cutting_it_short_would_be_cheaper() -> None:
    """Tests that an answer on the way that cuts a line short does not bar one that does not."""
    problem = parse_problem("SIZE 3X2X1\nLINE_NUM 1\nLINE#1 (0,0,1) (2,0,1)\n", "stub")
    drawn = drawing(problem, "100 100")
    seen: list[Answer] = []

    def observe(progress: Progress) -> None:
        if progress.answer is not None:
            seen.append(progress.answer)

    result = complete(problem, drawn, time_limit=20, workers=1, on_progress=observe)
    assert result.answer is not None and not result.cut
    assert all((answer[drawn > 0] == 1).all() for answer in [*seen, result.answer])
    assert measure(result.answer).total == 7


def test_line_that_would_touch_itself_is_cut_short() -> None:
    """Tests that a detour which the rest of the line comes back to is left out."""
    problem = parse_problem(
        "SIZE 3X3X1\nLINE_NUM 2\nLINE#1 (0,0,1) (2,0,1)\nLINE#2 (2,1,1) (2,2,1)\n", "small"
    )
    answer, cut, bound = finish(problem, drawing(problem, "101 102 112"))
    assert cut == [1] and bound is None
    assert answer.tolist() == drawing(problem, "111 002 002").tolist()


def test_lines_that_go_together() -> None:
    """Tests that a board whose lines must cross gets as many of its lines as go together."""
    crossing = Problem(
        3,
        4,
        1,
        [((0, 1, 1), (2, 1, 1)), ((1, 0, 1), (1, 2, 1)), ((0, 3, 1), (2, 3, 1))],
    )
    result = complete(crossing, drawing(crossing, "000 000 000 330"), workers=1)
    assert (
        result.answer is None and result.status is Status.INFEASIBLE and result.partial is not None
    )
    assert result.rest.problem.lines[2].ends[0].x == 1
    lines, dropped = usable(crossing, result.partial)
    assert not dropped and len(np.unique(lines[lines > 0])) == 2 and (lines[0, 3] == 3).all()


def test_lines_on_the_way() -> None:
    """Tests that lines shown before there is an answer have the half-drawn ones as drawn."""
    problem, hidden = generate(16, 16, 1, 12, 0, 0.7, seed=1)
    line = max(problem.lines, key=lambda line: (hidden == line.number).sum())
    path = list(follow(hidden, line.ends[0]))[:4]
    drawn = np.zeros(problem.shape, np.int32)
    for cell in path:
        drawn[cell] = line.number
    seen: list[Answer | None] = []
    stop = threading.Event()

    def note(progress: Progress) -> None:
        seen.append(progress.partial())
        stop.set()

    complete(problem, drawn, workers=1, on_progress=note, stop=stop)
    (lines,) = seen[:1]
    assert lines is not None and all(lines[cell] == line.number for cell in path)
    sound, dropped = usable(problem, lines)
    assert np.unique(sound).size > 2 and len(dropped) <= 1
    assert np.array_equal(sound[lines != line.number], lines[lines != line.number])


def test_lines_that_may_change() -> None:
    """Tests that only the lines named stay or go on, and other half-drawn ones are drawn anew."""
    drawn = drawing(FLAT, "10001 10001 11111 20002")
    kept = complete(FLAT, drawn, fixed=[1], time_limit=20, workers=1)
    assert kept.answer is not None and (kept.answer[drawn == 1] == 1).all()
    free = complete(FLAT, drawn, fixed=[], time_limit=20, workers=1)
    assert free.answer is not None and measure(free.answer).total == 10
    half = drawing(FLAT, "10001 10001 00000 20002")
    anew, on = (complete(FLAT, half, fixed=[n], workers=1).cost for n in (2, 1))
    assert (anew and anew.total, on and on.total) == (10, 14)


def test_line_that_has_gone_on_before() -> None:
    """Tests that a line goes on from its kept cells alone, starting from its whole way."""
    drawn = drawing(FLAT, "10001 10001 11111 22222")
    kept = drawing(FLAT, "10001 10000 00000 20002")
    taken = take_up_kept(FLAT, drawn, kept)
    assert taken.continued == [1] and not taken.fixed and not taken.dropped
    ended = threading.Event()
    ended.set()
    result = taken.complete(Deadline(1, WALL, ended.is_set))
    assert result.answer is not None and result.answer.tolist() == drawn.tolist()


def test_line_that_stays_beside_more_of_it() -> None:
    """Tests that a complete line stays though cells that need not stay make it branch."""
    drawn = drawing(FLAT, "11111 00100 00000 20002")
    kept = drawing(FLAT, "11111 00000 00000 20002")
    result = take_up_kept(FLAT, drawn, kept).complete(Deadline(20))
    assert result.answer is not None and result.answer[0, 0].tolist() == [1] * 5
    assert result.cost is not None and result.cost.total == 10


def test_shape_of_a_drawing() -> None:
    """Tests that a drawing of another board is refused."""
    with pytest.raises(ValueError, match="shape"):
        complete(FLAT, np.zeros((1, 2, 2), np.int32))


CRLF = read_problem(str(BOARDS / "crlf_5x5x2.txt"))


def test_line_that_is_drawn_into_a_corner() -> None:
    """Tests that what keeps a half-drawn line from going on is told, and may be what is drawn."""
    drawn = np.zeros(CRLF.shape, np.int32)
    for y, x in ((4, 2), (3, 2), (3, 3), (2, 3), (2, 4)):
        drawn[1, y, x] = 3
    result = complete(CRLF, drawn, time_limit=10, workers=1)
    assert result.status is Status.INFEASIBLE and result.rest.partial is not None
    told = format_told(explain_result(result.rest.problem, result.rest, frozenset(), result.kept))
    assert "LINE#1" in told


def test_number_on_the_end_of_another_line() -> None:
    """Tests that a half-drawn line stops before an end that carries its number wrongly."""
    drawn = drawing(FLAT, "00000 00000 20000 20002")
    drawn[0, 0, 0] = drawn[0, 1, 0] = 2
    answer, cut, _ = finish(FLAT, drawn)
    assert answer[0, :, 0].tolist() == [1, 2, 2, 2] and cut == []


def test_board_that_lacks_a_via() -> None:
    """Tests that half-drawn lines of a board whose vias join other layers get the reason."""
    vias = {"a": [(1, 1, 1), (1, 1, 2)], "b": [(2, 2, 2), (2, 2, 3)]}
    board = Problem(4, 4, 3, [((0, 0, 1), (3, 3, 2)), ((3, 0, 1), (0, 3, 2))], vias)
    result = complete(board, drawing(board, "1100 0000 0000 0000", *["0000 " * 4] * 2), workers=1)
    assert result.partial is None and "but 1 via joins just these layers" in result.reason


DRAWINGS = st.lists(
    st.tuples(st.integers(0, 49), st.integers(0, 9), st.lists(st.integers(0, 3), max_size=9)),
    max_size=12,
)


@given(DRAWINGS, st.booleans())
@settings(max_examples=60, deadline=None)
def test_drawings_of_all_kinds(
    strokes: list[tuple[int, int, list[int]]], some_may_change: bool
) -> None:
    """Tests that whatever is drawn there is an answer with it, or lines and a reason."""
    drawn = scribble(CRLF, strokes)
    fixed = [1, 3] if some_may_change else None
    result = complete(CRLF, drawn, fixed=fixed, time_limit=5, workers=1)
    if result.answer is not None:
        assert not violations(CRLF, result.answer)
        assert result.lower_bound is None or result.lower_bound <= measure(result.answer).total
        return
    assert result.status is Status.INFEASIBLE and result.reason
    failure = explain_result(result.rest.problem, result.rest, frozenset(), result.kept)
    assert isinstance(failure, Failure) and failure.missing
    assert any(line.walled_in or line.blockers for line in failure.missing)


def scribble(problem: Problem, strokes: list[tuple[int, int, list[int]]]) -> Answer:
    """Draw strokes, each a first cell, a number and ways to go; 0 starts at a line's own end."""
    drawn = np.zeros(problem.shape, np.int32)
    for start, number, ways in strokes:
        cell = [int(at) for at in np.unravel_index(start % drawn.size, problem.shape)]
        line = problem.lines[start % len(problem.lines)]
        if number == 0:
            cell = list(line.ends[start % 2])
        for way in [None, *ways]:
            if way is not None:
                cell[1 + way // 2] += 1 if way % 2 else -1
            if not (0 <= cell[1] < problem.height and 0 <= cell[2] < problem.width):
                break
            drawn[tuple(cell)] = number or line.number
    return drawn
