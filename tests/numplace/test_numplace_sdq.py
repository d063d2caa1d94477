"""Tests of ``.sdq`` files."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from numplace.files.detect import detect
from numplace.files.sdq_reader import SdqOrigin, parse_sdq
from numplace.files.sdq_writer import format_sdq
from numplace.sat.encode import encode

UNIQUE = ["01", "03", "04", "05", "06", "07", "08", "09a", "10", "12"]
MALFORMED = {
    "M-SDQ-01": ("{Sudok:}", "1: found the clause 'Sudok', expected one of Sudoku, Grid"),
    "M-SDQ-02": ("{Sudoku:}\n{Grid: 0 0\n", "2: found '{Grid: 0 0' without an end"),
    "M-SDQ-02 inner": ("{Sudoku:\n{Grid: 0 0}", "1: found '{Sudoku:' without an end"),
    "M-SDQ-03": ("{Grid: " + "0 " * 80 + "}", "1: found 80 numbers"),
    "M-SDQ-03 ten": ("{Grid: 0 10" + " 0" * 79 + "}", "1: found 10 in {Grid:"),
    "M-SDQ-04": ("{Sudoku:}\n{Sudoku:}", "2: found the clause Sudoku given twice"),
    "M-SDQ-05": ("{Sudoku: rows}", "expected row, column or box"),
    "M-SDQ-06": ("{Killer: 1 45 2" + " 1" * 80 + "}", "1: found 2 in {Killer:"),
    "M-SDQ-07": ("{Killer: 2 45 45" + " 1" * 81 + "}", "no cell of cage 2"),
    "M-SDQ-09": ("{Killer: 1 45" + " 1" * 81 + " [1]}", "the level [1] in {Killer:"),
    "M-SDQ-09 sandwich": ("{SandwichSum: 0 [3]}", "the level [3] in {SandwichSum:"),
    "M-SDQ-09 x": ("{SandwichSum: 0 [x]}", "the level [x] in {SandwichSum:"),
    "M-SDQ-10": ("{SandwichSum: 3 1 0 2 0}", "1: found the end in {SandwichSum:"),
    "M-SDQ-10 column": ("{SandwichSum: 1 0 5}", "found 0 in {SandwichSum:, expected a column"),
    "M-SDQ-10 sum": ("{SandwichSum: 1 1 36}", "found 36 in {SandwichSum:"),
    "M-SDQ-11": ("{ArrowHead: 11 12 13}", "found 3 cells"),
    "M-SDQ-11 10": ("{ArrowHead: 11\n10}", "2: found '10' in {ArrowHead:, expected a cell"),
    "M-SDQ-11 05": ("{ArrowHead: 11 05}", "found '05'"),
    "M-SDQ-11 123": ("{ArrowHead: 11 123}", "found '123'"),
    "M-SDQ-12": ("{Thermometer: 11 12}", "found '11' in {Thermometer:, expected 0"),
    "M-SDQ-12 empty": ("{Thermometer: 0 0 11}", "a thermometer without cells"),
    "M-SDQ-13": ("{ThermometersHidden: 0 5}", "found 5 in {ThermometersHidden:"),
    "M-SDQ-13 frozen": ("{ThermometersHidden: frozen 0 1}", "found 'frozen'"),
    "M-SDQ-15": ("{Difficulty: 55 3 1}", "the empty range 3 to 1"),
    "M-SDQ-15 number": ("{Difficulty: 55 1}", "found the end in {Difficulty:"),
    "cell with two ranges": ("{Difficulty: 55 1 1 55 2 2}", "found r5c5 twice in {Difficulty:"),
    "M-SDQ-16": ("{Solution: 0" + " 1" * 80 + "}", "found 0 in {Solution:, expected a number, 1"),
    "M-SDQ-17": ("{PBC:Tree}", "found 'Tree' in {PBC:, expected BDD or AdderNetwork"),
    "M-SDQ-19": ("hello\nSudoku:}", "2: found 'Sudoku:', expected '{' before the clause's name"),
    "open in a comment": ("{C: {Sudoku:", "1: found '{C: ' without an end"),
    "no colon": ("{Sudoku}", "expected ':'"),
    "no clause": ("{c: nothing}", "found no clause"),
    "M-SDQ-01 known": ("{Sudoku:}\n{ Parity : 1}", "2: found the clause 'Parity', expected one of"),
}


@pytest.fixture
def write(tmp_path: Path) -> Callable[[str], Path]:
    """Return what writes a file."""

    def write(text: str) -> Path:
        path = tmp_path / "puzzle.sdq"
        path.write_text(text)
        return path

    return write


@pytest.mark.parametrize("number", UNIQUE)
@pytest.mark.parametrize("engine", ["cpsat", "auto"])
def test_known_answers(number: str, engine: str, run: Callable, data: Path) -> None:
    """Tests the puzzles of each clause (S01 to S08)."""
    folder = data / f"SDQ-{number}"
    outcome = run("sdq", folder, "--engine", engine)
    assert outcome.code == 0 and "unique" in outcome.err
    assert outcome.out == (folder / "answer.txt").read_text()


def test_no_solution(run: Callable, data: Path, write: Callable) -> None:
    """Tests puzzles that are proven to have none (S02, S03, S07)."""
    assert run("sdq", data / "SDQ-02").code == 3
    text = (data / "SDQ-10/puzzle.sdq").read_text().replace("row column", "")
    assert run("sdq", write(text)).code == 3
    text = (data / "SDQ-08/puzzle.sdq").read_text().replace("frozen", "")
    assert run("sdq", write(text)).code == 3


def test_weaker_puzzles(run: Callable, data: Path, write: Callable) -> None:
    """Tests that less clues mean more solutions (S03, S05)."""
    text = (data / "SDQ-04/puzzle.sdq").read_text().replace("{AntiKnight:}", "")
    assert run("count", write(text), "--limit", 1000).out == "1000 solutions (at least)\n"
    text = (data / "SDQ-05/puzzle.sdq").read_text()
    columns = text[: text.index("9\n1 8")] + "}\n" + text[text.index("{Grid") :]
    assert run("sdq", write(columns), "true").code == 4


@pytest.mark.parametrize(
    ("shapes", "count"), [("0 2 3 2 0 4 4 1", 0), ("0 2 3 2 0 1 1 4 4", 1), ("0 1 4 1", 3)]
)
def test_hidden_thermometers(
    shapes: str, count: int, run: Callable, data: Path, write: Callable
) -> None:
    """Tests shapes that fit alone but overlap, that fit, and that leave all answers (S08)."""
    text = (data / "SDQ-09a/puzzle.sdq").read_text()
    path = write(text[: text.index("{Thermo")] + "{ThermometersHidden: " + shapes + "}")
    for engine in ("cpsat", "sat"):
        out = run("count", path, "--engine", engine).out
        assert out == f"{count} solution{'s' * (count != 1)} (exhausted)\n"


def test_difficulty(run: Callable, data: Path) -> None:
    """Tests that each value of the range is a run of its own (S09)."""
    outcome = run("sdq", data / "SDQ-11", "--json")
    assert outcome.code == 0
    records = [json.loads(line) for line in outcome.out.splitlines()]
    assert [record["run"] for record in records] == [{"r4c2": value} for value in (1, 2, 3, 4)]
    assert [record["status"] for record in records] == ["unique", "none", "unique", "unique"]
    for value, record in zip((1, 2, 3, 4), records, strict=True):
        rows = "".join(" ".join(map(str, row)) + "\n" for each in record["answers"] for row in each)
        path = data / f"SDQ-11/answer_{value}.txt"
        assert rows == (path.read_text() if path.exists() else "")


def test_reference_solution(run: Callable, data: Path, write: Callable) -> None:
    """Tests the comparison with the file's solution (S10, M-SDQ-18)."""
    text = (data / "SDQ-01/puzzle.sdq").read_text()
    outcome = run("sdq", write(text))
    assert outcome.code == 0 and "reference solution: same\n" in outcome.err
    outcome = run("sdq", write(text.replace("5 4 2 7 1 3 9", "5 4 2 7 6 3 9")))
    assert outcome.code == 1 and "reference solution: differs at r1c5\n" in outcome.err
    assert "reference solution: is none, as row 1 has 6 at r1c5, r1c9\n" in outcome.err
    solution = text[text.index("{Solution") :]
    outcome = run("sdq", write("{Sudoku:}\n" + solution))
    assert outcome.code == 1 and "(the puzzle has several solutions)" in outcome.err
    assert "is none" not in outcome.err
    outcome = run("sdq", write("{Sudoku:}{ArrowHead: 11 11}" + solution))
    assert outcome.code == 3 and "reference solution: is none, as r1c1 < r1c1" in outcome.err


