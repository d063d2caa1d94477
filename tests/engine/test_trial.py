"""Tests that a trial of other vias ends with a cheaper routing, or shows that there is none."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.nets.routing import Routing
from nlrouter.engine.prove.trial import Trial
from nlrouter.problem import Cell, Line, Problem, Via
from tests.engine.test_layer_steps import proofs_of
from tests.engine.tiny_layers import check_routing, every_routing, routable_two_layers


def tried(trial: Trial) -> Routing | None:
    """Return what comes of a trial."""
    while trial.routing is None and not trial.failed:
        trial.step(Deadline(60))
    return trial.routing


@pytest.mark.parametrize("seed", range(12))
def test_cheaper_or_none(seed: int) -> None:
    """Tests that a trial finds a cheaper routing with its vias exactly where there is one."""
    nets, costs = routable_two_layers(seed, 3, 4, 2)
    for vias in costs:
        assignment = (np.array(vias),)
        for paths in every_routing(nets, nets.targets(assignment)):
            known = Routing.along([np.array(path, np.int32) for path in paths], assignment)
            for others in set(permutations(vias)) - {vias}:
                trial = Trial(nets, known, (np.array(others),), proofs_of(nets))
                found = tried(trial)
                least = costs.get(others)
                if least is None or least - nets.constant >= known.cost:
                    assert found is None
                    continue
                assert found is not None and found.cost < known.cost
                target = nets.targets(found.assignment)
                assert found.assignment[0].tolist() == list(others)
                assert check_routing(nets, target, found.paths) == found.cost


@pytest.mark.parametrize("helped", [False, True])
def test_maxsat_where_it_has_helped(helped: bool) -> None:
    """Tests that a layer is tried with MaxSAT only where that helped with the known vias."""
    nets, _ = routable_two_layers(0, 3, 4, 2)
    known, other = ((np.array(order),) for order in ((0, 1), (1, 0)))
    paths = next(every_routing(nets, nets.targets(known)))
    routing = Routing.along([np.array(path, np.int32) for path in paths], known)
    proofs = proofs_of(nets)
    for z in range(2):
        proofs.of(z, nets.targets(known)).phases |= {"maxsat"} if helped else {"prove"}
    Trial(nets, routing, other, proofs)
    tried = [proofs.of(z, nets.targets(other)).maxsat is not None for z in range(2)]
    assert tried == [helped] * 2


def test_other_layers_stay() -> None:
    """Tests that what lies on layers without a changed via is kept, whatever it costs."""
    ends = [(Cell(0, 0, x), Cell(1, 0, 3 - x)) for x in (0, 3)]
    alone = (Cell(2, 0, 0), Cell(2, 0, 3))
    lines = tuple(Line(k + 1, pair) for k, pair in enumerate([*ends, alone]))
    vias = tuple(Via("ab"[k], x, 2, 0, 1) for k, x in enumerate((1, 2)))
    nets = nets_of(Problem(4, 3, 3, lines, vias))
    (net,) = np.flatnonzero(nets.layer == 2)
    best: dict[tuple[int, ...], Routing] = {}
    for order in permutations(range(2)):
        assignment = (np.array(order),)
        routings = [
            Routing.along([np.array(path, np.int32) for path in paths], assignment)
            for paths in every_routing(nets, nets.targets(assignment))
        ]
        if routings:
            best[order] = max(routings, key=lambda routing: routing.cost)
    assert len(best) == 2
    for order, known in best.items():
        found = tried(Trial(nets, known, (np.array(order[::-1]),), proofs_of(nets)))
        assert found is not None and found.cost < known.cost
        assert found.paths[net] is known.paths[net]
