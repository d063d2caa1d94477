"""Tests that all engines agree; ``tools/numplace_agree.py`` does the same for a thousand."""

from __future__ import annotations

import random

import pytest

import numplace_agree


@pytest.mark.parametrize("number", range(40))
def test_engines_agree(number: int) -> None:
    """Tests random puzzles of all kinds by bits, CP-SAT, SAT and deduction (A13)."""
    _, puzzle = numplace_agree.random_puzzle(random.Random(number))
    assert numplace_agree.disagreement(puzzle) is None


def test_disagreement_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that an engine that loses an answer is found out."""
    from numplace.solve import bits

    _, puzzle = next(
        made
        for number in range(100)
        if (made := numplace_agree.random_puzzle(random.Random(number)))[0] == "plain"
    )
    monkeypatch.setattr(bits, "find_answers", lambda *args, **options: iter([None]))
    assert numplace_agree.disagreement(puzzle) is not None
