"""Makes the certificate of a search's bound of the proofs that the search has written."""

from __future__ import annotations

import logging
from dataclasses import replace
from math import inf

from nlrouter.certificate import Certificate, PartProof, digest_of
from nlrouter.certifier.writer import part_proof
from nlrouter.checker.certificate.limits import CheckLimits, Refused, TooLong
from nlrouter.checker.certificate.verify import verified_bound
from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual import PRICE_UNIT
from nlrouter.engine.prove.proof import Proof
from nlrouter.problem import Problem
from nlrouter.result import Outcome

WORD = "the search"
"""On whose word that is to be believed which the proofs do not show."""

CORE_SECONDS = 20.0
"""Seconds at the most to find out which lemmas of MaxSAT its cores rest on."""

CHECK_SHARE = 0.05
"""Share of the search's time for a check of its certificate: ``nlcheck`` does it as a whole."""

STEPS_PER_SECOND = 500_000
"""Steps of a check in a second, on a slow machine."""


def write_part(proof: Proof, places: tuple[tuple[int, ...], ...]) -> PartProof:
    """Write what the proof of a part has shown; see `Outcome.proofs`."""
    return part_proof(proof, places, Deadline(CORE_SECONDS))


def certificate_of(outcome: Outcome) -> Certificate:
    """Return the certificate of what a search has proven: its bound, or that there is no answer.

    It is checked here as far as that takes no more than a share of the search's time; ``nlcheck``
    does it as a whole.

    Parameters
    ----------
    outcome
        How the search ended; it has written its proofs.

    Returns
    -------
    Certificate
        What has been checked is in ``verified``, 0 where that would take too long, and ``bound`` is
        not below it.
    """
    problem = outcome.problem
    claimed = inf if outcome.standing.infeasible else outcome.lower_bound or 0
    certificate = Certificate(digest_of(problem), claimed, 0, WORD, PRICE_UNIT, outcome.proofs)
    steps = int(CHECK_SHARE * outcome.seconds * STEPS_PER_SECOND)
    try:
        verified = verified_bound(problem, certificate, CheckLimits(steps=steps))
    except TooLong:
        return certificate
    except Refused as error:  # What holds is worth having all the same.
        logging.getLogger(__name__).warning("internal error: a proof was refused: %s", error)
        held = tuple(part for part in outcome.proofs if _holds(problem, certificate, part))
        certificate = replace(certificate, parts=held)
        verified = verified_bound(problem, certificate)
    rest = WORD if verified < claimed else ""
    return replace(certificate, bound=max(claimed, verified), verified=verified, word=rest)


def _holds(problem: Problem, certificate: Certificate, part: PartProof) -> bool:
    """Return whether the proof of a part is not refused."""
    try:
        verified_bound(problem, replace(certificate, parts=(part,)))
    except Refused:
        return False
    return True
