"""Who may ask the server: this machine's browser, on the page whose address was printed.

The socket listens on loopback alone. Still any page of any site can send requests there, under
a name of its own that resolves to 127.0.0.1 ("DNS rebinding") or as a second origin. A request
passes if its host is loopback, its origin, if it tells one, is this server, and, unless it is
for the page's own files, it carries the token of the address.
"""

from __future__ import annotations

import hmac

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

TOKEN_HEADER = "X-Nlview-Token"
"""Header of the token. A page of another origin cannot set one without being asked first."""

HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'self'; frame-ancestors 'none'; form-action 'none'",
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
    if request.path.startswith("/api/"):
        given = request.headers.get(TOKEN_HEADER, "")
        if not hmac.compare_digest(given.encode("utf-8", "replace"), token.encode()):
            return "the address lacks its token: open the one that nlview printed"
    return None
