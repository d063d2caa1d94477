"""The command nlconv."""

from pathlib import Path

import pytest

from nlrouter.commands.nlconv import main

SAMPLE = Path(__file__).parents[3] / "shared" / "corpus" / "xlsx" / "sample.xlsx"

PROBLEM = "SIZE 3X1X2\nLINE_NUM 1\n\nLINE#1 (0,0,1) (2,0,2)\n\nVIA#a (1,0,1) (1,0,2)\n"
ANSWER = "SIZE 3X1X2\nLAYER 1\n01,01,00\nLAYER 2\n00,01,01\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Works in a folder with the problem Q1.txt, its answer, and an empty folder."""
    monkeypatch.chdir(tmp_path)
    Path("Q1.txt").write_text(PROBLEM)
    Path("A1.txt").write_text(ANSWER)
    Path("back").mkdir()
    return tmp_path


def test_there_and_back(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that problem and answer come back as the same files."""
    assert main(["Q1.txt", "A1.txt", "-o", "Q1.xlsx"]) == 0
    assert main(["Q1.xlsx", "-o", "back"]) == 0
    assert capsys.readouterr().out == "Q1.xlsx\nback/Q1.txt\nback/A1.txt\n"
    assert Path("back/Q1.txt").read_text() == PROBLEM
    assert Path("back/A1.txt").read_text() == ANSWER


def test_other_names() -> None:
    """Tests that the answer of a board that is not Q and a number has a name of its own."""
    Path("Q1.txt").rename("board.txt")
    assert main(["board.txt", "A1.txt", "-o", "board.xlsx"]) == 0
    assert main(["board.xlsx", "-o", "back"]) == 0
    assert Path("back/board_answer.txt").read_text() == ANSWER


def test_problem_alone() -> None:
    """Tests that a problem without an answer comes back without one."""
    assert main(["Q1.txt", "-o", "Q1.xlsx"]) == 0
    assert main(["Q1.xlsx", "-o", "back"]) == 0
    assert [path.name for path in Path("back").iterdir()] == ["Q1.txt"]


@pytest.mark.skipif(not SAMPLE.exists(), reason="the corpus is not here")
def test_sample() -> None:
    """Tests that the organisers' sample gives its problems, and answers where it is marked."""
    assert main([str(SAMPLE), "-o", "back"]) == 0
    names = sorted(path.stem for path in Path("back").iterdir())
    assert names == ["A3", "A4", "Q1", "Q2", "Q3", "Q4"]


def test_keeps_other_files(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that no file of other content is replaced without --force, and none is written."""
    main(["Q1.txt", "A1.txt", "-o", "Q1.xlsx"])
    Path("back/A1.txt").write_text("mine")
    assert main(["Q1.xlsx", "-o", "back"]) == 2
    assert "nlconv: back/A1.txt: found another file" in capsys.readouterr().err
    assert not Path("back/Q1.txt").exists()
    assert main(["Q1.xlsx", "-o", "back", "--force"]) == 0
    assert Path("back/A1.txt").read_text() == ANSWER


def test_wrong_answer_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a wrong answer is not drawn."""
    Path("A1.txt").write_text(ANSWER.replace("00,01,01", "00,01,00"))
    assert main(["Q1.txt", "A1.txt", "-o", "Q1.xlsx"]) == 2
    assert "A1.txt: found a wrong answer (" in capsys.readouterr().err
    assert not Path("Q1.xlsx").exists()


def test_bad_files(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that what cannot be read or written is told in a sentence, with code 2."""
    assert main(["missing.xlsx"]) == 2
    assert "missing.xlsx: found no readable file" in capsys.readouterr().err
    assert main(["missing.xlsx", "-o", "nowhere"]) == 2
    assert "nowhere: found no folder" in capsys.readouterr().err
    assert main(["missing.xlsx", "-o", "x" * 300]) == 2
    assert "found no folder" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [["Q1.txt"], ["Q1.txt", "-o", "x"], ["a.xlsx", "A1.txt"], ["a.xlsx", "-o", ""]],
)
def test_bad_usage(arguments: list[str]) -> None:
    """Tests that arguments that do not go together give code 2."""
    with pytest.raises(SystemExit) as error:
        main(arguments)
    assert error.value.code == 2
