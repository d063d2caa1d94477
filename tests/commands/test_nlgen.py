"""Tests of the command nlgen: what it writes, what it says, and that it keeps its promises."""

import json
from pathlib import Path

import pytest

from nlrouter.analyse.unique import another_answer
from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.commands import nlcheck
from nlrouter.commands.frame import Exit
from nlrouter.commands.nlgen import main
from nlrouter.deadline import Deadline
from nlrouter.files.answer_file import read_answer
from nlrouter.files.problem_file import parse_problem, read_problem
from nlrouter.result import Status


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Return where the problem goes."""
    return str(tmp_path / "Q.txt")


def beside(path: str, suffix: str) -> str:
    """Return the name of a file that goes with a problem."""
    return str(Path(path).with_suffix(suffix))


def test_board_as_asked_for(path: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests size, lines, vias and fill, that the answer is right, and that the seed decides."""
    asked = ["--size", "10x9x2", "--lines", "8", "--vias", "3", "--fill", "60%", "--seed", "7"]
    answer_path = str(tmp_path / "A.txt")
    assert main([*asked, "-o", path, "--answer", answer_path]) == Exit.DONE
    problem, answer = read_problem(path), read_answer(answer_path)
    assert violations(problem, answer) == []
    assert problem.shape == (2, 9, 10)
    assert (len(problem.lines), len(problem.vias), (answer > 0).sum()) == (8, 3, 108)
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == (f"{path}: random 10X9X2, seed 7; 8 lines, 3 across layers; 60 % filled\n")
    assert nlcheck.main(["--input", path]) == 0
    assert capsys.readouterr().out.startswith("problem OK: SIZE 10X9X2, 8 lines (3 across")
    assert main([*asked, "--quiet"]) == Exit.DONE
    told = capsys.readouterr()
    assert told.out == Path(path).read_text()
    assert told.err == ""


