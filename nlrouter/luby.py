"""Luby's sequence: how long to try before starting over, where luck decides.

No other schedule of lengths beats it by more than a logarithmic factor (M. Luby, A. Sinclair,
D. Zuckerman, Optimal speedup of Las Vegas algorithms, 1993).
"""


def luby(number: int) -> int:
    """Return an element of the sequence 1, 1, 2, 1, 1, 2, 4, 1, 1, 2, ..., the first being 1."""
    size = number.bit_length()
    if number + 1 == 1 << size:
        return 1 << (size - 1)
    return luby(number + 1 - (1 << (size - 1)))
