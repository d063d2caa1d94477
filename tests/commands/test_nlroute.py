"""The command nlroute in this process, with an engine that finds what it is told to."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import pytest

from nlrouter import __version__
from nlrouter.commands.nlroute import main
from nlrouter.files.answer_file import format_answer
from nlrouter.result import Outcome, Progress
from nlrouter.tally import Tally
from tests.commands.fake_engine import (
    CUT,
    DETOUR_8,
    DETOUR_10,
    PROBLEM_TEXT,
    STRAIGHT_4,
    FakeEngine,
    ending,
    moment,
)

STRAIGHT_SUMMARY = "optimal  cost 4 = 4 cells + 0 bends  quality 0.250000  bound 4  4.2 s\n"


class Run(NamedTuple):
    """What a run of the command left."""

    code: int
    out: str
    err: str
    engine: FakeEngine


Nlroute = Callable[..., Run]


@pytest.fixture
def nlroute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Nlroute:
    """Runs the command on problem.txt in an empty folder."""
    monkeypatch.chdir(tmp_path)
    Path("problem.txt").write_text(PROBLEM_TEXT)

    def run(
        *options: str,
        problem: str = "problem.txt",
        moments: Sequence[Progress] = (),
        end: Outcome = ending(STRAIGHT_4, 4),  # noqa: B008
    ) -> Run:
        engine = FakeEngine(moments, end)
        for name, module in engine.install().items():
            monkeypatch.setitem(sys.modules, name, module)
        code = main([problem, *options])
        return Run(code, *capsys.readouterr(), engine)

    return run


def test_answer_on_standard_output(nlroute: Nlroute) -> None:
    """Tests that without -o the final answer alone goes to standard output."""
    run = nlroute(moments=[moment(DETOUR_8), moment(STRAIGHT_4)])
    assert run.out == format_answer(STRAIGHT_4, 1)
    assert run.err == STRAIGHT_SUMMARY
    assert run.code == 0
    assert nlroute("-o", "-").out == run.out


def test_answer_in_file(nlroute: Nlroute) -> None:
    """Tests that with -o the answer goes to the file and nothing to standard output."""
    run = nlroute("-o", "answer.txt")
    assert Path("answer.txt").read_text() == format_answer(STRAIGHT_4, 1)
    assert (run.code, run.out, run.err) == (0, "", STRAIGHT_SUMMARY)


def test_better_answers_are_on_disk_at_once(nlroute: Nlroute) -> None:
    """Tests that what was reported last is on disk although the search returns nothing."""
    run = nlroute("-o", "answer.txt", moments=[moment(DETOUR_8, 2)], end=ending(None, 2))
    assert Path("answer.txt").read_text() == format_answer(DETOUR_8, 1)
    assert run.code == 0
    assert run.err.startswith("feasible  cost 8 = 6 cells + 2 bends")


def test_problem_on_standard_input(nlroute: Nlroute, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that - reads the problem from standard input."""
    text = io.TextIOWrapper(io.BytesIO(PROBLEM_TEXT.encode()))
    monkeypatch.setattr(sys, "stdin", text)
    assert nlroute(problem="-").code == 0


