"""Change what makes a claim true, a place at a time, and see that the tests notice.

``mutants.toml`` names places in the checker of certificates and in the engine where a small change
would let the program claim what is false: bounds that are too high, answers said not to exist.
Each is changed in a copy of the project, and the tests named beside it are run there. The exit
code is 0 if every mutant fails some test, else 1.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from interrupt import interruptible

ROOT = Path(__file__).resolve().parents[1]

SECONDS = 600
"""After which a run of tests counts as failed: a mutant may go round for ever."""


@dataclass(frozen=True)
class Mutant:
    """A change of one place.

    Parameters
    ----------
    name
        What is lost by it.
    file
        The file, from the root of the project.
    was, becomes
        Text that stands there once, and what it is replaced by.
    tests
        Files of tests of which one has to notice; asked in this order.
    """

    name: str
    file: str
    was: str
    becomes: str
    tests: tuple[str, ...]


def read_mutants(path: Path) -> list[Mutant]:
    """Return the mutants of a file of groups."""
    groups = tomllib.loads(path.read_text(encoding="utf-8"))["group"]
    return [
        Mutant(**mutant, file=group["file"], tests=tuple(group["tests"]))
        for group in groups
        for mutant in group["mutant"]
    ]


def mutated(mutant: Mutant, text: str) -> str:
    """Return a file's text with the change; ValueError if the place is not there just once."""
    if text.count(mutant.was) != 1:
        raise ValueError(
            f"{mutant.file}: {mutant.was!r} stands there {text.count(mutant.was)} times"
        )
    return text.replace(mutant.was, mutant.becomes)


def killer(mutant: Mutant, folder: Path) -> str | None:
    """Return the file of tests that notices a mutant of the project in a folder, or None."""
    path = folder / mutant.file
    text = path.read_text(encoding="utf-8")
    path.write_text(mutated(mutant, text), encoding="utf-8")
    try:
        return next((tests for tests in mutant.tests if not passes(tests, folder)), None)
    finally:
        path.write_text(text, encoding="utf-8")


def passes(tests: str, folder: Path) -> bool:
    """Return whether a file of tests passes in a folder."""
    command = [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", tests]
    environment = {**os.environ, "PYTHONPATH": str(folder), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        run = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, timeout=SECONDS
        )
    except subprocess.TimeoutExpired:
        return False
    return run.returncode == 0


def main(argv: Sequence[str] | None = None) -> int:
    """Run the mutants whose names hold one of the words, or all."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("word", nargs="*", help="only mutants whose names hold one of these")
    words = parser.parse_args(argv).word
    listed = read_mutants(ROOT / "tools" / "mutants.toml")
    for word in words:
        if not any(word in mutant.name for mutant in listed):
            parser.error(f"no mutant's name holds {word!r}")
    mutants = [
        mutant for mutant in listed if not words or any(word in mutant.name for word in words)
    ]
    alive = 0
    with tempfile.TemporaryDirectory(prefix="nlrouter-mutants-") as scratch:
        folder = Path(scratch)
        for name in ("nlrouter", "tests", "tools", "problems", "answers", "docs"):
            shutil.copytree(ROOT / name, folder / name)  # With what is compiled.
        shutil.copy2(ROOT / "pyproject.toml", folder)
        for tests in sorted({tests for mutant in mutants for tests in mutant.tests}):
            if not passes(tests, folder):
                print(f"{tests} fails without any change", file=sys.stderr)
                return 1
        for mutant in mutants:
            by = killer(mutant, folder)
            alive += by is None
            verdict = f"killed by {by}" if by else "ALIVE"
            print(f"{Path(mutant.file).name}: {mutant.name}: {verdict}", flush=True)
    print(f"{len(mutants)} mutants, {alive} alive")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(interruptible(main))
