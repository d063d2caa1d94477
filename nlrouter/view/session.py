"""The files named on the command line, the only ones that the page can read and write.

Nothing that is on disk is lost without a question: a page that saves says which content it has
seen, and what it replaces after a question stays beside it as a backup.
"""

from __future__ import annotations

import hashlib
import os
import threading
from dataclasses import dataclass
from typing import Any

from nlrouter.answer import Answer
from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.files.answer_file import format_answer, parse_answer, require_shape
from nlrouter.files.atomic import clear_litter, write_all, write_atomically
from nlrouter.files.errors import FileError
from nlrouter.files.names import require_other
from nlrouter.files.problem_file import format_problem, parse_problem
from nlrouter.files.text import read_text
from nlrouter.keep.place import require_writable
from nlrouter.problem import Problem
from nlrouter.view.documents import Document, problem_json

KINDS = ("problem", "answer")
"""The two files."""

Seen = dict[str, str | None]
"""By kind, a digest of the content that a page knows; None where there was no file."""


@dataclass(frozen=True)
class SaveRequest:
    """What a page wants to be saved.

    Parameters
    ----------
    document
        The board and the drawing.
    kind
        One of `KINDS`, the file that is asked for.
    seen
        What the page knows of the files.
    accepted
        Codes of the objections that the user has been asked about and does not mind.
    """

    document: Document
    kind: str
    seen: Seen
    accepted: frozenset[str] = frozenset()


