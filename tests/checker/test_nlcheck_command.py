"""Tests of the command ``nlcheck``: what it prints where, and its exit codes."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from nlrouter.commands.nlcheck import main
from nlrouter.files.answer_file import format_answer
from nlrouter.files.problem_file import format_problem
from tests.checker.drawing import CORPUS, TOWER, TOWER_LAYERS, draw, needs_corpus

TOWER_TEXT = format_problem(TOWER)
FLAT_TEXT = "SIZE 5X3\nLINE_NUM 2\nLINE#1 (0,0)-(4,0)\nLINE#2 (0,2)-(4,2)\n"
GOOD = "SIZE 5X3\n1,1,1,1,1\n0,0,0,0,0\n2,2,2,2,2\n"
CUT = GOOD.replace("1,1,1,1,1", "1,1,0,1,1")
BRANCHED = GOOD.replace("0,0,0,0,0", "0,0,1,0,0")


class Check:
    """Runs the command on texts, and keeps what it printed."""

    def __init__(self, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder = folder
        self.capsys = capsys

    def __call__(self, problem: str, answer: str | None, *options: str) -> tuple[int, str, str]:
        (self.folder / "q.txt").write_text(problem, encoding="utf-8")
        arguments = ["--input", str(self.folder / "q.txt"), *options]
        if answer is not None:
            (self.folder / "a.txt").write_text(answer, encoding="utf-8")
            arguments += ["--target", str(self.folder / "a.txt")]
        code = main(arguments)
        out, err = self.capsys.readouterr()
        return code, out, err.replace(f"{self.folder}/", "")


@pytest.fixture
def check(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Check:
    return Check(tmp_path, capsys)


def test_correct_answer(check: Check) -> None:
    """Tests that a correct answer gets the original's result line and nothing else."""
    text = format_answer(draw(*TOWER_LAYERS), 2)
    assert check(TOWER_TEXT, text) == (0, "judges =  [[True, 0.05555555555555555]]\n", "")


def test_wrong_answer(check: Check) -> None:
    """Tests that a wrong answer's violations are told on standard error."""
    assert check(FLAT_TEXT, BRANCHED) == (
        1,
        "judges =  [[False, 0.0]]\n",
        "a.txt: wrong by the rules:\n  LINE#1 branches or touches itself at (2,0) layer 1\n",
    )


def test_voices_that_differ(check: Check) -> None:
    """Tests that an answer that only the contest passes is wrong, with the difference told."""
    assert check(FLAT_TEXT, CUT) == (
        1,
        "judges =  [[True, 0.1111111111111111]]\n",
        "a.txt: the contest's checker passes it, but it is wrong by the rules:\n"
        "  LINE#1 is cut: the piece at (0,0) layer 1 does not reach its end (4,0) layer 1\n",
    )


def test_empty_answer(check: Check) -> None:
    """Tests that an answer of zeros has no pair and is wrong."""
    zeros = "SIZE 5X3\n" + "0,0,0,0,0\n" * 3
    code, out, err = check(FLAT_TEXT, zeros)
    assert (code, out) == (1, "judges =  []\n")
    assert err == "a.txt: wrong by the rules:\n  the answer is empty\n"


def test_several_answers(check: Check) -> None:
    """Tests that each answer of a file has its pair and its violations."""
    zeros = "SIZE 5X3\n" + "0,0,0,0,0\n" * 3
    code, out, err = check(FLAT_TEXT, "\n".join(["", GOOD, zeros, BRANCHED, CUT]))
    assert code == 1
    assert out == "judges =  [[True, 0.1], [False, 0.0], [True, 0.1111111111111111]]\n"
    assert [line for line in err.splitlines() if not line.startswith(" ")] == [
        "a.txt: answer 2: wrong by the rules:",
        "a.txt: answer 3: wrong by the rules:",
        "a.txt: answer 4: the contest's checker passes it, but it is wrong by the rules:",
    ]
    assert check(FLAT_TEXT, GOOD + "\n" + GOOD)[0] == 0


