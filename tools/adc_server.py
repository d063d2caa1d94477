"""A stand-in for the contest's service (ADC, 2015-2018), for tests and rehearsals.

Speaks as the service does: sessions, states by clock or by hand, one answer per problem, judged
by the project's checker. On demand it misbehaves: see `FAULTS`. It is no place for real
accounts: by default the team ``team`` has the password ``practice``.

Beside the service's own calls, ``GET /admin/record`` tells what has happened, ``PUT
/admin/state`` sets the state and ``PUT /admin/fault`` adds a fault, such as ``drop,count=3``.
"""

from __future__ import annotations

import argparse
import asyncio
import html
import json
import re
import secrets
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from adc_contest import FAULTS, Contest, Put, Stored, parse_fault, parse_schedule
from aiohttp import web
from interrupt import interruptible

from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import format_problem, parse_problem, read_problem
from nlrouter.problem import Problem

OWN_PROBLEMS = ("1", "2", "3")

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
CONTEST = web.AppKey("contest", Contest)


def make_app(contest: Contest, prefix: str = "") -> web.Application:
    """Return the service as an application, its paths under a prefix."""
    app = web.Application(middlewares=[_misbehave], client_max_size=2**26)
    app[CONTEST] = contest
    calls: list[tuple[str, str, Handler]] = [
        ("POST", "/login", _login),
        ("GET", "/logout", _logout),
        ("GET", "/whoami", _whoami),
        ("GET", "/Q", _list_problems),
        ("GET", r"/Q/{number:\d{1,6}}", _get_problem),
        ("PUT", "/Qcheck", _check_problem),
        ("PUT", r"/A/{user}/Q/{number:\d{1,6}}", _put_answer),
        ("GET", r"/A/{user}/Q/{number:\d{1,6}}", _get_answer),
        ("DELETE", r"/A/{user}/Q/{number:\d{1,6}}", _delete_answer),
        ("PUT", r"/A/{user}/Q/{number:\d{1,6}}/info", _put_info),
        ("GET", r"/A/{user}/Q/{number:\d{1,6}}/info", _get_info),
        ("PUT", "/user/{user}/alive", _put_alive),
        ("GET", "/user/{user}/Q/{number}", _get_own),
        ("PUT", "/user/{user}/Q/{number}", _put_own),
        ("DELETE", "/user/{user}/Q/{number}", _delete_own),
        ("GET", "/score", _score),
    ]
    for method, path, handler in calls:
        app.router.add_route(method, prefix + path, handler)
    app.router.add_get("/admin/record", _record)
    app.router.add_put("/admin/state", _set_state)
    app.router.add_put("/admin/fault", _add_fault)
    return app


