"""Tests that the README is true, and says the same in both languages."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
BIN = ".venv/bin/"
PATHS = os.pathsep.join([str(ROOT), str(ROOT / "tools")])
TEXTS = {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "README.ja.md")}
ENGLISH, JAPANESE = TEXTS.values()
SCRIPTS = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"])

BLOCK = re.compile(r"^```(sh|python)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^```sh\n([^`]*)^```\n\n```\n([^`]*)^```$", re.MULTILINE)
TIMED = re.compile(r"\bs(econds)?\b|:[0-9]{2} ")
"""What shows that an output has times in it, which no two runs share."""


def strip_remarks(block: str) -> str:
    """Return a block of commands without the remarks at the ends of lines."""
    return re.sub(r" +# .*", "", block)


def commands(text: str) -> list[list[str]]:
    """Return the words of all commands shown, those to set up apart."""
    blocks = "".join(block for kind, block in BLOCK.findall(text) if kind == "sh")
    lines = strip_remarks(blocks).splitlines()
    return [shlex.split(line, comments=True) for line in lines if line.startswith(BIN)][1:]


def examples() -> list[tuple[str, str]]:
    """Return commands and their output, where it is the same in every run and takes no search."""
    return [
        (block, output)
        for block, output in EXAMPLE.findall(ENGLISH)
        if not TIMED.search(output) and ("nlroute" not in block or "--time-limit 0" in block)
    ]


@cache
def options_of(*command: str) -> set[str]:
    """Return the options that the help text of a program, or of a command of it, names.

    The program is a file, or behind ``-m`` a module.
    """
    text = subprocess.run(
        [sys.executable, *command, "--help"],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": PATHS},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return set(re.findall(r"(?<![\w-])--?[a-z][\w-]*", text))


def test_same_blocks() -> None:
    """Tests that both languages show the same commands, outputs, pictures and results."""
    english, japanese = (
        [strip_remarks(block) for _, block in BLOCK.findall(text)] for text in TEXTS.values()
    )
    assert english == japanese
    for pattern in (r"!\[.*?\]\((.*?)\)", r"^\| `\w+_\w+` .*"):
        there = re.findall(pattern, ENGLISH, re.MULTILINE)
        assert there and there == re.findall(pattern, JAPANESE, re.MULTILINE)


@pytest.mark.parametrize("name", TEXTS)
def test_references(name: str) -> None:
    """Tests that every file and heading that is referred to exists."""
    headings = {
        re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)", TEXTS[name], re.MULTILINE)
    }
    targets = set(re.findall(r"\]\(([^)]*)\)", TEXTS[name]))
    targets |= set(re.findall(r"`(?:nlrouter|docs|tools|\.ci)/[\w./]*`", TEXTS[name]))
    assert len(targets) > 20
    for target in targets:
        if target.startswith("#"):
            assert target[1:] in headings
        elif not target.startswith("https:"):
            assert (ROOT / target.strip("`")).exists(), target


def test_folders() -> None:
    """Tests that the layout names every folder of the package."""
    packages = {path.parent.name for path in (ROOT / "nlrouter").glob("*/__init__.py")}
    assert packages == set(re.findall(r"^\| `nlrouter/(\w+)/`", ENGLISH, re.MULTILINE))


def test_commands() -> None:
    """Tests that all commands of the package are shown, with files and options they have."""
    shown = set()
    for command, *words in commands(ENGLISH):
        name = command.removeprefix(BIN)
        if name == "python" and words[0].startswith("tools/"):
            program = [words[0]]
        elif name.startswith("nl"):
            shown.add(name)
            program = ["-m", f"nlrouter.commands.{name}", *words[: name == "nlsubmit"]]
        else:
            continue
        inputs = [word for word in words if re.match(r"(problems|answers|tools)/[^*]*$", word)]
        assert all((ROOT / word).exists() for word in inputs)
        options = {word for word in words if re.match("--?[a-z]", word)}
        assert options <= options_of(*program)
    assert shown == SCRIPTS


@pytest.mark.parametrize("example", examples(), ids=lambda example: example[0].splitlines()[-1])
def test_output(example: tuple[str, str], tmp_path: Path) -> None:
    """Tests that commands print what the README shows."""
    block, output = example
    for folder in ("problems", "answers"):
        (tmp_path / folder).symlink_to(ROOT / folder)
    block = block.replace(BIN, '"$PYTHON" -m nlrouter.commands.')
    environment = {"PYTHON": sys.executable, "PYTHONPATH": PATHS, "PYTHONUTF8": "1"}
    run = subprocess.run(
        ["bash", "-c", block],
        cwd=tmp_path,
        env=os.environ | environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
    )
    assert run.stdout == output


@pytest.mark.parametrize("block", [b for kind, b in BLOCK.findall(ENGLISH) if kind == "python"])
def test_python(block: str, tmp_path: Path) -> None:
    """Tests that the examples of the library run as they are."""
    (tmp_path / "problems").symlink_to(ROOT / "problems")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", block], cwd=tmp_path, env=environment, check=True)
