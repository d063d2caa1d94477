"""Tests that questions which answer themselves are settled, and rightly."""

from __future__ import annotations

from dataclasses import replace
from math import inf

import numpy as np

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.prove.asking import AskConfig, ask
from nlrouter.engine.prove.proof import Proof
from nlrouter.engine.prove.questions import Questions
from tests.engine.tiny_layers import curves_of, random_nets


def best_paths(nets: Nets) -> tuple[int, list[list[int]]]:
    """Return the least cost and the paths of a routing that has it."""
    proof = Proof(nets)
    while not proof.exact:
        proof.step(Deadline(9.0), None if proof.routing is None else proof.routing.cost)
    assert proof.routing is not None
    return proof.routing.cost, [np.asarray(path).tolist() for path in proof.routing.paths]


def test_what_answers_itself() -> None:
    """Tests that sides are settled of which one case costs too much, as the best routing has it."""
    nets = replace(random_nets(49, 10, 10, 8), constant=0)
    cost, paths = best_paths(nets)
    dual = Dual(nets)
    dual.curves = curves_of(dual)
    dual.improve(Deadline(9.0), 60, cost + 1)
    questions = Questions(nets, dual.curves)
    found = questions.doubtful(dual, 0.02)
    config = AskConfig(seconds=inf)
    _, forced = ask(dual, questions, found, cost + 1, config, Deadline(9.0))
    assert forced
    for kept, dear in forced:
        assert dear.value > cost
        for net, passage in kept.case:
            here, there = np.array(paths[net][:-1]), np.array(paths[net][1:])
            axis = np.where(abs(here - there) == 1, 0, 1)
            crossed = passage.crossed[0][axis, np.minimum(here, there)].sum()
            assert crossed % 2 == passage.parity
