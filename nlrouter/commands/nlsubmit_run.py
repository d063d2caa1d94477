"""What ``nlsubmit`` does: a team's day at the contest's service, and problems of its own."""

from __future__ import annotations

import argparse
import math
import threading
import time
from collections.abc import Callable
from contextlib import closing, nullcontext

from nlrouter.commands.frame import Exit, say, tell
from nlrouter.contest.account import find_password
from nlrouter.contest.client import Client, LoginFailed, Refused, ServiceError
from nlrouter.contest.day import Day
from nlrouter.contest.defaults import BOARD_TIME, OWN_PROBLEMS
from nlrouter.contest.plan import Plan
from nlrouter.contest.state import DayState
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import parse_problem
from nlrouter.files.text import read_text
from nlrouter.runs.router_run import NLROUTE
from nlrouter.signals import stop_on_signals

PATIENCE = 60.0
"""Seconds for a call of the small commands, which a person waits for."""


def run(args: argparse.Namespace) -> Exit:
    """Do what the command line asks for; return the exit code."""
    action = ACTIONS[args.action]
    text = _problem_text(args)
    password = find_password(args.password_file, args.user)
    play = stop_on_signals(lambda: None, last=args.owns_process)
    try:
        with (
            play if action is _play else nullcontext(threading.Event()) as stop,
            closing(Client(args.service, args.user, password, _log, stop)) as client,
        ):
            if action is not _play:
                client.login(PATIENCE)
            return action(args, client, stop, text)
    except LoginFailed as error:
        _log(str(error))
        return Exit.BAD_INPUT
    except ServiceError as error:
        _log(str(error))
        return Exit.NOT_DONE


def _play(args: argparse.Namespace, client: Client, stop: threading.Event, text: str) -> Exit:
    """Play the team's day."""
    with closing(DayState(args.state, args.service, args.user)) as state:
        deadline = args.until(state.started)
        if deadline < time.time():
            _log(f"the deadline passed at {time.strftime('%F %H:%M:%S', time.localtime(deadline))}")
            return Exit.NOT_DONE
        board_time = args.board_time
        if board_time is None:
            board_time = BOARD_TIME if deadline == math.inf else math.inf
        workers = [] if args.workers is None else ["--workers", str(args.workers)]
        plan = Plan(deadline, board_time, args.dry_run, [*NLROUTE, *workers])
        return Exit.DONE if Day(client, state, plan, _log, stop).run() else Exit.NOT_DONE


def _check(args: argparse.Namespace, client: Client, stop: threading.Event, text: str) -> Exit:
    """Let the service check a problem."""
    return _say_verdict(client.check_problem(text, PATIENCE))


def _upload(args: argparse.Namespace, client: Client, stop: threading.Event, text: str) -> Exit:
    """Upload a problem of one's own."""
    return _say_verdict(client.put_own_problem(args.number, text, PATIENCE))


def _list(args: argparse.Namespace, client: Client, stop: threading.Event, text: str) -> Exit:
    """List the uploaded problems."""
    for number in OWN_PROBLEMS:
        try:
            problem = parse_problem(client.own_problem(number, PATIENCE), f"problem {number}")
        except Refused as error:
            if error.status != 404:
                raise
            say(f"{number}  -")
        except FileError as error:
            say(f"{number}  {error}")
        else:
            say(f"{number}  SIZE {problem.size}, {len(problem.lines)} lines")
    return Exit.DONE


def _delete(args: argparse.Namespace, client: Client, stop: threading.Event, text: str) -> Exit:
    """Delete an uploaded problem."""
    return _say_verdict(client.delete_own_problem(args.number, PATIENCE))


def _problem_text(args: argparse.Namespace) -> str:
    """Return the text of the problem file, if one is named; it must be well-formed."""
    if "problem" not in args:
        return ""

    name, text = read_text(args.problem)
    parse_problem(text, name)
    return text


def _say_verdict(words: str) -> Exit:
    """Print the service's words; return the exit code for them."""
    say(words.rstrip("\n"))
    return Exit.NOT_DONE if words.startswith(("NG", "ERROR")) else Exit.DONE


def _log(text: str) -> None:
    """Tell one event on standard error, with the time."""
    tell(f"{time.strftime('%H:%M:%S')} {text}")


ACTIONS: dict[str, Callable[[argparse.Namespace, Client, threading.Event, str], Exit]] = {
    "run": _play,
    "check": _check,
    "upload": _upload,
    "list": _list,
    "delete": _delete,
}
"""What each command of nlsubmit does."""
