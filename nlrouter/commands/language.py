"""The language of the person in front of the terminal. Light to import."""

from __future__ import annotations

import locale
import os

CODES = ("en", "ja")
"""The languages that there are, by ISO 639."""


def preferred() -> str:
    """Return the code of the locale's language if there are words of it, else English.

    `LC_ALL`, `LC_MESSAGES` and `LANG` tell, in this order, as POSIX has it; on a system that
    does not know them, the locale of the user does.
    """
    names = [os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG")]
    name = next((name for name in names if name), None) or locale.getlocale()[0] or ""
    # Windows says Japanese_Japan.
    return "ja" if name.lower().startswith("ja") else "en"
