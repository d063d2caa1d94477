"""Tests of the CSV system: folders in, Output.csv or Error.csv and LoadedData.csv out."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from numplace.cell import Cell
from numplace.check.rules import violations
from numplace.files.answers import parse_answer
from numplace.files.csv_folder import read_csv_folder

LOAD, CHECK = "データのロード中", "データのチェック中"
UNIQUE = [f"CSV-{number:02}" for number in range(2, 17)]


def error_in(folder: Path) -> tuple[str, str, list[tuple[int, int]]]:
    """Return phase, message and cells of a folder's Error.csv, and test its form."""
    data = (folder / "Error.csv").read_bytes()
    rows = list(csv.reader(io.StringIO(data.decode("shift_jis"))))
    assert len(rows[2]) == 3
    assert int(rows[3][0]) == len(rows) - 4
    (phase,), (message,) = rows[:2]
    return phase, message, [(int(x), int(y)) for x, y in rows[4:]]


@pytest.mark.parametrize("name", UNIQUE)
def test_known_answers(name: str, run: Callable, case: Callable, data: Path) -> None:
    """Tests that the puzzles with one answer give it (C01, C03 to C11)."""
    folder = case(name)
    outcome = run("csv", "/D", folder)
    assert outcome == (0, "", "")
    assert (folder / "Output.csv").read_text() == (data / name / "Output.csv").read_text()
    assert not (folder / "Error.csv").exists() and not (folder / "LoadedData.csv").exists()


def test_several_solutions(run: Callable, case: Callable) -> None:
    """Tests that one of several answers is written and the others are told of (C02)."""
    folder = case("CSV-01")
    outcome = run("csv", "/D", folder)
    assert outcome.code == 0 and "more than one solution" in outcome.err
    puzzle = read_csv_folder(folder)
    text = (folder / "Output.csv").read_text()
    assert violations(puzzle, parse_answer(puzzle, text, "")) == []
    assert run("count", folder, "--limit", 1000).out == "512 solutions (exhausted)\n"


def test_generous_reading(run: Callable, case: Callable, data: Path) -> None:
    """Tests CR-LF, quotes, blanks and surplus blank fields and lines (C12)."""
    folder = case("CSV-02")
    text = (folder / "Input.csv").read_text().replace("\n", " ,,\r\n").replace("8", ' "8"')
    (folder / "Input.csv").write_bytes(text.encode() + b"\r\n,,\r\n")
    (folder / "Frame.csv").rename(folder / "frame.CSV")
    assert run("csv", "/D", folder).code == 0
    assert (folder / "Output.csv").read_text() == (data / "CSV-02/Output.csv").read_text()


def test_blanks_around_quoted_fields(run: Callable, case: Callable, data: Path) -> None:
    """Tests that blanks before and after a quoted field do not matter, as outside of quotes."""
    folder = case("CSV-02")
    text = re.sub(r"([0-9])", r' " \1"\t ', (folder / "Input.csv").read_text())
    (folder / "Input.csv").write_text(text)
    assert run("csv", "/D", folder).code == 0
    assert (folder / "Output.csv").read_text() == (data / "CSV-02/Output.csv").read_text()


@pytest.mark.parametrize("encoding", ["utf-8", "shift_jis"])
def test_other_digits_are_shown(encoding: str, run: Callable, case: Callable) -> None:
    """Tests that what is no ASCII digit is shown as it stands in the file."""
    folder = case("CSV-02")
    (folder / "Input.csv").write_bytes(",３".encode(encoding))
    assert run("csv", "/D", folder).code == 2
    assert error_in(folder)[1:] == (
        "Input.csv:1: found '３', expected a number or nothing",
        [(1, 0)],
    )


def test_domain_by_smallest_house(tmp_path: Path) -> None:
    """Tests that a cell of two houses holds the numbers of the smaller (C13)."""
    (tmp_path / "Square.csv").write_text("2\n0,0\n9\n0\n0,0\n4\n0\n")
    puzzle = read_csv_folder(tmp_path)
    assert puzzle.domains[Cell(3, 3)] == (1, 2, 3, 4)
    assert puzzle.domains[Cell(4, 3)] == tuple(range(1, 10))


RELATIONS = "3\n1\n2,2\n3,3\n2\n2,2\n1,1\n4\n1,1\n3,3\n"


