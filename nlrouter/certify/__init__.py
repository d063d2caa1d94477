"""Writes the certificate of a board's lower bound.

The search keeps no record of its proofs, and some of its ways to prove, such as CP-SAT, leave
none that could be checked. So the proof is done anew once the search has ended, and with the
search's answer to aim at: by cores, where these come easily, else by prices, sides and vias. What
this does not reach in its time is marked as resting on the search's word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.certificate import Certificate, PartProof, digest_of
from nlrouter.certify.core_proof import CoreProof
from nlrouter.certify.via_tree import CertifyConfig, ViaTree
from nlrouter.certify.writer import ProofWriter
from nlrouter.check.certificate.board import layers_of
from nlrouter.check.certificate.verify import verified_bound
from nlrouter.check.cost import bends
from nlrouter.deadline import Deadline
from nlrouter.engine.nets.nets import Nets, nets_of
from nlrouter.engine.nets.parts import split
from nlrouter.engine.nets.routing import NO_ANSWER
from nlrouter.grid import FREE, occupants
from nlrouter.problem import Problem

__all__ = ["CertifyConfig", "ProofWriter", "ViaTree", "certify"]


def certify(
    problem: Problem,
    answer: Answer | None,
    bound: int,
    word: str,
    deadline: Deadline,
    stopped: Callable[[], bool],
    config: CertifyConfig | None = None,
) -> Certificate:
    """Prove a lower bound anew, so that the proof can be checked.

    Parameters
    ----------
    problem
        The board; lines and vias match span by span.
    answer
        The best answer known, which the proof aims at.
    bound
        The bound that is claimed.
    word
        On whose word it is to be believed where the proof does not reach it.
    deadline
        That of the search; what is left of it may be used, within the limits of the settings.
    stopped
        Asked during the work whether to stop.
    """
    config = config or CertifyConfig()
    seconds = min(config.most_seconds, max(config.least_seconds, deadline.remaining()))
    deadline = Deadline(seconds, deadline.clock)
    nets = nets_of(problem)
    parts = split(nets)
    costs = None if answer is None else _layer_costs(problem, answer)
    places = [
        tuple(tuple(np.unique(nets.layer[members]).tolist()) for members, _ in part.places)
        for part in parts
    ]
    trees = []
    by_cores: dict[int, PartProof] = {}
    for k, (part, where) in enumerate(zip(parts, places, strict=True)):
        aim = NO_ANSWER
        if costs is not None:
            aim = min(int(costs[list(layers)].sum()) for layers in where)
        trees.append(ViaTree(part.nets, aim, config, stopped))
        # What closes by cores does so at once; the greater part of the time is for the trees.
        seconds = deadline.remaining() * config.cores_share / (len(parts) - k)
        proof = _by_cores(problem, part.nets, where, deadline, seconds, stopped, config)
        if proof is not None:
            by_cores[k] = proof
    todo = [tree for k, tree in enumerate(trees) if k not in by_cores]
    while todo and not (deadline.passed() or stopped()):
        # What a part leaves of its share goes to the others.
        for k, tree in enumerate(todo):
            slot = deadline.within(deadline.remaining() / (len(todo) - k))
            while not (tree.done or slot.passed() or stopped()):
                tree.step(slot)
        todo = [tree for tree in todo if not tree.done]
    proofs = tuple(
        by_cores.get(k) or ProofWriter(part.nets, config.unit).proof(tree, where)
        for k, (part, tree, where) in enumerate(zip(parts, trees, places, strict=True))
    )
    certificate = Certificate(digest_of(problem), bound, 0, word, config.unit, proofs)
    verified = verified_bound(problem, certificate)
    return replace(
        certificate,
        bound=max(bound, verified),
        verified=verified,
        word=word if verified < bound else "",
    )


def _by_cores(
    problem: Problem,
    nets: Nets,
    places: tuple[tuple[int, ...], ...],
    deadline: Deadline,
    seconds: float,
    stopped: Callable[[], bool],
    config: CertifyConfig,
) -> PartProof | None:
    """Return the proof of what a part costs by cores, if that comes easily in some seconds."""
    slot = deadline.within(seconds)
    if slot.passed() or int(nets.free.sum()) > config.cores_cells:
        return None
    search = CoreProof(nets, layers_of(problem, places[0]))
    while search.worth(slot.elapsed()) and not (slot.passed() or stopped()):
        search.step(slot.within(config.cores_slice), stopped)
    if not search.optimal:
        return None
    node = search.node(lambda: deadline.passed() or stopped())
    deadline.work(slot.elapsed())
    return None if node is None else PartProof(places, search.bound, (), (), (node,))


def _layer_costs(problem: Problem, answer: Answer) -> NDArray[np.int64]:
    """Return ``(layers,)`` what the nets of an answer cost on each layer."""
    inner = (answer > 0) & (occupants(problem) == FREE)
    return (inner.astype(np.int64) + bends(answer)).sum(axis=(1, 2))
