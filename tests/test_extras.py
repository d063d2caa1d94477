"""Tests of the extras: what works without them, and what is said where one is missing."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import nlrouter
from nlrouter.extras import EXTRAS

ROOT = Path(__file__).resolve().parents[1]
BOARD = str(ROOT / "problems" / "crlf_5x5x2.txt")
ANSWER = str(ROOT / "answers" / "crlf_5x5x2.txt")
ALL = sorted(module for _, modules in EXTRAS.values() for module in modules)
SUBMIT = ["list", "--service", "http://127.0.0.1:1", "--user", "team"]


def run_without(modules: list[str], command: str, *arguments: str) -> tuple[int, str]:
    """Run a command with imports blocked; return its exit code and standard error."""
    code = (
        "import sys\n"
        f"sys.modules |= dict.fromkeys({modules!r})\n"
        f"from nlrouter.commands.{command} import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    whole = [sys.executable, "-c", code, *arguments]
    run = subprocess.run(whole, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return run.returncode, run.stderr


@pytest.mark.parametrize(
    ("module", "command", "arguments", "extra"),
    [
        ("matplotlib", "nldraw", [BOARD, "-o", "OUT.svg"], "draw"),
        ("PIL", "nlcheck", ["--input", BOARD, "--gif", "OUT"], "draw"),
        ("aiohttp", "nlview", [BOARD], "view"),
        ("httpx", "nlsubmit", SUBMIT, "contest"),
        ("psutil", "nlsubmit", SUBMIT, "contest"),
        ("openpyxl", "nlconv", [BOARD, "-o", "OUT.xlsx"], "xlsx"),
        ("distributed", "nlroute", [BOARD, "-o", "OUT/", "--scheduler", "tcp://x:1"], "cluster"),
        ("ortools", "nlroute", [BOARD, "-o", "OUT", "--engine", "cp-sat", "--quiet"], "cp-sat"),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_says_what_to_type(
    tmp_path: Path, module: str, command: str, arguments: list[str], extra: str
) -> None:
    """Tests that a command that lacks a package says in a sentence how to get it."""
    words = [word.replace("OUT", f"{tmp_path}/out") for word in arguments]
    code, said = run_without([module], command, *words)
    package = {"PIL": "pillow"}.get(module, module)
    assert code == 2
    assert f"found no package {package}, expected the extra {extra}: " in said
    assert said.endswith(f": pip install 'nlrouter[{extra}]'\n") and said.count("\n") == 1
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("nlroute", [BOARD, "-o", "OUT/a.txt", "--workers", "1", "--quiet"]),
        ("nlroute", [BOARD, "-o", "OUT/", "--workers", "1", "--quiet"]),
        ("nlcheck", ["--input", BOARD, "--target", ANSWER]),
        ("nldraw", [BOARD, ANSWER]),
        ("nlgen", ["--size", "5x5x2", "-o", "OUT/b.txt", "--quiet"]),
    ],
    ids=["route", "batch", "check", "draw", "generate"],
)
def test_works_without_any(tmp_path: Path, command: str, arguments: list[str]) -> None:
    """Tests that routing, checking, making and showing a board need no extra, nor SciPy."""
    words = [word.replace("OUT", str(tmp_path)) for word in arguments]
    assert run_without([*ALL, "scipy"], command, *words) == (0, "")


@pytest.mark.parametrize(
    ("module", "function", "extra"),
    [("matplotlib", "draw", "draw"), ("networkx", "layered_graph", "graph")],
)
def test_library_says_it_too(
    monkeypatch: pytest.MonkeyPatch, module: str, function: str, extra: str
) -> None:
    """Tests that the library names the extra as well."""
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(nlrouter.MissingExtra, match=rf"pip install 'nlrouter\[{extra}\]'"):
        getattr(nlrouter, function)(nlrouter.read_problem(BOARD))


def test_extras_are_declared() -> None:
    """Tests that every extra that can be missed is one that can be installed."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    declared = project["optional-dependencies"]
    assert set(declared) == {*EXTRAS, "all", "docs", "dev"}
    assert declared["all"] == [f"nlrouter[{','.join(EXTRAS)}]"]
    for name, (_, modules) in EXTRAS.items():
        packages = " ".join(declared[name])
        assert all({"PIL": "pillow"}.get(module, module) in packages for module in modules)
