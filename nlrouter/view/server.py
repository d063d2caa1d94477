"""The server of the page: files, verdicts and routing over HTTP on loopback.

It holds no drawing: each request brings the whole board, so a bad one leaves nothing behind.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import os
import socket
from collections.abc import Callable, Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from aiohttp.log import server_logger
from aiohttp.typedefs import Handler

from nlrouter.files.answer_file import parse_answer, require_shape
from nlrouter.files.errors import FileError
from nlrouter.files.problem_file import parse_problem
from nlrouter.files.text import MAX_BYTES, decode
from nlrouter.keep.drafts import Drafts
from nlrouter.view.documents import (
    BadRequest,
    Document,
    parse_document,
    parse_fields,
    problem_json,
)
from nlrouter.view.guard import ENTRANCE, NO_TOKEN, Ticket, guard, refuse
from nlrouter.view.judging import verdict
from nlrouter.view.pictures import PICTURE_TYPES, picture
from nlrouter.view.routing_job import RoutingJob, RoutingOptions
from nlrouter.view.routing_task import LONGEST, parse_task
from nlrouter.view.samples import samples
from nlrouter.view.session import KINDS, SaveRequest, Session

LOOPBACK = "127.0.0.1"

FIRST_OWN_PORT, OWN_PORTS = 61000, 4000
"""Where boards have their ports: among those for private use (RFC 6335), above the ones that Linux
hands out."""

CONTENT_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".svg": "image/svg+xml",
}
"""The page's files, by ending; files of any other are not served."""


def listen(port: int) -> socket.socket:
    """Return a socket that listens on loopback.

    Parameters
    ----------
    port
        The port; 0 for any that is free.

    Raises
    ------
    OSError
        If the port is taken or not allowed.
    """
    return socket.create_server((LOOPBACK, port))


def listen_for(problem: str | None) -> socket.socket:
    """Return a socket that listens on the port of a board; if that is taken, on any.

    Browsers keep what pages store by their address, so with another port at each start what was
    not saved would be lost.
    """
    name = "" if problem is None else os.path.realpath(problem)
    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape")).digest()
    try:
        return listen(FIRST_OWN_PORT + int.from_bytes(digest[:4]) % OWN_PORTS)
    except OSError:
        return listen(0)


def report_own_errors_only() -> None:
    """Keep out of the log what browsers do: send what is no HTTP, or leave in the middle."""
    server_logger.addFilter(_is_own_error)


