"""The options of nlroute that start from an answer, keep its history and explain it."""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from nlrouter.answer import Answer
from nlrouter.commands.nlroute import main
from nlrouter.files.answer_file import format_answer, read_answer
from nlrouter.result import Outcome, Progress
from nlrouter.tell.words import format_numbers
from tests.commands.fake_engine import (
    DETOUR_8,
    DETOUR_10,
    PROBLEM_TEXT,
    STRAIGHT_4,
    FakeEngine,
    ending,
    moment,
)

TWO_LINES = "SIZE 5X3\nLINE_NUM 2\nLINE#1 (0,0)-(4,0)\nLINE#2 (0,2)-(4,2)\n"
BENT = "SIZE 5X3\n1,1,0,1,1\n0,1,1,1,0\n2,2,2,2,2\n"
CUT = "SIZE 5X3\n1,1,0,1,1\n0,1,1,1,0\n2,2,0,2,2\n"

STRAIGHT_END = ending(STRAIGHT_4, 4)


class Run(NamedTuple):
    """What a run of the command left."""

    code: int
    out: str
    err: str


Nlroute = Callable[..., Run]


@pytest.fixture
def nlroute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Nlroute:
    """Runs the command, with the true engine, in a folder with a problem and answers to it."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"problem": TWO_LINES, "bent": BENT, "cut": CUT}.items():
        Path(f"{name}.txt").write_text(text)

    def run(*options: str) -> Run:
        try:
            code = main(["problem.txt", "--workers", "1", *options])
        except SystemExit as error:
            code = error.code if isinstance(error.code, int) else 1
        return Run(code, *capsys.readouterr())

    return run


def fake(
    monkeypatch: pytest.MonkeyPatch, *moments: Progress, end: Outcome = STRAIGHT_END
) -> FakeEngine:
    """Put an engine in place, and the problem that its answers are to."""
    Path("problem.txt").write_text(PROBLEM_TEXT)
    engine = FakeEngine(moments, end)
    for name, module in engine.install().items():
        monkeypatch.setitem(sys.modules, name, module)
    return engine


def cells_of(path: str) -> list[list[int]]:
    """Return the only layer of an answer file."""
    answer: Answer = read_answer(path)
    return answer[0].tolist()


def test_start_is_improved(nlroute: Nlroute) -> None:
    """Tests that a complete answer is improved."""
    run = nlroute("--start", "bent.txt", "-o", "answer.txt")
    assert (run.code, run.out) == (0, "")
    assert run.err.startswith("optimal  cost 10 = 10 cells + 0 bends")
    assert cells_of("answer.txt") == [[1] * 5, [0] * 5, [2] * 5]


def test_start_alone(nlroute: Nlroute) -> None:
    """Tests that without time a complete start is the answer, and the only one."""
    run = nlroute("--start", "bent.txt", "-o", "answer.txt", "--time-limit", "0", "--history", "h")
    assert run.code == 0
    assert cells_of("answer.txt") == cells_of("bent.txt") == cells_of("h/0001.txt")
    assert os.listdir("h") == ["0001.txt"]


def test_wrong_lines_are_dropped_and_told(nlroute: Nlroute) -> None:
    """Tests that what is wrong in the start is said in a sentence, and routed anew."""
    run = nlroute("--start", "cut.txt", "-o", "answer.txt")
    assert run.err.splitlines()[0] == (
        "nlroute: cut.txt: line 2 dropped: it is cut: the piece at (0,2) layer 1 does not reach "
        "its end (4,2) layer 1"
    )
    assert run.code == 0 and cells_of("answer.txt")[2] == [2] * 5


def test_fixed_line(nlroute: Nlroute) -> None:
    """Tests that a fixed line stays, and that status, bound and JSON are those of that board."""
    run = nlroute("--start", "cut.txt", "--fix", "1", "-o", "answer.txt", "--json")
    assert run.code == 0
    assert cells_of("answer.txt") == cells_of("bent.txt")
    assert run.err.splitlines()[-1].startswith("optimal with line 1 fixed  cost 16 ")
    record = json.loads(run.out)
    assert (record["status"], record["lower_bound"], record["fixed"]) == ("optimal", 16, [1])


def test_all_fixed(nlroute: Nlroute) -> None:
    """Tests that fixing all lines gives the start itself."""
    run = nlroute("--start", "bent.txt", "--fix", "1-2", "-o", "answer.txt")
    assert run.err.startswith("optimal with lines 1, 2 fixed  cost 16 ")
    assert cells_of("answer.txt") == cells_of("bent.txt")


def test_no_answer_keeps_the_line(nlroute: Nlroute) -> None:
    """Tests that the proof that no answer keeps a line is told as such, with code 3."""
    Path("problem.txt").write_text(TWO_LINES.replace("(0,2)-(4,2)", "(2,0)-(2,2)"))
    Path("bent.txt").write_text("SIZE 5X3\n1,0,0,0,1\n1,1,1,1,1\n0,0,0,0,0\n")
    run = nlroute("--start", "bent.txt", "--fix", "1", "--explain")
    assert run.code == 3
    assert run.err.startswith("infeasible with line 1 fixed  LINE#2 is walled in")
    assert run.out.startswith("no answer: LINE#2 is walled in")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--fix", "1"], "argument --fix: needs --start"),
        (["--fix", "2-1", "--start", "bent.txt"], "'2-1' is no line number or range such as 7-9"),
        (["--fix", "1,", "--start", "bent.txt"], "'' is no line number"),
        (["--fix", "one", "--start", "bent.txt"], "'one' is no line number"),
        (["--fix", "3", "--start", "bent.txt"], "--fix: found line 3, expected numbers from 1 to"),
        (["--fix", "2", "--start", "cut.txt"], "cut.txt: found no line 2 that could be kept"),
        (["--start", "missing.txt"], "missing.txt: "),
        (["--start", "problem.txt"], "problem.txt"),
        (["--start", "small.txt"], "small.txt: found SIZE 1X1X1, expected the problem's SIZE"),
        (["--time-limit", "0"], "0, no search, needs --start"),
        (["--start", "bent.txt", "--history", "bent.txt"], "bent.txt: found the answer to"),
    ],
)
def test_bad_usage(nlroute: Nlroute, options: list[str], message: str) -> None:
    """Tests that a bad start or fixed line is a sentence with code 2, and writes nothing."""
    Path("small.txt").write_text("SIZE 1X1\n0\n")
    run = nlroute("-o", "answer.txt", *options)
    assert run.code == 2
    assert message in run.err and "Traceback" not in run.err
    assert not Path("answer.txt").exists()


def test_start_on_standard_input(nlroute: Nlroute, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that - reads the start from standard input, unless the problem does."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(BENT.encode())))
    assert nlroute("--start", "-", "--time-limit", "0").out == format_answer(
        read_answer("bent.txt"), 2
    )
    with pytest.raises(SystemExit) as caught:
        main(["-", "--start", "-"])
    assert caught.value.code == 2


def test_answer_file_without_the_fixed_line(nlroute: Nlroute) -> None:
    """Tests that a correct answer in the file that lacks the fixed line is not replaced."""
    straight = "SIZE 5X3X1\nLAYER 1\n01,01,01,01,01\n00,00,00,00,00\n02,02,02,02,02\n"
    Path("answer.txt").write_text(straight)
    options = ["--start", "bent.txt", "--fix", "1", "-o", "answer.txt"]
    run = nlroute(*options)
    assert run.code == 2 and "in which fixed lines run differently" in run.err
    assert Path("answer.txt").read_text() == straight
    assert nlroute(*options, "--force").code == 0
    assert cells_of("answer.txt") == cells_of("bent.txt")
    assert nlroute(*options).code == 0


def test_engine_that_moves_a_fixed_line(nlroute: Nlroute, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that an answer that does not keep a fixed line is dropped as wrong."""
    engine = fake(monkeypatch, moment(DETOUR_8))
    Path("start.txt").write_text(format_answer(DETOUR_8, 1))
    run = nlroute("--start", "start.txt", "--fix", "1", "-o", "answer.txt")
    assert "internal error" in run.err and "a fixed line has changed" in run.err
    assert np.array_equal(read_answer("answer.txt"), DETOUR_8)
    assert engine.given is not None and np.array_equal(engine.given.kept, DETOUR_8)


