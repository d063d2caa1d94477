"""Tests that the check matches lines and vias exactly, or refuses to."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nlrouter.checker.certificate.limits import CheckLimits, Refused, Work
from nlrouter.checker.certificate.paths import UNREACHED
from nlrouter.checker.certificate.prices import EXACT, forced, matching


@st.composite
def matrices(draw: st.DrawFn) -> list[list[int]]:
    """Draw what lines pay for vias: little, as much as is exact, or no end."""
    size = draw(st.integers(1, 5))
    most = draw(st.sampled_from([3, EXACT // (size * (size + 1)) - 2]))
    costs = st.integers(0, most) | st.just(most) | st.just(UNREACHED)
    row = st.lists(costs, min_size=size, max_size=size)
    return draw(st.lists(row, min_size=size, max_size=size))


@given(matrices())
def test_least_of_all_ways(matrix: list[list[int]]) -> None:
    """Tests the least sum, and that with each via of the first line, against all ways to match."""
    work = Work(CheckLimits())
    ways = {
        order: min(UNREACHED, sum(row[via] for row, via in zip(matrix, order, strict=True)))
        for order in permutations(range(len(matrix)))
    }
    assert matching(matrix, work) == min(ways.values())
    for via in range(len(matrix)):
        least = min(cost for order, cost in ways.items() if order[0] == via)
        assert forced(matrix, 0, via, work) == least


def test_beyond_floating_point() -> None:
    """Tests that prices are refused that a matching in floating point would round."""
    work = Work(CheckLimits())
    most = EXACT // 6 - 1
    assert matching([[most, 0], [1, most - 1]], work) == 1
    assert matching([[most, most - 1], [most, most]], work) == 2 * most - 1
    with pytest.raises(Refused, match="too large"):
        matching([[most + 1, 0], [1, 1]], work)
