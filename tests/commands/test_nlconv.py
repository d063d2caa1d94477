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
    [
        ["a.xlsx", "A1.txt"],
        ["a.xlsx", "-o", ""],
        ["Q1.txt", "A1.txt", "--to", "address"],
        ["Q1.xlsx", "--to", "grid"],
        ["Q1.txt", "--to", "grid", "-o", "x.xlsx"],
    ],
)
def test_bad_usage(arguments: list[str]) -> None:
    """Tests that arguments that do not go together give code 2."""
    with pytest.raises(SystemExit) as error:
        main(arguments)
    assert error.value.code == 2


def test_forms_of_other_programs(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a board of one layer goes into each form and back, and its answer too."""
    address = "https://puzz.link/p?numlin/3/2/1g21g2"
    assert main([address, "-o", "flat.txt"]) == 0
    assert Path("flat.txt").read_text().startswith("SIZE 3X2X1\nLINE_NUM 2\n")
    assert capsys.readouterr().out == "flat.txt\n"
    for form, problem, answer in [
        ("contest", Path("flat.txt").read_text(), "SIZE 3X2X1\nLAYER 1\n01,00,02\n01,00,02\n"),
        ("grid", "3 2\n1.2\n1.2\n", "1.2\n1.2\n"),
        (
            "pzprv3",
            "pzprv3\nnumlin\n2\n3\n1 . 2\n1 . 2\n0 0\n0 0\n0 0 0\n",
            "pzprv3\nnumlin\n2\n3\n1 . 2\n1 . 2\n0 0\n0 0\n1 0 1\n",
        ),
    ]:
        assert main(["flat.txt", "--to", form]) == 0
        assert capsys.readouterr().out == problem
        Path("flat.ans").write_text(answer)
        for other in "contest", "grid", "pzprv3":
            assert main(["flat.txt", "flat.ans", "--to", other, "-o", "back/a", "--force"]) == 0
            assert main(["flat.txt", "back/a", "--to", form]) == 0
            assert capsys.readouterr().out == f"back/a\n{answer}"
    assert main(["flat.txt", "--to", "address"]) == 0
    assert capsys.readouterr().out == f"{address}\n"


def test_forms_that_cannot_be(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that layers, lines that cannot be drawn and an answer in an address are refused."""
    Path("flat.txt").write_text("A.B\nA.B\n")
    Path("flat.ans").write_text("AAB\nA.B\n")
    assert main(["flat.txt", "flat.ans", "--to", "pzprv3"]) == 2
    assert "flat.ans: found a wrong answer (LINE#1: no way from" in capsys.readouterr().err
    assert main(["Q1.txt", "--to", "address"]) == 2
    assert "an address: found a board of 2 layers and 1 vias" in capsys.readouterr().err
