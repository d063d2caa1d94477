"""Tests that tables put together two at a time end at the least sum."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlrouter.engine.bounds.elimination import Elimination, Question

PARTIES = 6


@st.composite
def questions(draw: st.DrawFn) -> tuple[Question, ...]:
    """Draw who shares a question with whom."""
    pairs = [(i, j) for j in range(PARTIES) for i in range(j)]
    return tuple(draw(st.lists(st.sampled_from(pairs), unique=True, max_size=9)))


@given(questions(), st.integers(0, 1000))
def test_least_sum(asked: tuple[Question, ...], seed: int) -> None:
    """Tests sum and answers against all combinations."""
    random = np.random.default_rng(seed)
    elimination = Elimination(asked)
    tables = {
        party: random.integers(0, 20, (2,) * len(own)).astype(float)
        for party, own in elimination.asked.items()
    }

    def paid(answers: dict[Question, int]) -> float:
        return sum(
            float(tables[party][tuple(answers[question] for question in own)])
            for party, own in elimination.asked.items()
        )

    least = min(
        paid(dict(zip(asked, answers, strict=True)))
        for answers in product((0, 1), repeat=len(asked))
    )
    total, answers = elimination.solve(tables)
    assert total == paid(answers) == least


@pytest.mark.parametrize(
    ("asked", "width"),
    [
        ((), 0),
        (((0, 1),), 1),
        (((0, 1), (1, 2), (2, 3)), 2),
        (((0, 1), (1, 2), (0, 2)), 3),
        (tuple((0, k) for k in range(1, 6)), 5),
    ],
)
def test_width(asked: tuple[Question, ...], width: int) -> None:
    """Tests the most questions of two parties, of nothing, a chain, a ring and a star."""
    assert Elimination(asked).width == width