def with_level(text: str, clause: str, level: int, translation: str) -> str:
    """Return the text of a file with a level of a clause and a translation of sums."""
    text = re.sub(r"\[\d\]|\{PBC:\w+\}", "", text)
    end = text.index("}", text.index("{" + clause))
    return f"{text[:end]}[{level}]{text[end:]}{{PBC:{translation}}}"


@pytest.mark.parametrize(
    ("name", "clause", "levels"),
    [("SDQ-03", "Killer", (0, 2, 3)), ("SDQ-05", "SandwichSum", (0, 1, 2))],
)
def test_clauses_of_levels(name: str, clause: str, levels: tuple[int, ...], data: Path) -> None:
    """Tests that higher levels mean less clauses, and adders less than diagrams (S11)."""
    text = (data / name / "puzzle.sdq").read_text()
    counts: dict[tuple[str, int], int] = {}
    for translation in ("BDD", "AdderNetwork"):
        for level in levels:
            cnf = encode(parse_sdq(with_level(text, clause, level, translation), name))
            counts[translation, level] = cnf.clauses_of[clause]
            assert sum(cnf.clauses_of.values()) == len(cnf.clauses)
    for level in levels:
        assert counts["AdderNetwork", level] <= counts["BDD", level]
    for translation in ("BDD", "AdderNetwork"):
        steps = [counts[translation, level] for level in levels]
        assert steps == sorted(steps, reverse=True) and len(set(steps)) == len(steps)


