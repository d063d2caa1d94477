"""Tests of the search for any answer to a layer on which nets overlap."""

import numpy as np
import pytest

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.exact.only_answer import OnlyAnswer
from nlrouter.engine.find import layer_answers
from nlrouter.engine.find.config import FinderConfig, LayerAnswersConfig
from nlrouter.engine.find.finder import Finder
from nlrouter.engine.find.layer_answers import LayerAnswers
from nlrouter.engine.find.working import Working
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.generators import fill_board
from nlrouter.tally import Tallies
from tests.engine.tiny_layers import check_routing


def full_part(seed: int) -> Nets:
    """Return the nets of a full board of two layers, tied by vias."""
    problem, _ = fill_board(12, 12, seed, layers=2, lines=14, vias=3)
    (part,) = split(nets_of(problem))
    assert part.nets.classes
    return part.nets


def in_the_way(nets: Nets) -> Working:
    """Return a routing with the vias that the board was made with, in which all nets overlap."""
    working = Working(nets, 0, FinderConfig())
    working.set_assignment(tuple(np.arange(len(span.vias)) for span in nets.classes))
    for z, members in enumerate(working.members):
        working.take_paths(z, [np.repeat(np.int32(nets.stride + 1), 3) for _ in members])
    assert working.overlaps.all()
    return working


@pytest.mark.parametrize("seed", range(3))
def test_layers_get_answers_together(seed: int) -> None:
    """Tests that once all layers have answers there is a routing, with the vias they had."""
    nets = full_part(seed)
    working = in_the_way(nets)
    layers = LayerAnswers(nets, LayerAnswersConfig())
    for _ in range(2):
        assert layers.routing is None
        assert layers.step(working, Deadline(60, WorkClock()))
    assert layers.routing is not None
    assert working.overlaps.all()  # Repair goes on from what it has.
    check_routing(nets, nets.targets(layers.routing.assignment), layers.routing.paths)


def test_an_answer_is_taken_later() -> None:
    """Tests that an answer is taken once it is the last one wanted, and others were repaired."""
    nets = full_part(0)
    working = in_the_way(nets)
    layers = LayerAnswers(nets, LayerAnswersConfig())
    deadline = Deadline(60, WorkClock())
    assert layers.step(working, deadline)
    (other,) = (z for z in (0, 1) if layers.search(z, working.target).routing is None)
    repaired = layers.search(other, working.target)
    repaired.step(deadline)
    assert repaired.routing is not None
    working.take_paths(other, repaired.routing.paths)
    assert not layers.step(working, deadline)  # There is nothing left to ask.
    assert layers.routing is not None
    check_routing(nets, nets.targets(layers.routing.assignment), layers.routing.paths)


def test_a_layer_without_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a refuted layer is not asked about again, so that others have their turn."""
    nets = full_part(0)
    layers = LayerAnswers(nets, LayerAnswersConfig())
    refuted = OnlyAnswer(nets.layer_alone(0, in_the_way(nets).target))
    monkeypatch.setattr(refuted, "worth", lambda *_: False)
    monkeypatch.setattr(layers, "search", lambda *_: refuted)
    assert not layers.step(in_the_way(nets), Deadline(60, WorkClock()))
    assert refuted.routing is None


def test_a_search_goes_on_while_the_vias_stay() -> None:
    """Tests that a layer is not searched anew, but with other vias it is."""
    nets = full_part(0)
    layers = LayerAnswers(nets, LayerAnswersConfig())
    target = in_the_way(nets).target
    other = nets.targets(tuple(np.roll(np.arange(len(span.vias)), 1) for span in nets.classes))
    first = layers.search(0, target)
    assert layers.search(0, target) is first
    assert layers.search(1, target) is not first
    assert layers.search(0, other) is not first


class InVain:
    """A search that works for two seconds at a time and has no answer."""

    routing = None

    def worth(self, _spent: float, _upper: int | None) -> bool:
        """Return that it is."""
        return True

    def step(self, deadline: Deadline) -> None:
        """Work."""
        deadline.work(2.0)


def test_questions_until_one_is_in_vain(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that layers are asked about at once, and after one in vain when repair is stuck."""
    nets = full_part(0)
    deadline = Deadline(1e9, WorkClock())
    layers = LayerAnswers(nets, LayerAnswersConfig())
    layers.step(in_the_way(nets), deadline)
    assert deadline.elapsed() > 0 and layers.due(deadline, stuck=False)
    monkeypatch.setattr(layers, "search", lambda *_: InVain())
    layers.step(in_the_way(nets), deadline)
    assert not layers.due(deadline, stuck=False)
    assert layers.due(deadline, stuck=True)


def test_its_share_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that after a question in vain it waits until others have had their time."""
    nets = full_part(0)
    deadline = Deadline(1e9, WorkClock())
    layers = LayerAnswers(nets, LayerAnswersConfig(share=0.25))
    monkeypatch.setattr(layers, "search", lambda *_: InVain())
    assert layers.due(deadline, stuck=True)
    layers.step(in_the_way(nets), deadline)
    deadline.work(5.9)
    assert not layers.due(deadline, stuck=True)
    deadline.work(0.2)
    assert layers.due(deadline, stuck=True)


def test_layers_that_are_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that no layer is written as clauses that take too long."""
    monkeypatch.setattr(layer_answers, "MOST_CELLS", 50)
    assert not LayerAnswers(full_part(0), LayerAnswersConfig()).due(
        Deadline(1e9, WorkClock()), stuck=True
    )


def test_an_answer_from_layers_is_kept_beside_the_repair() -> None:
    """Tests that a finder tells of such an answer, repairs on, and takes it up if that is stuck."""
    nets = full_part(1)
    finder = Finder(nets, 0)
    finder.started = True
    finder.working = in_the_way(nets)
    deadline = Deadline(60, WorkClock())
    assert not finder.step(deadline)
    assert finder.step(deadline)
    assert finder.best is not None
    assert finder.working.overlaps.all()
    finder.idle = 4 * nets.count
    finder.step(deadline)
    assert not finder.working.overlaps.any()


def test_switched_off() -> None:
    """Tests that a finder that is stuck asks for answers to layers unless it is not to."""
    nets = full_part(1)
    for without in (frozenset[str](), frozenset({"layer answers"})):
        tallies = Tallies(without)
        finder = Finder(nets, 0, None, tallies)
        finder.started, finder.idle = True, nets.count
        finder.working = in_the_way(nets)
        finder.step(Deadline(60, WorkClock()))
        assert ("layer answers" in tallies) == (not without)
