"""Tests that certificates prove what boards truly cost, and never more, whatever is in them."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from math import inf
from typing import Any

import numpy as np
import pytest
from routing_oracle import cheapest_cost, random_problem
from tiny_layers import layer_problem, two_layer_problem

from nlrouter.certificate import Certificate, digest_of
from nlrouter.certify import CertifyConfig, ProofWriter, ViaTree, certify
from nlrouter.check.certificate import verified_bound
from nlrouter.check.certificate_board import Refused
from nlrouter.check.certificate_curves import curves_cross, edges_crossed
from nlrouter.deadline import Deadline, WorkClock
from nlrouter.engine.cuts import SeparationConfig, separate
from nlrouter.engine.dual import Dual
from nlrouter.engine.feasibility import infeasible_reason
from nlrouter.engine.nets import nets_of
from nlrouter.engine.sides import draw_curves
from nlrouter.files.certificate_file import format_certificate, parse_certificate
from nlrouter.files.errors import FileError
from nlrouter.problem import Problem


def certificate_text(problem: Problem) -> str:
    """Return the certificate of a bound that nobody claims."""
    config = CertifyConfig(least_seconds=0.1)
    clock = Deadline(0, WorkClock())
    certificate = certify(problem, None, 0, "nobody", clock, lambda: False, config)
    return format_certificate(certificate)


def boards() -> Iterator[tuple[Problem, float]]:
    """Return tiny boards that have an answer, and what they cost."""
    drawn = [random_problem(seed) for seed in range(60)]
    drawn += [layer_problem(seed, 4, 5, 3) for seed in range(25)]
    drawn += [two_layer_problem(seed, 3, 4, 2) for seed in range(25)]
    for problem in drawn:
        if not infeasible_reason(problem) and (cost := cheapest_cost(problem)) < inf:
            yield problem, cost


def places(record: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Return where the numbers of a decoded certificate are."""
    if isinstance(record, int):
        yield path
    elif isinstance(record, dict | list):
        entries = record.items() if isinstance(record, dict) else enumerate(record)
        for key, value in entries:
            yield from places(value, (*path, key))


def test_tiny_boards() -> None:
    """Tests that no bound is above the optimum, and that nearly all reach it."""
    short = Counter()
    kinds = Counter()
    for problem, cost in boards():
        text = certificate_text(problem)
        bound = verified_bound(problem, parse_certificate(text, "file"))
        assert bound <= cost
        short[cost - bound] += 1
        for part in json.loads(text)["parts"]:
            kinds.update(node["kind"] for node in part["nodes"])
    assert short[0] > 0.95 * short.total()
    assert len(kinds) == 5, "some kind of node was not tried"


def test_cuts() -> None:
    """Tests that a dual with crossing cuts proves what the engine says, and not too much."""
    with_cuts = 0
    for seed in range(60):
        problem = layer_problem(seed, 5, 5, 4)
        if infeasible_reason(problem):
            continue
        nets = nets_of(problem)
        tree = ViaTree(nets, 1000, CertifyConfig())
        dual = tree.root.dual
        forever = Deadline(inf)
        relaxed = dual.improve(forever, 60)
        found = separate(
            nets.layer, nets.source, dual.target, nets.free, dual.flow, relaxed.paths,
            relaxed.lengths, nets.stride, SeparationConfig(),
        )  # fmt: skip
        if not found or dual.bound > 1e6:
            continue
        dual.add_cuts(found)
        dual.improve(forever, 60)
        proof = ProofWriter(nets, 10**6).proof(tree, ((0,),))
        with_cuts += bool(proof.cuts)
        certificate = Certificate(digest_of(problem), 0, 0, "", 10**6, (proof,))
        bound = verified_bound(problem, certificate)
        assert dual.value - 1e-3 < bound <= cheapest_cost(problem)
    assert with_cuts > 5


def test_changed_numbers() -> None:
    """Tests that with any one number changed, it proves no more than is true or is refused."""
    rnd = random.Random(0)
    refused = proven = 0
    for problem, cost in boards():
        text = certificate_text(problem)
        numbers = list(places(json.loads(text)))
        # Most numbers are prices; the others matter as much.
        rare = [path for path in numbers if path[2:3] != ("prices",)]
        for _ in range(8):
            record = json.loads(text)
            path = rnd.choice(rnd.choice([numbers, rare]))
            entry = record
            for key in path[:-1]:
                entry = entry[key]
            old = entry[path[-1]]
            entry[path[-1]] = rnd.choice([0, 1, old + 1, max(0, old - 1), 2 * old, 10**6, 10**9])
            try:
                bound = verified_bound(problem, parse_certificate(json.dumps(record), "file"))
            except (Refused, FileError):
                refused += 1
            else:
                proven += 1
                assert bound <= cost, path
    assert min(refused, proven) > 50


@pytest.mark.parametrize("seed", range(10))
def test_same_curves_as_the_engine(seed: int) -> None:
    """Tests that the engine's sides mean the same to the check."""
    problem = layer_problem(seed, 5, 6, 4)
    nets = nets_of(problem)
    relaxed = Dual(nets).route(np.zeros(nets.free.shape), Dual(nets).cuts)
    if relaxed.value > 1e9:
        return
    curves = draw_curves(
        nets.source, nets.target, relaxed.paths, relaxed.lengths, nets.cells, nets.stride
    )
    ends = [tuple(6 * end.y + end.x for end in line.ends) for line in problem.lines]
    for k, (i, j) in enumerate(pairwise(range(nets.count))):
        crossed = {
            2 * ((cell // nets.stride - 1) * 6 + cell % nets.stride - 1) + axis
            for axis, cell in zip(*map(list, np.nonzero(curves.crossed[k])), strict=True)
        }
        assert edges_crossed(ends[k], 6) == crossed
        assert curves_cross(ends[i], ends[j], 6) == curves.parity[i, j]
