"""The command ``nlview``: show a board in the browser, to draw on it.

Only light modules are imported up here, so that ``--help`` and a mistyped option wait for none.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import suppress

from nlrouter import __version__
from nlrouter.commands.option_types import cores, seconds, whole_number

DONE, _, BAD_INPUT = range(3)
"""Exit codes. `BAD_INPUT` is argparse's own for bad usage."""

EPILOG = """\
The page's address is printed; it works on this machine only, until Ctrl-C ends the command.

exit codes:
  0  ended by Ctrl-C or SIGTERM
  2  bad input or usage
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
    from nlrouter.extras import MissingExtra
    from nlrouter.files.errors import FileError

    try:
        return _serve(args)
    except (FileError, MissingExtra) as error:
        _complain(str(error))
        return BAD_INPUT
    except KeyboardInterrupt:
        return DONE


def _serve(args: argparse.Namespace) -> int:
    """Read the files, then serve the page until the end of the process."""
    from nlrouter.extras import require

    require("view")
    from aiohttp import web

    from nlrouter.tell.stream import emit
    from nlrouter.view.routing_job import RoutingOptions
    from nlrouter.view.server import listen, listen_for, make_app, report_own_errors_only
    from nlrouter.view.session import Session

    session = Session(args.problem, args.answer)
    try:
        listener = listen_for(args.problem) if args.port is None else listen(args.port)
    except OSError as error:
        # The error's own text names the address once more.
        found = os.strerror(error.errno) if error.errno else str(error)
        _complain(f"--port: found {args.port} ({found}), expected a free port")
        return BAD_INPUT
    token = secrets.token_urlsafe(16)
    address = f"http://127.0.0.1:{listener.getsockname()[1]}/?token={token}"
    app = make_app(session, token, RoutingOptions(args.time_limit, args.workers))
    emit(sys.stdout, f"{address}\n")
    if args.browser:
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
    return DONE


def _complain(message: str) -> None:
    """Say on standard error what went wrong."""
    from nlrouter.tell.stream import emit

    emit(sys.stderr, f"nlview: {message}\n")


def _parse(argv: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="nlview",
        description="Show a NumberLink problem (ADC2016) in the browser: draw an answer, have "
        "it judged while drawing, let the router finish or improve it, edit the board.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument(
        "problem",
        metavar="PROBLEM",
        nargs="?",
        help="problem file; - is standard input (default: begin with a sample or a new board)",
    )
    parser.add_argument(
        "answer",
        metavar="ANSWER",
        nargs="?",
        help="answer file, shown if it exists and written when saved (default: saved answers are "
        "downloads)",
    )
    parser.add_argument(
        "--port",
        type=_port,
        metavar="N",
        help="port on 127.0.0.1; 0 is any free one (default: the same for a board each time, if it "
        "is free, so that the browser finds again what was not saved)",
    )
    parser.add_argument(
        "--no-browser",
        dest="browser",
        action="store_false",
        help="print the address, but do not open it",
    )
    parser.add_argument(
        "--time-limit",
        type=seconds,
        default=60.0,
        metavar="S",
        help="seconds that the router searches at most when the page asks it to (default: 60)",
    )
    parser.add_argument(
        "--workers",
        type=whole_number(least=1),
        default=cores(),
        metavar="N",
        help="processes that search (default: one per core)",
    )
    parser.add_argument("--version", action="version", version=f"nlview {__version__}")
    return parser.parse_args(argv)


def _port(text: str) -> int:
    """Parse a port's number; 0 stands for any that is free."""
    with suppress(ValueError):
        if 0 <= (value := int(text)) <= 65535:
            return value
    raise argparse.ArgumentTypeError(f"{text!r} is not a port's number from 0 to 65535")


if __name__ == "__main__":
    sys.exit(main())
