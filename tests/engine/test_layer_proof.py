"""Tests that each way to prove a layer, alone and in turns, ends at the optimum."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.bounds.charges import TOLERANCE
from nlrouter.engine.exact import flow_model
from nlrouter.engine.exact.flow_model import FlowResult
from nlrouter.engine.exact.frontier import (
    FrontierConfig,
    FrontierResult,
    Layer,
    layer_of,
    search_frontier,
)
from nlrouter.engine.exact.maxsat import MaxSatConfig
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.routing import NO_ANSWER
from nlrouter.engine.prove import layer_proof
from nlrouter.engine.prove.layer_proof import LayerProof, LayerProofConfig
from nlrouter.engine.prove.side_tree import SideTree, SideTreeConfig
from nlrouter.files.problem_file import read_problem
from nlrouter.result import Status
from tests.engine.open_flow import end_open
from tests.engine.tiny_layers import check_routing, every_routing, path_cost, random_nets

SIZES = [(4, 4, 3), (3, 5, 3), (5, 3, 2), (1, 7, 2), (4, 4, 1)]
STEPS = 60
LONG = 3600.0
"""Seconds for what is to come to its end."""


def best_of(nets: Nets) -> int | None:
    """Return the cost of the best routing, by trying all."""
    return min(
        (sum(map(path_cost, paths)) for paths in every_routing(nets, nets.target)), default=None
    )


def prove(nets: Nets, limit: int | None, best: int | None) -> LayerProof:
    """Work on a layer, and check the bound at every step."""
    proof = LayerProof(nets, 0, None)
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


def one_way(nets: Nets, way: str, limit: int | None, rounds: int) -> LayerProof:
    """Return a layer's proof after some branching and one turn of another way to prove."""
    proof = LayerProof(nets, 0, None, LayerProofConfig(first_flow=LONG))
    for _ in range(rounds):
        proof._branch(Deadline(LONG), limit)
    getattr(proof, way)(Deadline(LONG), limit)
    if proof.routing is not None:
        assert check_routing(nets, nets.target, proof.routing.paths) == proof.routing.cost
    return proof


@pytest.mark.parametrize("rounds", [0, 2, 6])
@pytest.mark.parametrize("seed", range(16))
def test_flow(seed: int, rounds: int) -> None:
    """Tests that CP-SAT within a limit claims just what trying everything finds."""
    nets = replace(random_nets(seed, 4, 4, 3), constant=0)
    best = best_of(nets)
    if best is None:
        assert one_way(nets, "_flow", None, rounds).bound == NO_ANSWER
        # Nothing is known of what costs more than the limit.
        if not rounds:
            assert one_way(nets, "_flow", 9, rounds).bound == 10
        return
    for limit in (None, best - 3, best - 1, best, best + 1, best + 5):
        proof = one_way(nets, "_flow", limit, rounds)
        if limit is None or limit >= best:
            assert proof.routing is not None and proof.bound == best
        else:
            assert limit + 1 <= proof.bound <= best
            # What the tree came upon before may cost more than the limit.
            assert proof.routing is None or (rounds and proof.routing.cost >= best)