def test_stale_outputs(run: Callable, case: Callable, data: Path) -> None:
    """Tests that what is there after a run is of that run (C14)."""
    folder = case("CSV-02")
    assert run("csv", "/D", folder).code == 0
    for name in ("Square.csv", "XInequal.csv", "YInequal.csv"):
        (folder / name).write_bytes((data / "CSV-17" / name).read_bytes())
    for name in ("Frame.csv", "Input.csv"):
        (folder / name).unlink()
    assert run("csv", "/D", folder).code == 3
    assert not (folder / "Output.csv").exists()
    assert error_in(folder)[1] == "解無し。"
    assert (folder / "LoadedData.csv").exists()


def test_loaded_data(run: Callable, case: Callable) -> None:
    """Tests that /OL shows what was read, cell by cell (C18)."""
    folder = case("CSV-13")
    assert run("csv", "/D", folder, "/OL").code == 0
    with open(folder / "LoadedData.csv", newline="") as file:
        rows = list(csv.reader(file))
    assert [len(row) for row in rows] == [5] * 5
    assert rows[0][0].split("\n") == [
        "group: 1", "group: 6", "less than (1,0)", "less than (0,1)"
    ]  # fmt: skip


def test_loaded_clues(run: Callable, case: Callable) -> None:
    """Tests that LoadedData.csv has numbers, parities and relations, at both their cells."""
    folder = case("CSV-16", Condition=",1,2\n", Input="4\n", Relation=RELATIONS)
    run("csv", "/D", folder, "/OL")
    with open(folder / "LoadedData.csv", newline="") as file:
        rows = list(csv.reader(file))
    words = [[field.split("\n") for field in row] for row in rows]
    assert "number: 4" in words[0][0]
    assert "odd" in words[0][1] and "even" in words[0][2]
    assert {"joint (3,3)", "no joint (1,1)"} <= set(words[2][2])
    assert {"joint (2,2)", "less than (1,1)"} <= set(words[3][3])
    assert {"no joint (2,2)", "greater than (3,3)"} <= set(words[1][1])


def test_paths_and_spellings(run: Callable, case: Callable, tmp_path: Path) -> None:
    """Tests /O, /E, /L in any order, and the spellings with -- (C19)."""
    folder = case("CSV-03")
    assert run("csv", "/O", tmp_path / "o", "/OL", "/L", tmp_path / "l", "/D", folder).code == 0
    assert (tmp_path / "o").exists() and (tmp_path / "l").exists()
    outcome = run("csv", f"--folder={folder}", "--output", tmp_path / "o2", "--json")
    assert outcome.code == 0 and '"status": "unique"' in outcome.out
    assert not (folder / "Output.csv").exists()


def test_phase_of_contradiction(run: Callable, case: Callable, tmp_path: Path) -> None:
    """Tests that the phase says where a contradiction was found (C17)."""
    folder = case("CSV-17")
    assert run("csv", "/D", folder).code == 3
    assert error_in(folder)[:2] == ("解析フェーズ", "解無し。")
    grid = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4.."
    for wrong, cell, phase in (
        (2, 1, "解析フェーズ2(PRESUME)"),
        (9, 2, "解析フェーズ3(BRUTE_FORCE)"),
    ):
        folder = tmp_path / phase
        folder.mkdir()
        (folder / "Frame.csv").write_text("1\n0,0\n3,3\n0\n")
        text = f"{grid[:cell]}{wrong}{grid[cell + 1 :]}".replace(".", "0")
        rows = [",".join(text[9 * y : 9 * y + 9]) for y in range(9)]
        (folder / "Input.csv").write_text("\n".join(rows))
        assert run("csv", "/D", folder).code == 3
        assert error_in(folder)[:2] == (phase, "解無し。")


def test_time_up(run: Callable, tmp_path: Path) -> None:
    """Tests that a search out of time says so and writes no answer."""
    (tmp_path / "Frame.csv").write_text("1\n0,0\n5,5\n0\n")
    outcome = run("csv", "/D", tmp_path, "--time-limit", "0.000001")
    assert outcome.code == 1
    assert error_in(tmp_path)[1] == "時間切れ。"
    assert not (tmp_path / "Output.csv").exists()


