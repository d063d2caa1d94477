"""Tests that the fuzzer's oracle is right, and that it sees what is false."""

from __future__ import annotations

import random
import re
from collections import Counter
from dataclasses import replace
from math import inf
from typing import Any

import fuzz
import numpy as np
import pytest
from fuzz_boards import CLASSES, draw
from fuzz_oracle import Exhaustive, TooLarge

from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.files.problem_file import parse_problem
from nlrouter.result import Observer, Outcome, Progress, Standing, Status
from tests.engine.routing_oracle import cheapest_cost, random_problem

CELLS = 12


@pytest.mark.parametrize("seed", range(40))
def test_costs(seed: int) -> None:
    """Tests that trying everything finds what another way of trying everything finds."""
    problem = random_problem(seed)
    cost = Exhaustive(problem).cost()
    assert cost == cheapest_cost(problem)
    answer = Exhaustive(problem).any_answer(random.Random(seed))
    assert (answer is None) == (cost == inf)
    if answer is not None:
        assert violations(problem, answer) == []
        assert measure(answer).total >= cost


def test_costs_with_fixed_lines() -> None:
    """Tests the same where some lines stay as they are."""
    checked = 0
    for seed in range(0, 900, 9):
        board = draw("fixed lines", random.Random(seed), CELLS)
        assert board.cost() == cheapest_cost(board.problem, board.kept)
        checked += board.cost() < inf
    assert checked > 50


def test_too_large() -> None:
    """Tests that a board which is not tiny is no board without an answer."""
    lines = "".join(f"LINE#{n + 1} ({n},0)-({8 - n},8)\n" for n in range(9))
    problem = parse_problem(f"SIZE 9X9\nLINE_NUM 9\n{lines}", "large")
    with pytest.raises(TooLarge):
        Exhaustive(problem).cost()


@pytest.mark.parametrize("name", CLASSES)
def test_classes(name: str) -> None:
    """Tests that the boards of each class are what their name says, and a seed's is always one."""
    boards = [draw(name, random.Random(seed), CELLS) for seed in range(12)]
    again = [draw(name, random.Random(seed), CELLS) for seed in range(12)]
    assert [board.problem for board in boards] == [board.problem for board in again]
    costs = Counter(board.cost() == inf for board in boards)
    for board in boards:
        layers, height, width = board.problem.shape
        assert height * width <= max(CELLS, 14)
        spans = Counter(via.span for via in board.problem.vias)
        assert spans == Counter(n.span for n in board.problem.lines if n.crosses_layers)
        assert (layers == 1) or name != "one layer"
        assert (layers == 2 and len(board.problem.vias) > 1) or name != "many vias"
        assert any(high - low > 1 for low, high in spans) or name != "long spans"
        assert min(height, width) == 1 or name != "one cell wide"
        assert bool(board.start.any()) == (name in ("started", "fixed lines"))
        assert bool(board.fixed) == (name == "fixed lines")
    assert costs[True] == 12 if name == "without answer" else costs[False] > 2


