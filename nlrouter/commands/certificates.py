"""Certificates, as ``nlroute`` writes and ``nlcheck`` judges them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf

from nlrouter.certificate import Certificate, PuzzleCertificate
from nlrouter.commands.frame import complain, say
from nlrouter.files.certificate_file import read_certificate
from nlrouter.keep.place import require_apart, require_replaceable
from nlrouter.problem import Problem


def require_certificate_place(path: str, others: Mapping[str, str | None], *, force: bool) -> None:
    """Raise `FileError` if a certificate cannot be put in a file.

    Parameters
    ----------
    path
        The file.
    others
        Files that it must not be, by what they are.
    force
        Whether it may replace a file that is no certificate.
    """
    require_apart(path, others, "another file for the certificate")
    require_replaceable(path, "certificate", read_certificate, force=force)


def verdict_of(path: str, certificate: Certificate) -> str:
    """Return what a certificate that was written is worth, in a line."""
    if certificate.parts and not certificate.verified:
        verdict = f"{_said(certificate.bound)}: nlcheck verifies it, which takes longer"
    else:
        verdict = _verdict(certificate.bound, certificate.verified, certificate.word)
    return f"certificate {path}: {verdict}"


@dataclass(frozen=True)
class CheckedBound:
    """A lower bound: how much of it is verified, all of it, and on whose word the rest is.

    It is infinite where there is no answer.
    """

    verified: float
    claimed: float
    word: str


def check_certificate(path: str, problem: Problem) -> CheckedBound | bool:
    """Check a certificate and print the verdict.

    Returns
    -------
    CheckedBound or bool
        The bound, if it shows one; else whether it holds.

    Raises
    ------
    FileError
        If the file is no certificate.
    """
    from nlrouter.checker.certificate.limits import Refused
    from nlrouter.checker.certificate.verify import verified_bound

    certificate = read_certificate(path)
    try:
        if isinstance(certificate, PuzzleCertificate):
            from nlrouter.checker.certificate.puzzle import verified_answer

            only = verified_answer(problem, certificate)
            verdict = "no answer" if only is None else "only one answer"
            say(f"{verdict} ({certificate.rules}): verified")
            return True
        verified = verified_bound(problem, certificate)
    except Refused as error:
        complain("nlcheck", f"{path}: refused: {error}")
        return False
    claimed = max(verified, certificate.bound) if certificate.word else verified
    say(_verdict(claimed, verified, certificate.word))
    if verified < certificate.verified:
        complain(
            "nlcheck",
            f"{path}: it claims to prove {_bound(certificate.verified)}, "
            f"but proves {_bound(verified)}",
        )
        return False
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
    """Return for instance ``bound 97: 92 verified, 97 by search`` or ``infeasible: verified``."""
    if claimed <= verified:
        return f"{_said(claimed)}: verified"
    return f"{_said(claimed)}: {verified} verified, {_bound(claimed)} by {word}"


def _said(bound: float) -> str:
    """Return ``infeasible``, or for instance ``bound 97``."""
    return _bound(bound) if bound == inf else f"bound {bound}"


def _bound(bound: float) -> str:
    """Return a bound in words."""
    return "infeasible" if bound == inf else str(bound)
