"""Tests of the search for answers, against trying everything and against a second model."""

from dataclasses import replace
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from nlrouter.checker.drawn import violations_by
from nlrouter.deadline import Deadline, WorkClock
from nlrouter.files.problem_file import parse_problem
from nlrouter.generators import Request, fill_board, make
from nlrouter.problem import Problem
from nlrouter.puzzle.answers import (
    Answers,
    AnswersConfig,
    Drawing,
    Search,
    Verdict,
    find_answers,
)
from nlrouter.puzzle.drawing import WALL, answer_along, ends_of
from nlrouter.rule_sets import Rules
from tests.puzzle_boards import all_answers, boards

SEARCHES = {
    "as it is": AnswersConfig(),
    "by sweeps": AnswersConfig(lowest_nodes=(1_000_000,) * 2, first_conflicts=1),
    "by the solver": AnswersConfig(full_nodes=(), lowest_nodes=(1,), slice_conflicts=1),
}


def check(problem: Problem, rules: Rules, found: Answers, count: int, limit: int) -> None:
    """Check that the answers are right and different, and that the verdict fits their number."""
    for drawing in found.drawings:
        assert violations_by(problem, drawing.answer, rules, drawing.strokes) == []
    lines = {(d.strokes.right.tobytes(), d.strokes.down.tobytes()) for d in found.drawings}
    assert len(lines) == len(found.drawings) == min(count, limit)
    if limit == 1:
        assert found.verdict is (Verdict.NOT_KNOWN if count else Verdict.NONE)
    else:
        assert found.verdict is (Verdict.NONE, Verdict.ONLY_ONE, Verdict.SEVERAL)[min(count, 2)]
    if min(count, limit) > 1:
        assert found.differing is not None and found.differing.any()


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("name", SEARCHES)
@given(problem=boards(most_side=4, most_lines=4), limit=st.sampled_from([1, 2, 2, 2, 7]))
@settings(max_examples=150)
def test_against_trying_everything(name: str, rules: Rules, problem: Problem, limit: int) -> None:
    """Tests that every way to search has the verdict that all answers give."""
    count = len(list(islice(all_answers(problem, rules), limit + 1)))
    found = find_answers(problem, rules, Deadline(60), limit=limit, config=SEARCHES[name])
    check(problem, rules, found, count, limit)


@pytest.mark.parametrize("rules", Rules)
@given(seed=st.integers(0, 10**6), width=st.integers(3, 5), height=st.integers(3, 6))
@settings(max_examples=60)
def test_full_boards_against_trying_everything(
    rules: Rules, seed: int, width: int, height: int
) -> None:
    """Tests the same on boards that can be filled, of which more have only one answer."""
    problem, _ = fill_board(width, height, seed)
    count = len(list(islice(all_answers(problem, rules), 3)))
    for config in SEARCHES.values():
        found = find_answers(problem, rules, Deadline(60), config=config)
        check(problem, rules, found, count, 2)


def test_line_that_can_only_be_lengthened() -> None:
    """Tests a board with one answer by the rules adc, two by nikoli and another one by flow."""
    problem = parse_problem("AA\n..\n", "board")
    counts = {Rules.ADC: 1, Rules.NIKOLI: 2, Rules.FLOW: 1}
    for rules, count in counts.items():
        check(problem, rules, find_answers(problem, rules, Deadline(60)), count, 2)


def test_time_that_is_up() -> None:
    """Tests that nothing is claimed where the time is up."""
    problem, _ = fill_board(12, 12, 1)
    found = find_answers(problem, Rules.ADC, Deadline(0, WorkClock()))
    assert (found.verdict, found.drawings) == (Verdict.NOT_KNOWN, ())
    assert found.differing is None


def test_known_answer() -> None:
    """Tests that an answer that is known counts as one of those found."""
    problem, _ = fill_board(5, 5, 3)
    found = find_answers(problem, Rules.NIKOLI, Deadline(60))
    for drawing in found.drawings:
        again = find_answers(problem, Rules.NIKOLI, Deadline(60), known=drawing.strokes)
        assert again.verdict is found.verdict
        assert not again.drawings[0].strokes.cells_that_differ(drawing.strokes).any()


