"""The command ``numplace``: dispatches to its sub-commands.

A sub-command is the module ``numplace.commands.<name>`` with ``add_arguments(parser)`` and
``run(args) -> int``; one with a command line of its own kind has ``main(argv) -> int`` instead.
"""

from __future__ import annotations

import argparse
import signal
import sys
from importlib import import_module

from nlrouter.files.errors import FileError
from nlrouter.tell.stream import emit
from numplace.commands.options import all_said
from numplace.exit_codes import BAD_INPUT, NOT_DONE, worst
from numplace.files.write import NotDone
from numplace.solve.count import UnknownConstraint

COMMANDS = {
    "solve": "solve puzzles of any format, and tell whether the answer is the only one",
    "count": "count answers, or list them",
    "check": "judge a puzzle, an answer, a log of steps or a proof",
    "explain": "solve as a person does, step by step, in words",
    "grade": "tell how hard puzzles are",
    "generate": "make puzzles with exactly one answer",
    "print": "draw a puzzle, with an answer or notes",
    "convert": "write a puzzle in another format",
    "csv": "number place over CSV files: Frame.csv, Input.csv ... to Output.csv",
    "sdq": "solve an .sdq file, by SAT or CP-SAT",
    "cdok": "calcudoku: examine, print, solve, generate, gen-grid, harden",
}

EPILOG = """\
exit codes:
  0  done: an answer found, an answer right, a puzzle made
  1  not done: not decided in time, interrupted, explanation stuck, answer wrong, reference
     solution differs, not written
  2  bad input or usage, or an output that would replace another file
  3  proven: there is no solution
  4  --unique asked, and there is another solution
"""


def main(argv: list[str] | None = None) -> int:
    """Run the command; return its exit code.

    Parameters
    ----------
    argv
        The arguments, without the program's name; those of the process by default. Bad usage
        raises `SystemExit` with code 2, as argparse does.
    """
    words = sys.argv[1:] if argv is None else argv
    if not words or words[0] not in COMMANDS:
        _parser().parse_args(words or ["--help"])
        return BAD_INPUT  # Not reached: a word that is no command makes argparse exit.
    code = _run(words[0], words[1:])
    if not all_said():
        emit(sys.stderr, f"numplace {words[0]}: standard output did not take it all\n")
        return worst((code, NOT_DONE))
    return code


def _run(name: str, words: list[str]) -> int:
    """Run a sub-command; return its exit code."""
    module = import_module(f"numplace.commands.{name}")
    before = signal.getsignal(signal.SIGTERM)
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        if hasattr(module, "main"):
            return int(module.main(words))
        parser = argparse.ArgumentParser(
            prog=f"numplace {name}",
            description=COMMANDS[name][0].upper() + COMMANDS[name][1:] + ".",
            epilog=EPILOG,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )
        module.add_arguments(parser)
        return int(module.run(parser.parse_intermixed_args(words)))
    except NotDone as error:
        emit(sys.stderr, f"numplace {name}: {error}\n")
        return NOT_DONE
    except FileError as error:
        emit(sys.stderr, f"numplace {name}: {error}\n")
        return BAD_INPUT
    except UnknownConstraint as error:
        emit(sys.stderr, f"numplace {name}: found a puzzle for another engine: {error}\n")
        return BAD_INPUT
    except KeyboardInterrupt:
        emit(sys.stderr, f"numplace {name}: interrupted\n")
        return NOT_DONE
    finally:
        signal.signal(signal.SIGTERM, before)


def _interrupt(*_: object) -> None:
    """Treat SIGTERM as Ctrl-C."""
    raise KeyboardInterrupt


def _parser() -> argparse.ArgumentParser:
    """Return the parser of the first word."""
    from numplace import __version__

    commands = "\n".join(f"  {name:9} {summary}" for name, summary in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="numplace",
        usage="numplace COMMAND [arguments]",
        description="Number place puzzles: solve, count, check, explain, grade, make and draw.",
        epilog=f"commands, each with --help of its own:\n{commands}\n\n{EPILOG}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("command", choices=COMMANDS, metavar="COMMAND")
    parser.add_argument("--version", action="version", version=f"numplace {__version__}")
    return parser


if __name__ == "__main__":
    sys.exit(main())