def test_options_reach_the_generator(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that spans, shares and windiness change the board as they say."""
    asked = ["--size", "12x12x4", "--lines", "20", "--quiet"]
    assert main([*asked, "--vias", "50%", "--spans", "1-3,2-4"]) == Exit.DONE
    problem = parse_problem(capsys.readouterr().out, "made")
    assert len(problem.vias) == 10
    assert {via.span for via in problem.vias} == {(0, 2), (1, 3)}
    assert main([*asked, "--spans", "adjacent"]) == Exit.DONE
    problem = parse_problem(capsys.readouterr().out, "made")
    assert len(problem.vias) == 5
    assert all(via.top == via.bottom + 1 for via in problem.vias)
    assert main([*asked, "--spans", "through"]) == Exit.DONE
    problem = parse_problem(capsys.readouterr().out, "made")
    assert {via.span for via in problem.vias} == {(0, 3)}
    assert main([*asked, "--windiness", "0"]) == Exit.DONE
    assert parse_problem(capsys.readouterr().out, "made") != problem


def test_many_boards(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that --count makes a folder of boards, named by their seeds, with a record each."""
    folder = tmp_path / "new" / "boards"
    asked = f"--kind bus --size 9x9x2 --seed 3 --count 2 --json --quiet -o {folder}".split()
    assert main(asked) == Exit.DONE
    names = {f"bus_9x9x2_s{seed}{suffix}" for seed in (3, 4) for suffix in (".txt", ".hidden")}
    assert {path.name for path in folder.iterdir()} == names
    told = capsys.readouterr()
    records = [json.loads(line) for line in told.out.splitlines()]
    assert told.err == ""
    assert [record["seed"] for record in records] == [3, 4]
    for record in records:
        problem, hidden = read_problem(record["problem"]), read_answer(record["hidden"])
        assert violations(problem, hidden) == []
        assert record["size"] == [9, 9, 2]
        assert record["lines"] == len(problem.lines)
        assert record["hidden_cost"] == measure(hidden).total
    assert main(asked) == Exit.BAD_INPUT
    assert "expected none yet" in capsys.readouterr().err


def test_board_without_a_place(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that no hidden answer stays where its board could not be written."""
    hidden = Path(path).with_suffix(".hidden")
    asked = ["--size", "6x6", "-o", "x" * 300 + ".txt", "--answer", str(hidden)]
    assert main(asked) == Exit.BAD_INPUT
    assert "found no way to write it (File name too long)" in capsys.readouterr().err
    assert not hidden.exists()


def test_solve_and_difficulty(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that the proven optimum is written, right and no dearer than the hidden answer."""
    asked = ["--size", "7x7x2", "--seed", "1", "-o", path]
    assert main([*asked, "--solve", "--difficulty", "--json"]) == Exit.DONE
    told = capsys.readouterr()
    record = json.loads(told.out)
    optimum = read_answer(beside(path, ".optimum"))
    assert violations(read_problem(path), optimum) == []
    cost = measure(optimum).total
    assert record["optimum"] == record["lower_bound"] == cost <= record["hidden_cost"]
    assert record["cost_alone"] <= record["root_bound"] <= cost <= record["first_cost"]
    missed = (record["first_cost"] > cost) + (record["root_bound"] < cost)
    assert record["difficulty"] == ("easy", "medium", "hard")[missed]
    assert f"optimum {cost}; {record['difficulty']}: " in told.err
    assert main([*asked, "--force"]) == Exit.DONE
    assert not Path(beside(path, ".optimum")).exists()


def test_not_solved_in_time(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that an optimum without a proof is told and not written."""
    asked = ["--size", "20x20x2", "-o", path, "--solve", "--difficulty", "--time-limit", "1e-9"]
    assert main(asked) == Exit.NOT_DONE
    assert "optimum not proven in time; open" in capsys.readouterr().err
    assert not Path(beside(path, ".optimum")).exists()


def test_unique(path: str) -> None:
    """Tests that --unique makes a full board that has no second answer."""
    assert main(["--kind", "full", "--size", "6x6x2", "--unique", "-o", path]) == Exit.DONE
    problem, hidden = read_problem(path), read_answer(beside(path, ".hidden"))
    assert hidden.all()
    assert violations(problem, hidden) == []
    assert another_answer(problem, hidden, Deadline(60))[0] is Status.INFEASIBLE


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ("--size 6x6 --vias 2", Exit.BAD_INPUT, "nlgen: a board of one layer has no vias\n"),
        (
            "--size 6x6x2 --spans 1-3",
            Exit.BAD_INPUT,
            "nlgen: a via cannot join layers 1 and 3 of 2\n",
        ),
        ("--size 6x6x2 --kind full --fill 0.5", Exit.BAD_INPUT, "comes with a fill of its own\n"),
        (
            "--size 5x5 --lines 30",
            Exit.NOT_DONE,
            "nlgen: seed 0: no such board found in 10 attempts",
        ),
        (
            "--size 6x6 -o /dev/null/Q.txt",
            Exit.BAD_INPUT,
            "nlgen: /dev/null/Q.hidden: found no way",
        ),
        ("--size 6x6 --count 2 -o /dev/null/x", Exit.BAD_INPUT, "no way to make the folder"),
        ("--size 6x6 -o Q.hidden", Exit.BAD_INPUT, "the same file for two things"),
        ("--size 6x6 -o /dev/null", Exit.BAD_INPUT, "nlgen: /dev/null: found a device, expected"),
        ("--size 6x6 -o /dev", Exit.BAD_INPUT, "nlgen: /dev: found a folder, expected a file"),
    ],
)
def test_refused(
    arguments: str, code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that what cannot be made is told in one sentence."""
    assert main(arguments.split()) == code
    told = capsys.readouterr()
    assert told.out == ""
    assert message in told.err
    assert told.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "--size"),
        ("--size 6", "'6' is not a size"),
        ("--size 6x6x9", "up to 8 layers"),
        ("--size 6x6 --kind maze", "invalid choice"),
        ("--size 6x6 --fill 1.5", "'1.5' is not a share"),
        ("--size 6x6 --vias -1", "argument --vias"),
        ("--size 6x6 --spans 3-1", "'3-1' is not any, adjacent"),
        ("--size 6x6 --lines 0", "whole number from 1"),
        ("--size 6x6 --count 3", "need -o"),
        ("--size 6x6 --count 3 -o x --answer y", "--answer is for one board"),
        ("--size 6x6 --count 3 --seed 2147483646 -o x", "3 boards have seeds up to"),
        ("--size 6x6 --answer -", "--answer needs a file"),
        ("--size 6x6 --answer=", "argument --answer: '' names no file"),
        ("--size 6x6 --unique", "--unique needs --kind full"),
    ],
)
def test_bad_usage(arguments: str, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that each mistyped option is told."""
    with pytest.raises(SystemExit) as caught:
        main(arguments.split())
    assert caught.value.code == Exit.BAD_INPUT
    assert message in capsys.readouterr().err


def test_difficulty_for_people(path: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a puzzle with only one answer is graded for people by its rule set."""
    options = ["--kind", "full", "--size", "5x5x1", "--unique", "flow", "--difficulty", "--seed"]
    assert main([*options, "1", "--json", "-o", path]) == Exit.DONE
    out, err = capsys.readouterr()
    assert "only one answer (flow)" in err
    assert "for people hard, 30 suppositions" in err
    record = json.loads(out)
    assert (record["unique"], record["rules"]) == (True, "flow")
    assert (record["person"], record["suppositions"]) == ("hard", 30)
