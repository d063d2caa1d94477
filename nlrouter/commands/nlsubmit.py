"""The command ``nlsubmit``: a team's day at the contest's service, and problems of its own."""

from __future__ import annotations

import argparse
import math
import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from nlrouter import __version__
from nlrouter.commands.option_types import seconds, whole_number

if TYPE_CHECKING:
    from nlrouter.contest.client import Client

DONE, MISSING, BAD_INPUT = range(3)
"""Exit codes. `BAD_INPUT` is argparse's own for bad usage."""

PATIENCE = 60.0
"""Seconds for a call of the small commands, which a person waits for."""

BOARD_TIME = 120.0
"""Seconds that a board gets by default where there is no deadline to share the time before."""

OWN_PROBLEMS = (1, 2, 3)
"""The numbers that problems of one's own can have."""

EPILOG = """\
The password is asked for, or read from the environment's NLSUBMIT_PASSWORD or from the first
line of --password-file, which nobody but its owner may have rights to.

exit codes:
  0  done; after a day: every board has an answer, and all are sent
  1  something is missing or was refused; standard error says what
  2  bad input or usage, or the login failed
"""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command.

    Parameters
    ----------
    argv
        The arguments, without the program's name; those of the process by default.

    Returns
    -------
    int
        The exit code. Bad usage raises `SystemExit` with code 2, as argparse does.
    """
    args = _parse(argv)
    # Not at the top: neither --help nor a mistyped option should wait for numpy and httpx.
    from nlrouter.extras import MissingExtra, require

    try:
        require("contest")
    except MissingExtra as error:
        _log(str(error))
        return BAD_INPUT
    from nlrouter.contest.account import find_password
    from nlrouter.contest.client import Client, LoginFailed, ServiceError
    from nlrouter.files.errors import FileError

    stop = threading.Event()
    try:
        text = _problem_text(args)
        password = find_password(args.password_file, args.user)
        if args.action is _run:
            for number in (signal.SIGINT, signal.SIGTERM):
                signal.signal(number, lambda *_: stop.set())
        with closing(Client(args.service, args.user, password, _log, stop)) as client:
            if args.action is not _run:
                client.login(PATIENCE)
            return int(args.action(args, client, stop, text))
    except (FileError, LoginFailed) as error:
        _log(str(error))
        return BAD_INPUT
    except ServiceError as error:
        _log(str(error))
        return MISSING
    except KeyboardInterrupt:
        return MISSING


def _run(args: argparse.Namespace, client: Client, stop: threading.Event, text: str) -> int:
    """Play the team's day."""
    from nlrouter.contest.day import Day
    from nlrouter.contest.plan import Plan
    from nlrouter.contest.state import DayState
    from nlrouter.runs.router_run import NLROUTE

    with closing(DayState(args.state, args.service, args.user)) as state:
        deadline = args.until(state.started)
        if deadline < time.time():
            _log(f"the deadline passed at {time.strftime('%F %H:%M:%S', time.localtime(deadline))}")
            return MISSING
        board_time = args.board_time
        if board_time is None:
            board_time = BOARD_TIME if deadline == math.inf else math.inf
        workers = [] if args.workers is None else ["--workers", str(args.workers)]
        plan = Plan(deadline, board_time, args.dry_run, [*NLROUTE, *workers])
        return DONE if Day(client, state, plan, _log, stop).run() else MISSING


def _check(args: argparse.Namespace, client: Client, stop: threading.Event, text: str) -> int:
    """Let the service check a problem."""
    return _say_verdict(client.check_problem(text, PATIENCE))


def _upload(args: argparse.Namespace, client: Client, stop: threading.Event, text: str) -> int:
    """Upload a problem of one's own."""
    return _say_verdict(client.put_own_problem(args.number, text, PATIENCE))


def _list(args: argparse.Namespace, client: Client, stop: threading.Event, text: str) -> int:
    """List the uploaded problems."""
    from nlrouter.contest.client import Refused
    from nlrouter.files.errors import FileError
    from nlrouter.files.problem_file import parse_problem

    for number in OWN_PROBLEMS:
        try:
            problem = parse_problem(client.own_problem(number, PATIENCE), f"problem {number}")
        except Refused as error:
            if error.status != 404:
                raise
            _say(f"{number}  -")
        except FileError as error:
            _say(f"{number}  {error}")
        else:
            size = f"{problem.width}X{problem.height}X{problem.layers}"
            _say(f"{number}  SIZE {size}, {len(problem.lines)} lines")
    return DONE


def _delete(args: argparse.Namespace, client: Client, stop: threading.Event, text: str) -> int:
    """Delete an uploaded problem."""
    return _say_verdict(client.delete_own_problem(args.number, PATIENCE))


