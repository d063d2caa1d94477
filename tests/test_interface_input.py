"""Tests that public functions refuse what they cannot take, as the commands do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import nlrouter

SMALL = nlrouter.Problem(3, 1, 1, [((0, 0, 1), (2, 0, 1))])

WITH_ANSWER: list[Callable[[Any], object]] = [
    lambda drawing: nlrouter.check(SMALL, drawing),
    lambda drawing: nlrouter.judge(SMALL, drawing),
    nlrouter.cost,
    lambda drawing: nlrouter.draw(SMALL, drawing),
    lambda drawing: nlrouter.route(SMALL, start=drawing, time_limit=1, workers=1),
    lambda drawing: nlrouter.complete(SMALL, drawing, time_limit=1, workers=1),
]


@pytest.mark.parametrize("function", WITH_ANSWER)
def test_numbers_beyond_32_bits(function: Callable[[Any], object]) -> None:
    """Tests that a number is refused that would be a line's if its upper bits were lost."""
    with pytest.raises(ValueError, match="found 4294967297, expected numbers up to 2147483647"):
        function([[[2**32 + 1] * 3]])


@pytest.mark.parametrize("function", WITH_ANSWER)
def test_layers_that_are_missing(function: Callable[[Any], object]) -> None:
    """Tests that a drawing without layers is refused."""
    with pytest.raises(ValueError, match=r"found the shape \(1, 3\), expected"):
        function([[1, 1, 1]])
