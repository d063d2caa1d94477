"""A solver's call in a thread of its own."""

from __future__ import annotations

import _thread
import signal
import threading
import time
from collections.abc import Iterator

import pytest

from nlrouter.deadline import Deadline
from numplace.beside import run_beside


@pytest.fixture
def heard() -> Iterator[None]:
    """Ctrl-C is heard, which a process in the background of a shell ignores."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("heard")
def test_interrupted_call_has_ended() -> None:
    """Tests that Ctrl-C leaves nothing running that still writes what it finds."""
    for _ in range(5):
        stopped, ended = threading.Event(), threading.Event()

        def call(stopped: threading.Event = stopped, ended: threading.Event = ended) -> None:
            _thread.interrupt_main()
            stopped.wait(30)
            time.sleep(0.1)
            ended.set()

        with pytest.raises(KeyboardInterrupt):
            run_beside(call, stopped.set)
        assert ended.is_set()


def test_deadline_and_results() -> None:
    """Tests that the deadline stops a call, and that results and errors come back."""
    stopped = threading.Event()
    assert run_beside(lambda: stopped.wait(30), stopped.set, Deadline(0.05))
    assert stopped.is_set()
    stopped.clear()
    assert run_beside(lambda: 7, stopped.set, Deadline(30)) == 7
    with pytest.raises(ZeroDivisionError):
        run_beside(lambda: 1 // 0, stopped.set)
    assert not stopped.is_set()


def test_stop_that_comes_too_soon() -> None:
    """Tests that a stop that is lost is repeated."""
    stops = 0
    heard = threading.Event()

    def stop() -> None:
        nonlocal stops
        stops += 1
        if stops == 3:
            heard.set()

    assert run_beside(lambda: heard.wait(30), stop, Deadline(0))
