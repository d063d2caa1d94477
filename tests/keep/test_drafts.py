"""What was not saved, kept beside its file."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlrouter.files.errors import FileError
from nlrouter.keep.drafts import Drafts


def test_drafts_outlive_the_process(tmp_path: Path) -> None:
    """Tests that texts are there for the next process, and that the last one takes its file."""
    path = str(tmp_path / "a.txt")
    first, second = Drafts(path), Drafts(path)
    first.put("x", "one")
    second.put("y", "two")
    assert first.read() == Drafts(path).read() == {"x": "one", "y": "two"}
    second.put("x", "")
    first.put("y", "")
    assert Drafts(path).read() == {} and not list(tmp_path.iterdir())


@pytest.mark.parametrize("content", ["[]", "{", '{"x": 1}', "[" * 5000])
def test_damaged_file(tmp_path: Path, content: str) -> None:
    """Tests that a damaged file is told, and that new drafts take its place."""
    (tmp_path / ".a.txt.drafts").write_text(content)
    drafts = Drafts(str(tmp_path / "a.txt"))
    with pytest.raises(FileError, match="found no drafts"):
        drafts.read()
    drafts.put("x", "one")
    assert drafts.read() == {"x": "one"}


@pytest.mark.parametrize("path", [None, "gone/a.txt"])
def test_no_place_for_a_file(path: str | None) -> None:
    """Tests that drafts that no file can hold are kept in memory."""
    drafts = Drafts(path)
    drafts.put("x", "one")
    drafts.put("y", "two")
    assert drafts.read() == {"x": "one", "y": "two"}
    drafts.put("x", "")
    assert drafts.read() == {"y": "two"}
