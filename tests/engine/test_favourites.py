"""Tests that nets tied by the vias that lines take nearly always cost no more than in an answer."""

from itertools import combinations

import numpy as np
import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.bonds import BondConfig, Term
from nlrouter.engine.bounds.charges import half_charges
from nlrouter.engine.bounds.choices import with_via
from nlrouter.engine.bounds.curves import draw_curves
from nlrouter.engine.bounds.dual import Dual, DualConfig
from nlrouter.engine.bounds.favourites import led
from nlrouter.engine.bounds.fixing import extra_costs
from nlrouter.engine.bounds.via_pairs import Terms
from nlrouter.engine.nets.domains import full_domains
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.prove.config import TreeConfig
from nlrouter.engine.prove.pair_steps import Favourites
from nlrouter.engine.prove.pricing import Prices
from nlrouter.engine.prove.tree import Tree
from nlrouter.tally import Tallies
from tests.engine.test_via_pairs import at_terms, with_each_via
from tests.engine.tiny_layers import routable_two_layers

ORDER = (1, 2, 0)
"""The favourite via of each of three lines."""


def tied(nets: Nets, seed: int, rounds: int, *, paired: bool = False, given: bool = False) -> Dual:
    """Return a dual, improved for some rounds, that ties all nets of a layer by favourite vias.

    If so wanted, the last pair of each layer is paired besides, and the last line has its via.
    """
    every = full_domains(nets)
    dual = Dual(nets, with_via(every, 0, 2, ORDER[2]) if given else every)
    for row, via in enumerate(ORDER):
        span = nets.classes[0]
        dual.leads[[span.lower[row], span.upper[row]]] = span.via_cells[via]
    layers = [np.flatnonzero(nets.layer == z).tolist() for z in range(nets.layers)]
    both = [pair for members in layers for pair in combinations(members, 2)]
    if paired:
        leads = dual.leads
        dual = dual.paired_with([both[2], both[5]], np.ones(4))
        dual.leads = leads
    plain = Dual(nets, led(nets, dual.leads, dual.domains))
    relaxed = plain.route(plain.prices)
    dual.curves = draw_curves(
        nets.source, dual.leads, relaxed.paths, relaxed.lengths, nets.cells, nets.stride, nets.layer
    )
    assert dual.tie([(1.0, pair) for pair in both if pair not in dual.via_pairs])
    dual.improve(Deadline(60), rounds)
    random = np.random.default_rng(seed)
    weights = random.uniform(0.1, 1.0, len(dual.terms.weights))
    members = dual.averages.members
    weights /= np.bincount(members, weights)[members]
    shares = dual.terms.shares + random.normal(0.0, 1.0, dual.terms.shares.shape)
    tolls = dual.terms.tolls + random.normal(0.0, 1.0, len(dual.bonds))
    return at_terms(dual, Terms(shares, weights, tolls))


@pytest.mark.parametrize("given", [False, True])
@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("rounds", [1, 30])
@pytest.mark.parametrize("seed", range(15))
def test_answers_cost_no_less(seed: int, rounds: int, paired: bool, given: bool) -> None:
    """Tests bounds at any shares and weights, and those with a via forced, against all answers."""
    nets, costs = routable_two_layers(seed, 3, 4, 3)
    dual = tied(nets, seed, rounds, paired=paired, given=given)
    assert len(dual.bonds) >= 4
    extra = extra_costs(dual, 0, dual.forced(Deadline(60)), Deadline(60))
    for order, cost in costs.items():
        if not given or order[2] == ORDER[2]:
            assert dual.value + extra[np.arange(3), order].max() <= cost + 1e-6


@pytest.mark.parametrize("seed", range(15))
def test_what_a_line_settles(seed: int) -> None:
    """Tests that bonds stay where a line is given its favourite, and go where it is another."""
    nets, costs = routable_two_layers(seed, 3, 4, 3)
    dual = tied(nets, seed, 30)
    for via, below in with_each_via(dual, costs):
        assert (len(below.bonds) == len(dual.bonds)) == (via == ORDER[0])


def test_detours_count_in_part() -> None:
    """Tests that of a net that is paired as well, bonds count a part of its detours."""
    nets, _ = routable_two_layers(0, 3, 4, 3)
    dual = tied(nets, 0, 5, paired=True, given=True)
    half = half_charges(nets.free, dual.prices)
    tolls = np.random.default_rng(0).normal(0.0, 2.0, len(dual.bonds))
    assert dual._tied is not None
    whole, part = (
        [
            dual._tied.route(half, w * tolls, {i: Term(np.zeros(3), w)}).costs[i]
            for i in dual._tied.asked
        ]
        for w in (1.0, 0.5)
    )
    assert any(whole)
    assert part == pytest.approx([0.5 * cost for cost in whole])


@pytest.mark.parametrize(("few_ways", "ties"), [(1, True), (6, False)])
def test_few_ways_are_left_to_branching(few_ways: int, ties: bool) -> None:
    """Tests that nothing is tied where vias are shared out in few ways: these are branched on."""
    dual = DualConfig(sure=0.4, bonds=BondConfig(doubt=1e-6))
    config = TreeConfig(dual=dual, few_ways=few_ways)
    tied_any = False
    for seed in range(15):
        nets, _ = routable_two_layers(seed, 3, 4, 3)
        tree = Tree(nets, [Favourites(), Prices()], config, Tallies())
        for _ in range(30):
            tree.step(Deadline(60), 1000)
        tied_any |= any(node.dual.bonds for node in tree.nodes)
    assert tied_any == ties
