"""What ``nlview`` does: show a board in the browser, to draw on it."""

from __future__ import annotations

import argparse
import os
import secrets
import threading
import webbrowser

from aiohttp import web

from nlrouter.commands.frame import Exit, complain, say
from nlrouter.view.guard import Ticket
from nlrouter.view.routing_job import RoutingOptions
from nlrouter.view.server import listen, listen_for, make_app, report_own_errors_only
from nlrouter.view.session import Session


def run(args: argparse.Namespace) -> Exit:
    """Read the files, then serve the page until the end of the process; return the exit code."""
    session = Session(args.problem, args.answer)
    try:
        listener = listen_for(args.problem) if args.port is None else listen(args.port)
    except OSError as error:
        # The error's own text names the address once more.
        found = os.strerror(error.errno) if error.errno else str(error)
        complain("nlview", f"--port: found {args.port} ({found}), expected a free port")
        return Exit.BAD_INPUT
    token = secrets.token_urlsafe(16)
    ticket = Ticket(token)
    site = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    options = RoutingOptions(args.time_limit, args.workers)
    app = make_app(session, token, options, ticket=ticket)
    say(f"{site}?token={token}", "the address")
    if args.browser:
        address = f"{site}?ticket={ticket.code}"
        # The socket already takes connections; a text browser may keep its thread for long.
        threading.Thread(target=webbrowser.open, args=(address,), daemon=True).start()
    report_own_errors_only()
    web.run_app(
        app,
        sock=listener,
        print=None,
        access_log=None,
        shutdown_timeout=1,
        handler_cancellation=True,  # A page that leaves stops its search.
    )
    return Exit.DONE
