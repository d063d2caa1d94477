"""Tests that cores prove what boards truly cost, and never more, whatever is in them."""

import json
import random
from dataclasses import replace
from functools import cache
from math import inf
from typing import cast

import pytest

from nlrouter.certificate import (
    Certificate,
    Core,
    Cores,
    LayerSum,
    Node,
    PartProof,
    ViaCases,
    digest_of,
)
from nlrouter.checker.certificate.board import Case, Refused, every_via, layers_of
from nlrouter.checker.certificate.clauses import clauses_of
from nlrouter.checker.certificate.cores import count_of
from nlrouter.checker.certificate.verify import verified_bound
from nlrouter.engine.config import RouterConfig
from nlrouter.engine.prove.config import ProofConfig
from nlrouter.engine.search import SearchConfig
from nlrouter.files.certificate_file import format_certificate, parse_certificate
from nlrouter.files.errors import FileError
from nlrouter.problem import Problem
from tests.engine.routing_oracle import cheapest_cost, random_problem
from tests.engine.test_certify import WAYS, certified, places
from tests.engine.tiny_layers import layer_problem, two_layer_problem

ANY = SearchConfig(proof=ProofConfig(tight=0.0))
"""MaxSAT is tried however many cells an answer leaves empty."""


@cache
def certified_boards() -> list[tuple[Problem, int, Certificate]]:
    """Return tiny boards that MaxSAT alone proves, what they cost, and their certificates."""
    drawn = [random_problem(seed) for seed in range(60)]
    drawn += [layer_problem(seed, 4, 5, 3) for seed in range(25)]
    drawn += [two_layer_problem(seed, 3, 4, 3) for seed in range(25)]
    found = []
    for problem in drawn:
        certificate = certified(problem, RouterConfig(without=WAYS, search=ANY)).certificate
        assert certificate is not None
        nodes = [part.nodes for part in certificate.parts]
        if certificate.verified < inf and all(isinstance(node, Cores) for node, *_ in nodes):
            assert certificate.verified == cheapest_cost(problem)
            found.append((problem, int(certificate.verified), certificate))
    return found


def test_lemmas() -> None:
    """Tests that cores rest on lemmas, where propagation alone does not show them."""
    cores = [core for *_, certificate in certified_boards() for core in cores_of(certificate)]
    assert len(cores) > 100
    assert sum(len(core.lemmas) for core in cores) > 20


def cores_of(certificate: Certificate) -> list[Core]:
    """Return all cores of a certificate."""
    nodes = [node for part in certificate.parts for node in part.nodes]
    return [core for node in nodes if isinstance(node, Cores) for core in node.cores]


def cut_short(part: PartProof, cores: int) -> PartProof:
    """Return a part's proof with its first cores only."""
    (node,) = part.nodes
    assert isinstance(node, Cores)
    return replace(part, nodes=(Cores(node.cores[:cores]),))


def test_first_cores_prove_less() -> None:
    """Tests that each core counts 1: with so many less the bound is so much less."""
    for problem, cost, certificate in certified_boards()[::4]:
        for left_out in range(3):
            parts = tuple(
                cut_short(part, max(0, len(part.nodes[0].cores) - left_out))  # type: ignore[union-attr]
                for part in certificate.parts
            )
            lost = sum(
                len(part.places) * min(left_out, len(part.nodes[0].cores))  # type: ignore[union-attr, misc]
                for part in certificate.parts
            )
            assert verified_bound(problem, replace(certificate, parts=parts)) == cost - lost


def test_changed_numbers() -> None:
    """Tests that with any one number changed, it proves no more than is true or is refused."""
    rnd = random.Random(0)
    refused = proven = 0
    for problem, cost, certificate in certified_boards():
        text = format_certificate(certificate)
        numbers = [path for path in places(json.loads(text)) if "cores" in path]
        for _ in range(8 if numbers else 0):
            record = json.loads(text)
            path = rnd.choice(numbers)
            entry = record
            for key in path[:-1]:
                entry = entry[key]
            old = entry[path[-1]]
            entry[path[-1]] = rnd.choice([0, old + 1, old ^ 1, 2 * old, rnd.randrange(300), 10**9])
            try:
                bound = verified_bound(
                    problem, cast("Certificate", parse_certificate(json.dumps(record), "file"))
                )
            except (Refused, FileError):
                refused += 1
            else:
                proven += 1
                assert bound <= cost, path
    assert refused > 200 and proven > 10