def test_a_round(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that each class has its share, and that nothing is found where nothing is wrong."""
    assert fuzz.main(["--boards", "36", "--cells", "9", "--workers", "2", "--seed", "9000"]) == 0
    table = capsys.readouterr().out
    for name in CLASSES:
        assert re.search(rf"^{name} +4 ", table, re.MULTILINE), table
    assert re.search(r"^all +36 .* 0$", table, re.MULTILINE), table


def test_time(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that it ends when its minutes are over, with the table."""
    assert fuzz.main(["--minutes", "1e-9", "--cells", "9", "--workers", "1"]) == 0
    assert re.search(r"^all +1 ", capsys.readouterr().out, re.MULTILINE)
    with pytest.raises(SystemExit, match="2"):
        fuzz.main([])


def route_truly(board: fuzz.Board) -> Outcome:
    """Return what a search that makes no mistake would, at once."""
    problem = board.problem
    cost = board.cost()
    if cost == inf:
        return Outcome(problem, None, Standing(infeasible=True), 0.0, "no room")
    for seed in range(10_000):
        answer = Exhaustive(problem, board.kept).any_answer(random.Random(seed))
        if answer is not None and measure(answer).total == cost:
            return Outcome(problem, answer, Standing(measure(answer), int(cost)), 0.0)
    return Outcome(problem, None, Standing(None, int(cost)), 0.0)


def bound_too_high(board: fuzz.Board, result: Outcome, observer: Observer) -> Outcome:
    """Claim one more than is true, where there are two lines or more."""
    if result.lower_bound is None or len(board.problem.lines) < 2:
        return result
    return Outcome(board.problem, None, Standing(None, result.lower_bound + 1), 0.0)


def no_answer(board: fuzz.Board, result: Outcome, observer: Observer) -> Outcome:
    """Claim that there is no answer, where a line needs a via."""
    none = Outcome(board.problem, None, Standing(infeasible=True), 0.0, "?")
    return none if board.problem.vias else result


def answer_where_none_is(board: fuzz.Board, result: Outcome, observer: Observer) -> Outcome:
    """Claim an empty answer where there is none."""
    if result.status is not Status.INFEASIBLE:
        return result
    empty = np.zeros(board.problem.shape, np.int32)
    return Outcome(board.problem, empty, Standing(measure(empty), 0), 0.0)


def both(board: fuzz.Board, result: Outcome, observer: Observer) -> Outcome:
    """Claim that there is no answer, beside one."""
    return replace(result, standing=replace(result.standing, infeasible=True))


def bound_reported(board: fuzz.Board, result: Outcome, observer: Observer) -> Outcome:
    """Report a bound too high on the way."""
    if result.lower_bound is not None:
        observer(Progress(0.0, None, None, result.lower_bound + 1, "?"))
    return result


def moved(board: fuzz.Board, result: Outcome, observer: Observer) -> Outcome:
    """Leave out a fixed line."""
    if result.answer is None or not board.fixed:
        return result
    answer = np.where(np.isin(result.answer, list(board.fixed)), 0, result.answer)
    return replace(result, answer=answer.astype(np.int32))


def crashed(board: fuzz.Board, result: Outcome, observer: Observer) -> Outcome:
    """Crash."""
    raise RuntimeError("crashed")


@pytest.mark.parametrize(
    "lie",
    [bound_too_high, no_answer, answer_where_none_is, both, bound_reported, moved,
     crashed],
)  # fmt: skip
def test_lies_are_seen(
    lie: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that every kind of lie is seen, and shown by a board that can be read again."""

    def route(board: fuzz.Board, deadline: Any, observer: Observer) -> Outcome:
        return lie(board, route_truly(board), observer)

    monkeypatch.setattr(fuzz, "route", route)
    monkeypatch.setattr(fuzz, "draw_mode", lambda rnd: fuzz.Mode(0))
    assert fuzz.main(["--boards", "9", "--cells", "9", "--workers", "1"]) == 1
    out = capsys.readouterr().out
    found = re.findall(r"^again: tools/fuzz.py (.*)$", out, re.MULTILINE)
    boards = re.findall(r"^SIZE [^\n]*\nLINE_NUM.*?(?=\nnlroute )", out, re.MULTILINE | re.DOTALL)
    assert len(found) == len(boards) > 0
    for text in boards:
        problem = parse_problem(text, "shown")
        # Without the lie's reason no board is left: what is shown is as small as can be.
        if lie is bound_too_high:
            assert len(problem.lines) == 2
        if lie is no_answer:
            assert len(problem.lines) == len(problem.vias) == 1
    assert fuzz.main([*found[0].split(), "--workers", "1"]) == 1


def test_certificates_are_seen(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that a certificate that is verified too high is seen, and a changed one too."""
    mode = fuzz.Mode(0, certificate=True)
    board = draw("few vias", random.Random(4), CELLS)
    assert board.cost() < inf
    assert fuzz.fault_of(board, mode) == ""
    verify = fuzz.verified_bound
    monkeypatch.setattr(fuzz, "verified_bound", lambda *given: verify(*given) + 1)
    assert "verified at" in fuzz.fault_of(board, mode)
    calls = []

    def late(*given: Any) -> float:
        calls.append(given)
        return verify(*given) + (5 if len(calls) > 1 else 0)

    monkeypatch.setattr(fuzz, "verified_bound", late)
    assert "a changed certificate verified at" in fuzz.fault_of(board, mode)


def test_unchecked_certificates_may_show_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that it is no fault if there was no time to check what a certificate shows."""
    board = draw("few vias", random.Random(4), CELLS)
    write = fuzz.certificate_of
    word = "the search"

    def unchecked(result: Outcome) -> Any:
        return replace(write(result), verified=0, word=word)

    monkeypatch.setattr(fuzz, "certificate_of", unchecked)
    assert fuzz.fault_of(board, fuzz.Mode(0, certificate=True)) == ""
    word = ""
    assert "0 written" in fuzz.fault_of(board, fuzz.Mode(0, certificate=True))


def test_stop_after() -> None:
    """Tests that the stop event sets itself at the look it is told to, and for good."""
    stop = fuzz.StopAfter(3)
    assert [stop.is_set() for _ in range(6)] == [False] * 3 + [True] * 3
    assert not any(fuzz.StopAfter(None).is_set() for _ in range(100))
