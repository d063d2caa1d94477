"""Tests that neighbourhoods that pay get more turns, and none is forgotten."""

import random
from collections import Counter

from nlrouter.engine.schedule.adaptive import AdaptiveChoice


def turns(choice: AdaptiveChoice[str]) -> Counter[str]:
    """Count who gets a thousand turns."""
    return Counter(choice.pick() for _ in range(1000))


def test_what_pays_gets_more_turns() -> None:
    """Tests that a neighbourhood with gains has most turns and others their least share."""
    moves = ["groups", "swaps", "chains"]
    choice = AdaptiveChoice(moves, random.Random(0))
    for _ in range(20):
        choice.credit(moves[1], 5)
        choice.credit(moves[0], 0)
    counted = turns(choice)
    assert counted[moves[1]] > 600
    assert min(counted[moves[0]], counted[moves[2]]) > 100


def test_gains_are_forgotten() -> None:
    """Tests that a neighbourhood that paid long ago gives way to one that pays now."""
    moves = ["groups", "swaps"]
    choice = AdaptiveChoice(moves, random.Random(0))
    choice.credit(moves[0], 100)
    for _ in range(200):
        choice.credit(moves[0], 0)
        choice.credit(moves[1], 1)
    counted = turns(choice)
    assert counted[moves[1]] > 700


def test_all_alike_while_nothing_has_paid() -> None:
    """Tests that turns are shared evenly at first, and that a loss counts as no gain."""
    moves = ["groups", "swaps"]
    choice = AdaptiveChoice(moves, random.Random(0))
    choice.credit(moves[0], -9)
    assert min(turns(choice).values()) > 400
