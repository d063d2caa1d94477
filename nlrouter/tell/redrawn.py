"""Text on a terminal that is redrawn in place, by rich."""

from __future__ import annotations

from typing import TextIO, cast

from rich.console import Console, RenderableType
from rich.live import Live
from rich.text import Text

from nlrouter.tell.stream import emit


class Redrawn:
    """What is shown at the moment below the lines of a terminal.

    Parameters
    ----------
    stream
        The terminal.
    """

    def __init__(self, stream: TextIO) -> None:
        self.console = _Console(file=cast(TextIO, _Stream(stream)), highlight=False)
        self._live: Live | None = None

    def show(self, content: RenderableType) -> None:
        """Show this in place of what is shown; a text is one line, cut where the terminal ends."""
        if isinstance(content, str):
            content = Text(content, no_wrap=True, overflow="ellipsis")
        if self._live is None:
            self._live = Live(
                console=self.console,
                auto_refresh=False,
                transient=True,
                redirect_stdout=False,
                redirect_stderr=False,
            )
            self._live.start()
        self._live.update(content, refresh=True)

    def clear(self) -> None:
        """Wipe it; the cursor is at the start of an empty line, ready for other text."""
        if self._live is not None:
            self._live.stop()
            self._live = None


class _Stream:
    """A stream as rich writes to it, whose reader may leave."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.encoding = getattr(stream, "encoding", None) or "utf-8"

    def write(self, text: str) -> int:
        """Write at once, and go on where that does not work."""
        emit(self._stream, text)
        return len(text)

    def flush(self) -> None:
        """Do nothing: all is written at once."""

    def isatty(self) -> bool:
        """Tell whether it is a terminal."""
        return self._stream.isatty()


class _Console(Console):
    """A console that leaves the cursor alone: a search that is killed could not bring it back."""

    def show_cursor(self, show: bool = True) -> bool:  # noqa: ARG002, FBT - as rich has it.
        """Leave the cursor as it is."""
        return False
