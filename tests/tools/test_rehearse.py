"""Tests of what tools/rehearse.py makes of a contest that was played."""

from __future__ import annotations

import pytest
from adc_contest import Contest, Put
from rehearse import ALIVE_LIMIT, USER, report

PROBLEM = "SIZE 3X2X1\nLINE_NUM 1\nLINE#1 (0,0,1) (2,0,1)\n"
STRAIGHT = "SIZE 3X2X1\nLAYER 1\n1,1,1\n0,0,0\n"


@pytest.fixture
def contest() -> Contest:
    """A contest of one board, played as it should be."""
    contest = Contest({1: PROBLEM})
    contest.store(USER, 1, STRAIGHT)
    contest.answers[USER, 1].cpu_sec = 1.0
    contest.puts.append(Put(0.0, USER, 1, 200))
    contest.alive[USER] = [(0.0, ""), (ALIVE_LIMIT, "")]
    return contest


def test_all_well(contest: Contest, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests the figures of a contest in which all went well."""
    assert report(contest, 0) == 0
    out = capsys.readouterr().out
    assert "correct answers    1\n" in out and "at most 180.0 s apart" in out


def test_flaws(contest: Contest) -> None:
    """Tests that a second put, a late report, a missing info and a failed client each count."""
    assert report(contest, 1) == 1
    contest.alive[USER].append((2 * ALIVE_LIMIT + 1, ""))
    assert report(contest, 0) == 1
    contest.alive[USER].pop()
    contest.puts *= 2
    assert report(contest, 0) == 1
    contest.puts.pop()
    contest.answers[USER, 1].cpu_sec = None
    assert report(contest, 0) == 1
