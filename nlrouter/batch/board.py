"""A board of a batch: its problem, its answer file, and what the runs so far have proven."""

from __future__ import annotations

import hashlib
from pathlib import Path

from nlrouter.answer import Cost
from nlrouter.batch.job import News
from nlrouter.files.answer_file import format_answer, parse_answer, read_answer
from nlrouter.files.errors import FileError
from nlrouter.files.names import answer_stem, require_other
from nlrouter.files.problem_file import format_problem, read_problem
from nlrouter.keep.store import AnswerStore, WrongAnswer
from nlrouter.problem import Problem
from nlrouter.record import BoardRow
from nlrouter.result import Standing, Status

BAD_INPUT = "bad input"
"""Status of a board whose problem or answer file cannot be used."""

MOST_FAILURES = 3
"""Runs in a row without a verdict, after which a board is given up: the fault is no accident."""


class Board:
    """What is known of a board.

    Parameters
    ----------
    path
        Its problem file.
    folder
        Where its answer goes.
    force
        Whether an answer that is already there does not count.
    row
        What an earlier batch wrote in its table, if there was one. Its figures count for the
        same problem only.

    Attributes
    ----------
    key
        Names the board and its content, the same for every batch.
    bound, infeasible
        What is proven.
    seeds
        Seeds of the runs that have ended.
    seconds
        Time that they took together.
    note
        What went wrong last, in a sentence.
    """

    def __init__(self, path: str, folder: Path, *, force: bool, row: BoardRow | None) -> None:
        self.path = path
        self.name = Path(path).stem
        self.answer_path = folder / f"{answer_stem(self.name)}.txt"
        self.key = self.name
        self.bound: int | None = None
        self.infeasible = False
        self._hearsay: int | bool | None = None  # The table's bound or, for no answer, True.
        self.seeds: set[int] = set()
        self.seconds = 0.0
        self.note = ""
        self.bad = False
        self._failures = 0
        try:
            self._open(force, row)
        except FileError as error:
            self.note, self.bad = str(error), True

    def _open(self, force: bool, row: BoardRow | None) -> None:
        """Read the problem, and what an earlier batch has found."""
        self.problem: Problem = read_problem(self.path)
        self.text = format_problem(self.problem)
        self.key = f"{self.name}-{hashlib.sha256(self.text.encode()).hexdigest()[:16]}"
        answer = self.answer_path
        require_other(str(answer), self.path, "another folder for answers")
        self.store = AnswerStore(self.problem, str(answer), force=force)
        if force:
            return
        if row is not None and row.key == self.key:
            self.bound = row.lower_bound
            self.infeasible = row.status == Status.INFEASIBLE
            self._hearsay = self.infeasible or self.bound
            self.seeds = set(row.seeds)
            self.seconds = row.seconds
        if answer.exists() and answer.stat().st_size:
            try:
                self.store.offer(read_answer(str(answer)))
            except WrongAnswer as error:
                self.note = f"{answer} holds a wrong answer, a correct one will replace it: {error}"
            self._weigh()

    @property
    def cost(self) -> Cost | None:
        """Cost of the best answer in the file or found."""
        return None if self.bad else self.store.kept or self.store.cost

    @property
    def standing(self) -> Standing:
        """What is known of it."""
        return Standing(self.cost, self.bound, self.infeasible)

    @property
    def status(self) -> str:
        """What is known, in a word: a `Status`, or `BAD_INPUT`."""
        return BAD_INPUT if self.bad else self.standing.status

    @property
    def answered(self) -> bool:
        """Whether the answer file holds the best answer."""
        return not self.bad and self.store.saved

    @property
    def closed(self) -> bool:
        """Whether more search is of no use."""
        return (
            self._failures >= MOST_FAILURES
            or self.status in (BAD_INPUT, Status.INFEASIBLE)
            or (self.status == Status.OPTIMAL and self.answered)
        )

    def start(self) -> str | None:
        """Return the text of the answer to start from."""
        if self.store.answer is None:
            return None
        return format_answer(self.store.answer, len(self.problem.lines))

    def learn(self, news: News) -> None:
        """Take up news of a run; an end that was told before changes nothing.

        Answers are checked and saved; nothing that is said of them is believed.
        """
        if news.answer is not None:
            self._offer(news.answer)
        if news.lower_bound is not None:
            if news.lower_bound >= (self.bound or 0):
                self._hearsay = None
            self.bound = max(news.lower_bound, self.bound or 0)
        if news.status == Status.INFEASIBLE:
            self.infeasible, self._hearsay = True, None
        self._weigh()
        if news.ended and news.seed not in self.seeds:
            self.seeds.add(news.seed)
            self.seconds += news.seconds
            self._failures = 0 if news.status else self._failures + 1
            self.note = self.note if news.status else news.error

    def _offer(self, text: str) -> None:
        """Put an answer into the file, if it is correct and better."""
        try:
            self.store.offer(parse_answer(text, f"answer to {self.name}"))
        except WrongAnswer as error:
            self.note = f"internal error: an answer that breaks the rules was dropped: {error}"
        except FileError as error:
            self.note = str(error)

    def _weigh(self) -> None:
        """Drop proofs that an answer refutes."""
        if self.cost is None:
            return
        if self.standing.is_contradictory:
            proof = "a proof of infeasibility" if self.infeasible else f"bound {self.bound}"
            self.note = f"internal error: {proof} dropped, an answer costs {self.cost.total}"
            self.bound, self.infeasible, self._hearsay = None, False, None

    def save(self) -> None:
        """Write the answer once more where that failed: the disk may have room now."""
        if not self.bad:
            try:
                self.store.save()
            except FileError as error:
                self.note = str(error)

    @property
    def remark(self) -> str:
        """What went wrong last or, if nothing did, what of the row rests on another's word."""
        if self.note or self._hearsay is None:
            return self.note
        proven = "that there is no answer" if self._hearsay is True else f"bound {self._hearsay}"
        return f"{proven} is the word of table.json"

    def row(self) -> BoardRow:
        """Return the board's row of the table, which the next batch takes up."""
        return BoardRow.of(
            self.standing,
            self.seconds,
            board=self.name,
            problem=self.path,
            answer=str(self.answer_path) if self.answered else None,
            status=str(self.status),
            seeds=sorted(self.seeds),
            note=self.remark,
            key=self.key,
        )
