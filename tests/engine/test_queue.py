"""Tests that a search's queue gives back all that is put in, in order but for a bucket."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from nlrouter.compiled import njit
from nlrouter.engine.paths.queue import (
    MOST_ONWARD,
    PER_UNIT,
    Queue,
    bucket_of,
    put,
    queue_for,
    take,
    wider,
)


@njit(cache=False)
def _put(queue: Queue, hand: int, count: int, key: float) -> int:
    """Put in a key; return the number of the next entry."""
    last, behind, due, costs, states = queue
    return put(last, behind, due, costs, states, hand, count, key, key, count)


@njit(cache=False)
def _all_through(keys: NDArray[np.float64], onward: NDArray[np.float64]) -> NDArray[np.float64]:
    """Put keys in, and behind each that comes out one that is so much farther; return what came."""
    queue, count, taken = queue_for(MOST_ONWARD), 0, 0
    hand = bucket_of(keys.min())
    came = np.empty(len(keys) + len(onward))
    for key in keys:
        while count + MOST_ONWARD > len(queue.costs):
            queue = wider(queue)
        count = _put(queue, hand, count, key)
    while taken < count:
        while count + MOST_ONWARD > len(queue.costs):
            queue = wider(queue)
        entry, hand = take(queue.last, queue.behind, queue.due, hand)
        if entry < 0:
            continue
        came[taken] = queue.costs[entry]
        if taken < len(onward):
            key = came[taken] + onward[taken]
            count = _put(queue, hand, count, key)
        taken += 1
    return came


NEAR = st.floats(0.0, 40.0)
FAR = st.floats(0.0, 3000.0)
"""Farther than all buckets that there are at a time."""


@given(st.lists(NEAR | FAR, min_size=1, max_size=30), st.lists(NEAR | FAR, max_size=30))
def test_all_comes_back_in_order_of_buckets(keys: list[float], onward: list[float]) -> None:
    """Whatever was put in comes out once, and nothing after what is a bucket dearer."""
    onward = onward[: len(keys)]
    came = _all_through(np.array(keys), np.array(onward))
    put_in = [*keys, *(came[: len(onward)] + onward)]
    assert sorted(came) == sorted(put_in)
    assert (np.maximum.accumulate(came) <= came + 1.0 / PER_UNIT).all()


def test_what_ties_comes_in_the_order_in_which_it_was_put_in() -> None:
    """Tests that of one bucket the first one in is the first one out."""
    keys = np.linspace(7.0, 7.0 + 1.0 / PER_UNIT, 9)[[4, 0, 7, 2, 6]]
    assert _all_through(keys, np.empty(0)).tolist() == keys.tolist()
