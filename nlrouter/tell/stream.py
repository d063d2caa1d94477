"""Writing to a terminal or pipe whose reader may have left."""

from __future__ import annotations

import errno
import os
from typing import TextIO


def emit(stream: TextIO | None, text: str) -> bool:
    """Write ``text`` at once; return whether that worked. See `write`."""
    try:
        write(stream, text)
    except OSError:
        return False
    return True


def write(stream: TextIO | None, text: str) -> None:
    """Write ``text`` at once.

    After an error the stream leads to nowhere, so that neither a reader that has left
    (``nlroute ... | head``) nor a full disk stops a search that goes on for its file.

    Raises
    ------
    OSError
        If it is not taken; `BrokenPipeError` where the reader has left.
    """
    if stream is None:  # Python's stand-in for a stream that was closed.
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    try:
        stream.write(text)
        stream.flush()
    except OSError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, stream.fileno())
        os.close(nowhere)
        raise


def is_terminal(stream: TextIO | None) -> bool:
    """Tell whether a stream is a terminal that can move its cursor."""
    return stream is not None and stream.isatty() and os.environ.get("TERM") != "dumb"