def test_history(nlroute: Nlroute, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that each better answer of the run is kept, also one that the file is too good for."""
    fake(monkeypatch, moment(DETOUR_10), moment(DETOUR_8), moment(DETOUR_10), moment(STRAIGHT_4))
    Path("answer.txt").write_text(format_answer(STRAIGHT_4, 1))
    assert nlroute("-o", "answer.txt", "--history", "a/history").code == 0
    assert sorted(os.listdir("a/history")) == ["0001.txt", "0002.txt", "0003.txt"]
    for number, answer in enumerate((DETOUR_10, DETOUR_8, STRAIGHT_4), start=1):
        assert np.array_equal(read_answer(f"a/history/000{number}.txt"), answer)


def test_earlier_history(nlroute: Nlroute, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that an earlier history stays, and that --force replaces all of it but nothing else."""
    fake(monkeypatch)
    os.mkdir("history")
    for name in ("0001.txt", "0002.txt", "notes.txt"):
        Path("history", name).write_text("mine\n")
    run = nlroute("--history", "history")
    assert run.code == 2
    assert "history: found 0001.txt of an earlier history in it" in run.err
    assert Path("history/0001.txt").read_text() == "mine\n"
    assert nlroute("--history", "history", "--force").code == 0
    assert sorted(os.listdir("history")) == ["0001.txt", "notes.txt"]
    assert np.array_equal(read_answer("history/0001.txt"), STRAIGHT_4)


@pytest.mark.parametrize("history", ["answer.txt", "answer.txt/history", "certificate"])
def test_history_in_the_place_of_a_file(nlroute: Nlroute, history: str) -> None:
    """Tests that the folder cannot be where a file is to be, which is told before the search."""
    run = nlroute("-o", "answer.txt", "--certificate", "certificate", "--history", history)
    assert run.code == 2
    assert run.err.startswith(f"nlroute: {history}: found the file of -")
    assert not Path("answer.txt").exists()


@pytest.mark.parametrize("option", ["-o", "--certificate", "--start"])
def test_file_in_the_place_of_a_history(nlroute: Nlroute, option: str) -> None:
    """Tests that no other file is where an answer of the history is to be, forced or not."""
    os.mkdir("h")
    os.symlink("h", "other")
    Path("h/0007.txt").write_bytes(Path("bent.txt").read_bytes())
    run = nlroute(option, "other/0007.txt", "--history", "h", "--force")
    assert run.code == 2
    assert "0007.txt: found the " in run.err and " where h has its answers" in run.err
    assert Path("h/0007.txt").read_bytes() == Path("bent.txt").read_bytes()


def test_explanation(nlroute: Nlroute) -> None:
    """Tests that --explain tells on standard output, with the answer in its file."""
    run = nlroute("--start", "bent.txt", "--time-limit", "0", "--explain", "-o", "answer.txt")
    assert run.out == (
        "cost per layer:\n  layer 1: 16 = 12 cells + 4 bends\n"
        "detours:\n  LINE#1 costs 11, 6 more than alone, although nothing is in its way\n"
    )
    assert Path("answer.txt").exists()
    record = json.loads(nlroute("--explain", "--json").out)
    assert record["explanation"]["detours"] == []
    assert record["explanation"]["layers"] == [{"length": 10, "bends": 0}]


def test_explanation_of_a_failure(nlroute: Nlroute) -> None:
    """Tests that --explain tells which line is missing and what stands in its way."""
    Path("problem.txt").write_text(
        "SIZE 5X5\nLINE_NUM 4\nLINE#1 (1,0)-(2,2)\nLINE#2 (0,3)-(1,4)\nLINE#3 (3,1)-(1,3)\n"
        "LINE#4 (0,2)-(3,2)\n"
    )
    run = nlroute("--explain")
    assert run.code == 3
    first, second, *missing = run.out.splitlines()
    assert first == "no answer: the exact search found none"
    assert second == f"{4 - len(missing)} of 4 lines could be routed together; missing:"
    assert 1 <= len(missing) <= 2
    assert all(re.match(r"  LINE#[1-4]: LINE#[1-4].* in its way$", line) for line in missing)
    record = json.loads(nlroute("--explain", "--json").out)
    assert record["explanation"]["reason"] == "the exact search found none"
    assert len(record["explanation"]["missing"]) == len(missing)


def test_explanation_without_routing(nlroute: Nlroute, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a reason that needs no search is all there is to tell."""
    fake(monkeypatch, end=ending(None, infeasible=True, reason="too few vias"))
    assert nlroute("--explain").out == "no answer: too few vias\n"


def test_numbers() -> None:
    """Tests that line numbers are listed in order, with ranges."""
    assert format_numbers({9, 3, 2, 1, 5, 7, 8}) == "1-3, 5, 7-9"
    assert format_numbers([4, 5]) == "4, 5"
