"""Tests that a piece of a proof goes back to its lender once, whatever becomes of its doer."""

from __future__ import annotations

import numpy as np
import pytest

from nlrouter.engine.exchange import Exchange, Letter
from nlrouter.engine.messages import NO_TASK, Settled, Task, Wanted
from nlrouter.engine.prove.side_share import SideShare
from nlrouter.engine.prove.via_share import LayerShare, Left, Share

DONE = Left([], frozenset({"prove"}))


def piece(number: int) -> Share:
    """Return a piece of work that nobody looks at."""
    side: SideShare = None  # type: ignore[assignment]
    return Share(number, LayerShare(0, np.zeros(1, np.int32), side))


def settled(letters: list[Letter]) -> list[tuple[object, int, int, Left | None]]:
    """Return who is told what of which piece."""
    return [
        (to, message.part, message.number, message.left)
        for to, message in letters
        if isinstance(message, Settled)
    ]


def task(exchange: Exchange, worker: str) -> Task:
    """Return what a worker is given that asks."""
    (message,) = [said for to, said in exchange.ask(worker) if isinstance(said, Task)]
    return message


@pytest.fixture
def exchange() -> Exchange:
    """Return an exchange with a leader that has lent a piece."""
    made = Exchange(patience=3.0, stock=2)
    made.lead("leader")
    made.offer("leader", 4, piece(7), 0.0)
    return made


def test_done(exchange: Exchange) -> None:
    """Tests that a piece goes to who asks, and what is left of it to its lender, once."""
    given = task(exchange, "helper")
    assert given.share is not None
    assert (given.part, given.share.number) == (4, 7)
    assert task(exchange, "other") is NO_TASK
    assert settled(exchange.done("other", given.number, DONE)) == []
    assert settled(exchange.done("helper", given.number, DONE)) == [("leader", 4, 7, DONE)]
    assert exchange.done("helper", given.number, DONE) == []


def test_a_doer_that_dies(exchange: Exchange) -> None:
    """Tests that its piece goes back undone, and that what it said before comes too late."""
    given = task(exchange, "helper")
    assert settled(exchange.lose("helper")) == [("leader", 4, 7, None)]
    assert exchange.done("helper", given.number, DONE) == []
    exchange.offer("leader", 4, piece(8), 0.0)
    again = task(exchange, "heir")
    assert again.share is not None
    assert again.share.number == 8
    assert exchange.done("heir", given.number, DONE) == []


def test_a_lender_that_dies(exchange: Exchange) -> None:
    """Tests that the one in its place, who counts from 0 anew, hears nothing of old pieces."""
    given = task(exchange, "helper")
    exchange.offer("leader", 4, piece(8), 0.0)
    assert exchange.lose("leader") == []
    exchange.lead("heir")
    assert task(exchange, "other") is NO_TASK
    exchange.offer("heir", 4, piece(7), 0.0)
    assert exchange.done("helper", given.number, DONE) == []
    new = task(exchange, "helper")
    assert settled(exchange.done("helper", new.number, DONE)) == [("heir", 4, 7, DONE)]


def test_what_nobody_takes(exchange: Exchange) -> None:
    """Tests that a piece that lies about goes back, and one that is being done does not."""
    given = task(exchange, "helper")
    exchange.offer("leader", 4, piece(8), 10.0)
    assert exchange.recall(12.9) == []
    assert settled(exchange.recall(13.1)) == [("leader", 4, 8, None)]
    assert exchange.recall(100.0) == []
    assert settled(exchange.done("helper", given.number, DONE)) == [("leader", 4, 7, DONE)]


def test_demand(exchange: Exchange) -> None:
    """Tests that leaders hear of it where fewer pieces lie ready than there are takers for."""
    assert ("leader", Wanted(2)) in exchange.ask("helper")
    assert exchange.ask("other") == [("other", NO_TASK), ("leader", Wanted(4))]
    for number in range(8, 12):
        exchange.offer("leader", 4, piece(number), 0.0)
    assert ("leader", Wanted(3)) in exchange.ask("third")
    for number in range(12, 17):
        exchange.offer("leader", 4, piece(number), 0.0)
    assert [type(said) for _, said in exchange.ask("other")] == [Task]