def test_changed_cores() -> None:
    """Tests the same with cores doubled, swapped, or short of a lemma or of a cost."""
    rnd = random.Random(1)
    refused = proven = 0
    for problem, cost, certificate in certified_boards():
        for _ in range(8):
            parts = []
            for part in certificate.parts:
                (node,) = part.nodes
                assert isinstance(node, Cores)
                parts.append(replace(part, nodes=(Cores(changed(node.cores, rnd)),)))
            try:
                bound = verified_bound(problem, replace(certificate, parts=tuple(parts)))
            except Refused:
                refused += 1
            else:
                proven += 1
                assert bound <= cost
    assert min(refused, proven) > 50


def changed(cores: tuple[Core, ...], rnd: random.Random) -> tuple[Core, ...]:
    """Return cores with a change."""
    if not cores:
        return (Core((), ()),)
    drawn = list(cores)
    i, j = (rnd.randrange(len(drawn)) for _ in range(2))
    core = drawn[i]
    match rnd.randrange(5):
        case 0:
            drawn.insert(j, core)
        case 1:
            drawn[i], drawn[j] = drawn[j], core
        case 2:
            drawn[i] = replace(core, lemmas=core.lemmas[1:])
        case 3:
            drawn[i] = replace(core, costs=core.costs[1:])
        case 4:
            # A lemma that forbids what the answer may need.
            drawn[i] = replace(core, lemmas=((2 * core.costs[0] + 1,), *core.lemmas))
    return tuple(drawn)


def test_cores_in_cases() -> None:
    """Tests that cores below cases count for these alone."""
    refused = proven = 0
    for problem, cost, _ in certified_boards():
        board = layers_of(problem, tuple(range(problem.layers)))
        whole = Case(tuple(range(problem.layers)), every_via(board))
        rnd = random.Random(cost)
        for _ in range(6):
            nodes: list[Node] = []
            if board.classes and rnd.random() < 0.7:
                count = len(board.classes[0].vias)
                nodes.append(ViaCases((0, 0), tuple(range(1, count + 1))))
                cases = [
                    replace(whole, vias=((frozenset({via}), *whole.vias[0][1:]), *whole.vias[1:]))
                    for via in range(count)
                ]
            else:
                nodes.append(LayerSum(tuple(range(1, problem.layers + 1))))
                cases = [replace(whole, layers=(z,)) for z in whole.layers]
            for case in cases:
                costs = list(clauses_of(board, case).costs)
                rnd.shuffle(costs)
                nodes.append(Cores(tuple(Core((), (cost,)) for cost in costs[: rnd.randrange(3)])))
            part = PartProof((whole.layers,), 0, (), tuple(nodes))
            try:
                certificate = Certificate(digest_of(problem), 0, 0, "", 1, (part,))
                bound = verified_bound(problem, certificate)
            except Refused:
                refused += 1
            else:
                proven += 1
                assert bound <= cost
    assert min(refused, proven) > 20


@pytest.mark.parametrize("costs", range(1, 6))
def test_counts(costs: int) -> None:
    """Tests that what a count says can be so whatever is paid, and must be where it is."""
    clauses, more, new = count_of(range(costs), costs)
    assert len(more) == costs - 1
    for paid in range(1 << costs):
        holds = [bool(paid >> k & 1) for k in range(costs)]
        for place in range(costs):
            so_far = sum(holds[: place + 1])
            holds += [so_far > j for j in range(place + 1)]
        assert len(holds) == costs + new
        assert all(any(holds[x // 2] != x % 2 for x in clause) for clause in clauses)
        for j, variable in enumerate(more, 2):
            assert holds[variable] == (bin(paid).count("1") >= j)