MALFORMED: dict[str, tuple[str, dict[str, str | None], str, str, list[tuple[int, int]]]] = {
    "M-CSV-01": ("CSV-02", {"Frame": "1\n0,0\n1,3\n0\n"}, LOAD,
        "Frame.csv:3: found 1, expected a block width of 2 or more", []),
    "M-CSV-02": ("CSV-02", {"Frame": "2\n0,0\n3,3\n0\n"}, LOAD, "Frame.csv:5: found the end", []),
    "M-CSV-03": ("CSV-02", {"Frame": "1\n0,0\n3,3\n2\n"}, LOAD, "Frame.csv:4: found 2", []),
    "M-CSV-04": ("CSV-02", {"Group": "1\n1\n-1,0\n"}, LOAD, "Group.csv:3: found '-1'", []),
    "M-CSV-05": ("CSV-02", {"Input": ",,\n,,x\n"}, LOAD, "Input.csv:2: found 'x'", [(2, 1)]),
    "M-CSV-06": ("CSV-13", {"XInequal": ",3"}, LOAD, "XInequal.csv:1: found '3'", [(1, 0)]),
    "M-CSV-07": ("CSV-16", {"Relation": "1\n5\n0,0\n1,1\n"}, LOAD, "Relation.csv:2: found 5", []),
    "M-CSV-08": ("CSV-02", {"Frame": None}, CHECK, "グループが１つも無い。", []),
    "M-CSV-09": ("CSV-03", {"Input": "\n,5\n"}, CHECK,
        "グループのセル数（最大値）より大きな数字が記入されている。", [(1, 1)]),
    "M-CSV-10": ("CSV-02", {"Input": "\n" * 8 + ",,,,,,4,4,"}, CHECK,
        "グループ内に同じ数字が２つ以上ある。", [(6, 8), (7, 8)]),
    "M-CSV-11": ("CSV-11", {"Input": ",,,,,1"}, CHECK,
        "枠外のセルに数字が記入されている。", [(5, 0)]),
    "M-CSV-12": ("CSV-11", {"Condition": ",,,,,1"}, CHECK,
        "枠外のセルに条件が設定されている。", [(5, 0)]),
    "M-CSV-13": ("CSV-11", {"Relation": "1\n3\n0,0\n5,0\n"}, CHECK,
        "枠外のセルに条件が設定されている。", [(5, 0)]),
    "M-CSV-13 inequality": ("CSV-11", {"YInequal": ",,,,,1"}, CHECK,
        "枠外のセルに条件が設定されている。", [(5, 0)]),
    "M-CSV-13 joint": ("CSV-11", {"XJoint": ",,,1"}, CHECK,
        "枠外のセルに条件が設定されている。", [(4, 0)]),
    "M-CSV-17": ("CSV-02", {"Group": "1\n3\n0,0\n1,1\n0,0\n"}, CHECK,
        "グループ内でセルが重複している。", [(0, 0)]),
    "M-CSV-18": ("CSV-16", {"Relation": "1\n3\n1,1\n1,1\n"}, CHECK,
        "セルがそれ自身との条件を持っている。", [(1, 1)]),
}  # fmt: skip


@pytest.mark.parametrize("id", MALFORMED)
def test_malformed(id: str, run: Callable, case: Callable) -> None:
    """Tests phase, message and cells of each malformed folder (C15, C16)."""
    name, changes, phase, message, cells = MALFORMED[id]
    folder = case(name, **changes)
    before = {path.name for path in folder.iterdir()}
    outcome = run("csv", "/D", folder)
    assert outcome.code == 2 and outcome.out == "" and len(outcome.err.splitlines()) == 1
    found_phase, found_message, found_cells = error_in(folder)
    assert found_phase == phase and found_cells == cells
    assert found_message.startswith(message) if phase == LOAD else found_message == message
    written = {path.name for path in folder.iterdir()} - before
    assert written == {"Error.csv"} | ({"LoadedData.csv"} if phase == CHECK else set())


@pytest.mark.parametrize("id", MALFORMED)
def test_malformed_for_other_commands(id: str, run: Callable, case: Callable) -> None:
    """Tests that every command refuses a malformed folder in one sentence, with exit code 2."""
    name, changes, *_ = MALFORMED[id]
    folder = case(name, **changes)
    for words in (["solve"], ["count"], ["check"], ["explain"], ["grade"], ["print", "--marks"]):
        outcome = run(words[0], folder, *words[1:])
        assert outcome.code == 2 and outcome.out == "", words
        assert len(outcome.err.splitlines()) == 1 and " found " in outcome.err
    assert run("convert", folder, "-", "--to", "json").code == 2


