"""The command ``nlsubmit``: a team's day at the contest's service, and problems of its own."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from functools import partial
from urllib.parse import urlsplit

from nlrouter.commands.frame import command, make_parser
from nlrouter.commands.option_types import seconds, whole_number
from nlrouter.contest.defaults import BOARD_TIME, OWN_PROBLEMS
from nlrouter.extras import require

EPILOG = """\
The password is asked for, or read from the environment's NLSUBMIT_PASSWORD or from the first
line of --password-file, which nobody but its owner may have rights to.

exit codes:
  0  done; after a day: every board has an answer, and all are sent
  1  something is missing or was refused; standard error says what
  2  bad input or usage, or the login failed
"""


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
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
    parser = make_parser(
        "nlsubmit",
        "Play a team's day at the contest's service: fetch the problems, route them "
        "and send each answer once. Or care for problems of one's own.",
        EPILOG,
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, text: str) -> argparse.ArgumentParser:
        """Add a command."""
        description = text[0].upper() + text[1:] + "."
        action = commands.add_parser(
            name,
            parents=[account],
            help=text,
            description=description,
            epilog=EPILOG,
            formatter_class=parser.formatter_class,
            allow_abbrev=False,
        )
        action.set_defaults(action=name)
        return action

    run = add("run", "play the day, from waiting for the problems to the last answer")
    run.add_argument(
        "--until",
        type=_until,
        default="inf",
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
    check = add("check", "let the service check a problem")
    upload = add("upload", "upload a problem of one's own")
    add("list", "list the uploaded problems")
    delete = add("delete", "delete an uploaded problem")
    for action in (upload, delete):
        action.add_argument("number", type=int, choices=OWN_PROBLEMS, help="its number")
    for action in (check, upload):
        action.add_argument("problem", metavar="PROBLEM", help="problem file")
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


main = command("nlsubmit", parse, prepare=partial(require, "contest"))

if __name__ == "__main__":
    sys.exit(main())
