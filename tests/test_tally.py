"""Tests that what methods cost and gain is counted, each apart from those within it."""

from time import thread_time

import pytest

from nlrouter.tally import Tallies, Tally


def work(seconds: float) -> None:
    """Use the processor for some time."""
    end = thread_time() + seconds
    while thread_time() < end:
        pass


def test_methods_within_methods() -> None:
    """Tests that the time of a method within another counts for the inner one alone."""
    tallies = Tallies()
    start = thread_time()
    with tallies.at_work("outer"):
        work(0.01)
        for _ in range(2):
            with tallies.at_work("inner") as tally:
                work(0.04)
                tally.better += 1
    spent = thread_time() - start
    outer, inner = tallies["outer"], tallies["inner"]
    assert (outer.calls, inner.calls, outer.better, inner.better) == (1, 2, 0, 2)
    assert outer.seconds < 0.04 <= 0.08 <= inner.seconds
    assert outer.seconds + inner.seconds == pytest.approx(spent, abs=0.005)


def test_a_method_that_fails() -> None:
    """Tests that the time of a method that ends by an error is counted, and others' as before."""
    tallies = Tallies()
    with pytest.raises(ValueError, match="no"), tallies.at_work("outer"), tallies.at_work("inner"):
        raise ValueError("no")
    with tallies.at_work("outer"):
        work(0.01)
    assert tallies["outer"].calls == 2 and tallies["outer"].seconds >= 0.01
    assert tallies._within == [sum(tally.seconds for tally in tallies.values())]


def test_merging() -> None:
    """Tests that tallies from elsewhere are added, and a method that is new among them begins."""
    tallies, others = Tallies(frozenset({"c"})), Tallies()
    tallies["a"].add(Tally(1, 2.0, 3, 4.0))
    others["a"].add(Tally(10, 20.0, 30, 40.0))
    others["b"].add(Tally(5, 6.0, 7, 8.0))
    for _ in range(2):
        tallies.merge(others)
    assert tallies == {"a": Tally(21, 42.0, 63, 84.0), "b": Tally(10, 12.0, 14, 16.0)}
    assert others["b"] == Tally(5, 6.0, 7, 8.0)
    assert tallies.without == {"c"}
