"""Many boards: what is written where, and what becomes of it where that fails."""

import json
from pathlib import Path

import pytest

from nlrouter.files.errors import FileError
from nlrouter.keep import store
from tests.batch.fake_batch import batch
from tests.batch.fake_nlroute import PROBLEM, STRAIGHT_4


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Works in a folder with the problem Q01.txt."""
    monkeypatch.chdir(tmp_path)
    Path("Q01.txt").write_text(PROBLEM)
    return tmp_path


@pytest.mark.parametrize("name", ["table.csv", "table.json"])
def test_folder_in_the_place_of_a_table(name: str) -> None:
    """Tests that a table that could not be written is told before any search."""
    Path("out", name).mkdir(parents=True)
    with pytest.raises(FileError, match=f"{name}: found a folder, expected a file for the table"):
        batch("optimal", "Q01.txt", "-o", "out")
    assert not Path("out/A01.txt").exists()


def test_another_csv_is_kept() -> None:
    """Tests that a CSV of another kind is replaced by force only, an earlier table at once."""
    Path("out").mkdir()
    Path("out/table.csv").write_text("my own data\n")
    with pytest.raises(FileError, match=r"table\.csv: found a file that is no table"):
        batch("optimal", "Q01.txt", "-o", "out")
    assert Path("out/table.csv").read_text() == "my own data\n"
    assert batch("optimal", "Q01.txt", "-o", "out", "--force") == 0
    assert batch("optimal", "Q01.txt", "-o", "out") == 0


def test_table_that_is_lost(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that it is told once and in the exit code, though all boards are answered."""
    Path("out").mkdir()
    Path("out/table.csv").symlink_to("/dev/full")
    assert batch("optimal", "Q01.txt", "-o", "out") == 1
    assert Path("out/A01.txt").read_text() == STRAIGHT_4
    assert capsys.readouterr().err.count("table.csv: found no way to write it") == 1


def test_answer_without_a_place(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that an answer that cannot be written is on standard output, and does not count."""

    def fail(path: str, *_: object) -> None:
        raise FileError(path, None, "no way to write it", "room on the disk")

    monkeypatch.setattr(store, "write_atomically", fail)
    assert batch("optimal", "Q01.txt", "-o", "out") == 1
    out, err = capsys.readouterr()
    assert out == STRAIGHT_4
    assert "the answer to Q01 is on standard output instead" in err
    assert "0 of 1 boards answered, 0 optimal" in err
    assert json.loads(Path("out/table.json").read_text())["boards"][0]["answer"] is None


def test_boards_on_both_sides_of_an_option() -> None:
    """Tests that all of them are boards."""
    Path("board.txt").write_text(PROBLEM)
    assert batch("optimal", "Q01.txt", "-o", "out", "board.txt") == 0
    assert {path.name for path in Path("out").glob("*.txt")} == {"A01.txt", "board.txt"}
