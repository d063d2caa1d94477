"""What the tests of numplace share: the instances, and running the command in this process."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from numplace.commands.numplace import main

DATA = Path(__file__).parent.parent / "data" / "numplace"


class Outcome(NamedTuple):
    """Exit code, standard output and standard error of a command."""

    code: int
    out: str
    err: str


@pytest.fixture
def data() -> Path:
    """Return the folder of the instances."""
    return DATA


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Outcome]:
    """Return what runs ``numplace`` with arguments."""

    def call(*arguments: object) -> Outcome:
        try:
            code = main([str(argument) for argument in arguments])
        except SystemExit as exit:
            code = int(exit.code or 0)
        captured = capsys.readouterr()
        return Outcome(code, captured.out, captured.err)

    return call


@pytest.fixture
def case(tmp_path: Path) -> Callable[..., Path]:
    """Return what copies an instance without its answer, to be changed."""

    def copy(name: str, **changes: str | None) -> Path:
        """Copy an instance; a change by file name without suffix replaces or removes a file."""
        target = tmp_path / name
        target.mkdir()
        for file in (DATA / name).iterdir():
            if file.name != "Output.csv" and not file.name.startswith("answer"):
                shutil.copy(file, target)
        for stem, text in changes.items():
            path = target / f"{stem}.csv"
            if text is None:
                path.unlink()
            else:
                path.write_text(text)
        return target

    return copy
