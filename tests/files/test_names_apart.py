"""Tests that a problem is not replaced by what is made of it."""

from pathlib import Path

import pytest

from nlrouter.files.errors import FileError
from nlrouter.files.names import require_other


def test_problem_by_another_name(tmp_path: Path) -> None:
    """Tests that the problem is known under every name it has."""
    problem, link = tmp_path / "Q.txt", tmp_path / "A.txt"
    problem.write_text("SIZE 2X1X1\n")
    link.symlink_to(problem)
    for name in (problem, link, tmp_path / "." / "Q.txt"):
        with pytest.raises(FileError, match="found the problem itself, expected another"):
            require_other(str(name), str(problem), "another")


def test_other_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that other files pass, those that are not there yet, and a file named ``-``."""
    monkeypatch.chdir(tmp_path)
    for name in ("Q.txt", "A.txt", "-"):
        Path(name).write_text("")
    require_other("A.txt", "Q.txt", "another")
    require_other("B.txt", "Q.txt", "another")
    require_other("-", "-", "another")
