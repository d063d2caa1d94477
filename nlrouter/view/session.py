"""The files named on the command line, the only ones that the page can read and write."""

from __future__ import annotations

import os
from typing import Any

from nlrouter.answer import Answer
from nlrouter.files.answer_file import format_answer, parse_answer, require_shape
from nlrouter.files.atomic import write_atomically
from nlrouter.files.errors import FileError
from nlrouter.files.names import require_other
from nlrouter.files.problem_file import format_problem, parse_problem
from nlrouter.files.text import read_text
from nlrouter.problem import Problem
from nlrouter.view.documents import Document, problem_json


class Session:
    """A problem file and perhaps an answer file.

    The files are the only state: what the page draws stays in the page until it is saved.

    Parameters
    ----------
    problem_path
        The problem file; ``-`` is standard input, which is read once.
    answer_path
        The answer file, which need not exist yet, or None.

    Raises
    ------
    FileError
        If a file that exists is not what it should be.
    """

    def __init__(self, problem_path: str, answer_path: str | None) -> None:
        self._stdin = read_text(problem_path) if problem_path == "-" else None
        self._problem_path = problem_path
        self._answer_path = answer_path
        if answer_path is not None:
            require_other(answer_path, problem_path, "another file for the answer")
        self._read_answer(self._read_problem())

    def open(self) -> dict[str, Any]:
        """Read both files.

        Returns
        -------
        dict
            ``problem``; ``answer`` as nested lists, or None; the names under which ``save``
            writes them, None where there is no such file; and ``complaint``, what is wrong with
            the answer's file by now, if anything is. It does not keep the board from being shown:
            the page itself may have saved a problem of another size.

        Raises
        ------
        FileError
            If the problem's file is not what it should be.
        """
        problem = self._read_problem()
        answer, complaint = None, ""
        try:
            answer = self._read_answer(problem)
        except FileError as error:
            complaint = str(error)
        return {
            "problem": problem_json(problem),
            "answer": None if answer is None else answer.tolist(),
            "problem_file": None if self._stdin else self._problem_path,
            "answer_file": self._answer_path,
            "complaint": complaint,
        }

    def save_problem(self, document: Document) -> str | None:
        """Write the problem into its file and return the file's name; None if it has none."""
        if self._stdin:
            return None
        write_atomically(self._problem_path, format_problem(document.problem))
        return self._problem_path

    def save_answer(self, document: Document) -> str | None:
        """Write the answer, right or not, into its file and return the file's name, or None."""
        if self._answer_path is None:
            return None
        text = format_answer(document.answer, len(document.problem.lines))
        write_atomically(self._answer_path, text)
        return self._answer_path

    def _read_problem(self) -> Problem:
        name, text = self._stdin or read_text(self._problem_path)
        return parse_problem(text, name)

    def _read_answer(self, problem: Problem) -> Answer | None:
        """Read the answer, if there is one."""
        if self._answer_path is None or not os.path.exists(self._answer_path):
            return None
        name, text = read_text(self._answer_path)
        answer = parse_answer(text, name)
        require_shape(name, answer, problem)
        return answer
