"""Who may ask the server: this machine's browser, on the page whose address was printed.

The socket listens on loopback alone. Still any page of any site can send requests there, under
a name of its own that resolves to 127.0.0.1 ("DNS rebinding") or as a second origin. A request
passes if its host is loopback, its origin, if it tells one, is this server, and, unless it is
for the page's own files, it carries the token of the address.

A browser that is started for the user gets a ticket in place of the token: other users of the
machine can read its command line, but a page exchanges the ticket at once, and it is worth nothing
after that.
"""

from __future__ import annotations

import hmac
import secrets

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

TOKEN_HEADER = "X-Nlview-Token"
"""Header of the token. A page of another origin cannot set one without being asked first."""

ENTRANCE = "/api/enter"
"""Where a ticket is exchanged."""

NO_TOKEN = "the address lacks its token: open the one that nlview printed"

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; img-src 'self' blob:; frame-ancestors 'none'; "
    "form-action 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",  # The address holds the token.
    "X-Content-Type-Options": "nosniff",
}


def guard(token: str) -> Middleware:
    """Return the middleware that lets through what may ask."""

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        reason = _objection(request, token)
        response = await handler(request) if reason is None else refuse(403, reason)
        if not response.prepared:
            response.headers.update(HEADERS)
        return response

    return check


class Ticket:
    """A code that is worth the token, once.

    Parameters
    ----------
    token
        The token.
    """

    def __init__(self, token: str) -> None:
        self.code = secrets.token_urlsafe(16)
        self._token = token
        self._is_valid = True

    def exchange(self, code: str) -> str | None:
        """Return the token, if this is the code and nobody has come with it before."""
        if not self._is_valid or not _is_same(code, self.code):
            return None
        self._is_valid = False
        return self._token


def refuse(status: int, reason: str) -> web.Response:
    """Return an answer that tells why a request is refused."""
    return web.json_response({"error": reason}, status=status)


def _objection(request: web.Request, token: str) -> str | None:
    """Say why a request must not pass, or None if it may."""
    assert request.transport is not None
    port = request.transport.get_extra_info("sockname")[1]
    if request.headers.get("Host") not in {f"127.0.0.1:{port}", f"localhost:{port}"}:
        return "this server answers to 127.0.0.1 only"
    if request.headers.get("Origin", f"http://{request.host}") != f"http://{request.host}":
        return "this server answers to its own page only"
    if not request.path.startswith("/api/") or request.path == ENTRANCE:
        return None
    return None if _is_same(request.headers.get(TOKEN_HEADER, ""), token) else NO_TOKEN


def _is_same(given: str, secret: str) -> bool:
    """Compare in a time that tells nothing about the secret."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), secret.encode())
