"""Tests of what the commands do with puzzles of all formats."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from numplace.cell import Cell
from numplace.check.direct import Direct
from numplace.commands.numplace import COMMANDS
from numplace.files.detect import read_puzzle, read_puzzles
from numplace.files.json_puzzle import format_json, parse_json
from numplace.result import Result
from numplace.solve.count import count_answers

HERE = Path(__file__).parent
DATA = HERE.parent / "data" / "numplace"
FOLDERS = sorted(
    path.name for path in DATA.iterdir() if path.is_dir() and path.name not in ("TXT", "SDQ-11")
)
MANY = {"CSV-01", "KEN-05"}
NONE = {"CSV-17", "SDQ-02", "KEN-06"}


def answer_of(name: str) -> Path | None:
    """Return the file with an instance's answer."""
    paths = [DATA / name / "Output.csv", DATA / name / "answer.txt"]
    return next((path for path in paths if path.exists()), None)


@pytest.mark.parametrize("name", FOLDERS)
def test_status(name: str, run: Callable) -> None:
    """Tests format, status, exit code and JSON of every instance (A01, A02, A11)."""
    outcome = run("solve", DATA / name, "--json", "--quiet")
    record = json.loads(outcome.out)
    assert record["format"] == {"C": "csv", "T": "text", "S": "sdq", "K": "calcudoku"}[name[0]]
    expected = "several" if name in MANY else "none" if name in NONE else "unique"
    assert record["status"] == expected
    assert outcome.code == (3 if name in NONE else 0)
    assert (
        record["found"]
        == len(record["answers"])
        == {"several": 2, "unique": 1, "none": 0}[expected]
    )
    path = answer_of(name)
    if expected == "unique" and path is not None:
        assert run("check", DATA / name, path).code == 0
        text = run("solve", DATA / name).out
        assert text.split() == path.read_text().split()


@pytest.mark.parametrize("name", FOLDERS)
def test_print(name: str, run: Callable) -> None:
    """Tests that every instance is drawn, with and without its answer, also in ASCII (A10)."""
    puzzle = read_puzzle(str(DATA / name))
    outcome = run("print", DATA / name)
    assert outcome.code == 0 and outcome.err == ""
    assert len(outcome.out.splitlines()) > 2 * puzzle.height
    plain = run("print", DATA / name, "--ascii").out
    assert plain.isascii() and len(plain.splitlines()) == len(outcome.out.splitlines())
    path = answer_of(name)
    if path is not None:
        drawn = run("print", DATA / name, path).out
        assert len(re.findall("[0-9]", drawn)) > len(re.findall("[0-9]", outcome.out))


@pytest.mark.parametrize(
    ("words", "keys"),
    [
        (["solve", "TXT"], {"file", "format", "status", "answers", "found", "exhausted", "phase"}),
        (["count", "CSV-03"], {"file", "format", "status", "found", "exhausted"}),
        (["check", "CSV-03", "CSV-03/Output.csv", "--unique"], {"file", "correct", "status"}),
        (["explain", "CSV-03", "--hint"], {"n", "technique", "houses", "cells", "places"}),
        (["grade", "TXT", "CSV-03"], {"file", "level", "score", "hardest", "counts"}),
        (["generate", "plain", "--count", "2"], {"kind", "seed", "status", "answer", "puzzle"}),
        (["print", "CSV-03"], {"file"}),
        (["convert", "CSV-03", "OUT"], {"file", "output", "format"}),
        (["sdq", "SDQ-11"], {"file", "run", "status", "answers"}),
        (["cdok", "examine", "-i", "KEN-01/puzzle.txt"], {"command", "status", "difficulty"}),
    ],
)
def test_json(words: list[str], keys: set[str], run: Callable, tmp_path: Path) -> None:
    """Tests that each command prints one object a line, and nothing else (A11)."""
    paths = {"OUT": tmp_path / "out.json"}
    words = [words[0], *(str(paths.get(w, DATA / w if w[:3].isupper() else w)) for w in words[1:])]
    outcome = run(*words, "--json")
    records = [json.loads(line) for line in outcome.out.splitlines()]
    assert outcome.code == 0 and records
    assert all(keys <= record.keys() for record in records)


def test_answer_file(run: Callable, data: Path, tmp_path: Path) -> None:
    """Tests -o, and that nothing is written where there is no answer."""
    path = tmp_path / "answer"
    assert run("solve", data / "CSV-03", "-o", path).out == ""
    assert path.read_text() == (data / "CSV-03/Output.csv").read_text()
    path.unlink()
    assert run("solve", data / "SDQ-02", "-o", path).code == 3
    assert not path.exists()


