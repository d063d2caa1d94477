"""numplace: number place puzzles solved, counted, checked, explained and made."""

__version__ = "0.2.0"