@pytest.mark.parametrize("bound", [3, 9, 10, 11, 15])
def test_a_bound_within_a_limit(bound: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a bound of what a limit leaves says nothing of what costs more than that."""

    def stopped(*given: object, **how: object) -> FlowResult:
        return FlowResult(Status.UNKNOWN, None, None, None, bound)

    monkeypatch.setattr(flow_model, "solve_flow", stopped)
    nets = replace(random_nets(0, 4, 4, 2), constant=0)
    assert one_way(nets, "_flow", 9, 0).bound == min(bound, 10)
    assert one_way(nets, "_flow", None, 0).bound == bound


def test_runs_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a run that ends open is longer than the last, unless somebody stopped that."""
    seconds = end_open(monkeypatch, 0)
    proof = LayerProof(random_nets(0, 4, 4, 2), 0, None, LayerProofConfig(first_flow=2.0))
    clock = WorkClock()
    for stopped in (False, True, False):
        proof._flow(Deadline(LONG, clock, partial(bool, stopped)), None)
    assert seconds == [2.0, 4.0, 4.0]


@pytest.mark.parametrize("rounds", [0, 2, 6])
@pytest.mark.parametrize("seed", range(16))
def test_sweep(seed: int, rounds: int) -> None:
    """Tests that no sweep claims more than trying everything finds, however often it comes."""
    nets = replace(random_nets(seed, 4, 4, 3), constant=0)
    best = best_of(nets)
    proof = one_way(nets, "_sweep", None, rounds)
    for _ in range(40):
        assert best is None or proof.bound <= best
        proof._sweep(Deadline(60), None)
    assert proof.bound == (NO_ANSWER if best is None else best) or best is None


BOARD = Path(__file__).resolve().parents[1] / "data" / "boards" / "dear_survivor_6x6x1.txt"
"""Where the side tree has soon nothing left to branch on; the optimum of its nets is 33."""


def test_a_stuck_tree_takes_no_turns() -> None:
    """Tests that by the work clock, too, the others go on where branching cannot."""
    nets = replace(nets_of(read_problem(str(BOARD))), constant=0)
    proof = LayerProof(nets, 0, None)
    deadline = Deadline(10, WorkClock())
    steps = 0
    while not proof.exact and not deadline.passed():
        proof.step(deadline, None)
        steps += 1
    assert proof.bound == 33 and proof._tree.stuck
    assert steps < 200


def test_a_tree_that_is_stuck_before_its_prices_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that the other ways have turns then, as there would be none otherwise."""
    config = LayerProofConfig(maxsat=MaxSatConfig(trial_seconds=0.0))
    proof = LayerProof(random_nets(3, 4, 4, 2), 0, None, config)
    monkeypatch.setattr(SideTree, "stuck", property(lambda tree: True))
    proof.step(Deadline(1.0, WorkClock()), None)
    assert proof.spent > 0


def test_dear_survivor() -> None:
    """Tests that a routing dearer than the limit, which cuts let survive, is no proof."""
    nets = replace(nets_of(read_problem(str(BOARD))), constant=0)
    proof = LayerProof(nets, 600, None)
    tree = proof._tree
    while not tree.root.converged:
        proof._branch(Deadline(60, WorkClock()), None)
    survivors = 0
    for _ in range(6):
        # What the tree does where no pair is of two minds any more.
        tree._cut(tree._nodes[0], Deadline(60, WorkClock()), None)
        tree.bound = max(tree.bound, tree.root.bound)
        proof._raise(tree.bound, "prove")
        result = search_frontier(layer_of(tree.root, 0), proof.bound)
        assert result.complete and result.bound <= 33
        survivors += result.paths is not None and not result.is_cheapest
        proof._sweep(Deadline(60, WorkClock()), None)
        assert proof.bound <= 33
    assert survivors


def test_ways_that_the_layer_is_too_large_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a layer too large for all but the tree waits where that is stuck."""
    monkeypatch.setattr(layer_proof, "MOST_NETS", 0)
    monkeypatch.setattr(SideTree, "stuck", True)
    config = LayerProofConfig(flow_size=0, maxsat_cells=0)
    proof = LayerProof(random_nets(0, 4, 4, 3), 0, None, config)
    proof.step(Deadline(60), None)
    assert proof.waits and not proof.phases
    assert proof.spent == config.wait_seconds


@pytest.mark.parametrize("guided", [False, True])
def test_maxsat_where_it_is_to_be_tried(guided: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that MaxSAT has turns exactly where the caller wants it tried."""
    monkeypatch.setattr(SideTree, "stuck", True)
    monkeypatch.setattr(layer_proof, "MOST_NETS", 0)
    config = LayerProofConfig(flow_size=0)
    proof = LayerProof(random_nets(0, 4, 4, 3), 0, None, config, guided=guided)
    proof.step(Deadline(60), None)
    assert proof.waits == (not guided)
    assert proof.phases == ({"maxsat"} if guided else set())


def test_sweeps_that_give_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that sweeps grow up to the most states, and begin anew where the bound has risen."""
    asked = []

    def give_up(layer: Layer, limit: int, config: FrontierConfig) -> FrontierResult:
        asked.append((limit, config.most))
        return FrontierResult(limit, False, None, 0, 0)

    monkeypatch.setattr(layer_proof, "search_frontier", give_up)
    monkeypatch.setattr(SideTree, "stuck", True)
    config = LayerProofConfig(
        first_states=16, states_growth=4, most_states=100, flow_size=0, maxsat_cells=0
    )
    proof = LayerProof(random_nets(0, 4, 4, 3), 0, None, config)
    for _ in range(5):
        proof.step(Deadline(60, WorkClock()), None)
    assert asked == [(0, 16), (0, 64), (0, 100)]
    assert proof.waits
    proof.bound = 1
    proof.step(Deadline(60, WorkClock()), None)
    assert asked[3:] == [(1, 100)]


def test_runs_that_are_cut_short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that a run of CP-SAT that did not have its time is not followed by a longer one."""
    seconds = end_open(monkeypatch, 0)
    proof = LayerProof(random_nets(0, 4, 4, 3), 0, None, LayerProofConfig(first_flow=2.0))
    for limit in (1.0, 60.0, 60.0):
        proof._flow(Deadline(limit), None)
    assert seconds == [pytest.approx(each, abs=0.5) for each in (1.0, 2.0, 4.0)]


def test_layers_too_large_to_branch_on() -> None:
    """Tests that no curves are drawn where sides are not asked about, and the bound holds."""
    nets = replace(random_nets(0, 4, 4, 2), constant=0)
    tree = SideTree(nets, None, SideTreeConfig(most_size=0))
    for _ in range(10):
        tree.step(Deadline(60), None)
    best = best_of(nets)
    assert tree.root.curves is None
    assert best is not None and 0 < tree.bound <= best + TOLERANCE
