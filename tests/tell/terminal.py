"""A terminal whose screen tests can look at."""

from __future__ import annotations

import io

import pyte


class Terminal(io.StringIO):
    """A terminal of 80 columns and 24 lines."""

    def isatty(self) -> bool:
        """Say that it is one."""
        return True

    def lines(self) -> list[str]:
        """Return the lines on its screen, without empty ones."""
        screen = pyte.Screen(80, 24)
        pyte.Stream(screen).feed(self.getvalue().replace("\n", "\r\n"))
        return [line.rstrip() for line in screen.display if line.strip()]
