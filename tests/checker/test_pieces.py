"""Tests of what hangs together in an answer."""

import time

import numpy as np

from nlrouter.answer import Answer
from nlrouter.checker.pieces import pieces


def seconds(answer: Answer) -> float:
    """Processor time that it takes to split an answer."""
    start = time.process_time()
    pieces(answer)
    return time.process_time() - start


def test_many_lines() -> None:
    """Tests that many pieces take no longer than one of as many cells: a page waits for it."""
    many = np.arange(1, 90_001, dtype=np.int32).reshape(1, 300, 300)
    assert seconds(many) < 3 * seconds(np.ones_like(many))
