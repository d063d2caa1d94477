"""The answer store: what it writes, what it keeps and what it refuses."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from nlrouter.answer import Answer
from nlrouter.files import atomic
from nlrouter.files.answer_file import format_answer, read_answer
from nlrouter.files.atomic import hold_folder
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import parse_problem
from nlrouter.keep import store as store_module
from nlrouter.keep.store import AnswerStore, WrongAnswer
from tests.commands.fake_engine import CUT, DETOUR_8, DETOUR_10, PROBLEM_TEXT, STRAIGHT_4

PROBLEM = parse_problem(PROBLEM_TEXT, "problem")


def put(path: Path, answer: Answer) -> None:
    path.write_text(format_answer(answer, 1))


def cells_on_disk(path: Path) -> int:
    return int((read_answer(str(path)) != 0).sum())


def same(one: Answer | None, other: Answer) -> bool:
    return one is not None and np.array_equal(one, other)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "answer.txt"


def test_writes_each_better_answer(path: Path) -> None:
    """Tests that a better answer is on disk at once and a worse one is ignored."""
    store = AnswerStore(PROBLEM, str(path))
    for answer, cells in ((DETOUR_10, 8), (STRAIGHT_4, 4), (DETOUR_8, 4)):
        store.offer(answer)
        assert cells_on_disk(path) == cells
    assert store.cost is not None and store.cost.total == 4
    assert store.saved


def test_without_path(path: Path) -> None:
    """Tests that a store without a file keeps the best answer in memory."""
    store = AnswerStore(PROBLEM, None)
    store.offer(STRAIGHT_4)
    assert same(store.answer, STRAIGHT_4)
    assert not store.saved


def test_wrong_answer_is_never_written(path: Path) -> None:
    """Tests that a wrong answer is refused, once, and the best before stays."""
    store = AnswerStore(PROBLEM, str(path))
    store.offer(DETOUR_8)
    with pytest.raises(WrongAnswer):
        store.offer(CUT)
    store.offer(CUT)
    assert same(store.answer, DETOUR_8)
    assert (read_answer(str(path)) == DETOUR_8).all()


def test_answer_is_copied() -> None:
    """Tests that an engine may go on with the array that it offered."""
    answer = DETOUR_8.copy()
    store = AnswerStore(PROBLEM, None)
    store.offer(answer)
    answer[:] = 0
    assert same(store.answer, DETOUR_8)


@pytest.mark.parametrize("held", [DETOUR_8, STRAIGHT_4], ids=["equal", "better"])
def test_keeps_earlier_answer(path: Path, held: Answer) -> None:
    """Tests that an answer in the file that is as good or better stays."""
    put(path, held)
    before = path.stat()
    store = AnswerStore(PROBLEM, str(path))
    store.offer(DETOUR_8)
    after = path.stat()  # To read it may count as access.
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert store.kept is not None
    assert store.saved


def test_replaces_worse_earlier_answer(path: Path) -> None:
    """Tests that the file's answer gives way as soon as a better one is found."""
    put(path, DETOUR_8)
    store = AnswerStore(PROBLEM, str(path))
    store.offer(DETOUR_10)
    assert store.kept is not None and cells_on_disk(path) == 6
    store.offer(STRAIGHT_4)
    assert store.kept is None and cells_on_disk(path) == 4


def test_force_replaces_once(path: Path) -> None:
    """Tests that with force the first answer replaces a better one, then the best stays."""
    put(path, STRAIGHT_4)
    store = AnswerStore(PROBLEM, str(path), force=True)
    store.offer(DETOUR_10)
    assert cells_on_disk(path) == 8
    put(path, STRAIGHT_4)
    store.offer(DETOUR_8)
    assert cells_on_disk(path) == 4


def test_run_beside_this_one(path: Path) -> None:
    """Tests that an answer that another run has put there meanwhile is respected."""
    store = AnswerStore(PROBLEM, str(path))
    store.offer(DETOUR_10)
    put(path, STRAIGHT_4)
    store.offer(DETOUR_8)
    assert cells_on_disk(path) == 4


@pytest.mark.parametrize(
    "text",
    [
        "",
        format_answer(CUT, 1),
        format_answer(STRAIGHT_4[:, :1], 1),
    ],
    ids=["empty", "wrong", "other board"],
)
def test_replaces_answer_that_is_none_of_this_problem(path: Path, text: str) -> None:
    """Tests that only a correct answer to this very problem is kept."""
    path.write_text(text)
    store = AnswerStore(PROBLEM, str(path))
    store.offer(DETOUR_8)
    assert cells_on_disk(path) == 6


def test_refuses_file_that_is_no_answer(path: Path) -> None:
    """Tests that text that is no answer is refused, unless by force."""
    path.write_text("my notes\n")
    with pytest.raises(FileError, match=r"no answer.*--force"):
        AnswerStore(PROBLEM, str(path))
    assert path.read_text() == "my notes\n"
    AnswerStore(PROBLEM, str(path), force=True).offer(DETOUR_8)
    assert cells_on_disk(path) == 6


def test_refuses_folder(tmp_path: Path) -> None:
    """Tests that a folder is refused, even by force."""
    with pytest.raises(FileError, match="folder"):
        AnswerStore(PROBLEM, str(tmp_path), force=True)


@pytest.mark.parametrize("path", ["missing/answer.txt", "/proc/answer.txt"])
def test_refuses_folder_without_way_to_write(path: str) -> None:
    """Tests that it shows before the search that the file could not be written."""
    with pytest.raises(FileError, match="no way to write"):
        AnswerStore(PROBLEM, path)


def test_leaves_nothing_else(path: Path) -> None:
    """Tests that neither the trial nor the writing leaves other files behind."""
    AnswerStore(PROBLEM, str(path)).offer(STRAIGHT_4)
    assert os.listdir(path.parent) == ["answer.txt"]


def test_saves_again_after_failure(tmp_path: Path) -> None:
    """Tests that an answer that could not be written is written when it can be."""
    folder = tmp_path / "folder"
    folder.mkdir()
    store = AnswerStore(PROBLEM, str(folder / "answer.txt"))
    folder.rmdir()
    with pytest.raises(FileError):
        store.offer(STRAIGHT_4)
    assert not store.saved
    folder.mkdir()
    store.save()
    assert store.saved and cells_on_disk(folder / "answer.txt") == 4


def test_folder_is_held_from_reading_to_writing(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that no other run can write between the look at the file and the write."""
    put(path, DETOUR_10)
    looked: list[str] = []

    def held(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def look(*arguments: Any) -> Any:
            folder = os.open(path.parent, os.O_RDONLY)
            with pytest.raises(BlockingIOError):
                fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)
            os.close(folder)
            looked.append(name)
            return function(*arguments)

        return look

    store = AnswerStore(PROBLEM, str(path))
    for name in ("read_contest_answer", "write_atomically"):
        monkeypatch.setattr(store_module, name, held(name, getattr(store_module, name)))
    store.offer(STRAIGHT_4)
    assert looked == ["read_contest_answer", "write_atomically"]
    monkeypatch.undo()
    assert cells_on_disk(path) == 4


def test_folder_that_is_held_for_ever(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a holder that never ends keeps no answer from the disk."""
    monkeypatch.setattr(atomic, "LOCK_PATIENCE", 0.05)
    with hold_folder(str(path)):
        AnswerStore(PROBLEM, str(path)).offer(STRAIGHT_4)
    assert cells_on_disk(path) == 4