def test_unique(run: Callable, data: Path) -> None:
    """Tests that another solution has an exit code of its own where asked for (A14)."""
    assert run("solve", data / "CSV-01", "--unique").code == 4
    assert run("solve", data / "CSV-01").code == 0
    assert run("solve", data / "CSV-02", "--unique").code == 0


def test_count_and_list(run: Callable, data: Path, case: Callable) -> None:
    """Tests counts up to a limit, and lists of answers (A03, C09, C10)."""
    outcome = run("count", data / "CSV-01", "--limit", 7, "--all")
    blocks = outcome.out.split("\n\n")
    assert blocks[0] == "7 solutions (at least)" and len(set(blocks[1:])) == 7
    folder = case("CSV-14")
    for name in ("XJoint.csv", "YJoint.csv"):
        (folder / name).write_text((folder / name).read_text().replace("2", ""))
    assert run("count", folder).out == "2 solutions (exhausted)\n"
    assert run("count", case("CSV-15", Condition=None)).out == "655 solutions (exhausted)\n"
    assert run("count", data / "SDQ-02").code == 3


@pytest.mark.parametrize("engine", ["auto", "cpsat", "sat", "bits"])
def test_engines(engine: str, run: Callable, data: Path) -> None:
    """Tests that each engine counts the same (A13)."""
    for name, count in (("CSV-01", 512), ("CSV-13", 1), ("CSV-17", 0)):
        record = json.loads(run("count", data / name, "--engine", engine, "--json").out)
        assert (record["found"], record["exhausted"]) == (count, True)


def test_engine_that_cannot(run: Callable, data: Path) -> None:
    """Tests that an engine that does not know a constraint is refused as bad usage."""
    outcome = run("solve", data / "SDQ-03", "--engine", "bits")
    assert outcome.code == 2 and "bits knows" in outcome.err


def test_time_limit(run: Callable, tmp_path: Path) -> None:
    """Tests that a search out of time ends as unknown (A06)."""
    from numplace.files.symbols import BLANKS

    path = tmp_path / "grid"
    path.write_text(BLANKS[0] * 625)
    outcome = run("solve", path, "--time-limit", "0.000001", "--json", "-o", tmp_path / "answer")
    assert outcome.code == 1 and json.loads(outcome.out)["status"] == "unknown"
    assert not (tmp_path / "answer").exists()


