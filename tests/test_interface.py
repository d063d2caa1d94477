"""Tests of the public interface: the same checks as the commands, from Python."""

import inspect
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import nlrouter
from nlrouter.analyse.unique import another_answer
from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual import DualConfig
from nlrouter.engine.find.config import FinderConfig
from nlrouter.engine.search import SearchConfig
from tests.commands.fake_engine import (
    CUT,
    DETOUR_8,
    PROBLEM,
    STRAIGHT_4,
    FakeEngine,
    ending,
    moment,
)

ROOT = Path(__file__).resolve().parents[1]


def fake(monkeypatch: pytest.MonkeyPatch, engine: FakeEngine) -> None:
    """Put an engine in the place of the real one."""
    for name, module in engine.install().items():
        monkeypatch.setitem(sys.modules, name, module)


def test_every_name_is_there() -> None:
    """Tests that all that is listed can be had."""
    assert len(nlrouter.__all__) > 35
    for name in nlrouter.__all__:
        assert getattr(nlrouter, name) is not None
    with pytest.raises(AttributeError, match="nothing"):
        nlrouter.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_every_function_has_an_example() -> None:
    """Tests that each public function shows how it is called, as the README promises."""
    functions = [name for name in nlrouter.__all__ if inspect.isfunction(getattr(nlrouter, name))]
    assert len(functions) > 25
    for name in functions:
        assert "\n>>> " in (inspect.getdoc(getattr(nlrouter, name)) or ""), name


def test_importing_loads_no_engine() -> None:
    """Tests that the import alone loads none of the heavy libraries."""
    code = "import sys, nlrouter; print(sorted({'numpy', 'numba', 'ortools'} & set(sys.modules)))"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT)
    assert run.stdout == "[]\n"


def test_wrong_answers_do_not_get_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that neither a wrong answer nor a bound that it refutes is passed on."""
    fake(monkeypatch, FakeEngine([moment(DETOUR_8, 2)], ending(CUT, 9)))
    seen: list[nlrouter.Progress] = []
    with pytest.warns(RuntimeWarning, match="dropped") as caught:
        result = nlrouter.route(PROBLEM, workers=1, on_progress=seen.append)
    assert any("bound 9 dropped" in str(warning.message) for warning in caught)
    assert result.status is nlrouter.Status.FEASIBLE and result.lower_bound is None
    assert result.answer is not None and (result.answer == DETOUR_8).all()
    assert [progress.cost for progress in seen] == [nlrouter.cost(DETOUR_8)]


def test_output_holds_the_best_so_far(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tests that the output file has each better answer at once, and that it prints in a line."""
    path = tmp_path / "answer.txt"
    fake(monkeypatch, FakeEngine([moment(DETOUR_8), moment(STRAIGHT_4)], ending(STRAIGHT_4, 4)))
    costs = []
    result = nlrouter.route(
        PROBLEM,
        workers=1,
        output=path,
        on_progress=lambda _: costs.append(nlrouter.cost(nlrouter.read_answer(path)).total),
    )
    assert costs == [8, 4]
    assert str(result) == "optimal  cost 4 = 4 cells + 0 bends  bound 4  4.2 s"
    assert not result.save(path)
    assert result.save(tmp_path / "other.txt")
    assert (nlrouter.read_answer(tmp_path / "other.txt") == STRAIGHT_4).all()
    with pytest.raises(nlrouter.WrongAnswer):
        replace(result, answer=CUT).save(path, force=True)
    with pytest.raises(ValueError, match="no answer to save"):
        replace(result, answer=None).save(path)


