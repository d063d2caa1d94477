"""Light and dark paper: all colours of a picture but those of its lines."""

from __future__ import annotations

from dataclasses import dataclass

from nlrouter.drawing.palette import DARK_PAPER, PAPER


@dataclass(frozen=True)
class Theme:
    """Colours as CSS hex.

    Parameters
    ----------
    paper
        What all is drawn on.
    ink
        Words, and edges of ends and vias.
    pale
        Coordinates, edges of layers, and posts of vias that no line takes.
    grid
        Edges of cells.
    stranger
        Numbers that no line has.
    wrong
        Marks of violations; white is read on it.
    """

    paper: str
    ink: str
    pale: str
    grid: str
    stranger: str
    wrong: str


LIGHT_THEME = Theme(PAPER, "#222222", "#777777", "#e4e4e4", "#000000", "#e00000")
DARK_THEME = Theme(DARK_PAPER, "#e6e6e6", "#969ba6", "#353a45", "#ffffff", "#e5201b")
