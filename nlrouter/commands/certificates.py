"""Certificates, as ``nlroute`` writes and ``nlcheck`` judges them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import inf

from nlrouter.answer import Answer
from nlrouter.certificate import Certificate
from nlrouter.commands.frame import complain, say
from nlrouter.deadline import Deadline
from nlrouter.files.atomic import write_atomically
from nlrouter.files.certificate_file import format_certificate, read_certificate
from nlrouter.keep.place import require_apart, require_replaceable
from nlrouter.problem import Problem
from nlrouter.result import Outcome, Progress, Standing

WORDS = {
    "prove": "branch and bound",
    "sweep": "frontier search",
    "solve": "CP-SAT",
    "maxsat": "MaxSAT",
}
"""On whose word a bound rests, by the phases of the search that raise it."""

SEARCH = "the search"
"""Whose word it is if it is not known."""


class Certifier:
    """Writes the certificate of a search's bound, once the search has ended.

    Parameters
    ----------
    path
        The file.
    others
        Files that it must not be, by what they are.
    force
        Whether it may replace a file that is no certificate.

    Raises
    ------
    FileError
        If the file cannot be written, or holds something else: better now than after the search.
    """

    def __init__(self, path: str, others: Mapping[str, str | None], *, force: bool = False) -> None:
        require_apart(path, others, "another file for the certificate")
        require_replaceable(path, "certificate", read_certificate, force=force)
        self._path = path
        self._bound: float = 0
        self._words: set[str] = set()

    def hear(self, progress: Progress) -> None:
        """Take note of who raised the bound: of all, as they may have done it part by part."""
        if progress.lower_bound is not None and progress.lower_bound > self._bound:
            self._bound = progress.lower_bound
            self._words |= {WORDS[phase] for phase in progress.phase.split("+") if phase in WORDS}

    def certify(
        self, result: Outcome, deadline: Deadline, better: Callable[[Answer], None] | None = None
    ) -> Certificate:
        """Prove the bound of a search anew, or that there is no answer; see `certify_result`."""
        from nlrouter.certifier.certify import certify_result

        word = ", ".join(sorted(self._words)) or SEARCH
        if result.standing.infeasible:
            word = SEARCH
        return certify_result(result, word, deadline, better)

    def write(self, certificate: Certificate) -> str:
        """Write the certificate; return what it is worth, in a line.

        Raises
        ------
        FileError
            If the file cannot be written.
        """
        write_atomically(self._path, format_certificate(certificate))
        verdict = _verdict(certificate.bound, certificate.verified, certificate.word)
        return f"certificate {self._path}: {verdict}"


def with_verified(result: Outcome, certificate: Certificate) -> Outcome:
    """Return a search's result with what the certificate of its bound has shown beyond it."""
    standing, verified = result.standing, certificate.verified
    if standing.infeasible:
        return result
    if verified == inf:
        reason = "the certificate shows that there is none"
        return replace(result, standing=Standing(standing.cost, None, True), reason=reason)
    bound = max(standing.bound or 0, int(verified))
    return replace(result, standing=replace(standing, bound=bound))


@dataclass(frozen=True)
class CheckedBound:
    """A lower bound: how much of it is verified, all of it, and on whose word the rest is.

    It is infinite where there is no answer.
    """

    verified: float
    claimed: float
    word: str


def check_certificate(path: str, problem: Problem) -> CheckedBound | None:
    """Check a certificate and print the verdict; return None if it does not hold.

    Raises
    ------
    FileError
        If the file is no certificate.
    """
    from nlrouter.checker.certificate.limits import Refused
    from nlrouter.checker.certificate.verify import verified_bound

    certificate = read_certificate(path)
    try:
        verified = verified_bound(problem, certificate)
    except Refused as error:
        complain("nlcheck", f"{path}: refused: {error}")
        return None
    claimed = max(verified, certificate.bound) if certificate.word else verified
    say(_verdict(claimed, verified, certificate.word))
    if verified < certificate.verified:
        complain(
            "nlcheck",
            f"{path}: it claims to prove {_bound(certificate.verified)}, "
            f"but proves {_bound(verified)}",
        )
        return None
    return CheckedBound(verified, claimed, certificate.word)


def compare(cost: int, bound: CheckedBound) -> str:
    """Say what a bound means for a correct answer of some cost."""
    if cost < bound.verified:
        return f"costs {cost}, less than the verified bound: one of the two checks is wrong"
    if cost < bound.claimed:
        return f"costs {cost}, so the bound {_bound(bound.claimed)} by {bound.word} is wrong"
    if cost == bound.verified:
        return f"costs {cost}: optimal, verified"
    if cost == bound.claimed:
        return f"costs {cost}: optimal by {bound.word}"
    return f"costs {cost}: at most {cost - bound.verified} more than the best answer"


def _verdict(claimed: float, verified: float, word: str) -> str:
    """Return for instance ``bound 97: 92 verified, 97 by CP-SAT`` or ``infeasible: verified``."""
    said = _bound(claimed) if claimed == inf else f"bound {claimed}"
    if claimed <= verified:
        return f"{said}: verified"
    return f"{said}: {verified} verified, {_bound(claimed)} by {word}"


def _bound(bound: float) -> str:
    """Return a bound in words."""
    return "infeasible" if bound == inf else str(bound)
