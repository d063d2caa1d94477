"""Tests that the interface is at home in other programs: notebooks, logs, threads, processes."""

from __future__ import annotations

import logging
import os
import pickle
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

import pytest

import nlrouter

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "pages" / "guide" / "programs.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
BOARD = nlrouter.read_problem(ROOT / "problems" / "shared_span_8x8x2.txt")
UNGUARDED = f"""
import nlrouter
board = nlrouter.read_problem({str(ROOT / "problems" / "shared_span_8x8x2.txt")!r})
print(nlrouter.route(board, time_limit=20, workers=2).status)
"""


def run(folder: Path, *words: str, code: str = "") -> subprocess.CompletedProcess[str]:
    """Run Python in a folder, with something on standard input."""
    return subprocess.run(
        [sys.executable, *words],
        input=code,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_page(number: int, tmp_path: Path) -> None:
    """Tests that each block of the page is a program that runs and has nothing to complain of."""
    script = tmp_path / "script.py"
    script.write_text(BLOCKS[number])
    done = run(tmp_path, "-W", "error", "script.py")
    said = done.stderr if "logging" not in BLOCKS[number] else ""
    assert (done.returncode, said) == (0, ""), done.stderr
    assert done.stdout or (tmp_path / "results.csv").read_text().count("\n") == 3


@pytest.mark.parametrize(
    "words", [["script.py"], ["-"], ["-m", "pdb", "-c", "continue", "script.py"]]
)
def test_no_guard_is_needed(words: list[str], tmp_path: Path) -> None:
    """Tests that processes start from a script, standard input and a debugger, without a guard."""
    (tmp_path / "script.py").write_text(UNGUARDED)
    done = run(tmp_path, *words, code=UNGUARDED if "-" in words else "quit\n")
    assert "optimal" in done.stdout and "Error" not in done.stderr


def test_threads() -> None:
    """Tests that searches in threads give what each of them gives alone."""
    boards = [nlrouter.generate("random", (12, 12, 2), seed=seed)[0] for seed in (1, 2, 3)]
    route = partial(nlrouter.route, time_limit=2, deterministic=True)
    with ThreadPoolExecutor(3) as pool:
        together = list(pool.map(route, boards))
    assert together == list(map(route, boards))


def test_pool() -> None:
    """Tests that a daemonic process searches alone, and that results come back whole."""
    with get_context("fork").Pool(1) as pool:
        (result,) = pool.map(partial(nlrouter.route, time_limit=20, deterministic=True), [BOARD])
    assert result == nlrouter.route(BOARD, time_limit=20, deterministic=True)


@pytest.mark.parametrize("certify", [False, True])
def test_pickle_and_compare(certify: bool) -> None:
    """Tests that a result survives being sent, and differs from one that says something else."""
    result = nlrouter.route(BOARD, time_limit=20, workers=1, certify=certify)
    back = pickle.loads(pickle.dumps(result))
    assert back == result == replace(result, seconds=9.0) and back.problem == BOARD
    assert back.methods == result.methods and back.certificate == result.certificate
    assert result.answer is not None
    assert result != replace(result, answer=None) and result != 1
    assert result != replace(result, answer=result.answer[:, ::-1])


def test_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a notebook is shown boards and results as SVG, and without the extra as text."""
    result = nlrouter.route(BOARD, time_limit=20, workers=1)
    for shown in (BOARD, result, replace(result, answer=None, standing=nlrouter.Standing(bound=7))):
        assert "<svg" in (shown._repr_svg_() or "")
    assert nlrouter.Problem(9000, 9, 1, [((0, 0, 1), (9, 1, 1))])._repr_svg_() is None
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert BOARD._repr_svg_() is result._repr_svg_() is None


def test_log(caplog: pytest.LogCaptureFixture) -> None:
    """Tests that news and the end are told to the log, and only what is new."""
    with caplog.at_level(logging.INFO, "nlrouter"):
        result = nlrouter.route(BOARD, time_limit=20, workers=1)
    *news, end = caplog.messages
    assert end == str(result)
    assert news and len(set(line.split(": ")[1].split(", by")[0] for line in news)) == len(news)