@pytest.mark.parametrize(
    ("name", "clause", "levels"),
    [("SDQ-03", "Killer", (0, 3)), ("SDQ-05", "Sandwich", (0, 2))],
)
def test_answers_of_levels(
    name: str, clause: str, levels: tuple[int, ...], run: Callable, data: Path, write: Callable
) -> None:
    """Tests that levels and translations make no difference to the answer (S11)."""
    text = (data / name / "puzzle.sdq").read_text()
    for translation in ("BDD", "AdderNetwork"):
        for level in levels:
            path = write(with_level(text, clause, level, translation))
            outcome = run("sdq", path, "--stats")
            assert outcome.code == 0 and "  sat, " in outcome.err
            assert outcome.out == (data / name / "answer.txt").read_text()
            assert f"\n{clause}" in outcome.err and "\nall: " in outcome.err


def test_level_without_effect(run: Callable, write: Callable) -> None:
    """Tests that a level on another clause is told to have no effect."""
    outcome = run("sdq", write("{Sudoku: [2]}\n{c: any {text [9]}"))
    assert outcome.code == 0 and ":1: the level [2] of Sudoku has no effect" in outcome.err


def test_dimacs(run: Callable, data: Path, tmp_path: Path) -> None:
    """Tests that the clauses written are those of the puzzle (S12)."""
    from pysat.formula import CNF
    from pysat.solvers import Cadical153

    path = tmp_path / "x.cnf"
    assert run("sdq", data / "SDQ-12", "--dimacs", path, "sat").code == 0
    formula = CNF(from_file=str(path))
    with Cadical153(bootstrap_with=formula.clauses) as solver:
        assert solver.solve()
        model = set(solver.get_model())
    rows = [line.split()[1:] for line in path.read_text().splitlines() if line.startswith("c r")]
    numbers = [
        int(pair.split(":")[0])
        for row in rows
        for pair in row[1:]
        if int(pair.split(":")[1]) in model
    ]
    answer = (data / "SDQ-12/answer.txt").read_text().split()
    assert numbers == [int(number) for number in answer]


