"""Points of the contest, and the command nlscore."""

import csv
import io
import json
from pathlib import Path

import pytest

from nlrouter.checker.score import Verdict, give_verdict, points, share
from nlrouter.commands.nlscore import main
from nlrouter.files.problem_file import parse_problem

SAMPLES = Path(__file__).parents[3] / "shared" / "corpus" / "sample"

PROBLEM = "SIZE 4X3X1\nLINE_NUM 1\nLINE#1 (0,0,1) (3,0,1)\n"
STRAIGHT_4 = "SIZE 4X3X1\nLAYER 1\n01,01,01,01\n00,00,00,00\n00,00,00,00\n"
DETOUR_8 = "SIZE 4X3X1\nLAYER 1\n01,00,00,01\n01,01,01,01\n00,00,00,00\n"
EMPTY = "SIZE 4X3X1\nLAYER 1\n00,00,00,00\n00,00,00,00\n00,00,00,00\n"


def test_shares_are_proportional() -> None:
    """Tests that 10 points are shared in proportion to quality, and a correct answer has 1."""
    assert share([1 / 4, 1 / 8, 0.0]) == pytest.approx([20 / 3, 10 / 3, 0.0])
    assert points([1 / 4, 1 / 8, 0.0]) == pytest.approx([23 / 3, 13 / 3, 0.0])
    assert points([0.0, 0.0]) == [0.0, 0.0]


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        (STRAIGHT_4, Verdict(0.25)),
        (STRAIGHT_4 + "\n" + EMPTY, Verdict(0.25)),
        (DETOUR_8 + "\n" + STRAIGHT_4, Verdict(0.125)),
        (STRAIGHT_4.replace("01,01,01,01", "01,01,00,00"), Verdict(0.0, "wrong")),
        (EMPTY, Verdict(0.0, "no answer in the file")),
        ("1,1", Verdict(0.0, "not readable: line 1: a row before any SIZE")),
        ("rubbish", Verdict(0.0, "no answer in the file")),
    ],
)
def test_verdicts(text: str, verdict: Verdict) -> None:
    """Tests that the contest's checker judges, and that the first answer of a file counts."""
    assert give_verdict(parse_problem(PROBLEM, "problem"), text) == verdict


@pytest.fixture
def contest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Works in a folder with two problems and the answers of two teams."""
    monkeypatch.chdir(tmp_path)
    for folder in "problems", "teams/cats", "teams/dogs":
        Path(folder).mkdir(parents=True)
    Path("problems/Q01.txt").write_text(PROBLEM)
    Path("problems/Q02.txt").write_text(PROBLEM)
    Path("teams/cats/A01.txt").write_text(STRAIGHT_4)
    Path("teams/cats/Q02.txt").write_text(DETOUR_8)
    Path("teams/dogs/A01.txt").write_text(DETOUR_8)
    Path("teams/dogs/A02.txt").write_bytes(b"\xff\xfe")
    return tmp_path


def test_table(contest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests the table, and that a file that is no answer has 0 points and is told."""
    assert main(["problems", "teams/cats", "teams/dogs"]) == 0
    out, err = capsys.readouterr()
    assert out == (
        "board      cats      dogs\n"
        "Q01        7.67      4.33\n"
        "Q02       11.00      0.00\n"
        "total     18.67      4.33\n"
    )
    assert err.startswith("nlscore: Q02: dogs: teams/dogs/A02.txt: found text in UTF-16")


def test_csv_and_json(contest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that CSV and JSON hold the same points."""
    Path("teams/dogs/A02.txt").unlink()
    assert main(["problems", "teams/cats", "teams/dogs", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert main(["problems", "teams/cats", "teams/dogs", "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert [float(rows[-1][team]) for team in ("cats", "dogs")] == pytest.approx(
        list(record["total"].values()), abs=1e-4
    )
    nothing = {"points": 0.0, "quality": 0.0, "note": "no answer"}
    assert record["boards"]["Q02"]["dogs"] == nothing


@pytest.mark.skipif(not SAMPLES.exists(), reason="the corpus is not here")
def test_team_before_the_number(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that T99_A01 answers NL_Q01, as in the rule document, even beside the problem."""
    for number in 1, 2, 3:
        name = f"NL_Q0{number}.txt"
        (tmp_path / name).write_bytes((SAMPLES / name).read_bytes())
    assert main([str(tmp_path), str(SAMPLES)]) == 0
    assert capsys.readouterr().out.splitlines()[-1].split() == ["total", "33.00"]


def test_bad_input(contest: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a missing folder, a bad problem and two answers are told, with code 2."""
    assert main(["problems", "nowhere"]) == 2
    assert "nlscore: nowhere: found no readable folder (No such file" in capsys.readouterr().err
    assert main(["problems", "problems/Q02.txt"]) == 2
    assert "nlscore: problems/Q02.txt: found no readable folder" in capsys.readouterr().err
    long = "x" * 300
    for folders in [long, "teams/cats"], ["problems", long]:
        assert main(folders) == 2
        assert f"{long}: found no readable folder (File name too long)" in capsys.readouterr().err
    Path("teams/cats/A02.txt").unlink(missing_ok=True)
    Path("teams/cats/T1_A02.txt").write_text(STRAIGHT_4)
    Path("teams/cats/T2_A02.txt").write_text(STRAIGHT_4)
    assert main(["problems", "teams/cats"]) == 2
    assert "found T1_A02.txt and T2_A02.txt for the board Q02" in capsys.readouterr().err
    Path("problems/Q02.txt").write_text("SIZE\n")
    assert main(["problems", "teams/cats"]) == 2
    assert "nlscore: problems/Q02.txt:1: found 'SIZE'" in capsys.readouterr().err
