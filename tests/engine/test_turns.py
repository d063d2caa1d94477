"""Tests that works share the work done, not the time that others take from them."""

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.schedule.turns import Turns


def test_time_taken_by_others() -> None:
    """Tests that a work is not charged with time in which others have the processor."""

    class Shared(WorkClock):
        others = 0.0

        def __call__(self) -> float:
            return self.seconds + self.others

        def effort(self) -> float:
            return self.seconds

    clock = Shared()
    turns, deadline = Turns(), Deadline(60, clock)

    def disturbed(deadline: Deadline) -> None:
        deadline.work(1)
        clock.others += 9

    def quiet(deadline: Deadline) -> None:
        deadline.work(2)

    turns.take(disturbed, deadline)
    turns.take(quiet, deadline)
    assert turns.spent == {disturbed: 1, quiet: 2}
    assert turns.next({disturbed: 1.0, quiet: 1.0}) is disturbed
