"""Certificates from nlroute to nlcheck."""

import json
from pathlib import Path

import pytest

from nlrouter.certifier import certify
from nlrouter.checker.certificate import verify
from nlrouter.checker.certificate.limits import CheckLimits, TooLong
from nlrouter.commands import nlcheck, nlroute

CROSS = "SIZE 5X5\nLINE_NUM 2\nLINE#1 (1,2)-(3,2)\nLINE#2 (2,1)-(2,3)\n"
"""Its optimum is 12, of which the dual alone shows less."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to work in, with a problem, its answer and the certificate."""
    monkeypatch.chdir(tmp_path)
    Path("q.txt").write_text(CROSS)
    assert route("--certificate", "c.json") == 0
    return tmp_path


def route(*options: str) -> int:
    """Route the problem, for a short while."""
    return nlroute.main(["q.txt", "-o", "a.txt", "--workers", "1", "--time-limit", "5", *options])


def check(*options: str) -> int:
    """Check the certificate."""
    return nlcheck.main(["--input", "q.txt", "--certificate", "c.json", *options])


def change(**fields: object) -> None:
    """Change fields of the certificate."""
    path = Path("c.json")
    path.write_text(json.dumps(json.loads(path.read_text()) | fields))


def test_verified(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that both commands tell what is verified, and what it means for the answer."""
    assert route("--certificate", "c.json") == 0
    assert "certificate c.json: bound 12: verified\n" in capsys.readouterr().err
    assert check("--target", "a.txt") == 0
    out = capsys.readouterr().out
    assert "bound 12: verified\n" in out
    assert "a.txt costs 12: optimal, verified\n" in out


def test_left_to_nlcheck(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that a check that takes too long is said to be left, not to have verified nothing."""

    def refuse(*_: object) -> float:
        raise TooLong

    monkeypatch.setattr(certify, "verified_bound", refuse)
    assert route("--certificate", "c.json") == 0
    said = "certificate c.json: bound 12: nlcheck verifies it, which takes longer\n"
    assert said in capsys.readouterr().err


def test_word(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that what rests on an engine's word is told from what is verified."""
    change(bound=97, word="CP-SAT")
    assert check() == 0
    assert "bound 97: 12 verified, 97 by CP-SAT\n" in capsys.readouterr().out
    assert check("--target", "a.txt") == 1
    assert "a.txt costs 12, so the bound 97 by CP-SAT is wrong" in capsys.readouterr().out


def test_claim_that_is_not_proven(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a certificate that proves less than it claims to is not passed."""
    change(bound=13, verified=13)
    assert check() == 1
    said = capsys.readouterr()
    assert "bound 12: verified\n" in said.out
    assert "nlcheck: c.json: it claims to prove 13, but proves 12\n" in said.err


def test_other_problem(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a certificate of another problem is refused."""
    Path("q.txt").write_text(CROSS.replace("(3,2)", "(4,2)"))
    assert check() == 1
    assert "c.json: refused: the certificate is of another problem\n" in capsys.readouterr().err


def test_no_certificate(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a file that is none is bad input."""
    Path("c.json").write_text("{}")
    assert check() == 2
    assert capsys.readouterr().err.startswith("nlcheck: c.json: found no field")


@pytest.mark.parametrize("path", ["q.txt", "a.txt", "nowhere/c.json", "."])
def test_place_that_cannot_be(folder: Path, path: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a file that the certificate cannot go to is refused before the search."""
    before = Path("a.txt").read_bytes()
    capsys.readouterr()
    assert route("--certificate", path) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert Path("a.txt").read_bytes() == before


@pytest.mark.parametrize("path", ["start.txt", "other.txt"])
def test_file_that_is_no_certificate(
    folder: Path, path: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that neither the start nor an unrelated file is replaced, and nothing is done."""
    Path("start.txt").write_bytes(Path("a.txt").read_bytes())
    Path("other.txt").write_text(CROSS)
    Path("a.txt").unlink()
    before = Path(path).read_bytes()
    capsys.readouterr()
    assert route("--start", "start.txt", "--certificate", path) == 2
    assert capsys.readouterr().err.startswith(f"nlroute: {path}: found ")
    assert Path(path).read_bytes() == before
    assert not Path("a.txt").exists()


def test_force_of_a_certificate(folder: Path) -> None:
    """Tests that force replaces an unrelated file by the certificate, but no file that is read."""
    Path("other.txt").write_text(CROSS)
    assert route("--certificate", "other.txt", "--force") == 0
    assert Path("other.txt").read_text().startswith("{")
    for path in ("q.txt", "a.txt"):
        before = Path(path).read_bytes()
        assert route("--start", "a.txt", "--certificate", path, "--force") == 2
        assert Path(path).read_bytes() == before


WITHOUT_ANSWER = {
    "walled in": "SIZE 2X2\nLINE_NUM 2\nLINE#1 (0,0)-(1,1)\nLINE#2 (1,0)-(0,1)\n",
    "across": "SIZE 5X5\nLINE_NUM 2\nLINE#1 (0,2)-(4,2)\nLINE#2 (2,0)-(2,4)\n",
    "spans": (
        "SIZE 4X4X3\nLINE_NUM 2\nLINE#1 (0,0,1) (3,3,2)\nLINE#2 (3,0,1) (0,3,2)\n"
        "VIA#a (1,1,1) (1,1,2)\nVIA#b (2,2,2) (2,2,3)\n"
    ),
}


@pytest.mark.parametrize("seconds", ["5", "0.001"])
@pytest.mark.parametrize("name", WITHOUT_ANSWER)
def test_no_answer(
    name: str,
    seconds: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Tests that status, JSON, code and certificate agree that there is no answer.

    Where the search had no time to find out more than what shows easily, it is told whose word
    that is.
    """
    monkeypatch.chdir(tmp_path)
    Path("q.txt").write_text(WITHOUT_ANSWER[name])
    assert route("--certificate", "c.json", "--json", "--time-limit", seconds) == 3
    said = capsys.readouterr()
    record = json.loads(said.out)
    assert (record["status"], record["lower_bound"]) == ("infeasible", None)
    summary, verdict = said.err.splitlines()
    assert summary.startswith("infeasible  ")
    assert verdict.startswith("certificate c.json: infeasible: ")
    by_word = verdict.endswith("verified, infeasible by the search")
    assert by_word == ((name, seconds) == ("across", "0.001"))
    assert by_word or json.loads(Path("c.json").read_text())["verified"] == "infeasible"
    assert not Path("a.txt").exists()
    assert check() == 0
    assert verdict.partition(": ")[2] + "\n" in capsys.readouterr().out


def test_no_answer_by_word(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that it is told whose word it is that there is no answer, and what refutes it."""
    change(bound="infeasible", word="CP-SAT")
    assert check() == 0
    assert "infeasible: 12 verified, infeasible by CP-SAT\n" in capsys.readouterr().out
    assert check("--target", "a.txt") == 1
    said = "a.txt costs 12, so the bound infeasible by CP-SAT is wrong"
    assert said in capsys.readouterr().out
    change(verified="infeasible")
    assert check() == 1
    said = "c.json: it claims to prove infeasible, but proves 12\n"
    assert said in capsys.readouterr().err


def test_check_that_takes_too_long(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that a certificate beyond the limits is refused in a sentence, with code 1."""
    monkeypatch.setattr(verify, "CheckLimits", lambda: CheckLimits(steps=50, steps_per_cell=0))
    assert check() == 1
    expected = "nlcheck: c.json: refused: its check takes more than 50 steps\n"
    assert capsys.readouterr().err == expected


@pytest.mark.parametrize("options", [["--certificate", "-"], ["--certificate", "c", "--fix", "1"]])
def test_bad_usage(options: list[str]) -> None:
    """Tests that a certificate goes to a file, and is never one of a board with fixed lines."""
    with pytest.raises(SystemExit, match="2"):
        nlroute.main(["q.txt", "--start", "a.txt", *options])
