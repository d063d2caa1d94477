"""The fonts of pictures: one that comes with matplotlib, and a Japanese one if there is any."""

from __future__ import annotations

from functools import cache

from matplotlib.font_manager import findfont, fontManager, get_font

MAIN = "DejaVu Sans"
"""Comes with matplotlib, so pictures look the same everywhere."""

_JAPANESE = (
    "Noto Sans CJK JP",
    "Noto Sans JP",
    "Source Han Sans JP",
    "IPAexGothic",
    "IPAGothic",
    "IPAPGothic",
    "TakaoPGothic",
    "VL PGothic",
    "VL Gothic",
    "BIZ UDPGothic",
    "Hiragino Sans",
    "Hiragino Maru Gothic Pro",
    "Yu Gothic",
    "Meiryo",
    "MS Gothic",
    "Droid Sans Fallback",
)
"""Sans-serif fonts of Linux, macOS and Windows, the one tried first that fits `MAIN` best."""


@cache
def families() -> tuple[str, ...]:
    """Return the fonts to try for each character, in this order."""
    known = set(fontManager.get_font_names())
    return MAIN, *[name for name in _JAPANESE if name in known][:1]


def has_japanese() -> bool:
    """Whether Japanese can be written."""
    return len(families()) > 1


def printable(text: str) -> str:
    """Return a text with a ``?`` for each character that no font has."""
    return "".join(char if ord(char) in _characters() else "?" for char in text)


@cache
def _characters() -> frozenset[int]:
    maps = (get_font(findfont(family)).get_charmap() for family in families())
    return frozenset(code for characters in maps for code in characters)