@contextmanager
def serve(contest: Contest, prefix: str = "", port: int = 0) -> Iterator[str]:
    """Serve a contest on this machine from a thread; give the base URL."""
    loop = asyncio.new_event_loop()
    runner = web.AppRunner(make_app(contest, prefix), access_log=None, shutdown_timeout=0.1)

    async def start() -> int:
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        return int(runner.addresses[0][1])

    async def end() -> None:
        await runner.cleanup()
        calls = asyncio.all_tasks() - {asyncio.current_task()}  # Slow ones are still under way.
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)

    actual = loop.run_until_complete(start())
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{actual}{prefix}"
    finally:
        asyncio.run_coroutine_threadsafe(end(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


@web.middleware
async def _misbehave(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Take a call, unless a fault strikes it."""
    contest = request.app[CONTEST]
    if request.path.startswith("/admin/"):
        return await handler(request)
    await request.read()  # All of the call has come before anything befalls it.
    fault = contest.strike(f"{request.method} {request.path}")
    kind = fault.kind if fault else ""
    if fault and kind == "slow":
        await asyncio.sleep(fault.seconds)
    elif kind == "busy":
        return web.Response(status=503, text="Service Unavailable\n")
    elif kind == "page":
        return web.Response(text="<!DOCTYPE html>\n<p>OK, later</p>\n", content_type="text/html")
    elif kind == "expire":
        contest.sessions.clear()
    elif kind == "drop":
        return _hang_up(request)
    response = await handler(request)
    if kind == "lose":
        return _hang_up(request)
    if kind == "half" and isinstance(response, web.Response) and response.text:
        half = web.StreamResponse(status=response.status)
        body = response.text.encode()
        half.content_length = len(body)
        await half.prepare(request)
        await half.write(body[: len(body) // 2])
        return _hang_up(request)
    return response


def _hang_up(request: web.Request) -> web.StreamResponse:
    """Close the connection; what is returned goes nowhere."""
    if request.transport is not None:
        request.transport.close()
    return web.Response()


def _reply(request: web.Request, text: str, status: int = 200) -> web.Response:
    """Answer in words, as text or, where the client asks for it, JSON."""
    if "application/json" in request.headers.get("Accept", ""):
        return web.json_response({"msg": text}, status=status)
    return web.Response(status=status, text=text)


class _No(Exception):
    """A call that is not taken, with HTTP's status and the reason."""

    def __init__(self, status: int, words: str) -> None:
        super().__init__(words)
        self.status = status


def _call(*states: str) -> Callable[[Callable[[web.Request, str], Awaitable[Any]]], Handler]:
    """Make a handler of a function for a logged-in user, in the given states (none: in all).

    The function gets the user's name and returns the words of a 200, or a whole response.
    """

    def wrap(function: Callable[[web.Request, str], Awaitable[Any]]) -> Handler:
        async def handler(request: web.Request) -> web.StreamResponse:
            contest = request.app[CONTEST]
            user = contest.sessions.get(request.cookies.get("session", ""))
            if user is None:
                return _reply(request, "not login yet\n", 401)
            if request.match_info.get("user", user) != user:
                return _reply(request, "permission denied\n", 403)
            if states and contest.state not in states:
                return _reply(request, "deadline passed\n", 503)
            try:
                result = await function(request, user)
            except _No as no:
                return _reply(request, str(no), no.status)
            return result if isinstance(result, web.Response) else _reply(request, result)

        return handler

    return wrap


def _number(request: web.Request) -> int:
    """Return the number of the problem that the path names."""
    number = int(request.match_info["number"])
    if number not in request.app[CONTEST].problems:
        raise _No(404, "Not Found\n")
    return number


async def _login(request: web.Request) -> web.Response:
    contest = request.app[CONTEST]
    try:
        account = await request.json()
        user, password = account["username"], account["password"]
    except (ValueError, KeyError, TypeError):
        return _reply(request, "malformed login\n", 400)
    if not isinstance(user, str) or contest.accounts.get(user) != password:
        return _reply(request, "login failed\n", 401)
    token = secrets.token_hex(16)
    contest.sessions[token] = user
    response = _reply(request, "login OK\n")
    response.set_cookie("session", token, httponly=True)
    return response


@_call()
async def _logout(request: web.Request, user: str) -> str:
    del request.app[CONTEST].sessions[request.cookies["session"]]
    return "logout OK\n"


@_call()
async def _whoami(request: web.Request, user: str) -> str:
    return f"{user}\n"


@_call("Aup")
async def _list_problems(request: web.Request, user: str) -> web.Response:
    lines = []
    for number, text in sorted(request.app[CONTEST].problems.items()):
        words = re.search(r"SIZE\s+(\S+)\s+LINE_NUM\s+(\S+)", text, re.IGNORECASE)
        size, count = words.groups() if words else ("?", "?")
        lines.append(f"Q{number} SIZE {size} LINE_NUM {count} (organiser)\n")
    return web.Response(text="".join(lines))


@_call("Aup")
async def _get_problem(request: web.Request, user: str) -> web.Response:
    return web.Response(text=request.app[CONTEST].problems[_number(request)])


@_call()
async def _check_problem(request: web.Request, user: str) -> web.Response:
    return web.Response(text="\n".join(_read(await request.text())))


@_call("Aup")
async def _put_answer(request: web.Request, user: str) -> str:
    contest = request.app[CONTEST]
    number = _number(request)
    status, words = contest.store(user, number, await request.text())
    contest.puts.append(Put(time.time(), user, number, status))
    if status != 200:
        raise _No(status, words)
    return words


@_call()
async def _get_answer(request: web.Request, user: str) -> web.Response:
    return web.Response(text=_own_answer(request, user).text)


@_call()
async def _delete_answer(request: web.Request, user: str) -> str:
    _own_answer(request, user)
    number = _number(request)
    del request.app[CONTEST].answers[user, number]
    return f"DELETE A{number}\n"


def _own_answer(request: web.Request, user: str) -> Stored:
    """Return the stored answer, in test mode."""
    contest = request.app[CONTEST]
    if not contest.test_mode:
        raise _No(403, "permission denied\n")
    stored = contest.answers.get((user, _number(request)))
    if stored is None:
        raise _No(404, "Not Found\n")
    return stored


@_call("Aup")
async def _put_info(request: web.Request, user: str) -> str:
    number = _number(request)
    stored = request.app[CONTEST].answers.get((user, number))
    if stored is None:
        raise _No(403, f"ERROR: no answer A{number}\n")
    try:
        info = await request.json()
        stored.cpu_sec, stored.mem_byte = float(info["cpu_sec"]), int(info["mem_byte"])
        stored.misc_text = info["misc_text"]
    except (ValueError, KeyError, TypeError) as error:
        raise _No(400, "malformed info\n") from error
    return f"UPDATE A{number} info\n"


@_call("Aup")
async def _get_info(request: web.Request, user: str) -> web.Response:
    wanted = int(request.match_info["number"])
    results = [
        {"anum": number, "username": user, **asdict(stored)}
        for (owner, number), stored in sorted(request.app[CONTEST].answers.items())
        if owner == user and wanted in (0, number)
    ]
    for result in results:
        del result["text"]
    return web.json_response({"msg": f"{len(results)} answers", "results": results})


@_call()
async def _put_alive(request: web.Request, user: str) -> str:
    request.app[CONTEST].alive.setdefault(user, []).append((time.time(), await request.text()))
    return "OK\n"


@_call("Qup")
async def _get_own(request: web.Request, user: str) -> web.Response:
    return web.Response(text=_own_problem(request, user))


@_call("Qup")
async def _put_own(request: web.Request, user: str) -> str:
    number = request.match_info["number"]
    if number not in OWN_PROBLEMS:
        raise _No(404, "Not Found\n")
    text = await request.text()
    verdict, words = _read(text)
    if verdict != "OK":
        return f"ERROR in Q data\n{words}\n"
    request.app[CONTEST].own[user, number] = text
    return f"PUT OK update {user} Q {number}\n"


@_call("Qup")
async def _delete_own(request: web.Request, user: str) -> str:
    _own_problem(request, user)
    number = request.match_info["number"]
    del request.app[CONTEST].own[user, number]
    return f"DELETE {user} Q {number}\n"


def _own_problem(request: web.Request, user: str) -> str:
    """Return the text of a team's own problem."""
    text = request.app[CONTEST].own.get((user, request.match_info["number"]))
    if text is None:
        raise _No(404, "Not Found\n")
    return text


def _read(text: str) -> tuple[str, str]:
    """Return OK and the problem as read, or NG and the error."""
    try:
        problem: Problem = parse_problem(text.removeprefix("\ufeff"), "Q")
    except FileError as error:
        return "NG", str(error)
    return "OK", format_problem(problem)


@_call()
async def _score(request: web.Request, user: str) -> web.Response:
    points = request.app[CONTEST].score()
    rows = "".join(
        f"<tr><td>{html.escape(name)}</td><td>{points[name]:.3f}</td></tr>\n"
        for name in sorted(points, key=lambda name: -points[name])
    )
    return web.Response(text=f"<table>\n{rows}</table>\n", content_type="text/html")


async def _record(request: web.Request) -> web.Response:
    return web.json_response(request.app[CONTEST].record())


async def _set_state(request: web.Request) -> web.Response:
    try:
        request.app[CONTEST].set_state((await request.text()).strip())
    except ValueError as error:
        return web.Response(status=400, text=f"{error}\n")
    return web.Response(text="OK\n")


async def _add_fault(request: web.Request) -> web.Response:
    try:
        request.app[CONTEST].faults.append(parse_fault((await request.text()).strip()))
    except argparse.ArgumentTypeError as error:
        return web.Response(status=400, text=f"{error}\n")
    return web.Response(text="OK\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve problems until interrupted; return the exit code."""
    parser = argparse.ArgumentParser(
        description="A stand-in for the contest's service, for rehearsals.",
        epilog="faults: " + "; ".join(f"{kind}: {text}" for kind, text in FAULTS.items()),
    )
    parser.add_argument("problems", nargs="+", type=Path, metavar="PROBLEM")
    parser.add_argument("--port", type=int, default=8080, help="default: 8080")
    parser.add_argument("--prefix", default="", help="path before all calls, such as /adc")
    parser.add_argument(
        "--accounts", type=Path, metavar="FILE", help="JSON object of names and passwords"
    )
    parser.add_argument(
        "--schedule",
        type=parse_schedule,
        default=[("Aup", 0.0)],
        metavar="STATE=SECONDS,...",
        help="states, and when each begins (default: Aup from the start)",
    )
    parser.add_argument(
        "--fault",
        type=parse_fault,
        action="append",
        default=[],
        metavar="KIND[,chance=P][,count=N][,calls=PATTERN][,seconds=S]",
        help="misbehave; may be given several times",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the faults' chances")
    parser.add_argument("--test-mode", action="store_true", help="let answers be deleted")
    options = parser.parse_args(arguments)
    try:
        for path in options.problems:
            read_problem(str(path))
        accounts = json.loads(options.accounts.read_text()) if options.accounts else None
    except (FileError, OSError, ValueError) as error:
        parser.error(str(error))
    # Bytes, so that a byte-order mark and CRLF reach the teams.
    problems = {n: path.read_bytes().decode() for n, path in enumerate(options.problems, start=1)}
    contest = Contest(
        problems,
        accounts or {"team": "practice"},
        schedule=options.schedule,
        faults=options.fault,
        test_mode=options.test_mode,
        seed=options.seed,
    )
    with serve(contest, options.prefix.rstrip("/"), options.port) as url:
        print(f"serving {len(problems)} problems at {url}", flush=True)
        with suppress(KeyboardInterrupt):
            threading.Event().wait()
    return 0


if __name__ == "__main__":
    sys.exit(interruptible(main))
