"""Steps in English."""

from __future__ import annotations

from numplace.logic.ladder import LADDER
from numplace.logic.words import Words

ENGLISH = Words(
    techniques={technique.name: technique.name for technique in LADDER},
    name=lambda name: name,
    within=lambda names: f"in {', '.join(names)}",
    places=lambda cell, digit: f"{cell} = {digit}",
    loses=lambda cell, digits: f"{cell} loses {', '.join(map(str, digits))}",
    assumed=lambda text: f"on {text}",
    if_unique=" (if there is only one solution)",
)
