"""Writes the certificate of a board's lower bound.

The search keeps no record of its proofs, and some of its ways to prove, such as CP-SAT, leave
none that could be checked. So the proof is done anew once the search has ended, by prices,
sides and vias alone, and with the search's answer to aim at. What this does not reach in its
time is marked as resting on the search's word.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from nlrouter.answer import Answer
from nlrouter.certificate import Certificate, digest_of
from nlrouter.certify.via_tree import CertifyConfig, ViaTree
from nlrouter.certify.writer import ProofWriter
from nlrouter.check.certificate.verify import verified_bound
from nlrouter.check.cost import bends
from nlrouter.deadline import Deadline
from nlrouter.engine.nets.nets import nets_of
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
    for part, where in zip(parts, places, strict=True):
        aim = NO_ANSWER
        if costs is not None:
            aim = min(int(costs[list(layers)].sum()) for layers in where)
        trees.append(ViaTree(part.nets, aim, config, stopped))
    todo = trees
    while todo and not (deadline.passed() or stopped()):
        # What a part leaves of its share goes to the others.
        for k, tree in enumerate(todo):
            slot = deadline.within(deadline.remaining() / (len(todo) - k))
            while not (tree.done or slot.passed() or stopped()):
                tree.step(slot)
        todo = [tree for tree in todo if not tree.done]
    proofs = tuple(
        ProofWriter(part.nets, config.unit).proof(tree, where)
        for part, tree, where in zip(parts, trees, places, strict=True)
    )
    certificate = Certificate(digest_of(problem), bound, 0, word, config.unit, proofs)
    verified = verified_bound(problem, certificate)
    return replace(
        certificate,
        bound=max(bound, verified),
        verified=verified,
        word=word if verified < bound else "",
    )


def _layer_costs(problem: Problem, answer: Answer) -> NDArray[np.int64]:
    """Return ``(layers,)`` what the nets of an answer cost on each layer."""
    inner = (answer > 0) & (occupants(problem) == FREE)
    return (inner.astype(np.int64) + bends(answer)).sum(axis=(1, 2))