def _is_own_error(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    theirs = HttpProcessingError | web.RequestPayloadError | ConnectionError
    return not isinstance(error, theirs)


def make_app(
    session: Session,
    token: str,
    options: RoutingOptions,
    max_bytes: int = MAX_BYTES,
    ticket: Ticket | None = None,
) -> web.Application:
    """Return the web application.

    Parameters
    ----------
    session
        The files named on the command line.
    token
        The secret that the page's address carries.
    options
        How to route.
    max_bytes
        Size of the largest request that is read.
    ticket
        What may be exchanged for the token.
    """
    handlers = _Handlers(session, options, ticket)
    app = web.Application(middlewares=[guard(token), _tell_errors], client_max_size=max_bytes)
    app.router.add_get("/", handlers.static)
    app.router.add_post(ENTRANCE, handlers.enter)
    app.router.add_get("/api/open", handlers.open)
    app.router.add_post("/api/problem", handlers.problem)
    app.router.add_post("/api/answer", handlers.answer)
    app.router.add_post("/api/judge", handlers.judge)
    app.router.add_post("/api/save/{kind}", handlers.save)
    app.router.add_get("/api/drafts", handlers.drafts)
    app.router.add_post("/api/draft", handlers.draft)
    app.router.add_post("/api/picture/{form}", handlers.picture)
    app.router.add_get("/api/samples", handlers.samples)
    app.router.add_post("/api/route", handlers.route)
    app.router.add_post("/api/line", handlers.line)
    app.router.add_get("/{name:.+}", handlers.static)
    app.on_shutdown.append(handlers.close)
    return app


class _Handlers:
    """One method per address."""

    def __init__(self, session: Session, options: RoutingOptions, ticket: Ticket | None) -> None:
        self._session = session
        self._drafts = Drafts(session.place)
        self._ticket = ticket
        self._options = options
        self._job: RoutingJob | None = None
        self._routing = asyncio.Lock()  # Two searches would only slow each other down.
        self._drawing = asyncio.Lock()  # Matplotlib is made for one thread.
        self._pages = dict(_pages(files("nlrouter.view") / "static"))

    async def static(self, request: web.Request) -> web.Response:
        """Send a file of the page; the names are a fixed table, so none leads outside."""
        name = request.match_info.get("name", "index.html")
        if name not in self._pages:
            return refuse(404, "there is no such file")
        text, content_type = self._pages[name]
        return web.Response(text=text, content_type=content_type)

    async def enter(self, request: web.Request) -> web.Response:
        """Exchange a ticket for the token."""
        code = (await _body(request)).decode("utf-8", "replace")
        token = None if self._ticket is None else self._ticket.exchange(code)
        return refuse(403, NO_TOKEN) if token is None else web.json_response({"token": token})

    async def open(self, request: web.Request) -> web.Response:
        """Read the files named on the command line; tell how long a search is to take."""
        seconds = {"seconds": min(self._options.time_limit, LONGEST)}
        return await _reply(lambda: self._session.open() | seconds)

    async def problem(self, request: web.Request) -> web.Response:
        """Read an uploaded problem file."""
        return await _read_file(request, lambda text, name: problem_json(parse_problem(text, name)))

    async def answer(self, request: web.Request) -> web.Response:
        """Read an uploaded answer file."""
        return await _read_file(
            request, lambda text, name: {"answer": parse_answer(text, name).tolist()}
        )

    async def judge(self, request: web.Request) -> web.Response:
        """Judge a drawing."""
        return await self._with_document(request, verdict)

    async def save(self, request: web.Request) -> web.Response:
        """Write a file of the command line, or say what that would lose."""
        kind = request.match_info["kind"]
        if kind not in KINDS:
            return refuse(404, f"there is no file {kind!r}")
        body = await _body(request)
        return await _reply(lambda: self._session.save(_save_request(kind, body)))

    async def drafts(self, request: web.Request) -> web.Response:
        """Send what was kept, with what is wrong with its file if anything is."""
        try:
            kept = await asyncio.to_thread(self._drafts.read)
        except FileError as error:
            return web.json_response({"drafts": {}, "complaint": str(error)})
        return web.json_response({"drafts": kept, "complaint": ""})

    async def draft(self, request: web.Request) -> web.Response:
        """Keep what is not saved, under the key in the query."""
        text = (await _body(request)).decode("utf-8", "replace")
        await asyncio.to_thread(self._drafts.put, request.query.get("key", ""), text)
        return web.json_response({})

    async def picture(self, request: web.Request) -> web.Response:
        """Draw the board as `nldraw` does."""
        form = request.match_info["form"]
        if form not in PICTURE_TYPES:
            return refuse(404, f"there is no picture {form!r}")
        body = await _body(request)
        async with self._drawing:
            data = await asyncio.to_thread(lambda: picture(_document(body), form, request.query))
        return web.Response(body=data, content_type=PICTURE_TYPES[form])

    async def samples(self, request: web.Request) -> web.Response:
        """Send the boards to begin with."""
        return await _reply(lambda: {"samples": samples()})

    async def route(self, request: web.Request) -> web.StreamResponse:
        """Route, and stream the news as lines of JSON until the end or until the page leaves."""
        body = await _body(request)
        await asyncio.to_thread(parse_task, body)  # The process would tell it too late.
        response = web.StreamResponse()
        response.content_type = "application/x-ndjson"
        await response.prepare(request)
        if self._routing.locked():
            await response.write(b'{"waiting": true}\n')
        async with self._routing:
            self._job = RoutingJob(self._options)
            try:
                async for line in self._job.run(body):
                    await response.write(line)
                await response.write_eof()
                return response
            finally:
                # A page that leaves ends up here too: that is how it stops the search.
                await self._job.stop()
                self._job = None

    async def line(self, request: web.Request) -> web.Response:
        """Draw the line whose number is in the query, past all that is drawn."""
        from nlrouter.routing.one_line import draw_line

        def work(document: Document) -> dict[str, Any]:
            number = request.query.get("number", "")
            if number not in [str(line.number) for line in document.problem.lines]:
                raise BadRequest("there is no such line")
            require_shape("the drawing", document.answer, document.problem)
            drawn = draw_line(document.problem, document.answer, int(number))
            return {"answer": None if drawn is None else drawn.tolist()}

        return await self._with_document(request, work)

    async def close(self, app: web.Application) -> None:
        """End a search that is still going on."""
        if self._job is not None:
            await self._job.stop()

    async def _with_document(
        self, request: web.Request, work: Callable[[Document], dict[str, Any]]
    ) -> web.Response:
        """Answer with what ``work`` makes of the document in the request's body."""
        body = await _body(request)
        return await _reply(lambda: work(_document(body)))


def _pages(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, tuple[str, str]]]:
    """Give the page's files with their types, by their paths below the folder."""
    for file in folder.iterdir():
        if file.is_dir():
            yield from _pages(file, f"{prefix}{file.name}/")
        for ending, content_type in CONTENT_TYPES.items():
            if file.name.endswith(ending):
                yield prefix + file.name, (file.read_text(encoding="utf-8"), content_type)


