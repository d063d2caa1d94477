"""Where something may be written: what is replaced and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from nlrouter.files.errors import FileError
from nlrouter.keep.place import require_apart, require_replaceable


def read_note(path: str) -> None:
    """Read a file of a kind."""
    if not Path(path).read_text().startswith("note"):
        raise FileError(path, None, "something", "a note")


def require(path: str | Path, *, force: bool = False) -> None:
    """Ask whether a note may be put there."""
    require_replaceable(str(path), "note", read_note, force=force)


@pytest.mark.parametrize("text", [None, "", "note 1"], ids=["none", "empty", "same kind"])
def test_replaceable(tmp_path: Path, text: str | None) -> None:
    """Tests that no file, an empty one and one of the kind may be replaced."""
    if text is not None:
        (tmp_path / "note.txt").write_text(text)
    require(tmp_path / "note.txt")
    require("/dev/null")


def test_other_kind(tmp_path: Path) -> None:
    """Tests that a file of another kind is refused, unless by force."""
    path = tmp_path / "other.txt"
    path.write_text("my thesis")
    with pytest.raises(FileError, match=r"found a file that is no note, .*\(--force replaces it\)"):
        require(path)
    require(path, force=True)


def test_file_that_cannot_be_read(tmp_path: Path) -> None:
    """Tests that nobody is advised to replace by force what may be of the kind."""

    def read(path: str) -> None:
        try:
            raise PermissionError("Permission denied")
        except OSError as error:
            raise FileError(path, None, "no readable file", "a note") from error

    path = tmp_path / "note.txt"
    path.write_text("note 1")
    with pytest.raises(FileError, match=r"no readable file, expected a note$"):
        require_replaceable(str(path), "note", read, force=False)
    require_replaceable(str(path), "note", read, force=True)


def test_name_that_no_file_can_have(tmp_path: Path) -> None:
    """Tests that it is refused before anything is to be written."""
    (tmp_path / "loop").symlink_to("loop")
    for name in ("x" * 300, "loop"):
        with pytest.raises(FileError, match="found no way to write it"):
            require(tmp_path / name)


def test_folders(tmp_path: Path) -> None:
    """Tests that a folder, and a file in none, are refused even by force."""
    for path in (tmp_path, tmp_path / "missing" / "note.txt"):
        with pytest.raises(FileError):
            require(path, force=True)


def test_apart(tmp_path: Path) -> None:
    """Tests that another file's place is refused by its name, also through a link or beneath."""
    (tmp_path / "link").symlink_to("a.txt")
    others = {"the start": str(tmp_path / "a.txt"), "nothing": None}
    require_apart(str(tmp_path / "b.txt"), others, "another file")
    for name in ("a.txt", "link", "a.txt/b.txt"):
        with pytest.raises(FileError, match="found the start, expected another file"):
            require_apart(str(tmp_path / name), others, "another file")