def test_same_work_same_answers() -> None:
    """Tests that a search by a clock of work takes the same course again."""
    problem, _ = fill_board(16, 16, 5)
    config = replace(AnswersConfig(), first_conflicts=500)
    first, second = (
        find_answers(problem, Rules.ADC, Deadline(0.05, WorkClock()), config=config)
        for _ in range(2)
    )
    assert first.verdict is second.verdict
    assert [d.answer.tolist() for d in first.drawings] == [
        d.answer.tolist() for d in second.drawings
    ]


def test_a_search_in_slices() -> None:
    """Tests that slices of work come to the same as all at once, of boards of both kinds."""
    verdicts = set()
    config = AnswersConfig(full_nodes=(10,), lowest_nodes=(10, 10))
    made = [fill_board(7, 7, seed) for seed in range(3)]
    made += [make("random", Request(7, 7, 1, lines=4, seed=seed)) for seed in range(3)]
    for problem, _ in made:
        search = Search(ends_of(problem), Rules.ADC, config=config)
        slices = 0
        while not search.done:
            search.step(Deadline(1e-6, WorkClock()))
            slices += 1
        assert slices > 3
        assert search.verdict is find_answers(problem, Rules.ADC, Deadline(60)).verdict
        verdicts.add(search.verdict)
    assert verdicts == {Verdict.ONLY_ONE, Verdict.SEVERAL}


@pytest.mark.parametrize("rules", Rules)
@pytest.mark.parametrize("name", SEARCHES)
@given(problem=boards(most_side=4, most_lines=5), limit=st.sampled_from([1, 2, 2, 7]))
@settings(max_examples=150)
def test_walls(name: str, rules: Rules, problem: Problem, limit: int) -> None:
    """Tests that no line runs where a wall is, by making walls of the last line's ends."""
    *lines, last = problem.lines
    if not lines:
        return
    walls = [(end.y, end.x) for end in last.ends]
    problem = replace(problem, lines=tuple(lines))
    ends = ends_of(problem)
    ends[tuple(zip(*walls, strict=True))] = WALL
    count = len(list(islice(all_answers(problem, rules, walls), limit + 1)))
    search = Search(ends, rules, limit, SEARCHES[name])
    search.step(Deadline(60))
    drawings = tuple(Drawing(answer_along(ends, found), found) for found in search.found)
    assert all(drawing.answer[0, y, x] == 0 for drawing in drawings for y, x in walls)
    if rules is not Rules.FLOW:  # By which the walls are cells left empty.
        check(problem, rules, Answers(search.verdict, drawings), count, limit)
    assert search.verdict is (
        (Verdict.NOT_KNOWN if count else Verdict.NONE)
        if limit == 1
        else (Verdict.NONE, Verdict.ONLY_ONE, Verdict.SEVERAL)[min(count, 2)]
    )


def test_the_only_one_by_looser_rules(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a full answer that is the only one by nikoli needs no proof by flow's clauses."""
    problem = parse_problem(
        "A.......A5...\n.........C6..\n...3C.....4..\n...8B.B.8....\n.....97.2....\n"
        "....6........\n....1.....4..\n..........7..\n....1...2....\n.............\n"
        "....9........\n..3.5........\n.............\n",
        "board",
    )
    monkeypatch.setattr(Search, "_all", lambda _: pytest.fail("clauses of flow"))
    found = find_answers(problem, Rules.FLOW, Deadline(60))
    check(problem, Rules.FLOW, found, 1, 2)


def test_colours_of_a_chessboard() -> None:
    """Tests that a large board that lines cannot fill is proven to be so at once."""
    problem = Problem(40, 40, 1, [((0, 0, 1), (2, 0, 1))])
    found = find_answers(problem, Rules.FLOW, Deadline(1, WorkClock()))
    assert found.verdict is Verdict.NONE
