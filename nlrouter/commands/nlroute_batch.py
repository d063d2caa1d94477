"""``nlroute`` with many problems: answers and a table in a folder."""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from nlrouter.batch.board import BAD_INPUT, Board
from nlrouter.batch.job import News
from nlrouter.batch.local import LocalRunner
from nlrouter.batch.plan import Plan
from nlrouter.batch.run import Search, run_batch
from nlrouter.batch.table import read_rows, require_writable, write_rows
from nlrouter.commands.frame import Exit, complain, put, say, tell
from nlrouter.cores import cores as available_cores
from nlrouter.extras import require
from nlrouter.files.errors import FileError
from nlrouter.record import BoardRow
from nlrouter.result import Status
from nlrouter.signals import StopThenLeave
from nlrouter.tell.stream import is_terminal
from nlrouter.tell.tables import LiveTable, format_count, format_table

if TYPE_CHECKING:
    from nlrouter.batch.cluster import ClusterRunner


def run_boards(args: argparse.Namespace, command: tuple[str, ...] | None = None) -> Exit:
    """Route all boards of the command line.

    Parameters
    ----------
    args
        The options, as `nlroute.parse` returns them.
    command
        Stands in for nlroute on one board, in tests.

    Returns
    -------
    Exit
        The exit code.

    Raises
    ------
    FileError
        If the batch as a whole cannot be run.
    MissingExtra
        If it is to run on a cluster, and the packages for that are not installed.
    """
    folder = Path(args.output)
    counts = Counter(Path(path).stem for path in args.problems)
    name, count = counts.most_common(1)[0]
    if count > 1:
        found = f"{count} problems that are named {name}"
        raise FileError(args.output, None, found, "a name for each, as answers are named so")
    if args.scheduler is not None:
        require("cluster")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        found = f"no way to make it ({error.strerror or error})"
        raise FileError(args.output, None, found, "a folder for the answers") from error
    require_writable(folder, force=args.force)
    batch = _Batch(args, folder)
    asyncio.run(batch.run(command))
    return batch.finish()


class _Batch:
    """The boards, the table and the display of one call."""

    def __init__(self, args: argparse.Namespace, folder: Path) -> None:
        self.args = args
        self.folder = folder
        earlier = {row.board: row for row in ([] if args.force else read_rows(folder))}
        self.boards = [
            Board(path, folder, force=args.force, row=earlier.pop(Path(path).stem, None))
            for path in args.problems
        ]
        self.others = list(earlier.values())  # Boards of earlier batches stay in the table.
        self.board_of = {board.key: board for board in self.boards}
        live = is_terminal(sys.stderr) and not (args.quiet or args.verbose)
        self.display = LiveTable(sys.stderr) if live else None
        self.logged: set[str] = set()
        self.complaints: set[str] = set()
        self.plan = Plan(
            self.boards,
            args.time_limit,
            args.total_time_limit,
            seeds=args.scheduler is not None,
        )

    async def run(self, command: tuple[str, ...] | None) -> None:
        """Search the boards, and keep the table up to date."""
        options = ("--engine", self.args.engine, *["--deterministic"] * self.args.deterministic)
        # A worker of a cluster may have several threads, each with a run that has its own core.
        cores = 1 if self.args.scheduler else available_cores()
        search = Search(cores, self.args.workers, self.args.seed, options, command)
        with _stop_on_signals(self.leave) as stop:
            runner = await self._runner()
            try:
                await run_batch(self.plan, runner, search, stop, self.save, self.show)
            except ConnectionError as error:
                self.complain(f"--scheduler {self.args.scheduler}: {error}; run this again later")
            finally:
                await runner.close()

    async def _runner(self) -> LocalRunner | ClusterRunner:
        """Return where the boards are to be run."""
        if self.args.scheduler is None:
            return LocalRunner(self.args.jobs, self.tell)
        from nlrouter.batch.cluster import ClusterRunner

        runner = await ClusterRunner.connect(self.args.scheduler, self.tell)
        await runner.recover([board.key for board in self.boards if not board.closed])
        if await runner.slots() == 0:
            self.complain(f"--scheduler {self.args.scheduler}: waiting for workers, there are none")
        return runner

    def tell(self, key: str, news: News) -> None:
        """Take up news of a board."""
        self.board_of[key].learn(news)

    def rows(self) -> list[BoardRow]:
        """Return the rows of this batch."""
        return [board.row() for board in self.boards]

    def save(self) -> bool:
        """Write the table; return whether that could be done, as a full disk must not end all."""
        try:
            write_rows(self.folder, [*self.rows(), *self.others])
        except FileError as error:
            if str(error) not in self.complaints:
                self.complaints.add(str(error))
                self.complain(str(error))
            return False
        return True

    def show(self, running: Sequence[Board]) -> None:
        """Show what there is to show."""
        if self.display:
            names = [board.name for board in running]
            self.display.show(self.rows(), names, self.plan.remaining())
        elif self.args.verbose:
            for line in format_table(self.rows())[1:]:
                if line not in self.logged:
                    self.logged.add(line)
                    tell(line)

    def finish(self) -> Exit:
        """Write and print the table; return the exit code."""
        for board in self.boards:
            board.save()
        if self.display:
            self.display.clear()
        saved = self.save()
        rows = self.rows()
        if not self.args.quiet:
            tell("\n".join([*format_table(rows), format_count(rows)]))
        if self.args.json:
            say(json.dumps({"boards": msgspec.to_builtins(rows)}))
        else:
            self.put_homeless()
        statuses = {board.status for board in self.boards if not board.answered}
        if BAD_INPUT in statuses:
            return Exit.BAD_INPUT
        if statuses - {Status.INFEASIBLE} or not saved:
            return Exit.NOT_DONE
        return Exit.INFEASIBLE if statuses else Exit.DONE

    def put_homeless(self) -> None:
        """Print the answers that could not be written."""
        for board in self.boards:
            text = None if board.bad or board.answered else board.start()
            if text is not None and put(text, "the answers", whole=True):
                self.complain(f"the answer to {board.name} is on standard output instead")

    def leave(self) -> None:
        """End at once, as a second signal asks for; runs end with this process."""
        self.save()
        os._exit(Exit.NOT_DONE)

    def complain(self, message: str) -> None:
        """Say on standard error what went wrong."""
        if self.display:
            self.display.clear()
        complain("nlroute", message)


@contextmanager
def _stop_on_signals(leave: Callable[[], None]) -> Iterator[asyncio.Event]:
    """Let a first Ctrl-C or SIGTERM set the event that is given, and a second one `leave`."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    react = StopThenLeave(stop.set, leave)
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, react)
    try:
        yield stop
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.remove_signal_handler(number)
