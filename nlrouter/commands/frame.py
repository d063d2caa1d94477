"""The frame that all commands share: exit codes, complaints, and what ends a command early.

A command is two modules: ``nlx`` with its options, light to import, as neither ``--help`` nor a
mistyped option should wait for numpy or an engine; and ``nlx_run`` with what it does.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence
from enum import IntEnum
from importlib import import_module
from typing import Protocol

from nlrouter import __version__
from nlrouter.extras import MissingExtra
from nlrouter.files.errors import FileError
from nlrouter.tell.stream import emit, write


class Exit(IntEnum):
    """The exit codes, the same for every command."""

    DONE = 0
    """What was asked for is done."""
    NOT_DONE = 1
    """It is not: not found, not written, not correct, or interrupted before."""
    BAD_INPUT = 2
    """Bad usage, as argparse has it, or a file that cannot be used."""
    INFEASIBLE = 3
    """It cannot be: the problem is proven to have no answer."""
    SEVERAL = 4
    """A puzzle has several answers."""


class Main(Protocol):
    """Runs a command on some arguments, by default those of the process."""

    def __call__(self, argv: Sequence[str] | None = None) -> int:
        """Return the exit code."""


class _Parser(argparse.ArgumentParser):
    """A parser whose help is a result as others are: where it is lost, that is told."""

    def print_help(self, file: object = None) -> None:  # noqa: ARG002
        """Print the help on standard output."""
        _results.begin(self.prog)
        put(self.format_help(), "the help")
        if _results.lost:
            self.exit(Exit.NOT_DONE)


def make_parser(program: str, description: str, epilog: str) -> argparse.ArgumentParser:
    """Return a parser with ``--version``, to be filled with the other options."""
    parser = _Parser(
        prog=program,
        description=description,
        epilog=epilog,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"{program} {__version__}")
    return parser


def command(
    program: str,
    parse: Callable[[Sequence[str] | None], argparse.Namespace],
    *,
    prepare: Callable[[], object] | None = None,
    interrupted: Exit = Exit.NOT_DONE,
) -> Main:
    """Make a command's ``main``.

    Parameters
    ----------
    program
        Its name.
    parse
        Parses its arguments, without the program's name; None are those of the process. Bad
        usage raises `SystemExit` with code 2, as argparse does.
    prepare
        What is to be done before ``run`` of the command's other module is loaded. That does what
        the arguments ask for and returns the exit code; it finds in ``owns_process`` whether the
        process has nothing else to do.
    interrupted
        The exit code after Ctrl-C.

    Returns
    -------
    Main
        The command.
    """

    def main(argv: Sequence[str] | None = None) -> int:
        args = parse(argv)
        args.owns_process = argv is None
        _results.begin(program)
        code = end(args)
        return Exit.NOT_DONE if code == Exit.DONE and _results.lost else code

    def end(args: argparse.Namespace) -> Exit:
        try:
            if prepare is not None:
                prepare()
            code: Exit = import_module(f"nlrouter.commands.{program}_run").run(args)
            return code
        except (FileError, MissingExtra) as error:
            complain(program, str(error))
            return Exit.BAD_INPUT
        except MemoryError:
            complain(program, "out of memory")
            return Exit.NOT_DONE
        except SystemError as error:  # Libraries whose memory ends while they are loaded.
            complain(program, f"the interpreter failed, mostly for want of memory: {error}")
            return Exit.NOT_DONE
        except KeyboardInterrupt:
            if interrupted is not Exit.DONE:
                complain(program, "interrupted")
            return interrupted

    return main


class _Results:
    """What a command has on standard output: which command, and whether some of it was lost."""

    program = ""
    lost = False

    def begin(self, program: str) -> None:
        """Begin a command's results."""
        self.program, self.lost = program, False

    def lose(self, what: str) -> None:
        """Complain of what was lost, for the first time only."""
        if not self.lost:
            complain(self.program, f"standard output did not take {what}")
        self.lost = True


_results = _Results()
"""Those of the process, as standard output is."""


def put(text: str, what: str, *, whole: bool = False) -> bool:
    """Print results as they are; return whether they were taken.

    Where they are lost, on a full disk or a closed stream, that is told once, and the command's
    exit code is not 0.

    Parameters
    ----------
    text
        The results.
    what
        What they are, for the complaint.
    whole
        Whether they are lost on a reader too that leaves before their end; others, such as
        ``head``, have what they want.
    """
    try:
        write(sys.stdout, text)
    except OSError as error:
        if whole or not isinstance(error, BrokenPipeError):
            _results.lose(what)
        return False
    return True


def say(text: str, what: str = "the results") -> None:
    """Print a line of results; see `put`."""
    put(f"{text}\n", what)


def tell(text: str) -> None:
    """Print a line about them on standard error."""
    emit(sys.stderr, f"{text}\n")


def complain(program: str, message: str) -> None:
    """Say on standard error what went wrong."""
    tell(f"{program}: {message}")
