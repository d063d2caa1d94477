"""What a search has to look at, cheapest first but for fractions: in buckets. Compiled.

A heap takes half of the time of a search. Here what comes next is in the bucket of its key, as
R. Dial has it (Algorithm 360, 1969), but the keys are no integers, and what is in one bucket comes
in the order in which it was put in. So a search has to

- look again at a state to which it comes more cheaply: of the entries of a state, all but the one
  of its newest cost are out of date,
- believe in what it has found only when the bucket is done with in which it was found.

No key may be below the bucket at hand but for rounding: no step costs less than nothing.

Keys that are far off share a bucket with more others. Were all buckets alike, most would be empty
where a line that is in the way costs a thousand times a way around: six times as slow.

Were the last one put in the first one out, a search took a fifth less time, but ties always went to
the way found last: of 480 finders, 192 instead of 161 ended above the best cost.

Loops keep the arrays of a queue in variables of their own, and a loop that comes to the end of the
room is left, and entered anew with more. Where a loop takes an array out of a tuple, or has another
array the next time, Numba counts references to it at every call: twice as slow.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from nlrouter.compiled import inner

PER_UNIT = 8.0
"""Buckets for a unit of cost: with few, states are looked at again, with many, most are empty."""

NEAR = 256.0
"""Keys up to it have so many; hardly a path costs more but where lines push others out."""

PER_DOUBLING = 64.0
"""Buckets of keys above, each time that they double: all are emptied before a search."""

FARTHEST = 2.0**32
"""Keys above it count as this."""

MOST_ONWARD = 4
"""Entries that a search puts in after it has taken one out."""


class Queue(NamedTuple):
    """Entries of a search, in the order in which they were put in."""

    last: NDArray[np.int32]
    """``(buckets,)`` the last entry of each bucket, -1 where there is none."""
    behind: NDArray[np.int32]
    """``(room,)`` the entry after each, and after the last one the first one."""
    costs: NDArray[np.float64]
    """``(room,)`` what it cost to come to the state of an entry."""
    states: NDArray[np.int32]
    """``(room,)`` the state of an entry."""


@inner(cache=True)
def queue_for(room):
    """Return an empty queue with room for so many entries."""
    return Queue(
        np.full(bucket_of(FARTHEST) + 1, -1, np.int32),
        np.empty(room, np.int32),
        np.empty(room),
        np.empty(room, np.int32),
    )


@inner(cache=True)
def wider(queue):
    """Return a queue with the same entries, and room for as many more."""
    return Queue(
        queue.last,
        longer(queue.behind),
        longer(queue.costs),
        longer(queue.states),
    )


@inner(cache=True)
def longer(array):
    """Return an array with room for as much again."""
    longer = np.empty(2 * len(array), array.dtype)
    longer[: len(array)] = array
    return longer


@inner(cache=True)
def bucket_of(key):
    """Return the bucket of a key."""
    if key < NEAR:
        return np.int64(key * PER_UNIT)
    return np.int64(NEAR * PER_UNIT + PER_DOUBLING * math.log2(min(key, FARTHEST) / NEAR))


@inner(cache=True)
def least_of(bucket):
    """Return the least key of a bucket."""
    beyond = bucket - NEAR * PER_UNIT
    return bucket / PER_UNIT if beyond < 0 else NEAR * 2.0 ** (beyond / PER_DOUBLING)


@inner(cache=True)
def put(last, behind, costs, states, hand, count, key, cost, state):
    """Put in a state and what it cost as the entry number ``count``; return the next number."""
    bucket = max(bucket_of(key), hand)
    before = last[bucket]
    if before < 0:
        behind[count] = count
    else:
        behind[count] = behind[before]
        behind[before] = count
    last[bucket] = count
    costs[count] = cost
    states[count] = state
    return count + 1


@inner(cache=True)
def take(last, behind, hand):
    """Take an entry out of the bucket at hand.

    Returns
    -------
    tuple of int
        The entry, or -1 where that bucket is done with, and the bucket that is at hand now.
    """
    before = last[hand]
    if before < 0:
        return np.int64(-1), hand + 1
    entry = np.int64(behind[before])
    if entry == before:
        last[hand] = -1
    else:
        behind[before] = behind[entry]
    return entry, hand
