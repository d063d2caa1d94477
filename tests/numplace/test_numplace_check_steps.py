"""Tests of the checker of steps, which must refuse what does not follow."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from nlrouter.files.errors import FileError
from numplace.cell import parse_cell
from numplace.check.steps import check_steps
from numplace.files.detect import read_puzzle
from numplace.files.lines81 import parse_line
from numplace.logic.ladder import select
from numplace.logic.record import step_record
from numplace.logic.solver import explain
from numplace.puzzle import Puzzle

DATA = Path(__file__).parents[1] / "data" / "numplace"
GRID = ".3..1......8.3..1....7.9...7....32.......1.7.9.2...86.52....6....6.9...28.....9.."


def log(puzzle: Puzzle, techniques: str) -> list[dict[str, Any]]:
    """Return the records of an explanation."""
    steps = explain(puzzle, select(techniques)).steps
    return [step_record(number, step) for number, step in enumerate(steps, start=1)]


def check(puzzle: Puzzle, records: list[dict[str, Any]]) -> list[str]:
    """Return what the checker says of a log."""
    return check_steps(puzzle, "\n".join(map(json.dumps, records)), "log.json")


def test_each_tampered_single_is_refused() -> None:
    """Tests that any other number in any step of singles is found at that step."""
    puzzle = read_puzzle(str(DATA / "TXT-01"))
    records = log(puzzle, "singles")
    assert check(puzzle, records) == []
    for at, record in enumerate(records):
        ((cell, digit),) = record["places"]
        tampered = [
            *records[:at],
            {**record, "places": [[cell, digit % 9 + 1]]},
            *records[at + 1 :],
        ]
        (wrong,) = check(puzzle, tampered)
        assert wrong.startswith(f"step {record['n']} ")


@pytest.mark.parametrize("part", ["houses", "cells", "strikes"])
def test_tampered_subset_is_refused(part: str) -> None:
    """Tests that a naked subset needs its house and its cells, and strikes no more than it may."""
    puzzle = parse_line(GRID, "grid", 1)
    records = log(puzzle, "document")
    at = next(n for n, each in enumerate(records) if each["technique"] == "naked triple")
    assert check(puzzle, records) == []
    changed = dict(records[at])
    if part == "houses":
        changed["houses"] = ["row 9" if changed["houses"] != ["row 9"] else "row 8"]
    elif part == "cells":
        changed["cells"] = changed["cells"][:2]
    else:
        cell = changed["cells"][0]
        changed["strikes"] = [[cell, changed["digits"][0]], [cell, changed["digits"][1]]]
    (wrong,) = check(puzzle, [*records[:at], changed, *records[at + 1 :]])
    assert wrong.startswith(f"step {changed['n']} (naked triple): ")


def test_uniqueness_must_be_marked() -> None:
    """Tests that a step which rests on there being one answer is refused without its mark."""
    grid = ".27...6....8.15..9..4.2....6.32.........86..7......2.4...1...9...1.6..3......85.."
    puzzle = parse_line(grid, "grid", 1)
    records = log(puzzle, "strong")
    at = next(n for n, each in enumerate(records) if each.get("if_unique"))
    assert check(puzzle, records) == []
    unmarked = {key: value for key, value in records[at].items() if key != "if_unique"}
    (wrong,) = check(puzzle, [*records[:at], unmarked])
    assert wrong.startswith(f"step {unmarked['n']} ")


def test_order_of_steps_counts() -> None:
    """Tests that a step before those it rests on is refused."""
    puzzle = parse_line(GRID, "grid", 1)
    records = log(puzzle, "document")
    last = {**records[-1], "n": 0}
    assert check(puzzle, [last, *records])[0].startswith("step 0 ")


def test_alternatives_have_one_number() -> None:
    """Tests that steps with the same number are all checked against the same candidates."""
    puzzle = read_puzzle(str(DATA / "TXT-01"))
    first = log(puzzle, "singles")[0]
    assert check(puzzle, [first, first]) == []
    assert check(puzzle, [first, {**first, "n": 2}]) != []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"houses": ["row 10"]}, "the puzzle has no 'row 10'"),
        ({"cells": ["r10c1"]}, "the puzzle has no cell r10c1"),
        ({"places": [["r1c2", 6]]}, "r1c2 is filled already"),
        ({"places": [["r10c2", 6]]}, "6 is no candidate of r10c2"),
        ({"places": []}, "nothing follows from it"),
    ],
)
def test_what_the_puzzle_does_not_have(change: dict[str, Any], told: str) -> None:
    """Tests that unknown houses and cells, filled cells and empty steps are told."""
    puzzle = read_puzzle(str(DATA / "TXT-01"))
    step = {**log(puzzle, "singles")[0], **change}
    assert check(puzzle, [step]) == [f"step 1 ({step['technique']}): {told}"]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "log: found nothing, expected a log of steps in JSON"),
        ("{", "log:1: found '{', expected a JSON object a line"),
        ("3", "log:1: found '3', expected a JSON object"),
        ('{"technique": "x"}', "log:1: found a step without 'n', expected all of its fields"),
        (
            '{"technique": "x", "n": true, "houses": [], "cells": [], "digits": [], "places": [], '
            '"strikes": []}',
            "log:1: found a malformed step (True is no whole number), expected a step",
        ),
    ],
)
def test_malformed_log(text: str, told: str) -> None:
    """Tests that what is no log is told with its line."""
    with pytest.raises(FileError) as caught:
        check_steps(read_puzzle(str(DATA / "TXT-01")), text, "log")
    assert str(caught.value) == told


def test_list_of_steps() -> None:
    """Tests that a log may be one JSON list, and that other records in it are passed over."""
    puzzle = read_puzzle(str(DATA / "TXT-01"))
    records = [*log(puzzle, "document"), {"status": "unique"}]
    assert check_steps(puzzle, json.dumps(records), "log") == []


def test_no_step_takes_the_answer_away() -> None:
    """Tests that of no step of any technique the checker lets pass that it strikes the answer."""
    lines = (DATA / "minimal.txt").read_text().splitlines()[1:25]
    refused = set()
    for line in lines:
        grid, answer = line.split()
        puzzle = parse_line(grid, "grid", 1)
        records = log(puzzle, "strong")
        for at, record in enumerate(records):
            if not record["strikes"]:
                continue
            cell = parse_cell(record["strikes"][0][0])
            true = int(answer[9 * cell.y + cell.x])
            wrong = {**record, "strikes": [[str(cell), true]]}
            (told,) = check(puzzle, [*records[:at], wrong])
            assert told.startswith(f"step {record['n']} ")
            refused.add(record["technique"])
    assert len(refused) > 12
