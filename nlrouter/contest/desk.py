"""The boards at hand: problems and best answers, in memory and on disk, and how far each is.

Every answer is judged here before it may be sent, by the rules and by the contest's checker.
"""

from __future__ import annotations

import os
from collections.abc import Callable

from nlrouter.checker.contest import ContestCheckerCrash, judge
from nlrouter.checker.cost import measure
from nlrouter.checker.rules import violations
from nlrouter.contest.client import one_line
from nlrouter.contest.state import DAMAGED, Board, BoardStatus, DayState
from nlrouter.files.answer_file import parse_answer
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import parse_problem
from nlrouter.problem import Problem


class Desk:
    """What the client has at hand of the boards.

    Parameters
    ----------
    state
        What earlier clients left.
    log
        Takes one line per event.

    Attributes
    ----------
    problems
        The problems that were fetched, by number.
    answers
        The text of the best correct answer to each, by number.
    """

    def __init__(self, state: DayState, log: Callable[[str], None]) -> None:
        self.state = state
        self.log = log
        self.problems: dict[int, Problem] = {}
        self.answers: dict[int, str] = {}
        for board in self.boards:
            self.load(board)

    @property
    def boards(self) -> list[Board]:
        """All boards as they are known now, by number."""
        known = dict(self.state.boards)  # At once: another thread may add to them.
        return [known[number] for number in sorted(known)]

    def save(self) -> None:
        """Write the state to disk; where that has no room, the day goes on all the same.

        Without a record of what was sent the service still refuses to take it twice.
        """
        try:
            self.state.save()
        except FileError as error:
            self.log(f"state not saved: {error}")

    def load(self, board: Board) -> None:
        """Read a board's problem and best answer from disk, if they are there."""
        try:
            with open(self.state.problem_path(board.number), encoding="utf-8", newline="") as file:
                problem = parse_problem(file.read(), f"Q{board.number}")
        except (OSError, UnicodeDecodeError, FileError):
            if board.status is BoardStatus.SKIPPED:  # It was not readable, and may be by now.
                board.status, board.bad_reads = BoardStatus.OPEN, 0
            return  # It is fetched again.
        self.weigh(board, problem)
        if board.status is BoardStatus.PUTTING and board.cost is None:
            board.status = BoardStatus.OPEN  # The answer is gone, so another is to be found.
        board.failures = 0  # What the router failed by may be mended since.
        self.problems[board.number] = problem

    def weigh(self, board: Board, problem: Problem) -> None:
        """Take over the answer on disk if it is correct, by the rules and by the contest."""
        path = self.state.answer_path(board.number)
        board.cost = None
        self.answers.pop(board.number, None)
        try:
            with open(path, encoding="utf-8", newline="") as file:
                text = file.read()
            answer = parse_answer(text, path)
            mistakes = [violation.text for violation in violations(problem, answer)]
            if not mistakes and [correct for correct, _ in judge(problem, text)] != [True]:
                mistakes = ["the contest's checker does not pass it"]
        except FileNotFoundError:
            return
        except (OSError, UnicodeDecodeError, FileError, ContestCheckerCrash) as error:
            mistakes = [f"{error}{self._put_aside(path)}"]
        if mistakes:
            self.log(f"A{board.number}: not to be sent: {mistakes[0]}")
            return
        self.answers[board.number] = text
        board.cost = measure(answer).total

    def _put_aside(self, path: str) -> str:
        """Let the router start without a file that it would not replace; return where that went."""
        try:
            os.replace(path, path + DAMAGED)
        except OSError as error:
            return f"; nor can it be put aside: {error}"
        return f"; kept as {path}{DAMAGED}"

    def settle(self, board: Board, status: BoardStatus, note: str) -> None:
        """Note and tell that a board needs no more routing or sending."""
        # Only what a client of this state has sent is its to tell about.
        board.info_due = status is BoardStatus.SENT and bool(board.sha256)
        board.status, board.note = status, one_line(note)
        self.save()
        self.log(f"Q{board.number}: {status}: {board.note}")


def describe(board: Board) -> str:
    """Return cost and bound of a board's best answer."""
    proven = "optimal" if board.is_optimal else f"bound {board.lower_bound}"
    return f"cost {board.cost}, {proven}"
