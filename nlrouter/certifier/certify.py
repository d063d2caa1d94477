"""Writes the certificate of a board's lower bound.

The search keeps no record of its proofs, and some of its ways to prove, such as CP-SAT, leave
none that could be checked. So the proof is done anew once the search has ended, and with the
search's answer to aim at: by cores, where these come easily, else by prices, sides and vias. What
this does not reach in its time is marked as resting on the search's word.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import replace
from math import inf

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.certificate import Certificate, PartProof, digest_of
from nlrouter.certifier.core_proof import CoreProof
from nlrouter.certifier.via_tree import CertifyConfig, ViaTree
from nlrouter.certifier.writer import ProofWriter
from nlrouter.checker.certificate.board import layers_of, spans_match
from nlrouter.checker.certificate.limits import Refused
from nlrouter.checker.certificate.verify import verified_bound
from nlrouter.checker.cost import bends
from nlrouter.checker.rules import violations
from nlrouter.deadline import Deadline
from nlrouter.engine.find.drawn import drawn_nets, drawn_part
from nlrouter.engine.nets.nets import BoardNets, Nets, nets_of
from nlrouter.engine.nets.parts import Part, merge, split
from nlrouter.engine.nets.routing import NO_ANSWER, Routing
from nlrouter.grid import FREE, occupants
from nlrouter.problem import Problem
from nlrouter.result import Outcome


def certify(
    problem: Problem,
    answer: Answer | None,
    bound: float,
    word: str,
    deadline: Deadline,
    config: CertifyConfig | None = None,
    better: Callable[[Answer], None] | None = None,
) -> Certificate:
    """Prove a lower bound anew, so that the proof can be checked.

    Parameters
    ----------
    problem
        The board.
    answer
        The best answer known, which the proof aims at.
    bound
        The bound that is claimed; infinite if it is that there is no answer.
    word
        On whose word it is to be believed where the proof does not reach it.
    deadline
        That of the search; what is left of it may be used, within the limits of the settings.
        It stops this as well.
    better
        Called with a correct answer that costs less, if the proof comes upon one.

    Returns
    -------
    Certificate
        What is proven is in ``verified``, and ``bound`` is not below it.
    """
    config = config or CertifyConfig()
    seconds = min(config.most_seconds, max(config.least_seconds, deadline.remaining()))
    deadline = Deadline(seconds, deadline.clock, deadline.stopped)
    proofs: tuple[PartProof, ...] = ()
    if spans_match(problem):
        proofs, found = _proofs(problem, answer, deadline, config)
        if found is not None and better is not None and not violations(problem, found):
            better(found)
    certificate = Certificate(digest_of(problem), bound, 0, word, config.unit, proofs)
    try:
        verified = verified_bound(problem, certificate)
    except Refused as error:  # Never seen; what holds is worth having all the same.
        logging.getLogger(__name__).warning("internal error: a proof was refused: %s", error)
        certificate = replace(
            certificate, parts=tuple(part for part in proofs if _holds(problem, certificate, part))
        )
        verified = verified_bound(problem, certificate)
    return replace(
        certificate,
        bound=max(bound, verified),
        verified=verified,
        word=word if verified < bound else "",
    )


def certify_result(
    result: Outcome,
    word: str,
    deadline: Deadline,
    better: Callable[[Answer], None] | None = None,
    config: CertifyConfig | None = None,
) -> Certificate:
    """Prove anew what a search has proven: its bound, or that there is no answer.

    The other parameters are those of `certify`.
    """
    claimed: float = inf if result.standing.infeasible else result.lower_bound or 0
    return certify(result.problem, result.answer, claimed, word, deadline, config, better)


def _holds(problem: Problem, certificate: Certificate, part: PartProof) -> bool:
    """Return whether the proof of a part is not refused."""
    try:
        verified_bound(problem, replace(certificate, parts=(part,)))
    except Refused:
        return False
    return True


def _proofs(
    problem: Problem,
    answer: Answer | None,
    deadline: Deadline,
    config: CertifyConfig,
) -> tuple[tuple[PartProof, ...], Answer | None]:
    """Prove what the parts cost, as far as time allows; return a better answer as well, if any."""
    nets = nets_of(problem)
    parts = split(nets)
    costs = None if answer is None else _layer_costs(problem, answer)
    places = [
        tuple(tuple(np.unique(nets.layer[members]).tolist()) for members, _ in part.places)
        for part in parts
    ]
    trees = []
    by_cores: dict[int, PartProof] = {}
    cheaper: dict[int, Routing] = {}
    for k, (part, where) in enumerate(zip(parts, places, strict=True)):
        aim = NO_ANSWER
        if costs is not None:
            aim = min(int(costs[list(layers)].sum()) for layers in where)
        trees.append(ViaTree(part.nets, aim, config))
        # What closes by cores does so at once; the greater part of the time is for the trees.
        seconds = deadline.remaining() * config.cores_share / (len(parts) - k)
        proof, routing = _by_cores(problem, part.nets, where, deadline, seconds, config)
        if proof is not None:
            by_cores[k] = proof
        if routing is not None and routing.cost < aim:
            cheaper[k] = routing
    todo = [tree for k, tree in enumerate(trees) if k not in by_cores]
    while todo and not deadline.passed():
        # What a part leaves of its share goes to the others.
        for k, tree in enumerate(todo):
            slot = deadline.within(deadline.remaining() / (len(todo) - k))
            while not (tree.done or slot.passed()):
                tree.step(slot)
        todo = [tree for tree in todo if not tree.done]
    proofs = tuple(
        by_cores.get(k) or ProofWriter(part.nets, config.unit).proof(tree, where)
        for k, (part, tree, where) in enumerate(zip(parts, trees, places, strict=True))
    )
    return proofs, _improved(nets, parts, answer, cheaper)


def _improved(
    nets: BoardNets, parts: list[Part], answer: Answer | None, cheaper: dict[int, Routing]
) -> Answer | None:
    """Return an answer with cheaper routings of some parts; None without any, or one missing."""
    if not cheaper:
        return None
    routings = dict(cheaper)
    for k, part in enumerate(parts):
        if k not in routings and answer is not None:
            drawn = drawn_part(part, drawn_nets(nets, answer)).routing()
            if drawn is not None:
                routings[k] = drawn
    if len(routings) < len(parts):
        return None
    return merge(nets, parts, [routings[k] for k in range(len(parts))])[0]


def _by_cores(
    problem: Problem,
    nets: Nets,
    places: tuple[tuple[int, ...], ...],
    deadline: Deadline,
    seconds: float,
    config: CertifyConfig,
) -> tuple[PartProof | None, Routing | None]:
    """Return the proof of what a part costs by cores, if that comes easily, and its routing."""
    slot = deadline.within(seconds)
    if slot.passed() or int(nets.free.sum()) > config.cores_cells:
        return None, None
    search = CoreProof(nets, layers_of(problem, places[0]))
    while search.worth(slot.elapsed()) and not slot.passed():
        search.step(slot.within(config.cores_slice))
    if not search.optimal:
        return None, None
    node = search.node(deadline)
    deadline.work(slot.elapsed())
    proof = None if node is None else PartProof(places, search.bound, (), (), (node,))
    return proof, search.routing


def _layer_costs(problem: Problem, answer: Answer) -> NDArray[np.int64]:
    """Return ``(layers,)`` what the nets of an answer cost on each layer."""
    inner = (answer > 0) & (occupants(problem) == FREE)
    return (inner.astype(np.int64) + bends(answer)).sum(axis=(1, 2))