def test_unknown_argument(run: Callable, case: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests an argument that is unknown, and one without its value (M-CSV-16)."""
    folder = case("CSV-02")
    monkeypatch.chdir(folder)
    assert run("csv").code == 0 and (folder / "Output.csv").exists()
    for words in (("/Q",), ("/O",), ("--quick",), ("/D", folder, "/X")):
        assert run("csv", *words).code == 2
        assert error_in(folder) == ("不明なフェーズ", "不明なコマンド引数が指定された。", [])
        assert not (folder / "Output.csv").exists()


def test_output_that_cannot_be_written(run: Callable, case: Callable, tmp_path: Path) -> None:
    """Tests that the answer's failure to be written is told, with exit code 1 (M-CSV-19)."""
    folder = case("CSV-02")
    outcome = run("csv", "/D", folder, "/O", tmp_path / "missing" / "Output.csv")
    assert outcome.code == 1 and "結果の出力中" in outcome.err
    missing = tmp_path / "nowhere"
    outcome = run("csv", "/D", missing)
    assert outcome.code == 2 and "no readable folder" in outcome.err and not missing.exists()


def test_outputs_that_are_inputs(run: Callable, case: Callable) -> None:
    """Tests that no input is removed or written, and that outputs are three files."""
    folder = case("CSV-02")
    before = (folder / "Input.csv").read_bytes()
    for words in (
        ("/O", folder / "Input.csv"),
        ("/E", folder / "Frame.csv"),
        ("/L", folder / ".." / folder.name / "Input.csv", "/Q"),
        ("/O", folder / "x.csv", "/E", folder / "x.csv"),
    ):
        outcome = run("csv", "/D", folder, *words)
        assert outcome.code == 2 and len(outcome.err.splitlines()) == 1
        assert error_in(folder)[0] == "不明なフェーズ"
        assert (folder / "Input.csv").read_bytes() == before and (folder / "Frame.csv").exists()
        assert not (folder / "Output.csv").exists() and not (folder / "x.csv").exists()


def test_padded_count_files(run: Callable, case: Callable, data: Path) -> None:
    """Tests lines padded to the widest and blank lines at the end, as spreadsheets write them."""
    for name in ("CSV-09", "CSV-16"):
        folder = case(name)
        for path in folder.glob("[FSGR]*.csv"):
            lines = [line if "," in line else f"{line}," for line in path.read_text().split("\n")]
            path.write_bytes("\r\n".join([*lines, ",", ""]).encode("utf-8-sig"))
        assert run("csv", "/D", folder).code == 0
        assert (folder / "Output.csv").read_text() == (data / name / "Output.csv").read_text()


def test_files_that_are_not_used(run: Callable, case: Callable, data: Path) -> None:
    """Tests that a line behind // marks a file as not used, which is told in its own words."""
    said = '//// ダミー "not used", see Frame ////'
    folder = case("CSV-02", Square=said, Group=f"{said},,\n,\n//// 2 ////\n", XJoint=said + "\n")
    outcome = run("csv", "/D", folder)
    assert outcome.code == 0
    assert (folder / "Output.csv").read_text() == (data / "CSV-02/Output.csv").read_text()
    for name in ("Square", "Group", "XJoint"):
        assert f"{name}.csv:1: {said!r}: the file is not used\n" in outcome.err
        assert f"{name}.csv:1: {said!r}: the file is not used\n" in run("count", folder).err


@pytest.mark.parametrize("name", ["Frame", "Square", "Group", "Input", "XJoint", "Relation"])
def test_first_line_that_is_no_number(name: str, run: Callable, case: Callable) -> None:
    """Tests that a first line of words is told as it is, and never taken for no clues."""
    folder = case("CSV-02", **{name: "see Frame, please\n1\n0,0\n"})
    words = "see Frame" if name in ("Input", "XJoint") else "see Frame, please"
    assert f"{name}.csv:1: found '{words}', expected " in run("csv", "/D", folder).err
    folder.joinpath(f"{name}.csv").write_text("// see Frame, please //\n1\n0,0\n")
    outcome = run("csv", "/D", folder)
    assert outcome.code == 2 and error_in(folder)[0] == LOAD
    assert f"{name}.csv:2: found '// see Frame, please //' in line 1 and '1'" in outcome.err


def test_defect(run: Callable, case: Callable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a defect of this program is told as an unknown error, and nothing else."""
    from numplace import csv_system

    def broken(*args: object, **options: object) -> None:
        raise ZeroDivisionError("no luck")

    monkeypatch.setattr(csv_system, "solve_in_phases", broken)
    folder = case("CSV-02")
    outcome = run("csv", "/D", folder)
    assert outcome.code == 1 and "ZeroDivisionError: no luck" in outcome.err
    assert error_in(folder)[1] == "不明なエラー" and not (folder / "Output.csv").exists()
