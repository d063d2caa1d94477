"""Tests that certificates prove what searches say, and never more, whatever is in them."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import pairwise
from math import inf
from typing import Any, cast
from unittest.mock import patch

import numpy as np
import pytest

from nlrouter import generate
from nlrouter.certificate import Certificate, ViaPrices, digest_of
from nlrouter.certifier import certify
from nlrouter.certifier.writer import part_proof
from nlrouter.checker.certificate.curves import curves_cross, edges_crossed
from nlrouter.checker.certificate.limits import CheckLimits, Refused
from nlrouter.checker.certificate.verify import verified_bound
from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual import PRICE_UNIT, Dual
from nlrouter.engine.config import RouterConfig
from nlrouter.engine.nets.feasibility import infeasible_reason
from nlrouter.engine.nets.nets import nets_of
from nlrouter.engine.nets.routing import NO_ANSWER
from nlrouter.engine.prove.config import ProofConfig, TreeConfig
from nlrouter.engine.prove.proof import METHODS, Proof
from nlrouter.engine.prove.questions import Questions
from nlrouter.engine.search import SearchConfig
from nlrouter.files.certificate_file import format_certificate, parse_certificate
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import parse_problem
from nlrouter.generators import KINDS
from nlrouter.problem import Cell, Line, Problem, Via
from nlrouter.result import Status
from nlrouter.routing.search import Result, route
from nlrouter.tally import Tallies
from tests.checker.test_certificate_forged import tower
from tests.engine.routing_oracle import cheapest_cost, exact_cost, random_problem
from tests.engine.test_tree import EAGER, crossing, doubtful
from tests.engine.tiny_layers import (
    MIXED,
    curves_of,
    layer_problem,
    mixed_problem,
    two_layer_problem,
)

TREE = frozenset({"maxsat"})
"""Switched off, what is proven is proven by the tree."""

WAYS = frozenset(method.name for method in METHODS)
"""Switched off, it is proven by MaxSAT, or by SAT."""


def certified(problem: Problem, config: RouterConfig | None = None, seconds: float = 20) -> Result:
    """Search a board by work; check that its certificate proves just what the search says."""
    with patch.object(certify, "CHECK_SHARE", 1e6):
        result = route(
            problem, time_limit=seconds, workers=1, deterministic=True, certify=True, config=config
        )
    certificate = result.certificate
    assert certificate is not None and certificate.word == ""
    claimed = inf if result.status is Status.INFEASIBLE else result.lower_bound
    assert certificate.bound == certificate.verified == claimed
    again = parse_certificate(format_certificate(certificate), "file")
    assert again == certificate
    assert verified_bound(problem, again) == claimed
    return result


@cache
def boards() -> list[tuple[Problem, float]]:
    """Return tiny boards that have an answer, and what they cost."""
    drawn = [random_problem(seed) for seed in range(60)]
    drawn += [layer_problem(seed, 4, 5, 3) for seed in range(25)]
    drawn += [two_layer_problem(seed, 3, 4, 2) for seed in range(25)]
    drawn = [problem for problem in drawn if not infeasible_reason(problem)]
    costs = [(problem, cheapest_cost(problem)) for problem in drawn]
    return [(problem, cost) for problem, cost in costs if cost < inf]


def places(record: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Return where the numbers of a decoded certificate are."""
    if isinstance(record, int):
        yield path
    elif isinstance(record, dict | list):
        entries = record.items() if isinstance(record, dict) else enumerate(record)
        for key, value in entries:
            yield from places(value, (*path, key))


@cache
def certificate_of(problem: Problem) -> Certificate:
    """Return the certificate of what the tree proves of a board."""
    certificate = certified(problem, RouterConfig(without=TREE)).certificate
    assert certificate is not None
    return certificate


def kinds_in(certificate: Certificate | None) -> Counter[str]:
    """Count the kinds of nodes of a certificate."""
    assert certificate is not None
    return Counter(type(node).__name__ for part in certificate.parts for node in part.nodes)


