"""Tests of the state on disk."""

from __future__ import annotations

import dataclasses
import json
import stat
from pathlib import Path

import pytest

from nlrouter.contest.state import Board, BoardStatus, DayState
from nlrouter.files.errors import FileError


def open_state(folder: Path, service: str = "http://adc", user: str = "team") -> DayState:
    return DayState(str(folder), service, user)


def test_goes_on(tmp_path: Path) -> None:
    """Tests that a new client finds all that an earlier one saved."""
    first = open_state(tmp_path / "day")
    first.boards[7] = Board(7, BoardStatus.PUTTING, "", cost=12, lower_bound=10, seconds=3.5)
    first.boards[2] = Board(2, sha256="ab", info_due=True)
    first.save()
    first.close()
    second = open_state(tmp_path / "day")
    assert second.boards == first.boards and second.started == first.started
    assert second.boards[7].status is BoardStatus.PUTTING
    second.close()


def test_private(tmp_path: Path) -> None:
    """Tests that only the owner can look into the folder, even one that was open before."""
    tmp_path.chmod(0o755)
    open_state(tmp_path).close()
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o700


def test_one_client_at_a_time(tmp_path: Path) -> None:
    """Tests that a folder in use is refused."""
    first = open_state(tmp_path)
    with pytest.raises(FileError, match="another nlsubmit at work"):
        open_state(tmp_path)
    first.close()
    open_state(tmp_path).close()


@pytest.mark.parametrize("other", [{"service": "http://cda"}, {"user": "else"}])
def test_one_account(tmp_path: Path, other: dict[str, str]) -> None:
    """Tests that the folder of another account is refused."""
    open_state(tmp_path).close()
    with pytest.raises(FileError, match="found the day of 'team' at http://adc"):
        open_state(tmp_path, **other)


@pytest.mark.parametrize(
    "text", ["", "{}", "[" * 100_000, "[]", '{"service": 1, "user": 2, "started": "x"}']
)
def test_no_state(tmp_path: Path, text: str) -> None:
    """Tests that a file that holds no state is told, not overwritten."""
    (tmp_path / "state.json").write_text(text)
    with pytest.raises(FileError, match=r"state\.json: found no state of a day"):
        open_state(tmp_path)
    assert (tmp_path / "state.json").read_text() == text


def test_folder_of_other_things(tmp_path: Path) -> None:
    """Tests that a folder that holds anything else is neither used nor closed to others."""
    tmp_path.chmod(0o755)
    (tmp_path / "Q1.txt").write_text("mine")
    with pytest.raises(FileError, match="but no state of a day, expected an empty or"):
        open_state(tmp_path)
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    (tmp_path / "Q1.txt").rename(tmp_path / ".half.tmp")
    open_state(tmp_path).close()
    (tmp_path / "Q1.txt").write_text("ours")
    open_state(tmp_path).close()


def test_no_folder(tmp_path: Path) -> None:
    """Tests that a place where no folder can be is told."""
    (tmp_path / "file").write_text("")
    with pytest.raises(FileError, match="expected a folder"):
        open_state(tmp_path / "file" / "day")


@pytest.mark.parametrize(
    ("field", "value", "expected"),
    [
        ("runs", "7", "found '7' as boards[1].runs, expected a whole number from 0 to 1000"),
        ("runs", 10**9, "found 1000000000 as boards[1].runs, expected a whole number from 0"),
        ("runs", True, "found True as boards[1].runs"),
        ("seconds", None, "found None as boards[1].seconds, expected a number from 0.0 to"),
        ("seconds", float("nan"), "found nan as boards[1].seconds"),
        ("memory", -1, "found -1 as boards[1].memory"),
        ("lower_bound", [[[[[]]]]], "found [[[[[]]]]] as boards[1].lower_bound"),
        ("info_due", 1, "found 1 as boards[1].info_due, expected true or false"),
        ("note", {}, "found {} as boards[1].note, expected text"),
    ],
)
def test_damaged_board(tmp_path: Path, field: str, value: object, expected: str) -> None:
    """Tests that a field of the wrong kind is told and taken as new, and the file kept."""
    first = open_state(tmp_path)
    for number in (1, 2):
        first.boards[number] = Board(number, BoardStatus.SENT, cost=12, runs=3, seconds=3.5)
    first.save()
    first.close()
    path = tmp_path / "state.json"
    record = json.loads(path.read_text())
    record["boards"][1][field] = value
    text = json.dumps(record)
    path.write_text(text)
    second = open_state(tmp_path)
    second.close()
    assert expected in second.told[0]
    assert (tmp_path / "state.json.damaged").read_text() == text
    assert second.boards[1] == first.boards[1]
    unhurt = {field: getattr(Board(0), field)}
    assert second.boards[2] == dataclasses.replace(first.boards[2], **unhurt)


def test_board_without_status_or_number(tmp_path: Path) -> None:
    """Tests that of a board of unknown fate the service is asked, and one of no number goes."""
    open_state(tmp_path).close()
    path = tmp_path / "state.json"
    record = json.loads(path.read_text())
    record["boards"] = [{"number": 3, "status": "gone"}, {"number": "4", "status": "open"}, []]
    path.write_text(json.dumps(record))
    state = open_state(tmp_path)
    state.close()
    assert state.boards == {3: Board(3, BoardStatus.PUTTING)}


@pytest.mark.parametrize("started", ["soon", None, -1, 1e300, float("nan")])
def test_damaged_start(tmp_path: Path, started: object) -> None:
    """Tests that a start that is no time is told, not overwritten: a deadline hangs on it."""
    open_state(tmp_path).close()
    path = tmp_path / "state.json"
    text = json.dumps(json.loads(path.read_text()) | {"started": started})
    path.write_text(text)
    with pytest.raises(FileError, match=r"state\.json: found .* as started, expected seconds"):
        open_state(tmp_path)
    assert path.read_text() == text