def test_no_answer_is_lost(monkeypatch: pytest.MonkeyPatch, data: Path) -> None:
    """Tests that the next engines' interruption or failure in time loses no answer found."""
    from numplace.sat import run
    from numplace.solve import bits, cpsat
    from numplace.solve.count import count_answers

    puzzle = read_puzzle(str(data / "CSV-02"))
    (answer,) = count_answers(puzzle).answers

    def interrupted(*args: object) -> Iterator[dict[Cell, int] | None]:
        raise KeyboardInterrupt

    def out_of_time(*args: object) -> Iterator[dict[Cell, int] | None]:
        return iter([])

    monkeypatch.setattr(bits, "find_answers", lambda *args, **options: iter([answer]))
    for sat, search in ((out_of_time, out_of_time), (out_of_time, interrupted), (interrupted,) * 2):
        monkeypatch.setattr(run, "find_at_once", sat)
        monkeypatch.setattr(cpsat, "find_answers", search)
        result = count_answers(puzzle)
        assert result.answers == (answer,) and result.status == "unknown"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupt(number: int, tmp_path: Path) -> None:
    """Tests that Ctrl-C and SIGTERM end a long count with what was found so far (A06)."""
    path = tmp_path / "grid"
    path.write_text("." * 81)
    words = [sys.executable, "-m", "numplace.commands.numplace", "count", str(path)]
    root = HERE.parent.parent
    environment = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'tools'}"}
    process = subprocess.Popen(
        [*words, "--limit", "2000000000", "--engine", "cpsat"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell without job control makes children ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    time.sleep(4)
    process.send_signal(number)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 1 and "Traceback" not in err
    assert "solutions (at least)" in out or "interrupted" in err


TWO_GRIDS = f"{'.' * 80}1\n{'.' * 81}\n"
RUNS = "{Sudoku:}{Difficulty: 11 1 3}"


@pytest.mark.parametrize(
    ("words", "text"), [(["solve"], TWO_GRIDS), (["solve", "--lines"], TWO_GRIDS), (["sdq"], RUNS)]
)
def test_interrupted_batch(
    words: list[str], text: str, run: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that Ctrl-C at a later puzzle or run loses no answer of the earlier ones."""
    from numplace import runs
    from numplace.solve import batch

    calls = []

    def interrupted(*args: Any, **options: Any) -> Any:
        calls.append(args)
        if len(calls) > 1:
            raise KeyboardInterrupt
        return count_answers(*args, **options)

    monkeypatch.setattr(runs, "count_answers", interrupted)
    monkeypatch.setattr(batch, "count_answers", interrupted)
    monkeypatch.setattr(batch, "NODES", 1)
    path, output = tmp_path / "puzzles", tmp_path / "answers"
    path.write_text(text)
    outcome = run(*words, path, "-o", output)
    assert outcome.code == 1 and outcome.err.endswith("interrupted\n")
    answer = output.read_text()
    assert len(answer.split()) == (81 if words == ["sdq"] else 1)


@pytest.mark.parametrize("command", ["explain", "grade"])
def test_interrupted_count(
    command: str, run: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tests that Ctrl-C during the search for a second answer ends all, and nothing is claimed."""
    from numplace.solve import count

    def interrupted(*args: Any, **options: Any) -> Result:
        return Result(({},), exhausted=False, seconds=0, phase="bits", interrupted=True)

    monkeypatch.setattr(count, "count_answers", interrupted)
    path = tmp_path / "grid"
    path.write_text("1" + "." * 80)
    outcome = run(command, path)
    assert outcome == (1, "", f"numplace {command}: interrupted\n")


@pytest.mark.parametrize(
    "words",
    [
        ["solve", DATA / "CSV-02", "-o"],
        ["solve", DATA / "CSV-02", "--proof"],
        ["solve", DATA / "TXT", "--lines", "-o"],
        ["sdq", DATA / "SDQ-01", "-o"],
        ["sdq", DATA / "SDQ-01", "--dimacs"],
        ["convert", DATA / "SDQ-01", "--to", "json"],
        ["convert", DATA / "CSV-02", "--to", "csv"],
        ["generate", "plain", "--to", "text", "-o"],
        ["generate", "parity", "--size", "4", "--to", "csv", "-o"],
        ["cdok", "gen-grid", "--seed", "1", "-o"],
        ["cdok", "print", "-i", DATA / "KEN-01" / "puzzle.txt", "-o"],
    ],
)
def test_not_written(words: list[object], run: Callable, tmp_path: Path) -> None:
    """Tests that a file that cannot be written is told in a sentence, with exit code 1 (A14)."""
    (tmp_path / "file").touch()
    if words[2:] == ["--lines", "-o"]:
        words = ["solve", DATA / "TXT" / "ladder.txt", *words[2:]]
    outcome = run(*words, tmp_path / "file" / "x.y")
    assert outcome.code == 1
    assert "found no way to write it (Not a directory)" in outcome.err.splitlines()[-1]
    assert "Traceback" not in outcome.err


def test_proof(run: Callable, data: Path, tmp_path: Path) -> None:
    """Tests proofs of "no other" and of "none", cut, changed and of another puzzle (A05)."""
    for name, claim in (("SDQ-12", "one solution"), ("CSV-17", "no solution"), ("CSV-12", "one")):
        path = tmp_path / f"{name}.proof"
        assert run("solve", data / name, "--proof", path, "--quiet").code in (0, 3)
        outcome = run("check", data / name, "--proof", path)
        assert outcome.code == 0 and claim in outcome.out and "verified" in outcome.out
    lines = (tmp_path / "SDQ-12.proof").read_text().splitlines()
    cut = tmp_path / "cut"
    for left in (1, len(lines) // 3, len(lines) - 1):
        cut.write_text("\n".join(lines[:left]))
        outcome = run("check", data / "SDQ-12", "--proof", cut)
        assert outcome.code == 1 and "cut off" in outcome.err
    one_step = json.dumps(json.loads(lines[0]) | {"steps": 1})
    cut.write_text("\n".join([one_step, "d 1 0"]))
    assert "reaches no contradiction" in run("check", data / "SDQ-12", "--proof", cut).err
    cut.write_text("\n".join([one_step, "0"]))
    assert "does not follow" in run("check", data / "SDQ-12", "--proof", cut).err
    assert run("check", data / "SDQ-03", "--proof", tmp_path / "SDQ-12.proof").code == 1
    cut.write_text("\n".join([lines[0], "1 x 0"]))
    outcome = run("check", data / "SDQ-12", "--proof", cut)
    assert outcome.code == 2 and f"{cut}:2: found '1 x 0'" in outcome.err


def test_proof_of_wrong_claim(run: Callable, data: Path, tmp_path: Path) -> None:
    """Tests that no proof is written, or passes, where there are several answers."""
    path = tmp_path / "proof"
    assert run("solve", data / "CSV-01", "--proof", path).code == 2 and not path.exists()
    # The clauses of a puzzle with several answers must not be refuted by units alone.
    direct = Direct(read_puzzle(str(data / "CSV-01")))
    assert all(direct.clauses)


@pytest.mark.parametrize("name", FOLDERS)
def test_json_puzzles(name: str) -> None:
    """Tests that every puzzle survives JSON."""
    puzzle = read_puzzle(str(DATA / name))
    assert parse_json(format_json(puzzle), "") == puzzle


@pytest.mark.parametrize("text", ['{"numplace": 2}', '{"numplace"', '{"numplace": 1}', '{"a": []}'])
def test_malformed_json(text: str, run: Callable, tmp_path: Path) -> None:
    """Tests that other JSON is refused."""
    path = tmp_path / "puzzle.json"
    path.write_text(text)
    outcome = run("solve", path)
    assert outcome.code == 2 and "a puzzle" in outcome.err


@pytest.mark.parametrize("name", [name for name in FOLDERS if name.startswith("SDQ")])
def test_convert_sdq(name: str, run: Callable, tmp_path: Path) -> None:
    """Tests that .sdq files are written back as read, up to spacing (S14)."""
    path = tmp_path / "copy.sdq"
    assert run("convert", DATA / name, path).code == 0
    original = (DATA / name / "puzzle.sdq").read_text()
    assert path.read_text().split() == original.replace(": ", ":").replace(":", ": ").split() or (
        "".join(path.read_text().split()) == "".join(original.split())
    )


def test_convert_to_csv(run: Callable, data: Path, tmp_path: Path) -> None:
    """Tests that CSV says what it can, and that the clause is named that it cannot (S14)."""
    for name in ("SDQ-06", "SDQ-07", "SDQ-10", "TXT-01", "CSV-09", "CSV-11", "CSV-14", "CSV-16"):
        folder = tmp_path / name
        assert run("convert", data / name, folder).code == 0
        there, here = read_puzzle(str(folder)), read_puzzle(str(data / name))
        assert (there.cells, there.domains, there.givens) == (
            here.cells,
            here.domains,
            here.givens,
        )
        count = run("count", folder, "--quiet").out
        assert count == run("count", data / name, "--quiet").out == "1 solution (exhausted)\n"
    for name, clause in (("SDQ-03", "Killer"), ("SDQ-05", "SandwichSum"), ("SDQ-04", "AntiKnight")):
        outcome = run("convert", data / name, tmp_path / "no")
        assert outcome.code == 1 and clause in outcome.err and not (tmp_path / "no").exists()


def test_convert_text(run: Callable, data: Path, tmp_path: Path) -> None:
    """Tests text grids, one-line grids and .sdq files made of each other."""
    text = (data / "TXT-01/grid.txt").read_text()
    paths = [tmp_path / name for name in ("a.sdq", "b.json", "c.sdm", "d", "e.txt")]
    source = data / "TXT-01"
    for path in paths:
        assert run("convert", source, path).code == 0
        source = path
    assert paths[-1].read_text() == text
    assert run("convert", data / "CSV-04", "-", "--to", "text").code == 1
    assert run("convert", data / "TXT", "-", "--to", "sdq").code == 2
    assert len(read_puzzles(str(data / "TXT"))) == 18


def test_help(run: Callable) -> None:
    """Tests that the command names its sub-commands and the exit codes."""
    outcome = run("--help")
    assert outcome.code == 0 and all(f"  {name} " in outcome.out for name in COMMANDS)
    for name in ("solve", "count", "check", "print", "convert", "csv", "sdq"):
        assert run(name, "--help").code == 0
    assert run("solve").code == 2 and run("nonsense").code == 2
    assert run().code == 0


@pytest.mark.parametrize(
    ("text", "found"),
    [("a long line of words\n" * 20, "tells no format"), ("\n\n", "found nothing")],
)
def test_unknown_format(text: str, found: str, run: Callable, tmp_path: Path) -> None:
    """Tests that doubt about the format is an error."""
    path = tmp_path / "file"
    path.write_text(text)
    outcome = run("solve", path)
    assert outcome.code == 2 and found in outcome.err
    assert run("solve", tmp_path).code == 2 or text == "\n\n"
    assert run("solve", tmp_path / "missing").code == 2