COMMENT = '{C: by "A. B." <a@b.example>,\r\n https://b.example/x?y=[2] {or so\r\n }'
COMPACT = {
    "Sudoku": "{Sudoku:}",
    "Grid": "{Grid:" + " 0" * 81 + "}",
    "AntiKnight": "{AntiKnight:}",
    "Killer": "{Killer: 1 17 1 1" + " 0" * 79 + " [3]}",
    "SandwichSum": "{SandwichSum: 1 1 35 0 [2]}",
    "ArrowHead": "{ArrowHead: EQ 11 12}",
    "Thermometer": "{Thermometer: frozen 0 11 12}",
    "ThermometersHidden": "{ThermometersHidden: 0 1 1}",
    "Difficulty": "{Difficulty: 11 8 9}",
    "Solution": "{Solution:" + " 1" * 81 + "}",
    "PBC": "{PBC: BDD}",
}
"""Each clause of the document, in one line."""


@pytest.mark.parametrize("clause", COMPACT)
def test_ways_to_write_a_clause(clause: str) -> None:
    """Tests any case, blanks, text around, a comment in any place, line ends, and the order."""
    first, _, rest = COMPACT[clause].partition(":")
    other = COMPACT["Sudoku" if clause != "Sudoku" else "Grid"]
    plain = parse_sdq(COMPACT[clause] + other, "x")
    spread = "".join(f" {letter} " for letter in first[1:].swapcase())
    words = rest.swapcase().split(" ")
    for at in range(len(words) + 1):
        mixed = "\t".join([*words[:at], *[COMMENT] * (at < len(words)), *words[at:]])
        for text in (
            f"{COMMENT}A grid by me: {other} and{{{spread}:\r\n{mixed}the end",
            f"{{{spread}:{mixed}\n{other}{COMMENT.replace('C', 'c')}",
        ):
            read = parse_sdq(text, "x")
            assert (read.constraints, read.givens) == (plain.constraints, plain.givens)
            assert isinstance(read.origin, SdqOrigin) and isinstance(plain.origin, SdqOrigin)
            for field in ("levels", "translation", "reference", "runs", "names"):
                assert getattr(read.origin, field) == getattr(plain.origin, field)
            assert format_sdq(read) == text.replace("\r\n", "\n")
            assert detect(text, "x") == "sdq"


@given(st.text(alphabet=st.sampled_from(":{[]\"'\\\n\r\t Cc09ü<@>"), max_size=40))
def test_any_comment(text: str) -> None:
    """Tests that a comment may be any text without a closing brace, and is kept."""
    read = parse_sdq(f"{{Sudoku:}}{{C:{text}}}{{Grid:{' 0' * 81}}}", "x")
    assert isinstance(read.origin, SdqOrigin) and read.origin.names == {"Sudoku", "Grid"}
    assert re.sub(r"\r\n?", "\n", f"{{C:{text}}}") in format_sdq(read)


