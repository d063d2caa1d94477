"""Tests that each way to prove a layer, alone and in turns, ends at the optimum."""

from dataclasses import replace

import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import NO_ANSWER
from nlrouter.engine.prove.layer_proof import LayerProof
from tests.engine.tiny_layers import check_routing, every_routing, path_cost, random_nets

SIZES = [(4, 4, 3), (3, 5, 3), (5, 3, 2), (1, 7, 2), (4, 4, 1)]
STEPS = 60


def best_of(nets: Nets) -> int | None:
    """Return the cost of the best routing, by trying all."""
    return min(
        (sum(map(path_cost, paths)) for paths in every_routing(nets, nets.target)), default=None
    )


def prove(nets: Nets, limit: int | None, best: int | None) -> LayerProof:
    """Work on a layer, and check the bound at every step."""
    proof = LayerProof(nets, 0, lambda: False, None)
    last = proof.bound
    for _ in range(STEPS):
        if proof.exact or (limit is not None and proof.bound > limit):
            break
        if proof.bound >= NO_ANSWER:
            break
        proof.step(Deadline(60), limit)
        assert last <= proof.bound
        assert best is None or proof.bound <= best
        last = proof.bound
    if proof.routing is not None:
        assert check_routing(nets, nets.target, proof.routing.paths) == proof.routing.cost
    return proof


@pytest.mark.parametrize("size", SIZES, ids=str)
@pytest.mark.parametrize("seed", range(8))
def test_layers(seed: int, size: tuple[int, int, int]) -> None:
    """Tests that the optimum is proven, with and without a limit, and a lack of answers too."""
    nets = replace(random_nets(seed, *size), constant=0)
    best = best_of(nets)
    if best is None:
        assert prove(nets, None, best).bound == NO_ANSWER
        assert prove(nets, 12, best).bound > 12
        return
    for limit in (None, best + 3, best):
        proof = prove(nets, limit, best)
        assert proof.exact and proof.bound == best
    proof = prove(nets, best - 1, best)
    assert proof.bound == best
