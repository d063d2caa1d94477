"""Certificates, as ``nlroute`` writes and ``nlcheck`` judges them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from nlrouter.deadline import Deadline
    from nlrouter.problem import Problem
    from nlrouter.result import Outcome, Progress

WORDS = {"prove": "branch and bound", "sweep": "frontier search", "solve": "CP-SAT"}
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
        Files that it must not be.

    Raises
    ------
    FileError
        If the file cannot be written: better now than after the search.
    """

    def __init__(self, path: str, others: list[str]) -> None:
        from nlrouter.files.errors import FileError

        if os.path.realpath(path) in map(os.path.realpath, others):
            expected = "another file for the certificate"
            raise FileError(path, None, "the problem or the answer", expected)
        folder = os.path.dirname(os.path.realpath(path))
        if os.path.isdir(path) or not os.access(folder, os.W_OK):
            found = "no way to write the certificate"
            raise FileError(path, None, found, "a file in a folder that can be written")
        self._path = path
        self._bound = 0
        self._words: set[str] = set()

    def hear(self, progress: Progress) -> None:
        """Take note of who raised the bound: of all, as they may have done it part by part."""
        if progress.lower_bound is not None and progress.lower_bound > self._bound:
            self._bound = progress.lower_bound
            self._words |= {WORDS[phase] for phase in progress.phase.split("+") if phase in WORDS}

    def write(
        self, problem: Problem, result: Outcome, deadline: Deadline, stopped: Callable[[], bool]
    ) -> str:
        """Write the certificate; return what it is worth, in a line.

        Raises
        ------
        FileError
            If the file cannot be written, or there is no bound.
        """
        from nlrouter.certifier import certify
        from nlrouter.files.atomic import write_atomically
        from nlrouter.files.certificate_file import format_certificate
        from nlrouter.files.errors import FileError

        if result.lower_bound is None:
            raise FileError(self._path, None, f"no bound: {result.status}", "a board with one")
        word = ", ".join(sorted(self._words)) or SEARCH
        certificate = certify(problem, result.answer, result.lower_bound, word, deadline, stopped)
        write_atomically(self._path, format_certificate(certificate))
        verdict = _verdict(certificate.bound, certificate.verified, certificate.word)
        return f"certificate {self._path}: {verdict}"


@dataclass(frozen=True)
class CheckedBound:
    """A lower bound: how much of it is verified, all of it, and on whose word the rest is."""

    verified: int
    claimed: int
    word: str


def check_certificate(path: str, problem: Problem) -> CheckedBound | None:
    """Check a certificate and print the verdict; return None if it does not hold.

    Raises
    ------
    FileError
        If the file is no certificate.
    """
    from nlrouter.checker.certificate.board import Refused
    from nlrouter.checker.certificate.verify import verified_bound
    from nlrouter.files.certificate_file import read_certificate
    from nlrouter.tell.stream import emit

    certificate = read_certificate(path)
    try:
        verified = verified_bound(problem, certificate)
    except Refused as error:
        emit(sys.stderr, f"nlcheck: {path}: refused: {error}\n")
        return None
    claimed = max(verified, certificate.bound) if certificate.word else verified
    emit(sys.stdout, f"{_verdict(claimed, verified, certificate.word)}\n")
    if verified < certificate.verified:
        emit(
            sys.stderr,
            f"nlcheck: {path}: it claims to prove {certificate.verified}, but proves {verified}\n",
        )
        return None
    return CheckedBound(verified, claimed, certificate.word)


def compare(cost: int, bound: CheckedBound) -> str:
    """Say what a bound means for a correct answer of some cost."""
    if cost < bound.verified:
        return f"costs {cost}, less than the verified bound: one of the two checks is wrong"
    if cost < bound.claimed:
        return f"costs {cost}, so the bound {bound.claimed} by {bound.word} is wrong"
    if cost == bound.verified:
        return f"costs {cost}: optimal, verified"
    if cost == bound.claimed:
        return f"costs {cost}: optimal by {bound.word}"
    return f"costs {cost}: at most {cost - bound.verified} more than the best answer"


def _verdict(claimed: int, verified: int, word: str) -> str:
    """Return, for instance, ``bound 97: 92 verified, 97 by CP-SAT``."""
    if claimed <= verified:
        return f"bound {verified}: verified"
    return f"bound {claimed}: {verified} verified, {claimed} by {word}"