class Session:
    """A problem file and perhaps an answer file.

    The files are the only state: what the page draws stays in the page until it is saved.

    Parameters
    ----------
    problem_path
        The problem file; ``-`` is standard input, which is read once, as is any other pipe; None
        for no file at all.
    answer_path
        The answer file, which need not exist yet, or None.

    Raises
    ------
    FileError
        If a file that exists is not what it should be.
    """

    def __init__(self, problem_path: str | None, answer_path: str | None) -> None:
        is_file = problem_path is None or (problem_path != "-" and not _is_special(problem_path))
        self._piped = None if problem_path is None or is_file else read_text(problem_path)
        self._paths = {
            "problem": problem_path if is_file else None,
            "answer": answer_path,
        }
        if self.place is not None:
            clear_litter(os.path.dirname(self.place))
        self._saving = threading.Lock()  # Between a look at the files and their replacement.
        if answer_path is not None:
            if problem_path is not None:
                require_other(answer_path, problem_path, "another file for the answer")
            if _is_special(answer_path):  # Whoever reads a pipe or a terminal may wait for ever.
                raise FileError(answer_path, None, "no regular file", "a file for the answer")
            if not os.path.exists(answer_path):
                require_writable(answer_path)
        problem = self._read_problem()
        if problem is not None:
            self._read_answer(problem)

    @property
    def place(self) -> str | None:
        """The file beside which what is not saved is kept; None if there is none."""
        return self._paths["answer"] or self._paths["problem"]

    def open(self) -> dict[str, Any]:
        """Read both files.

        Returns
        -------
        dict
            ``problem``, None if none was named; ``answer`` as nested lists, or None; the names
            under which `save` writes them, None where there is no such file; ``home``, what it is
            all about; ``seen``, for `save`; and ``complaint``, what is wrong with the answer's file
            by now, if anything is, which does not keep the board from being shown.

        Raises
        ------
        FileError
            If the problem's file is not what it should be.
        """
        seen = self._seen()  # Before they are read: what changes in between is noticed later.
        problem = self._read_problem()
        answer, complaint = None, ""
        try:
            answer = None if problem is None else self._read_answer(problem)
        except FileError as error:
            complaint = str(error)
        return {
            "problem": None if problem is None else problem_json(problem),
            "answer": None if answer is None else answer.tolist(),
            "problem_file": self._paths["problem"],
            "answer_file": self._paths["answer"],
            "home": os.path.realpath(self.place or "-"),
            "seen": seen,
            "complaint": complaint,
        }

    def save(self, request: SaveRequest) -> dict[str, Any]:
        """Write a file; and the other one too, if the board is not the one on disk.

        Returns
        -------
        dict
            ``saved`` and ``backups``, names of files written; ``kinds`` of those saved; and
            ``seen``, what is on disk now. If something would be lost that the user was not asked
            about, nothing is written, and there are ``objections`` beside ``seen``: each a ``code``
            with the ``file``, which has ``changed`` since the page read it, holds another
            ``board``, or a ``better`` answer at ``cost``, where the drawing costs ``own`` or, with
            None, is not correct.

        Raises
        ------
        FileError
            If a file cannot be written. Then both are as they were.
        """
        with self._saving:
            seen = self._seen()
            kinds = self._kinds_to_save(request)
            objections = [
                objection
                for objection in self._objections(request, kinds, seen)
                if objection["code"] not in request.accepted or objection["code"] == "changed"
            ]
            if objections:
                return {"objections": objections, "seen": seen}
            texts = {
                "problem": format_problem(request.document.problem),
                "answer": format_answer(
                    request.document.answer, len(request.document.problem.lines)
                ),
            }
            paths = {kind: path for kind in kinds if (path := self._paths[kind]) is not None}
            backups = [_back_up(path) for path in paths.values()] if request.accepted else []
            write_all({path: texts[kind] for kind, path in paths.items()})
            return {
                "saved": list(paths.values()),
                "kinds": list(paths),
                "backups": [backup for backup in backups if backup is not None],
                "seen": self._seen(),
            }

    def _kinds_to_save(self, request: SaveRequest) -> tuple[str, ...]:
        """Return what goes to disk: an edited board and its answer only together."""
        if self._problem_on_disk() == request.document.problem:
            return (request.kind,)
        answer = self._paths["answer"]
        if request.kind == "problem" and (answer is None or not os.path.exists(answer)):
            return ("problem",)
        return KINDS

    def _objections(
        self, request: SaveRequest, kinds: tuple[str, ...], seen: Seen
    ) -> list[dict[str, Any]]:
        """Say what a save would lose."""
        document = request.document
        found: list[dict[str, Any]] = [
            {"code": "changed", "file": self._paths[kind]}
            for kind in KINDS
            if seen[kind] not in (None, request.seen.get(kind))  # What is gone cannot be lost.
        ]
        on_disk = self._problem_on_disk()
        if on_disk is not None and on_disk != document.problem:
            name = self._paths["problem"] or "-"
            found.append({"code": "board", "file": name, "both": len(kinds) > 1})
        elif "answer" in kinds:
            try:
                answer = self._read_answer(document.problem)
            except FileError:
                answer = None
            if answer is not None and not violations(document.problem, answer):
                correct = not violations(document.problem, document.answer)
                own = measure(document.answer).total if correct else None
                cost = measure(answer).total
                if own is None or own > cost:
                    path = self._paths["answer"]
                    found.append({"code": "better", "file": path, "cost": cost, "own": own})
        return found

    def _seen(self) -> Seen:
        return {kind: _digest(self._paths[kind]) for kind in KINDS}

    def _problem_on_disk(self) -> Problem | None:
        """Return the problem that the files are about by now; None if there is none."""
        try:
            return self._read_problem()
        except FileError:
            return None

    def _read_problem(self) -> Problem | None:
        path = self._paths["problem"]
        if self._piped is None and path is None:
            return None
        name, text = self._piped or read_text(str(path))
        return parse_problem(text, name)

    def _read_answer(self, problem: Problem) -> Answer | None:
        """Read the answer, if there is one."""
        path = self._paths["answer"]
        if path is None or not os.path.exists(path):
            return None
        name, text = read_text(path)
        answer = parse_answer(text, name)
        require_shape(name, answer, problem)
        return answer


def _is_special(path: str) -> bool:
    """Whether a path is that of something else than a file or a folder, such as a pipe."""
    return os.path.exists(path) and not (os.path.isfile(path) or os.path.isdir(path))


def _content(path: str | None) -> bytes | None:
    """Return a regular file's content; None where there is none that could be lost."""
    if path is None or not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise FileError(path, None, "no readable file", "a file that can be read") from error


def _digest(path: str | None) -> str | None:
    content = _content(path)
    return None if content is None else hashlib.sha256(content).hexdigest()


def _back_up(path: str) -> str | None:
    """Keep a file's content beside it, in the place of an earlier backup; return that name."""
    content = _content(path)
    if content is None:
        return None
    write_atomically(f"{path}.bak", content)
    return f"{path}.bak"
