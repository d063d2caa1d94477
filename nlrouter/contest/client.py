"""The calls of the contest's service, each tried until it is answered or patience ends.

Knows HTTP, sessions and what the service says; neither boards nor the team's plan. An answer
is put by a single try: whether a lost one arrived is for `day` to find out.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import quote

import httpx
import tenacity

from nlrouter.files.text import MAX_BYTES

Value = TypeVar("Value")


@dataclass(frozen=True)
class ClientConfig:
    """How long to wait for the service, in seconds."""

    silence: float = 10.0
    """Without a byte, after which a connection is given up. A busy service answers in 1 or 2."""
    exchange: float = 20.0
    """For one whole exchange, so that an answer that trickles in does not hold up the day."""
    first_pause: float = 0.5
    """Upper end of the random pause after a first failure; it doubles with each further one."""
    longest_pause: float = 8.0
    """At which the pauses stop growing: a minute before the end, each try counts."""


class ServiceError(Exception):
    """The service cannot be reached or refuses; the message is one line."""


class Unreached(ServiceError):
    """No whole answer came, or one that asks for patience. The call may have had its effect."""


class Closed(ServiceError):
    """The service is in a state, before or after, in which it does not take this call."""


class LoginFailed(ServiceError):
    """User name or password are wrong."""


class Refused(ServiceError):
    """The service says no, and why.

    Parameters
    ----------
    status
        HTTP's number for it, such as 403.
    words
        What the service says.
    """

    def __init__(self, status: int, words: str) -> None:
        super().__init__(f"{status} {one_line(words)}")
        self.status = status
        self.words = words


@dataclass(frozen=True)
class _Reply:
    """Status and body of a whole answer."""

    status: int
    body: bytes

    @property
    def text(self) -> str:
        """The body as text, for words only: what is no UTF-8 is replaced."""
        return self.body.decode("utf-8", errors="replace")

    @property
    def is_page(self) -> bool:
        """Whether it is a page for people, such as a proxy sends: the service writes none here."""
        return self.body.lstrip()[:9].lower().startswith((b"<!doctype", b"<html"))


class Client:
    """A session of one user. Its methods may be called from several threads.

    Parameters
    ----------
    service
        Base URL, with or without a path.
    user, password
        The account.
    log
        Takes one line per event. Never gets the password or the session's cookie.
    stop
        Once set, nothing is tried again.
    config
        Waiting times.
    """

    def __init__(
        self,
        service: str,
        user: str,
        password: str,
        log: Callable[[str], None],
        stop: threading.Event,
        config: ClientConfig | None = None,
    ) -> None:
        self.config = config or ClientConfig()
        self._base = service.rstrip("/")
        self._user = user
        self._password = password
        self._log = log
        self._stop = stop
        self._http = httpx.Client(timeout=self.config.silence)
        self._login = threading.Lock()
        self._logins = 0

    def close(self) -> None:
        """Close all connections."""
        self._http.close()

    def login(self, patience: float) -> None:
        """Log in.

        Parameters
        ----------
        patience
            Seconds, here and in all methods: after them a failed call is not tried again.

        Raises
        ------
        LoginFailed
            If the account is wrong.
        ServiceError
            Here and in all methods, as the service or the way to it has it.
        """
        self._patiently(patience, lambda: self._log_in(self._logins))

    def list_problems(self, patience: float) -> str:
        """Return the list of problems as the service has it."""
        return self._call("GET", "/Q", patience).text

    def problem(self, number: int, patience: float) -> bytes:
        """Return a problem's text, as the bytes that came."""
        return self._call("GET", f"/Q/{number}", patience).body

    def put_answer(self, number: int, text: str) -> str:
        """Put an answer, by a single try, and return the judge's words.

        Raises
        ------
        Unreached
            If it may or may not have been stored.
        Refused
            If it counts as wrong, or there is one already.
        """
        path = self._answer_path(number)
        words = self._try("PUT", path, content=text.encode()).text
        if "quality" not in words.lower():  # The judge always tells it.
            raise Unreached(f"PUT {path}: 200, but no judge's words: {one_line(words)!r}")
        return words

    def is_stored(self, number: int, patience: float) -> bool:
        """Return whether the service has an answer of this user's to a problem.

        False also where it answers that but does not tell: it refuses a second answer anyway.
        """

        def ask() -> bool:
            try:
                reply = self._try("GET", f"{self._answer_path(number)}/info", accept=_JSON)
                return bool(json.loads(reply.body)["results"])
            except (Refused, ValueError, KeyError, TypeError, RecursionError):
                return False

        return self._patiently(patience, ask)

    def put_info(self, number: int, info: dict[str, Any], patience: float) -> None:
        """Put what is told of an answer: ``cpu_sec``, ``mem_byte`` and ``misc_text``."""
        self._call("PUT", f"{self._answer_path(number)}/info", patience, data=info)

    def report_alive(self, text: str) -> None:
        """Tell that the team's program is at work, by a single try."""
        self._try("PUT", f"{self._user_path()}/alive", content=text.encode())

    def check_problem(self, text: str, patience: float) -> str:
        """Return what the service says of a problem: ``OK`` or ``NG`` in the first line."""
        return self._call("PUT", "/Qcheck", patience, content=text.encode()).text

    def own_problem(self, number: int, patience: float) -> str:
        """Return the user's own problem of a number; `Refused` with 404 if there is none."""
        return self._call("GET", self._own_path(number), patience).text

    def put_own_problem(self, number: int, text: str, patience: float) -> str:
        """Upload a problem of one's own, or replace it; return what the service says."""
        return self._call("PUT", self._own_path(number), patience, content=text.encode()).text

    def delete_own_problem(self, number: int, patience: float) -> str:
        """Delete the user's own problem of a number; return what the service says."""
        return self._call("DELETE", self._own_path(number), patience).text

    def _user_path(self) -> str:
        return f"/user/{quote(self._user, safe='')}"

    def _own_path(self, number: int) -> str:
        return f"{self._user_path()}/Q/{number}"

    def _answer_path(self, number: int) -> str:
        return f"/A/{quote(self._user, safe='')}/Q/{number}"

    def _call(self, method: str, path: str, patience: float, **body: Any) -> _Reply:
        """Make a call that may safely be made twice, until it is answered."""
        return self._patiently(patience, lambda: self._try(method, path, **body))

    def _patiently(self, patience: float, call: Callable[[], Value]) -> Value:
        """Repeat a call with growing random pauses while it fails by `Unreached`."""
        retrying = tenacity.Retrying(
            retry=tenacity.retry_if_exception_type(Unreached),
            wait=tenacity.wait_random_exponential(
                multiplier=self.config.first_pause, max=self.config.longest_pause
            ),
            stop=tenacity.stop_any(
                tenacity.stop_after_delay(patience), tenacity.stop_when_event_set(self._stop)
            ),
            sleep=tenacity.sleep_using_event(self._stop),
            before_sleep=self._tell_failure,
            reraise=True,
        )
        return retrying(call)

    def _tell_failure(self, state: tenacity.RetryCallState) -> None:
        assert state.outcome is not None
        self._log(f"{state.outcome.exception()}; trying again")

    def _try(self, method: str, path: str, **body: Any) -> _Reply:
        """Make a call once, after a new login if the session has ended."""
        logins = self._logins
        reply = self._exchange(method, path, **body)
        if reply.status == 401:
            self._log(f"{method} {path}: 401 {one_line(reply.text)}; logging in again")
            self._log_in(logins)
            reply = self._exchange(method, path, **body)
        if reply.status == 200 and not reply.is_page:
            return reply
        what = f"{method} {path}: {reply.status} {one_line(reply.text)}"
        if reply.status == 503 and "deadline passed" in reply.text.lower():
            raise Closed(what)
        if reply.status in _PASSING or reply.is_page:
            raise Unreached(what)
        raise Refused(reply.status, reply.text)

    def _log_in(self, logins: int) -> None:
        """Log in by a single try, unless another thread did since ``logins`` was read."""
        with self._login:
            if self._logins != logins:
                return
            account = {"username": self._user, "password": self._password}
            reply = self._exchange("POST", "/login", data=account)
            if reply.status == 401 and not reply.is_page:
                raise LoginFailed(f"the service does not know {self._user!r} by this password")
            if reply.status in _PASSING or reply.is_page:
                raise Unreached(f"POST /login: {reply.status} {one_line(reply.text)}")
            if reply.status != 200:
                raise Refused(reply.status, reply.text)
            self._logins += 1

    def _exchange(
        self,
        method: str,
        path: str,
        *,
        content: bytes | None = None,
        data: dict[str, Any] | None = None,
        accept: str = "text/plain",
    ) -> _Reply:
        """Send a request and read all of its answer."""
        headers = {"Accept": accept}
        if content is not None:
            headers["Content-Type"] = "text/plain; charset=utf-8"
        end = time.monotonic() + self.config.exchange
        body = bytearray()
        try:
            with self._http.stream(
                method, self._base + path, content=content, json=data, headers=headers
            ) as response:
                for chunk in response.iter_bytes():
                    body += chunk
                    if len(body) > MAX_BYTES or time.monotonic() > end:
                        raise Unreached(f"{method} {path}: the answer does not come to its end")
        except (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL, OSError) as error:
            reason = one_line(str(error)) or "no reason given"
            raise Unreached(f"{method} {path}: {type(error).__name__}, {reason}") from error
        return _Reply(response.status_code, bytes(body))


_JSON = "application/json"
_PASSING = frozenset({301, 302, 303, 307, 308, 401, 408, 425, 429, 500, 502, 503, 504})
"""Answers that may be others a moment later: 401 right after a login too, and redirections, which
are a proxy's, as the service makes none."""


def one_line(text: str) -> str:
    """Return a service's words as one short line of printable characters."""
    line = re.sub(r"\s+", " ", text).strip()
    return "".join(c for c in line if c.isprintable())[:200]