def test_history_has_every_better_answer(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Tests that a folder takes each better answer once, the last too, and no second history."""
    moments = [moment(DETOUR_8), moment(DETOUR_8, 2)]
    fake(monkeypatch, FakeEngine(moments, ending(STRAIGHT_4, 4)))
    nlrouter.route(PROBLEM, workers=1, history=tmp_path / "all")
    paths = sorted((tmp_path / "all").iterdir())
    assert [path.name for path in paths] == ["0001.txt", "0002.txt"]
    assert [nlrouter.cost(nlrouter.read_answer(path)).total for path in paths] == [8, 4]
    with pytest.raises(nlrouter.FileError, match="of an earlier history"):
        nlrouter.route(PROBLEM, workers=1, history=tmp_path / "all")
    nlrouter.route(PROBLEM, workers=1, history=tmp_path / "all", force=True)
    with pytest.raises(nlrouter.FileError, match=r"0001.txt: found the file of output where"):
        nlrouter.route(PROBLEM, output=tmp_path / "0001.txt", history=tmp_path)


@pytest.mark.parametrize(
    ("start", "fixed", "message"),
    [
        (np.zeros((1, 2, 2), int), [], "shape"),
        (np.zeros((1, 3, 4)), [], "float64"),
        (None, [1], "fixed: needs a start"),
        (STRAIGHT_4, [2], "fixed: line 2, expected numbers from 1 to 1"),
    ],
)
def test_bad_starts(start: np.ndarray | None, fixed: list[int], message: str) -> None:
    """Tests that what cannot be started from is told before any search."""
    with pytest.raises(ValueError, match=message):
        nlrouter.route(PROBLEM, start=start, fixed=fixed)


def test_start_and_fixed_lines() -> None:
    """Tests that a fixed line stays, and that wrong ones are dropped with a warning."""
    result = nlrouter.route(PROBLEM, start=DETOUR_8, fixed=[1], workers=1)
    assert result.cost is not None and result.cost.total == 8
    with pytest.warns(RuntimeWarning, match="line 1"):
        result = nlrouter.route(PROBLEM, start=CUT, workers=1)
    assert result.cost is not None and result.cost.total == 4
    with (
        pytest.warns(RuntimeWarning, match="line 1"),
        pytest.raises(ValueError, match="no line 1 in the start that could be kept"),
    ):
        nlrouter.route(PROBLEM, start=CUT, fixed=[1], workers=1)


def test_settings_reach_the_engine() -> None:
    """Tests that a setting deep in the tree decides what the engine does."""
    problem = nlrouter.read_problem(str(ROOT / "problems" / "random_12x12x3.txt"))
    one = FinderConfig(dual=DualConfig(overshoot=0.5), rounds=1)
    config = nlrouter.RouterConfig(search=SearchConfig(finder=one))
    usual = nlrouter.route(problem, time_limit=1.0, deterministic=True)
    hasty = nlrouter.route(problem, time_limit=1.0, deterministic=True, config=config)
    calls = [{name: tally.calls for name, tally in each.methods.items()} for each in (usual, hasty)]
    assert calls[0] != calls[1]


def test_ctrl_c_keeps_what_there_is(tmp_path: Path) -> None:
    """Tests that a first Ctrl-C ends a search without an exception, with its best answer."""
    program = tmp_path / "program.py"
    program.write_text(
        "import os, signal, nlrouter\n"
        f"problem = nlrouter.read_problem({str(ROOT / 'problems' / 'random_36x36x8.txt')!r})\n"
        "def stop(progress):\n"
        "    if progress.cost: os.kill(os.getpid(), signal.SIGINT)\n"
        "result = nlrouter.route(problem, time_limit=100, workers=1, on_progress=stop)\n"
        "print(result.status, nlrouter.check(problem, result.answer))\n"
    )
    run = subprocess.run([sys.executable, program], capture_output=True, text=True, cwd=ROOT)
    assert run.stdout == "feasible []\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 1, 1, []), "SIZE 0X1X1"),
        ((1, 1, 9, []), "at most 8 layers"),
        ((3, 1, 1, [((0, 0, 1), (0, 0, 1))]), r"LINE#1: \(0,0,1\) belongs to LINE#1"),
        ((3, 1, 1, [((0, 0, 0), (1, 0, 1))]), r"LINE#1: \(0,0,0\) is not on the board"),
        ((3, 1, 1, [((0, 0, 1), (1, 0, 1), (2, 0, 1))]), "LINE#1: 3 ends"),
        ((3, 1, 1, [nlrouter.Line(2, (nlrouter.Cell(0, 0, 0), nlrouter.Cell(0, 0, 1)))]), "lines"),
        ((3, 1, 2, [((0, 0, 1), (0, 0, 2))]), "0 vias for 1 lines"),
        ((3, 1, 2, [((0, 0, 1), (0, 0, 2))], {"abc": [(1, 0, 1), (1, 0, 2)]}), "VIA#abc"),
        ((3, 1, 2, [((0, 0, 1), (0, 0, 2))], {"a": [(1, 0, 1), (2, 0, 2)]}), "one column"),
        ((3, 1, 3, [((0, 0, 1), (0, 0, 3))], {"a": [(1, 0, 1), (1, 0, 3)]}), "consecutive"),
        ((3, 1, 2, [((0, 0, 1), (0, 0, 2))], {"a": [(1, 0, 1)]}), "one cell"),
        ((3, 1, 2, [((0, 0, 1), (0, 0, 2))], {"a": [(0, 0, 1), (0, 0, 2)]}), "belongs to LINE#1"),
    ],
)
def test_boards_that_cannot_be(arguments: tuple, message: str) -> None:
    """Tests that a board that breaks a rule cannot be built."""
    with pytest.raises(ValueError, match=message):
        nlrouter.Problem(*arguments)


def test_board_as_in_the_file() -> None:
    """Tests that cells given as in the files make the board that the reader makes of them."""
    text = (
        "SIZE 4X4X3\nLINE_NUM 2\nLINE#1 (0,0,1) (3,3,3)\nLINE#2 (3,2,1)-(1,0,2)\n"
        "VIA#a (2,2,1) (2,2,2) (2,2,3)\nVIA#b (2,0,1) (2,0,2)\n"
    )
    built = nlrouter.Problem(
        4,
        4,
        3,
        lines=[((0, 0, 1), (3, 3, 3)), ((3, 2, 1), (1, 0, 2))],
        vias={"A": [(2, 2, 3), (2, 2, 1), (2, 2, 2)], "b": [(2, 0, 1), (2, 0, 2)]},
    )
    assert built == nlrouter.parse_problem(text)


def test_files(tmp_path: Path) -> None:
    """Tests that boards, answers and certificates go through files unchanged, and pictures too."""
    problem, answer = nlrouter.generate("random", (6, 6, 2), lines=4, seed=2)
    nlrouter.write_problem(tmp_path / "q.txt", problem)
    nlrouter.write_answer(tmp_path / "a.txt", problem, answer)
    assert nlrouter.read_problem(tmp_path / "q.txt") == problem
    assert (nlrouter.read_answer(tmp_path / "a.txt") == answer).all()
    result = nlrouter.route(problem, start=answer, workers=1, certify=True)
    certificate = result.certificate
    assert certificate is not None
    nlrouter.write_certificate(tmp_path / "c.json", certificate)
    assert nlrouter.read_certificate(tmp_path / "c.json") == certificate
    assert nlrouter.verify(problem, certificate) == result.lower_bound
    nlrouter.draw(problem, answer, tmp_path / "a.svg", title="drawn")
    assert (tmp_path / "a.svg").read_text().startswith("<?xml")
    with pytest.raises(ValueError, match="expected an ending"):
        nlrouter.draw(problem, answer, tmp_path / "a.doc")
    assert nlrouter.judge(problem, answer)[0]
    assert nlrouter.judge(problem, np.zeros_like(answer)) == (False, 0.0)
    with pytest.raises(ValueError, match="kind 'none'"):
        nlrouter.generate("none")


def test_boards_as_nlgen_makes_them() -> None:
    """Tests that the layers of vias can be chosen, and that a board can have only one answer."""
    size, seed = (12, 12, 4), 3
    through, _ = nlrouter.generate("random", size, vias=3, spans="through", seed=seed)
    assert [via.span for via in through.vias] == [(0, 3)] * 3
    adjacent, _ = nlrouter.generate("random", size, vias=6, spans="adjacent", seed=seed)
    assert all(via.top == via.bottom + 1 for via in adjacent.vias)
    pairs, _ = nlrouter.generate("random", size, vias=6, spans=[(1, 3), (2, 4)], seed=seed)
    assert {via.span for via in pairs.vias} == {(0, 2), (1, 3)}
    problem, only = nlrouter.generate("full", (5, 5, 1), unique=True)
    assert another_answer(problem, only, Deadline(60))[0] is nlrouter.Status.INFEASIBLE
    with pytest.raises(nlrouter.NoBoard, match="only one answer"):
        nlrouter.generate("full", (12, 12, 1), unique=True, time_limit=1e-9)


def test_certificate_of_a_board_without_an_answer() -> None:
    """Tests that it is certified and verified that there is none, and only of this board."""
    across = "SIZE 5X5\nLINE_NUM 2\nLINE#1 (0,2)-(4,2)\nLINE#2 (2,0)-(2,4)\n"
    problem = nlrouter.parse_problem(across)
    result = nlrouter.route(problem, workers=1, certify=True)
    assert result.status is nlrouter.Status.INFEASIBLE
    certificate = result.certificate
    assert certificate is not None
    assert nlrouter.verify(problem, certificate) == certificate.bound == math.inf
    other = nlrouter.parse_problem(across.replace("(4,2)", "(3,2)"))
    with pytest.raises(nlrouter.Refused, match="another problem"):
        nlrouter.verify(other, certificate)


def test_certificate_of_an_open_board() -> None:
    """Tests that the bound of a search that has no time to close is verified as it is."""
    problem, _ = nlrouter.generate("random", (24, 24, 3), fill=0.7, seed=1)
    result = nlrouter.route(problem, time_limit=2, workers=2, certify=True)
    assert result.status is not nlrouter.Status.OPTIMAL
    assert result.certificate is not None and result.lower_bound
    assert nlrouter.verify(problem, result.certificate) == result.certificate.bound
    assert result.certificate.bound == result.lower_bound


def test_certificates_that_cannot_be() -> None:
    """Tests that none is asked for of fixed lines, or of CP-SAT, and that there is none unasked."""
    problem, answer = nlrouter.generate("random", (6, 6, 2), lines=4, seed=2)
    assert nlrouter.route(problem, workers=1).certificate is None
    with pytest.raises(ValueError, match="certify: not with fixed lines"):
        nlrouter.route(problem, start=answer, fixed=[1], certify=True)
    with pytest.raises(ValueError, match="certify: not with engine='cp-sat'"):
        nlrouter.route(problem, engine="cp-sat", certify=True)