def test_interrupt_while_typing(nlroute: Nlroute, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that Ctrl-C while the problem is typed in ends the command without a traceback."""

    def interrupt(path: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("nlrouter.commands.nlroute_run.read_problem", interrupt)
    run = nlroute(problem="-")
    assert (run.code, run.out, run.err) == (1, "", "nlroute: interrupted\n")


def test_options_reach_the_engine(nlroute: Nlroute) -> None:
    """Tests that limit, workers, seed and determinism are handed on."""
    options = ["--time-limit", "7.5", "--workers", "3", "--seed", "5", "--deterministic"]
    asked = nlroute(*options).engine.asked
    assert 0 < asked.pop("remaining") <= 7.5
    assert asked == {"workers": 3, "seed": 5, "deterministic": True}


def test_defaults(nlroute: Nlroute) -> None:
    """Tests that by default the search has 60 seconds and all cores."""
    asked = nlroute().engine.asked
    assert 7.5 < asked.pop("remaining") <= 60
    assert asked == {
        "workers": len(os.sched_getaffinity(0)),
        "seed": 0,
        "deterministic": False,
    }


def test_none_found(nlroute: Nlroute) -> None:
    """Tests that nothing is written where nothing was found, and the code is 1."""
    run = nlroute("-o", "answer.txt", end=ending(None, 3))
    assert (run.code, run.out, run.err) == (1, "", "unknown  bound 3  4.2 s\n")
    assert not Path("answer.txt").exists()


def test_infeasible(nlroute: Nlroute) -> None:
    """Tests that a proven infeasible problem gives its reason and code 3."""
    end = ending(None, infeasible=True, reason="line 1 is walled in")
    run = nlroute(end=end)
    assert (run.code, run.out, run.err) == (3, "", "infeasible  line 1 is walled in  4.2 s\n")


def test_wrong_answer_is_never_written(nlroute: Nlroute) -> None:
    """Tests that an engine's wrong answer is reported and the correct one before it stays."""
    moments = [moment(DETOUR_8, 2), moment(CUT, 2), moment(CUT, 2)]
    run = nlroute("-o", "answer.txt", moments=moments, end=ending(CUT, 3))
    assert Path("answer.txt").read_text() == format_answer(DETOUR_8, 1)
    assert run.err.count("internal error: an answer that breaks the rules") == 1
    assert run.err.splitlines()[-1].startswith("feasible  cost 8 ")
    assert run.code == 0


def test_only_wrong_answer(nlroute: Nlroute) -> None:
    """Tests that a wrong answer alone counts as none."""
    run = nlroute(end=ending(CUT, 3))
    assert (run.code, run.out) == (1, "")
    assert run.err.splitlines()[-1] == "unknown  bound 3  4.2 s"


def test_bound_above_a_correct_answer(nlroute: Nlroute) -> None:
    """Tests that a bound that an answer disproves is reported and dropped."""
    run = nlroute(end=ending(STRAIGHT_4, 5))
    complaint, summary = run.err.splitlines()
    assert complaint == "nlroute: internal error: bound 5 dropped, an answer costs 4"
    assert summary == "feasible  cost 4 = 4 cells + 0 bends  quality 0.250000  4.2 s"


def test_better_answer_in_file_is_kept(nlroute: Nlroute) -> None:
    """Tests that a better answer in the file stays, and that the summary says so."""
    Path("answer.txt").write_text(format_answer(STRAIGHT_4, 1))
    run = nlroute("-o", "answer.txt", "--json", end=ending(DETOUR_8, 4))
    assert Path("answer.txt").read_text() == format_answer(STRAIGHT_4, 1)
    assert run.err.endswith("4.2 s  (answer.txt keeps its answer of cost 4)\n")
    assert run.code == 0
    record = json.loads(run.out)
    assert (record["answer"], record["cost"]) == ("answer.txt", 8)


def test_force(nlroute: Nlroute) -> None:
    """Tests that --force replaces a better answer."""
    Path("answer.txt").write_text(format_answer(STRAIGHT_4, 1))
    run = nlroute("-o", "answer.txt", "--force", end=ending(DETOUR_10, 4))
    assert Path("answer.txt").read_text() == format_answer(DETOUR_10, 1)
    assert "keeps" not in run.err


@pytest.mark.parametrize("options", [(), ("--force",)], ids=["", "force"])
def test_problem_as_output(nlroute: Nlroute, options: Sequence[str]) -> None:
    """Tests that the problem file itself is never overwritten, whatever its name."""
    os.symlink("problem.txt", "link.txt")
    run = nlroute("-o", "link.txt", *options)
    assert run.code == 2
    assert "the problem itself" in run.err
    assert Path("problem.txt").read_text() == PROBLEM_TEXT


@pytest.mark.parametrize(
    ("output", "problem"),
    [
        ("missing/answer.txt", "problem.txt"),
        ("notes.txt", "problem.txt"),
        ("answer.txt", "missing.txt"),
        ("answer.txt", "notes.txt"),
    ],
)
def test_bad_files(nlroute: Nlroute, output: str, problem: str) -> None:
    """Tests that a bad file is one sentence and code 2, before any search."""
    Path("notes.txt").write_text("my notes\n")
    run = nlroute("-o", output, problem=problem)
    assert run.code == 2
    assert run.out == ""
    assert run.err.startswith("nlroute: ") and run.err.count("\n") == 1
    assert run.engine.asked == {}


def test_answer_that_cannot_be_written(nlroute: Nlroute, tmp_path: Path) -> None:
    """Tests that a disk that fails in mid-run is reported, and that the code is 1."""
    folder = tmp_path / "folder"
    folder.mkdir()

    class Vandal(Sequence[Progress]):
        """Removes the folder just before the engine reports its first answer."""

        def __len__(self) -> int:
            return 1

        def __getitem__(self, index: int) -> Progress:  # type: ignore[override]
            if index:
                raise IndexError
            folder.rmdir()
            return moment(STRAIGHT_4)

    run = nlroute("-o", "folder/answer.txt", "--json", moments=Vandal())
    assert run.code == 1
    assert run.err.startswith("nlroute: folder/answer.txt: found no way to write it")
    assert json.loads(run.out)["answer"] is None


def test_json(nlroute: Nlroute) -> None:
    """Tests that --json prints one line with the figures."""
    end = replace(ending(DETOUR_8, 4), methods={"prices": Tally(3, 0.5, 0, 12.25)})
    run = nlroute("-o", "answer.txt", "--json", end=end)
    assert run.out.count("\n") == 1
    assert json.loads(run.out) == {
        "problem": "problem.txt",
        "answer": "answer.txt",
        "status": "feasible",
        "cost": 8,
        "length": 6,
        "bends": 2,
        "quality": 0.125,
        "lower_bound": 4,
        "gap": 0.5,
        "seconds": 4.2,
        "methods": {"prices": {"calls": 3, "seconds": 0.5, "better": 0, "raised": 12.25}},
    }


def test_json_without_output(nlroute: Nlroute) -> None:
    """Tests that --json without -o writes no answer, but counts what it found."""
    run = nlroute("--json", "--quiet")
    record = json.loads(run.out)
    assert (run.code, run.err) == (0, "")
    assert (record["answer"], record["status"], record["gap"]) == (None, "optimal", 0.0)


def test_json_without_answer(nlroute: Nlroute) -> None:
    """Tests that figures that are not known are null."""
    run = nlroute("-o", "answer.txt", "--json", end=ending(None))
    record = json.loads(run.out)
    assert run.code == 1
    assert (record["status"], record["seconds"]) == ("unknown", 4.2)
    names = ("answer", "cost", "length", "bends", "quality", "lower_bound", "gap")
    assert all(record[name] is None for name in names)


def test_quiet(nlroute: Nlroute) -> None:
    """Tests that --quiet silences all but errors."""
    moments = [moment(DETOUR_8)]
    assert nlroute("--quiet", moments=moments).err == ""
    assert "internal error" in nlroute("--quiet", moments=moments, end=ending(CUT)).err
    assert "missing.txt" in nlroute("--quiet", problem="missing.txt").err


def test_verbose(nlroute: Nlroute) -> None:
    """Tests that --verbose shows each improvement also where no terminal is, and all methods."""
    moments = [moment(None, 2), moment(None, 2), moment(DETOUR_8, 2), moment(STRAIGHT_4, 4)]
    end = replace(ending(STRAIGHT_4, 4), methods={"prices": Tally(3, 0.5), "groups": Tally(1, 2.0)})
    lines = nlroute("--verbose", moments=moments, end=end).err.splitlines(keepends=True)
    assert len(lines) == 7
    assert [line.split()[0] for line in lines[3:6]] == ["method", "groups", "prices"]
    assert lines[1] == "   0.5 s  cost 8  bound 2  gap 75.0 %  fake\n"
    assert lines[-1] == STRAIGHT_SUMMARY


def test_progress_as_json(nlroute: Nlroute) -> None:
    """Tests that a program can follow a search: a line for each moment, the last the result."""
    moments = [moment(None, 2), moment(None, 2), moment(DETOUR_8, 2), moment(STRAIGHT_4, 4)]
    run = nlroute("-o", "answer.txt", "--progress", "json", "--json", moments=moments)
    *told, end = map(json.loads, run.err.splitlines())
    assert told[:2] == [
        {"seconds": 0.5, "cost": None, "lower_bound": 2, "gap": None, "phase": "fake"},
        {"seconds": 0.5, "cost": 8, "lower_bound": 2, "gap": 0.75, "phase": "fake"},
    ]
    assert len(told) == 3 and not any("status" in record for record in told)
    assert end == json.loads(run.out)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--time-limit", "-1"], "'-1' is not a positive number of seconds"),
        (["--time-limit", "0"], "0, no search, needs --start"),
        (["--time-limit", "nan"], "'nan' is not a positive number of seconds"),
        (["--time-limit", "soon"], "'soon' is not a positive number of seconds"),
        (["--workers", "0"], "'0' is not a whole number from 1 "),
        (["--workers", "2.5"], "'2.5' is not a whole number from 1 "),
        (["--seed", "-1"], "'-1' is not a whole number from 0 "),
        (["--seed", "2147483648"], "'2147483648' is not a whole number from 0 to 2147483647"),
        (["--quiet", "--verbose"], "not allowed with"),
        (["--quiet", "--progress", "json"], "not allowed with"),
        (["--progress", "json", "-o", "answers/"], "--progress is for one problem"),
        (["--colour"], "unrecognized arguments"),
        (["-o", ""], "argument -o: '' names no file"),
        (["problem.txt", "-o", ""], "argument -o: '' names no file"),
        (["--history", ""], "argument --history: '' names no file"),
        (["--certificate", ""], "argument --certificate: '' names no file"),
    ],
)
def test_bad_usage(
    nlroute: Nlroute, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    """Tests that a bad option is named in a sentence, with code 2."""
    with pytest.raises(SystemExit) as caught:
        nlroute(*options)
    assert caught.value.code == 2
    assert message in capsys.readouterr().err


def test_no_time_limit(nlroute: Nlroute) -> None:
    """Tests that inf means no limit."""
    assert nlroute("--time-limit", "inf").engine.asked["remaining"] == float("inf")


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that --version prints name and version."""
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"nlroute {__version__}\n"