def _document(body: bytes) -> Document:
    return parse_document(parse_fields(body))


def _save_request(kind: str, body: bytes) -> SaveRequest:
    """Read a request's document, with ``seen`` and ``accepted`` if they are there."""
    fields = parse_fields(body, ("seen", "accepted"))
    seen, accepted = fields.get("seen", {}), fields.get("accepted", [])
    if not isinstance(seen, dict) or not all(
        isinstance(digest, str | None) for digest in seen.values()
    ):
        raise BadRequest("'seen' is no object of digests")
    if not isinstance(accepted, list) or not all(isinstance(code, str) for code in accepted):
        raise BadRequest("'accepted' is no list of codes")
    return SaveRequest(parse_document(fields), kind, seen, frozenset(accepted))


async def _reply(work: Callable[[], dict[str, Any]]) -> web.Response:
    """Do the work in a thread, so that other requests go on, and send what it returns."""
    return web.json_response(await asyncio.to_thread(work))


async def _read_file(
    request: web.Request, parse: Callable[[str, str], dict[str, Any]]
) -> web.Response:
    """Answer with what ``parse`` makes of an uploaded text and its name, which the query has.

    The text may well be wrong, as while somebody types it. What is wrong is then the answer:
    browsers take a refusal for an error of the page.
    """
    name = request.query.get("name") or "the file"
    data = await _body(request, name)
    try:
        return await _reply(lambda: parse(decode(data, name), name))
    except FileError as error:
        return web.json_response({"error": str(error)})


async def _body(request: web.Request, name: str = "the drawing") -> bytes:
    """Return the request's body, or refuse it if it is too large."""
    try:
        return await request.read()
    except web.HTTPRequestEntityTooLarge as error:
        limit = f"at most {request.client_max_size} bytes"
        raise _TooLarge(name, None, "a larger file", limit) from error
    except web.RequestPayloadError as error:
        raise BadRequest("the request does not hold what its head says") from error


class _TooLarge(FileError):
    """A body that is not read to its end."""


@web.middleware
async def _tell_errors(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer a bad request in JSON, with the sentence that the command line would print."""
    try:
        return await handler(request)
    except _TooLarge as error:
        return refuse(413, str(error))
    except (BadRequest, FileError) as error:
        return refuse(400, str(error))
    except web.HTTPException as error:
        return refuse(error.status, error.reason)
