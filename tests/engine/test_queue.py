"""Tests that a search's queue gives back all that is put in, in order but for a bucket."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from nlrouter.compiled import njit
from nlrouter.engine.paths.queue import (
    FARTHEST,
    MOST_ONWARD,
    PER_UNIT,
    Queue,
    bucket_of,
    least_of,
    put,
    queue_for,
    take,
    wider,
)


@njit(cache=False)
def _put(queue: Queue, hand: int, count: int, key: float) -> int:
    """Put in a key; return the number of the next entry."""
    last, behind, costs, states = queue
    return put(last, behind, costs, states, hand, count, key, key, count)


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
        entry, hand = take(queue.last, queue.behind, hand)
        if entry < 0:
            continue
        came[taken] = queue.costs[entry]
        if taken < len(onward):
            key = came[taken] + onward[taken]
            count = _put(queue, hand, count, key)
        taken += 1
    return came


@njit(cache=False)
def _buckets_of(keys: NDArray[np.float64]) -> NDArray[np.int64]:
    """Return the buckets of keys."""
    buckets = np.empty(len(keys), np.int64)
    for k, key in enumerate(keys):
        buckets[k] = bucket_of(key)
    return buckets


@njit(cache=False)
def _least_of(bucket: int) -> float:
    """Return the least key of a bucket."""
    return least_of(bucket)


CLOSE = st.floats(0.0, 40.0)
FAR = st.floats(0.0, 2 * FARTHEST)


@given(st.lists(CLOSE | FAR, min_size=1, max_size=30), st.lists(CLOSE | FAR, max_size=30))
def test_all_comes_back_in_order_of_buckets(keys: list[float], onward: list[float]) -> None:
    """Tests that whatever was put in comes out once, and nothing after what a later bucket has."""
    onward = onward[: len(keys)]
    came = _all_through(np.array(keys), np.array(onward))
    put_in = [*keys, *(came[: len(onward)] + onward)]
    assert sorted(came) == sorted(put_in)
    assert (np.diff(_buckets_of(came)) >= 0).all()


@given(CLOSE | FAR)
def test_a_bucket_has_what_is_about_as_far(key: float) -> None:
    """Tests that a bucket's least key is below its keys by an eighth, or a fiftieth part."""
    key = min(key, FARTHEST)
    bucket, farthest = _buckets_of(np.array([key, FARTHEST]))
    least = _least_of(bucket)
    assert key * (1 + 1e-12) - least >= 0.0
    assert key - least <= 1.0 / PER_UNIT or key - least <= key / 50
    assert farthest < 10_000


def test_what_ties_comes_in_the_order_in_which_it_was_put_in() -> None:
    """Tests that of one bucket the first one in is the first one out."""
    keys = np.linspace(7.0, 7.0 + 1.0 / PER_UNIT, 9)[[4, 0, 7, 2, 6]]
    assert _all_through(keys, np.empty(0)).tolist() == keys.tolist()
