"""Tests of the records of runs: what is written is what is read."""

import json

import pytest

from nlrouter.answer import Cost
from nlrouter.record import BoardRow, Moment, RunRecord, format_record, parse_record
from nlrouter.result import Progress, Standing

MOMENT = Moment.of(Progress(1.23456, None, Cost(5, 3), 6, "find"))
RUN = RunRecord.of(Standing(Cost(5, 3), 6), 1.5, problem="Q.txt", answer=None, fixed=[1, 3])
ROW = BoardRow.of(Standing(None, 6), 2, status="bad input", board="Q", seeds=[0], key="k")


@pytest.mark.parametrize("record", [MOMENT, RUN, ROW], ids=lambda record: type(record).__name__)
def test_round_trip(record: Moment | RunRecord) -> None:
    """Tests that a record is read as it was written, and what is not known is null."""
    text = format_record(record)
    assert parse_record(text, type(record)) == record
    assert parse_record(text.encode(), type(record)) == record


def test_fields() -> None:
    """Tests what the fields say, and that those which were not asked for are not there."""
    assert json.loads(format_record(RUN)) == {
        "problem": "Q.txt",
        "answer": None,
        "status": "feasible",
        "cost": 8,
        "length": 5,
        "bends": 3,
        "quality": 0.125,
        "lower_bound": 6,
        "gap": 0.25,
        "seconds": 1.5,
        "fixed": [1, 3],
    }
    assert (ROW.status, ROW.cost, ROW.gap, ROW.note) == ("bad input", None, None, "")


@pytest.mark.parametrize(
    "line",
    [
        "",
        "nlroute: out of luck",
        "[1]",
        "{}",
        '{"status": null}',
        '{"status": "optimal", "lower_bound": "3"}',
        '{"status": "optimal", "lower_bound": 3.5}',
        '{"status": "optimal", "seconds": true}',
        "[" * 100_000,
        b'{"status": "\xff"}',
    ],
    ids=range(10),
)
def test_talk(line: str | bytes) -> None:
    """Tests that what is no record is not taken for one."""
    assert parse_record(line, RunRecord) is None


def test_moment_is_no_end() -> None:
    """Tests that moments and ends are told apart."""
    assert parse_record(format_record(MOMENT), RunRecord) is None
    assert parse_record(format_record(RUN), Moment) is None
