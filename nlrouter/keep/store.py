"""The best answer of a run: checked before it counts, on disk as soon as it does.

Knows files and the checker, not the search: what an engine claims about its answer is not
believed here.
"""

from __future__ import annotations

import os

import numpy as np

from nlrouter.answer import Answer, Cost
from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.files.answer_file import format_answer, read_contest_answer
from nlrouter.files.atomic import hold_folder, write_atomically
from nlrouter.files.errors import FileError
from nlrouter.keep.place import require_replaceable
from nlrouter.problem import Problem


class WrongAnswer(Exception):
    """An answer that breaks the rules was offered."""


class AnswerStore:
    """Keeps the best correct answer to a problem, in memory and in a file.

    A correct answer already in the file gives way only to a cheaper one. The file is read
    again before each write, and the folder held meanwhile, so that runs that share a path keep
    the best of all of them.

    Parameters
    ----------
    problem
        The problem that is answered.
    path
        Where the best answer goes; None to keep it in memory only.
    force
        Whether the first answer replaces whatever the file holds.
    fixed
        Lines that every answer is to keep as they are, 0 elsewhere; none by default. The file may
        not hold a correct answer that lacks them, unless `force` is set.

    Attributes
    ----------
    answer, cost
        The best answer offered so far and its measured cost, or None.
    kept
        Cost of the file's own answer, where that is why `answer` was not written.
    saved
        Whether the file holds `answer`, or one that is at least as good.

    Raises
    ------
    FileError
        If the file could not be written later, or holds something that is no answer.
    """

    def __init__(
        self,
        problem: Problem,
        path: str | None,
        *,
        force: bool = False,
        fixed: Answer | None = None,
    ) -> None:
        self.problem = problem
        self.path = path
        self.fixed = np.zeros(problem.shape, np.int32) if fixed is None else fixed
        self.answer: Answer | None = None
        self.cost: Cost | None = None
        self.kept: Cost | None = None
        self.saved = False
        self._force = force
        self._last_offer: Answer | None = None
        if path is not None:
            if os.path.exists(path) and not os.path.isfile(path):  # It is read again and again.
                raise FileError(path, None, "a folder or a device", "a file for the answer")
            require_replaceable(path, "answer", read_contest_answer, force=force)
            self._require_fixed(path)

    def offer(self, answer: Answer) -> None:
        """Take ``answer`` if it is correct and cheaper than the best so far, and save it.

        Raises
        ------
        WrongAnswer
            If it breaks a rule; once only for the same answer offered again and again.
        FileError
            If it cannot be written; it is the best answer all the same.
        """
        if self._last_offer is not None and np.array_equal(answer, self._last_offer):
            return
        self._last_offer = answer.copy()
        broken = violations(self.problem, answer)
        if broken:
            raise WrongAnswer(broken[0].text)
        if not self._keeps_fixed(answer):
            raise WrongAnswer("a fixed line has changed")
        cost = measure(answer)
        if self.cost is None or cost.total < self.cost.total:
            self.answer, self.cost, self.saved = self._last_offer, cost, False
            self.save()

    def save(self) -> None:
        """Write the best answer, unless that is done or the file holds one as good.

        Raises
        ------
        FileError
            If it cannot be written.
        """
        if self.path is None or self.answer is None or self.cost is None or self.saved:
            return
        with hold_folder(self.path):
            on_disk = None if self._force else self._cost_on_disk(self.path)
            if on_disk is not None and on_disk.total <= self.cost.total:
                self.kept = on_disk
            else:
                write_atomically(self.path, format_answer(self.answer, len(self.problem.lines)))
                self.kept = None
                self._force = False
        self.saved = True

    def _cost_on_disk(self, path: str) -> Cost | None:
        """Cost of the correct answer in the file that keeps the fixed lines; None without one."""
        answer = self._answer_on_disk(path)
        return None if answer is None or not self._keeps_fixed(answer) else measure(answer)

    def _answer_on_disk(self, path: str) -> Answer | None:
        """Return the correct answer in the file, or None."""
        try:
            answer = read_contest_answer(path)
        except FileError:
            return None
        return None if violations(self.problem, answer) else answer

    def _keeps_fixed(self, answer: Answer) -> bool:
        """Whether the fixed lines of a correct answer are as they should be."""
        numbers = self.fixed[self.fixed > 0]
        return np.array_equal(np.where(np.isin(answer, numbers), answer, 0), self.fixed)

    def _require_fixed(self, path: str) -> None:
        """Raise `FileError` if a correct answer without the fixed lines would be replaced."""
        answer = None if self._force else self._answer_on_disk(path)
        if answer is not None and not self._keeps_fixed(answer):
            found = "a correct answer in which fixed lines run differently"
            raise FileError(path, None, found, "another file (--force replaces it)")
