"""What a writer raises where its format has no words."""

from __future__ import annotations


class CannotSay(Exception):
    """A puzzle that a format cannot express.

    Parameters
    ----------
    text
        One sentence that says what cannot be expressed.
    constraint
        The constraint that is to blame; None if it is no single one.
    """

    def __init__(self, text: str, constraint: object = None) -> None:
        super().__init__(text)
        self.constraint = constraint