def test_bytes_of_files(run: Callable, data: Path, tmp_path: Path) -> None:
    """Tests a byte-order mark, CRLF and no line end at the end."""
    text = (data / "SDQ-06/puzzle.sdq").read_text().rstrip() + COMMENT
    path = tmp_path / "puzzle.sdq"
    path.write_bytes(b"\xef\xbb\xbf" + re.sub("\r?\n", "\r\n", text).encode())
    outcome = run("sdq", path, "--quiet")
    assert outcome == (0, (data / "SDQ-06/answer.txt").read_text(), "")
    assert run("convert", path, "-", "--to", "sdq").out == text.replace("\r\n", "\n")


def test_text_outside_is_told(run: Callable, write: Callable) -> None:
    """Tests that text outside of clauses is told, with its line."""
    outcome = run("sdq", write("{Sudoku:}\n\nmade for you\nby me"))
    assert outcome.code == 0
    assert ":3: text outside of clauses: 'made for you' and 1 more lines\n" in outcome.err


@pytest.mark.parametrize("command", ["sdq", "solve", "grade", "check", "print", "count"])
def test_unknown_clauses(command: str, run: Callable, data: Path, write: Callable) -> None:
    """Tests that what is left out on demand is told loudly, and the rest is solved."""
    text = (data / "SDQ-06/puzzle.sdq").read_text()
    path = write(text + "{Parity: 11}{Odd : 1}")
    assert run(command, path).code == 2
    outcome = run(command, path, "--ignore-unknown")
    assert outcome.code == 0
    for name in ("Parity", "Odd"):
        assert f":43: the clause '{name}' is NOT KNOWN AND LEFT OUT: all" in outcome.err
    if command == "solve":
        assert "puzzle.sdq, without what was left out: unique" in outcome.err
        record = json.loads(run(command, path, "--ignore-unknown", "--json", "--quiet").out)
        assert len(record["left_out"]) == 2


@pytest.mark.parametrize("id", MALFORMED)
def test_malformed(id: str, run: Callable, write: Callable, tmp_path: Path) -> None:
    """Tests the message of each malformed file (S13)."""
    text, message = MALFORMED[id]
    path = write(text)
    for command in ("sdq", "solve"):
        outcome = run(command, path, "-o", tmp_path / "out")
        assert outcome.code == 2 and outcome.out == "" and len(outcome.err.splitlines()) == 1
        assert message in outcome.err and outcome.err.startswith(f"numplace {command}: {path}:")
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("clause", "named"),
    [
        ("{Killer: 1 18 1 1" + " 0" * 79 + "}", "cage 1 with sum 18 in 2 cells"),
        ("{ThermometersHidden: 0 1 1 1 1 1 1 1 1 1}", "hidden thermometer 1"),
        ("{ArrowHead: 11 11}", "r1c1 < r1c1"),
        ("{Grid: 5 5" + " 0" * 79 + "}", "two 5 in row 1 (r1c1, r1c2)"),
    ],
)
def test_impossible(clause: str, named: str, run: Callable, write: Callable) -> None:
    """Tests that a clause that nothing fulfils is named (M-SDQ-08, M-SDQ-14)."""
    outcome = run("sdq", write("{Sudoku:}" + clause))
    assert outcome.code == 3 and "no solution: " in outcome.err and named in outcome.err


def test_equal_heads(run: Callable, data: Path, write: Callable) -> None:
    """Tests that EQ allows equal numbers where no house forbids them (S06)."""
    outcome = run("sdq", data / "SDQ-13", "true")
    assert outcome.code == 0 and outcome.out == (data / "SDQ-13/answer.txt").read_text()
    text = (data / "SDQ-13/puzzle.sdq").read_text()
    assert run("sdq", write(text.replace("EQ", ""))).code == 3


def test_repeats_in_cages(run: Callable, write: Callable) -> None:
    """Tests that cages may repeat numbers only if asked for."""
    cells = ["1" if i in (0, 30) else "0" for i in range(81)]
    path = write("{Sudoku:}{Killer: 1 18 " + " ".join(cells) + "}")
    assert run("sdq", path).code == 3
    assert run("sdq", path, "--cages-repeat").code == 0