@pytest.mark.parametrize(
    ("without", "every"),
    [(frozenset[str](), 1), (TREE, 1), (WAYS, 6)],
    ids=["all", "tree", "cores"],
)
def test_tiny_boards(without: frozenset[str], every: int) -> None:
    """Tests that the optimum of every board is verified."""
    for problem, cost in boards()[::every]:
        result = certified(problem, RouterConfig(without=without))
        assert result.lower_bound == cost


@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_board(kind: str) -> None:
    """Tests that whenever a search ends, closed or not, its very bound is verified."""
    eager = SearchConfig(proof=ProofConfig(tree=EAGER))
    configs = RouterConfig(), RouterConfig(without=TREE), RouterConfig(without=TREE, search=eager)
    for seed, size in enumerate([(7, 7, 2), (8, 8, 1), (9, 9, 2), (9, 9, 2), (10, 8, 3)]):
        problem, _ = generate(kind, size, seed=seed)
        for config in configs:
            for seconds in (0.05, 0.3, 2.0):
                certified(problem, config, seconds)


def test_kinds_of_nodes() -> None:
    """Tests a board on which the search does nearly all that it can, and its proof by cores."""
    problem, _ = generate("random", (10, 10, 2), fill=0.6, seed=35)
    result = certified(problem, RouterConfig(without=TREE))
    assert result.lower_bound == 130
    kinds = kinds_in(result.certificate)
    assert kinds.keys() >= {"Prices", "LayerSum", "ViaCases", "ViaChoices", "SideCases"}
    guided = certified(layer_problem(20, 8, 8, 6), RouterConfig(without=WAYS))
    assert kinds_in(guided.certificate).keys() == {"Cores"}


@pytest.mark.parametrize("seed", [23, 28])
def test_vias_ruled_out_where_nets_are_tied(seed: int) -> None:
    """Tests that what rules vias out is told with the bonds that it rests on."""
    problem, _ = generate("random", (14, 14, 2), fill=0.75, seed=seed)
    search = SearchConfig(proof=ProofConfig(tree=TreeConfig(few_ways=1)))
    result = certified(problem, RouterConfig(without=TREE, search=search), 1.0)
    assert result.certificate is not None
    nodes = [node for part in result.certificate.parts for node in part.nodes]
    assert any(isinstance(node, ViaPrices) and node.prices.bonds for node in nodes)


def test_cores_of_a_layer_among_others() -> None:
    """Tests that cores of a layer are told as the check counts: of vias elsewhere all are left."""
    problem, _ = generate("random", (7, 7, 3), fill=0.8, seed=12)
    config = RouterConfig(without=WAYS - {"via branching", "prices"})
    result = certified(problem, config)
    assert result.lower_bound == 131
    assert kinds_in(result.certificate).keys() >= {"Cores", "LayerSum"}


def test_several_processes() -> None:
    """Tests that those who lead proofs write them, and that all of it is verified."""
    problem, _ = generate("random", (10, 10, 2), fill=0.6, seed=20)
    config = RouterConfig(opening_seconds=0.0)
    result = route(problem, workers=3, certify=True, config=config)
    assert result.status is Status.OPTIMAL and result.certificate is not None
    assert verified_bound(problem, result.certificate) == result.lower_bound == 122


def proven(proof: Proof, upper: int | None, steps: int, layers: tuple[int, ...]) -> Certificate:
    """Let a proof work, and return what it has written."""
    for _ in range(steps):
        if not proof.waits and (upper is None or proof.bound < upper):
            proof.step(Deadline(60), upper)
    part = part_proof(proof, (layers,), Deadline(60))
    return Certificate("", 0, 0, "", PRICE_UNIT, (part,))


def verified_part(problem: Problem, certificate: Certificate) -> float:
    """Return what a certificate of the whole board as one part proves, without the constant."""
    whole = replace(certificate, digest=digest_of(problem))
    return verified_bound(problem, whole) - nets_of(problem).constant