def test_lines_are_counted_over_several_answers(check: Check) -> None:
    """Tests that a message about the second answer has the file's line number."""
    code, out, err = check(FLAT_TEXT, GOOD + "\n" + GOOD.replace("2,2,2,2,2", "2,2,x,2,2"))
    assert (code, out) == (2, "judges =  [[True, 0.1], [False, 0.0]]\n")
    assert err.startswith("nlcheck: a.txt:9: found 'x'")
    assert err.endswith("; it fails the contest's checker too\n")


def test_malformed_answer_that_the_contest_passes(check: Check) -> None:
    """Tests that a short row is bad input, though the contest fills it with zeros."""
    code, out, err = check(FLAT_TEXT, GOOD.replace("0,0,0,0,0", "0,0"))
    assert (code, out) == (2, "judges =  [[True, 0.1]]\n")
    assert err.startswith("nlcheck: a.txt:3: found '0,0'")
    assert err.endswith("; it passes the contest's checker all the same\n")
    assert err.count("\n") == 1


def test_blank_line_between_layers(check: Check) -> None:
    """Tests that the two answers that the contest reads are shown, and the blank line is told."""
    text = format_answer(draw(*TOWER_LAYERS), 2).replace("LAYER 2", "\nLAYER 2")
    code, out, err = check(TOWER_TEXT, text)
    assert (code, out) == (2, "judges =  [[False, 0.0], [False, 0.0]]\n")
    assert err.startswith("nlcheck: a.txt:7: found a blank line")


def test_row_that_stops_the_original(check: Check) -> None:
    """Tests that there is no result line, but a sentence, where the original has a traceback."""
    code, out, err = check(FLAT_TEXT, GOOD.replace("0,0,0", "0,0,0,0"))
    assert (code, out) == (2, "")
    assert err.startswith("nlcheck: a.txt:3: found '0,0,0,0,0,0' of length 6")
    assert "; the contest's checker stops without a verdict: line 3: row 2" in err
    assert err.count("\n") == 1


def test_one_column(check: Check) -> None:
    """Tests that an answer that the contest cannot read is judged by the rules alone."""
    problem = "SIZE 1X2\nLINE_NUM 1\nLINE#1 (0,0)-(0,1)\n"
    code, out, err = check(problem, "SIZE 1X2\n1\n1\n")
    assert (code, out) == (0, "judges =  []\n")
    assert "does not pass it, but it is correct by the rules" in err
    assert check(problem, "SIZE 1X2\n1\n0\n")[0] == 1


def test_problem_alone(check: Check) -> None:
    """Tests that a problem without an answer is judged itself."""
    summary = "problem OK: SIZE 4X4X3, 2 lines (2 across layers), 2 vias\n"
    assert check(TOWER_TEXT, None) == (0, summary, "")
    _, out, _ = check(TOWER_TEXT, None, "--debug")
    assert out.startswith(f"{summary}  LAYER 1\n  1 . b .\n  . . . .\n  . . a 2\n")


def test_bad_problem(check: Check) -> None:
    """Tests that a bad problem is told in a sentence, with or without an answer."""
    for answer in (None, GOOD):
        code, out, err = check("SIZE 5X3\nLINE_NUM 1\nLINE#1 (0,0)-(9,0)\n", answer)
        assert (code, out) == (2, "")
        assert err.startswith("nlcheck: q.txt:3: found '(9,0)'")