def _problem_text(args: argparse.Namespace) -> str:
    """Return the text of the problem file, if one is named; it must be well-formed."""
    if "problem" not in args:
        return ""
    from nlrouter.files.problem_file import parse_problem
    from nlrouter.files.text import read_text

    name, text = read_text(args.problem)
    parse_problem(text, name)
    return text


def _say_verdict(words: str) -> int:
    """Print the service's words; return the exit code for them."""
    _say(words.rstrip("\n"))
    return MISSING if words.startswith(("NG", "ERROR")) else DONE


def _say(text: str) -> None:
    from nlrouter.tell.stream import emit

    emit(sys.stdout, f"{text}\n")


def _log(text: str) -> None:
    """Tell one event on standard error, with the time."""
    from nlrouter.tell.stream import emit

    emit(sys.stderr, f"{time.strftime('%H:%M:%S')} {text}\n")


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    account = argparse.ArgumentParser(add_help=False)
    account.add_argument(
        "--service",
        type=_service,
        default=os.environ.get("NLSUBMIT_SERVICE"),
        metavar="URL",
        help="base URL of the contest's service (default: NLSUBMIT_SERVICE of the environment)",
    )
    account.add_argument(
        "--user",
        default=os.environ.get("NLSUBMIT_USER"),
        metavar="NAME",
        help="the team's name there (default: NLSUBMIT_USER of the environment)",
    )
    account.add_argument(
        "--password-file", metavar="FILE", help="file with the password, for its owner alone"
    )
    parser = argparse.ArgumentParser(
        prog="nlsubmit",
        description="Play a team's day at the contest's service: fetch the problems, route them "
        "and send each answer once. Or care for problems of one's own.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"nlsubmit {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, action: Callable[..., int], text: str) -> argparse.ArgumentParser:
        """Add a command."""
        description = text[0].upper() + text[1:] + "."
        command = commands.add_parser(
            name, parents=[account], help=text, description=description, allow_abbrev=False
        )
        command.set_defaults(action=action)
        return command

    run = add("run", _run, "play the day, from waiting for the problems to the last answer")
    run.add_argument(
        "--until",
        type=_until,
        default=lambda started: math.inf,
        metavar="T",
        help="deadline for sending, HH:MM or seconds after the first start with this --state "
        "(default: none, each answer is sent when its board's time is used)",
    )
    run.add_argument(
        "--board-time",
        type=seconds,
        metavar="S",
        help="seconds of routing that a board gets at most (default: a share of the time until "
        f"the deadline; {BOARD_TIME:.0f} without one)",
    )
    run.add_argument(
        "--workers",
        type=whole_number(least=1),
        metavar="N",
        help="processes that search (default: one per core)",
    )
    run.add_argument(
        "--state",
        default="contest",
        metavar="DIR",
        help="folder with all that a restarted nlsubmit needs to go on (default: contest)",
    )
    run.add_argument("--dry-run", action="store_true", help="put nothing, tell what would be")
    check = add("check", _check, "let the service check a problem")
    upload = add("upload", _upload, "upload a problem of one's own")
    add("list", _list, "list the uploaded problems")
    delete = add("delete", _delete, "delete an uploaded problem")
    for command in (upload, delete):
        command.add_argument("number", type=int, choices=OWN_PROBLEMS, help="its number")
    for command in (check, upload):
        command.add_argument("problem", metavar="PROBLEM", help="problem file")
    args = parser.parse_args(argv)
    for option in ("service", "user"):
        if not getattr(args, option):
            parser.error(f"--{option} is missing, and NLSUBMIT_{option.upper()} is not set")
    return args


def _service(text: str) -> str:
    """Parse the base URL."""
    if "@" in text:  # Not quoted: what stands before it may be a password.
        raise argparse.ArgumentTypeError("the URL holds an account, which belongs elsewhere")
    try:
        url = urlsplit(text)
        fine = url.scheme in ("http", "https") and bool(url.hostname) and (url.port or 1) > 0
    except ValueError:
        fine = False
    if not fine or url.query or url.fragment:
        raise argparse.ArgumentTypeError(f"{text!r} is no URL like https://host/path")
    return text.rstrip("/")


def _until(text: str) -> Callable[[float], float]:
    """Parse a deadline into what makes it, from the day's start, seconds since the epoch."""
    hour, colon, minute = text.partition(":")
    if not colon:
        after = seconds(text)
        return lambda started: started + after
    try:
        clock = time.strptime(f"{hour}:{minute}", "%H:%M")
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is neither HH:MM nor seconds") from None

    def deadline(started: float) -> float:
        day = time.localtime(started)
        moment = (day.tm_year, day.tm_mon, day.tm_mday, clock.tm_hour, clock.tm_min, 0, 0, 0, -1)
        return time.mktime(moment)

    return deadline


if __name__ == "__main__":
    sys.exit(main())
