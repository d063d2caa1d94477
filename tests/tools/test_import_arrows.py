"""Tests of tools/import_arrows.py, and of the house by it."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAIN = runpy.run_path(str(ROOT / "tools" / "import_arrows.py"))["main"]


def house(folder: Path, **modules: str) -> str:
    """Write a package whose modules hold what is told, by names such as ``checker__rules``."""
    for name, text in modules.items():
        path = folder / "nlrouter" / f"{name.replace('__', '/')}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return str(folder / "nlrouter")


def test_nothing_runs_up(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that no room of nlrouter imports a higher one, nor the checker the engine."""
    assert MAIN([]) == 0, capsys.readouterr().err


@pytest.mark.parametrize(
    ("modules", "complaint"),
    [
        ({"keep__store": "def f():\n    from nlrouter.view import page"}, "keep imports view"),
        ({"keep__store": "from ..commands.nlroute import main"}, "keep imports commands.nlroute"),
        ({"batch__job": "import nlrouter.contest.day"}, "batch imports contest.day"),
        ({"problem": "from nlrouter import keep"}, "ground imports keep"),
        ({"attic__box": "import nlrouter.problem"}, "attic has no floor"),
        (
            {"checker__rules": "import nlrouter.grid", "grid": "import nlrouter.engine.search"},
            "the checker knows the engine: checker.rules -> grid -> engine.search",
        ),
    ],
    ids=["function", "relative", "same floor", "ground", "unknown room", "checker"],
)
def test_says_what_runs_up(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], modules: dict[str, str], complaint: str
) -> None:
    """Tests that every kind of wrong arrow is told, and gives exit code 1."""
    rooms = dict.fromkeys(
        ["problem", "grid", "keep__store", "view__page", "contest__day", "commands__nlroute"], ""
    )
    rooms["engine__search"] = "import nlrouter.problem"
    assert MAIN([house(tmp_path, **rooms)]) == 0
    capsys.readouterr()
    assert MAIN([house(tmp_path, **modules)]) == 1
    assert complaint in capsys.readouterr().err
