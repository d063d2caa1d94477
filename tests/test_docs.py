"""Tests that the documentation site builds, and that its examples run as they are."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import nlrouter

ROOT = Path(__file__).resolve().parents[1]
SCRIPTS = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["scripts"]
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ROOT), "NO_MKDOCS_2_WARNING": "1"}


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built with every warning an error."""
    pytest.importorskip("material", reason="the extra docs is not installed")
    pytest.importorskip("mkdocstrings", reason="the extra docs is not installed")
    folder = tmp_path_factory.mktemp("docs") / "site"
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", "docs/mkdocs.yml"]
    run = subprocess.run(
        [*command, "-d", str(folder)], cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True
    )
    assert run.returncode == 0, run.stderr
    return folder


def test_interface_is_complete(site: Path) -> None:
    """Tests that the site describes every public name but the alias of an array."""
    page = (site / "docs" / "pages" / "interface" / "index.html").read_text(encoding="utf-8")
    described = set(re.findall(r'<h3 id="nlrouter\.(\w+)"', page))
    assert described == set(nlrouter.__all__) - {"Answer", "__version__"}


def test_pages_are_put_together(site: Path) -> None:
    """Tests that what pages take from elsewhere is there: help texts, files, pictures."""
    pages = site / "docs" / "pages"
    for command in SCRIPTS:
        text = (pages / "commands" / command / "index.html").read_text(encoding="utf-8")
        assert f"usage: {command}" in text
    examples = (pages / "guide" / "examples" / "index.html").read_text(encoding="utf-8")
    assert "write_certificate" in examples
    assert (site / "pictures" / "switchbox_12x12x2.svg").stat().st_size > 1000
    assert "Set-up" in (site / "index.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("example", "words", "files"),
    [
        ("route_and_plot", "cost 115 = ", {"answer.txt", "answer.svg", "board.svg"}),
        ("prove_and_verify", "no answer costs less than 81", {"shared_span_8x8x2.json"}),
        ("generate_and_grade", "layer 2: cost ", {"hardest.txt", "hardest.svg"}),
    ],
)
def test_example(tmp_path: Path, example: str, words: str, files: set[str]) -> None:
    """Tests that an example comes to its end, and to what it is meant to show."""
    script = ROOT / "docs" / "examples" / f"{example}.py"
    run = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert words in run.stdout
    assert {path.name for path in tmp_path.iterdir()} == files


def test_every_example_is_run() -> None:
    """Tests that no example is left out above."""
    assert len(list((ROOT / "docs" / "examples").glob("*.py"))) == 3


def test_version_has_its_changes() -> None:
    """Tests that the changelog tells what is new in this version, below what has no version yet."""
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    _, latest = re.findall(r"^## \[(.+?)\]", changes, re.MULTILINE)[:2]
    assert latest == nlrouter.__version__
