"""Tests that a deadline passes by its clock, or because somebody wants to stop."""

from nlrouter.deadline import Deadline, WorkClock


def test_work_clock() -> None:
    """Tests that the time of a work clock goes on by work alone, for all that share it."""
    clock = WorkClock()
    long, short = Deadline(10, clock), Deadline(10, clock).within(2)
    long.work(1.5)
    assert (long.remaining(), short.remaining(), long.elapsed()) == (8.5, 0.5, 1.5)
    short.work(1)
    assert short.passed() and not long.passed()
    assert long.within(100).remaining() == 7.5


def test_reasons_to_stop() -> None:
    """Tests that every reason counts, for the deadlines made from one as well."""
    wishes = set()
    first = Deadline(60, WorkClock(), lambda: "first" in wishes)
    second = first.unless(lambda: "second" in wishes)
    inner = second.within(5)
    assert not (first.passed() or second.passed() or inner.passed())
    wishes.add("second")
    assert second.passed() and inner.passed() and not first.passed()
    wishes.add("first")
    assert first.passed() and inner.stopped()
    assert inner.remaining() == 5


def test_work() -> None:
    """Tests that a deadline after some work passes by that work, or with the one before it."""

    class Slow(WorkClock):
        def __call__(self) -> float:
            return 4 * self.seconds

        def effort(self) -> float:
            return self.seconds

    deadline = Deadline(10, Slow())
    soon, late = deadline.after(2), deadline.after(3)
    deadline.work(2)
    assert soon.passed() and not late.passed() and soon.elapsed() == 8
    deadline.work(0.5)
    assert late.passed()
