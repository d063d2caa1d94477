"""Tests that the table of what is verified says what the check says."""

import json
from pathlib import Path

import pytest
import verified
from bench_runs import Figures
from verified import Verified, main, measure, table

PROBLEMS = Path(__file__).parents[2] / "problems"
FIGURES = Figures(1.25, {}, 40.0, 39.0, 0.025, "feasible", 60.0, 100.0, "")


def test_boards() -> None:
    """Tests that what a certificate shows is told, and nothing where there is none."""
    shown = measure("some", PROBLEMS / "strip_12x1x3.txt", 5.0, 1)
    assert (shown.bound, shown.refused) == (25, "")
    none = measure("none", PROBLEMS / "infeasible_spans_4x4x3.txt", 5.0, 1)
    assert (none.bound, none.refused) == (None, "")


@pytest.mark.parametrize(
    ("said", "code", "bound", "refused"),
    [
        ("bound 97: verified", 0, 97, ""),
        ("bound 97: 92 verified, 97 by CP-SAT", 0, 92, ""),
        ("bound 97: verified", 1, None, "bound 97: verified"),
        ("nothing of the kind", 0, None, "nothing of the kind"),
    ],
)
def test_what_the_check_says(
    said: str,
    code: int,
    bound: int | None,
    refused: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Tests that only what is verified counts, and that a check that fails is told."""
    fake = tmp_path / "fake.sh"
    fake.write_text(
        f'case "$*" in *nlcheck*) echo "{said}"; exit {code};; esac\n'
        'for file in "$4" "$6"; do touch "$file"; done\n'
    )
    monkeypatch.setattr(verified, "COMMANDS", ("sh", str(fake)))
    found = measure("some", tmp_path, 5.0, 1)
    assert (found.bound, found.refused) == (bound, refused)


def test_rows() -> None:
    """Tests that figures of the bench stand beside, where it has any, and best costs likewise."""
    kept = {"a/b": Verified("a/b", 38, 1.26, "")}
    assert list(table({"a/b": FIGURES}, kept, {}))[-1] == (
        "| b | 1.2 | 40 | 39 | feasible | 60.0 | 38 | 1.3 |"
    )
    assert list(table({"a/b": None}, kept, {"a/b": 41}))[-1] == (
        "| a/b | - | - | - | - | - | 41 | 38 | 1.3 |"
    )


@pytest.mark.parametrize(("kept", "code"), [(25, 0), (26, 1)])
def test_runs_are_kept(
    kept: int, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that a kept board is not run again, and that more verified than it costs is wrong."""
    runs, bench = tmp_path / "runs.jsonl", tmp_path / "bench.json"
    board = {"board": "problems/strip_12x1x3", "bound": kept, "seconds": 0.5, "refused": ""}
    runs.write_text(json.dumps(board) + "\n")
    figures = {**vars(FIGURES), "cost": 25.0, "bound": 25.0}
    bench.write_text(json.dumps({"boards": {"problems/strip_12x1x3": figures}}))
    arguments = [str(runs), str(PROBLEMS / "strip_12x1x3.txt"), "--bench", str(bench)]
    assert main(arguments) == code
    assert f"| 25 | 25 | feasible | 60.0 | {kept} | 0.5 |" in capsys.readouterr().out