def test_missing_files(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Tests that a file that is not there is bad input."""
    assert main(["--input", str(tmp_path / "none.txt")]) == 2
    assert "none.txt: found no readable file" in capsys.readouterr().err


def test_verbose_and_debug(check: Check) -> None:
    """Tests that the result line stays the last, after sizes, costs and boards."""
    text = format_answer(draw(*TOWER_LAYERS), 2)
    _, out, _ = check(TOWER_TEXT, text, "--verbose")
    assert out == (
        "problem OK: SIZE 4X4X3, 2 lines (2 across layers), 2 vias\n"
        "answer 1: SIZE 4X4X3, length 15, bends 3, cost 18\n"
        "  LINE#1: length 9, bends 2\n"
        "  LINE#2: length 6, bends 1\n"
        "judges =  [[True, 0.05555555555555555]]\n"
    )
    _, out, _ = check(TOWER_TEXT, text, "--debug")
    assert "  LAYER 2\n  . 2 2 .\n" in out
    assert out.endswith("judges =  [[True, 0.05555555555555555]]\n")


def test_rule(check: Check) -> None:
    """Tests that an older year's rule works on one layer, and is refused on more."""
    for rule in ("ADC2014", "ADC2015", "ADC2016"):
        assert check(FLAT_TEXT, GOOD, "--rule", rule)[:2] == (0, "judges =  [[True, 0.1]]\n")
    code, out, err = check(TOWER_TEXT, GOOD, "--rule", "ADC2014")
    assert (code, out) == (2, "")
    assert err == "nlcheck: rule ADC2014 is for one layer, the board has 3\n"


def test_standard_input(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that an answer can be piped in."""
    (tmp_path / "q.txt").write_text(FLAT_TEXT, encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(CUT.encode())))
    assert main(["--input", str(tmp_path / "q.txt"), "--target", "-"]) == 1
    assert capsys.readouterr().err.startswith("<stdin>: the contest's checker passes it")


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["--target", "a.txt"],
        ["--input", "-", "--target", "-"],
        ["--input", "q.txt", "--rule", "ADC2013"],
        ["--input", "q.txt", "extra"],
        ["--input", "q.txt", "--target", "a.txt", "--clean", ""],
    ],
)
def test_bad_usage(arguments: list[str]) -> None:
    """Tests that bad usage exits with code 2."""
    with pytest.raises(SystemExit) as exit_info:
        main(arguments)
    assert exit_info.value.code == 2


def test_help_needs_no_heavy_module() -> None:
    """Tests that the command's help does not wait for numpy."""
    code = (
        "import sys; from nlrouter.commands.nlcheck import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: sys.exit('numpy' in sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "exit codes:" in run.stdout


def test_checker_knows_no_solver() -> None:
    """Tests that judging loads nothing of any solver."""
    code = (
        "import sys; import nlrouter.checker.rules, nlrouter.checker.contest\n"
        "print(*sorted(name for name in sys.modules if name.startswith('nlrouter.')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert set(run.stdout.split()) == {
        "nlrouter.answer",
        "nlrouter.checker",
        "nlrouter.checker.contest",
        "nlrouter.checker.cost",
        "nlrouter.checker.pieces",
        "nlrouter.checker.rules",
        "nlrouter.problem",
    }


@needs_corpus
def test_samples(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests the organisers' own examples, byte-order marks included."""
    sample = CORPUS / "sample"
    for problem, answer in [
        ("NL_Q01", "T99_A01"),
        ("NL_Q01_utf8bom", "T99_A01_utf8bom"),
        ("NL_Q02", "T99_A02"),
        ("NL_Q03", "T99_A03"),
    ]:
        arguments = ["--input", f"{sample / problem}.txt", "--target", f"{sample / answer}.txt"]
        assert main(arguments) == 0
        assert capsys.readouterr().err == ""


def test_puzzle_rules(check: Check) -> None:
    """Tests that answers of puzzles are judged by their own rules alone, in every form."""
    drawn = "pzprv3/numlin/2/3/1 . ./1 . ./1 0/1 0/0 1 0"
    filled = "pzprv3/numlin/2/3/1 . ./1 . ./1 1/1 1/0 0 1"
    code, out, err = check("A..\nA..", drawn, "--rule", "nikoli")
    assert (code, err) == (0, "")
    assert out.endswith("a.txt: correct by the rules nikoli\n")
    code, out, err = check("A..\nA..", drawn, "--rule", "flow")
    assert (code, out) == (1, "")
    assert err == (
        "a.txt: wrong by the rules flow:\n  the cell (2,0) layer 1 and 1 more is empty\n"
    )
    assert check("A..\nA..", filled, "--rule", "flow")[0] == 0
    assert check(TOWER_TEXT, GOOD, "--rule", "flow")[0] == 2


def test_answer_of_another_form(check: Check) -> None:
    """Tests that the contest's checker judges what an answer in another form says."""
    code, out, err = check("A.B\nA.B", "A.B\nA.B")
    assert (code, out, err) == (0, "judges =  [[True, 0.25]]\n", "")
    assert check("A.B\nA.B", "A.B\n..B")[0] == 1