def test_vias_too_dear_beside_no_net() -> None:
    """Tests that a via that conflicts rule out by its price alone is told without another net."""
    text = (
        "SIZE 5X3X2\nLINE_NUM 3\nLINE#1 (1,2,1) (3,2,2)\nLINE#2 (1,1,2) (3,2,1)\n"
        "LINE#3 (1,1,1) (3,0,2)\nVIA#a (2,1,1) (2,1,2)\nVIA#b (0,2,1) (0,2,2)\n"
        "VIA#c (0,0,1) (0,0,2)\n"
    )
    problem = parse_problem(text, "board")
    nets = replace(nets_of(problem), constant=0)
    best = exact_cost(nets)
    proof = Proof(nets, tallies=Tallies(TREE | {"reduced costs"}), keeps=True)
    certificate = proven(proof, int(best) + 1, 2, (0, 1))
    assert proof.bound == verified_part(problem, certificate) == best


@pytest.mark.parametrize("asks", ["little", "sides", "covers", "cells"])
def test_trees_at_every_step(asks: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests the certificate of a tree as it grows, whatever is asked."""
    if asks != "little":
        monkeypatch.setattr(Questions, "doubtful", doubtful if asks == "sides" else nothing)
        monkeypatch.setattr(Questions, "crossing", crossing if asks == "covers" else nothing)
    if asks in ("covers", "cells"):
        monkeypatch.setattr(Questions, "pairs", nothing)
    late = asks in ("covers", "cells")
    config = replace(EAGER, rounds=100, near_rounds=100) if late else EAGER
    kinds: Counter[str] = Counter()
    drawn = [layer_problem(seed, 6, 6, 4) for seed in range(8)]
    drawn += [two_layer_problem(seed, 4, 5, 4) for seed in range(4)]
    drawn += [mixed_problem(seed) for seed in MIXED[::2]]
    for problem in drawn:
        nets = replace(nets_of(problem), constant=0)
        best = exact_cost(nets)
        for upper in (None, best, best + 3):
            if infeasible_reason(problem) or (upper is not None and upper > NO_ANSWER):
                continue
            proof = Proof(
                nets, ProofConfig(tree=config), Tallies(TREE | {"only answer"}), keeps=True
            )
            for _ in range(8):
                certificate = proven(proof, upper, 4, tuple(range(problem.layers)))
                bound = verified_part(problem, certificate)
                assert min(proof.bound, NO_ANSWER - 1) <= bound
                assert bound <= best or best >= NO_ANSWER
                kinds += kinds_in(certificate)
    covers = ["TurnCases", "CoverCases"]
    wanted = {"sides": ["SideCases"], "covers": covers, "cells": ["CellCases"]}.get(asks, [])
    assert all(kinds[kind] > 10 for kind in ("ViaPrices", "ViaCases", *wanted))


def nothing(*_: object) -> list[Any]:
    """Have nothing to ask."""
    return []


FEW_VIAS = {
    "three lines left two vias": (
        "SIZE 9X9X2\nLINE_NUM 6\nLINE#1 (8,8,1) (8,2,2)\nLINE#2 (0,5,1) (5,8,2)\n"
        "LINE#3 (3,8,1) (0,7,2)\nLINE#4 (0,4,1) (8,3,2)\nLINE#5 (8,0,1) (0,6,2)\n"
        "LINE#6 (7,8,1) (4,0,2)\nVIA#a (1,1,1) (1,1,2)\nVIA#b (1,3,1) (1,3,2)\n"
        "VIA#c (1,5,1) (1,5,2)\nVIA#d (2,6,1) (2,6,2)\nVIA#e (3,1,1) (3,1,2)\n"
        "VIA#f (8,4,1) (8,4,2)\n",
        97,
    ),
    "two lines left the same via": (
        "SIZE 9X6X2\nLINE_NUM 4\nLINE#1 (5,5,1) (6,2,2)\nLINE#2 (8,2,1) (3,1,2)\n"
        "LINE#3 (0,4,1) (4,5,2)\nLINE#4 (4,5,1) (0,1,2)\nVIA#a (0,2,1) (0,2,2)\n"
        "VIA#b (3,0,1) (3,0,2)\nVIA#c (6,0,1) (6,0,2)\nVIA#d (8,1,1) (8,1,2)\n",
        51,
    ),
}


@pytest.mark.parametrize("name", FEW_VIAS)
def test_cases_without_a_matching(name: str) -> None:
    """Tests boards on which what is refuted left lines without a via each."""
    text, cost = FEW_VIAS[name]
    assert certified(parse_problem(text, name), RouterConfig(without=TREE)).lower_bound == cost


def test_changed_numbers() -> None:
    """Tests that with any one number changed, it proves no more than is true or is refused."""
    rnd = random.Random(0)
    refused = proven = 0
    for problem, cost in boards():
        text = format_certificate(certificate_of(problem))
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
                bound = verified_bound(
                    problem, cast("Certificate", parse_certificate(json.dumps(record), "file"))
                )
            except (Refused, FileError):
                refused += 1
            else:
                proven += 1
                assert bound <= cost, path
    assert min(refused, proven) > 50


@pytest.mark.parametrize("seed", range(10))
def test_same_curves_as_the_engine(seed: int) -> None:
    """Tests that the engine's sides mean the same to the check."""
    for draw in range(50):
        problem = layer_problem(seed + 1000 * draw, 5, 6, 4)
        nets = nets_of(problem)
        dual = Dual(nets)
        relaxed = dual.route(dual.prices)
        if relaxed.value <= 1e9:
            break
    assert relaxed.value <= 1e9
    curves = curves_of(dual)
    ends = [(6 * a.y + a.x, 6 * b.y + b.x) for a, b in (line.ends for line in problem.lines)]
    for k, (i, j) in enumerate(pairwise(range(nets.count))):
        crossed = {
            2 * ((cell // nets.stride - 1) * 6 + cell % nets.stride - 1) + axis
            for axis, cell in zip(*map(list, np.nonzero(curves.crossed[k])), strict=True)
        }
        assert edges_crossed(ends[k], 6) == crossed
        assert curves_cross(ends[i], ends[j], 6) == curves.parity[i, j]


def test_no_answer() -> None:
    """Tests that a board without an answer gets a certificate that says so, by every means."""
    across = "SIZE 5X5\nLINE_NUM 2\nLINE#1 (0,2)-(4,2)\nLINE#2 (2,0)-(2,4)\n"
    spans = Problem(
        3, 3, 3, tuple(Line(k, (Cell(0, 0, k), Cell(1, 2, k))) for k in (1, 2)),
        (Via("a", 1, 0, 0, 1), Via("b", 1, 1, 1, 2)),
    )  # fmt: skip
    drawn = [random_problem(seed) for seed in range(60)]
    hopeless = [problem for problem in drawn if cheapest_cost(problem) == inf]
    assert len(hopeless) > 10
    for problem in (parse_problem(across, "across"), spans, *hopeless):
        for without in (frozenset[str](), frozenset({"only answer"}), WAYS):
            result = certified(problem, RouterConfig(without=without))
            assert result.status is Status.INFEASIBLE


def test_a_proof_that_is_refused(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Tests that a proof that the check refuses is left out, and what is left is said to hold."""
    problem = tower(1)
    whole = certified(problem).certificate
    assert whole is not None

    def spoilt(proof: Proof, places: Any, deadline: Deadline) -> Any:
        written = part_proof(proof, places, deadline)
        return replace(written, nodes=()) if 0 in places[0] else written

    monkeypatch.setattr(certify, "part_proof", spoilt)
    monkeypatch.setattr(certify, "CHECK_SHARE", 1e6)
    result = route(problem, time_limit=20, workers=1, deterministic=True, certify=True)
    rest = result.certificate
    assert rest is not None and "a proof was refused" in caplog.text
    assert len(rest.parts) == len(whole.parts) - 1
    assert rest.verified == verified_bound(problem, rest) < whole.verified == rest.bound
    assert rest.word == "the search"


def test_a_check_that_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tests that nothing is called verified that has not been, and nlcheck does it as a whole."""
    problem, _ = generate("random", (9, 9, 2), fill=0.6, seed=1)
    monkeypatch.setattr(
        certify, "CheckLimits", lambda steps: CheckLimits(steps=10, steps_per_cell=0)
    )
    result = route(problem, time_limit=20, workers=1, deterministic=True, certify=True)
    certificate = result.certificate
    assert certificate is not None
    assert (certificate.verified, certificate.word) == (0, "the search")
    assert certificate.bound == result.lower_bound == verified_bound(problem, certificate)
