"""Tests that README and pages are true, and that both READMEs say the same."""

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
FILES = [
    *(ROOT / name for name in ("README.md", "README.ja.md", "CONTRIBUTING.md")),
    *sorted((ROOT / "docs" / "pages").rglob("*.md")),
]
TEXTS = {path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8") for path in FILES}
READMES = TEXTS["README.md"], TEXTS["README.ja.md"]
ENGLISH = "\n".join(text for name, text in TEXTS.items() if name != "README.ja.md")
SCRIPTS = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"])

BLOCK = re.compile(r"^```(sh|python)?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
EXAMPLE = re.compile(r"^```sh\n([^`]*)^```\n\n```\n([^`]*)^```$", re.MULTILINE)
TIMED = re.compile(r"\bs(econds)?\b|:[0-9]{2} ")
"""What shows that an output has times in it, which no two runs share."""


def strip_remarks(block: str) -> str:
    """Return a block of commands without the remarks at the ends of lines."""
    return re.sub(r" +# .*", "", block)


def commands(text: str) -> list[list[str]]:
    """Return the words of all commands shown."""
    blocks = "".join(block for kind, block in BLOCK.findall(text) if kind == "sh")
    lines = strip_remarks(blocks).splitlines()
    return [shlex.split(line, comments=True) for line in lines if line.startswith(BIN)]


def examples() -> list[tuple[str, str]]:
    """Return commands and their output, where it is the same in every run and takes no search."""
    unsearched = re.compile(r"--time-limit 0|--puzzle")
    shown = dict.fromkeys(EXAMPLE.findall(ENGLISH))  # Some stand in README and on a page.
    return [
        (block, output)
        for block, output in shown
        if not TIMED.search(output) and ("nlroute" not in block or unsearched.search(block))
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
    """Tests that both READMEs show the same commands, outputs, pictures, pages and results."""
    english, japanese = (
        [strip_remarks(block) for _, block in BLOCK.findall(text)] for text in READMES
    )
    assert english == japanese
    for pattern in (r"!\[.*?\]\((.*?)\)", r"\]\((docs/[^)]*)\)", r"^\| `\w+_\w+` .*"):
        there, here = (re.findall(pattern, text, re.MULTILINE) for text in READMES)
        assert there and there == here


def test_readmes_are_short() -> None:
    """Tests that neither README grows into a manual."""
    assert all(len(text.encode()) <= 8000 for text in READMES)


@pytest.mark.parametrize("name", TEXTS)
def test_references(name: str) -> None:
    """Tests that every file that is referred to exists, and every heading of the page itself."""
    headings = {
        re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-")
        for heading in re.findall(r"^#+ (.*)", TEXTS[name], re.MULTILINE)
    }
    folder = (ROOT / name).parent
    for target in re.findall(r"\]\(([^)]*)\)", TEXTS[name]):
        path, _, heading = target.partition("#")
        if not path:
            assert heading in headings, target
        elif not path.startswith("https:"):
            assert (folder / path).exists(), target
    for path in re.findall(r"`((?:nlrouter|docs|tools|\.ci)/[\w./]*)`", TEXTS[name]):
        assert (ROOT / path).exists(), path


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
    """Tests that commands print what is shown."""
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
