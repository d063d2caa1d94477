"""Sums as clauses by a network of adders.

Eén and Sörensson, "Translating Pseudo-Boolean Constraints into SAT", JSAT 2 (2006): the bits of all
weights go into buckets by their place; three bits of a bucket become their sum and a carry for the
next, until each bucket holds one, the bit of the total.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from numplace.sat.cnf import Cnf


def add_sum(
    cnf: Cnf, terms: Sequence[tuple[int, int]], total: int, unless: Sequence[int] = ()
) -> None:
    """Demand that the weights of true literals sum to a total.

    Parameters
    ----------
    terms
        Weights, above 0, and literals.
    total
        The sum, 0 or more.
    unless
        Literals of which one true is enough instead.
    """
    buckets: list[list[int]] = []
    for weight, literal in terms:
        for place in range(weight.bit_length()):
            if weight >> place & 1:
                while len(buckets) <= place:
                    buckets.append([])
                buckets[place].append(literal)
    place = 0
    while place < len(buckets):
        bucket = buckets[place]
        while len(bucket) > 1:
            taken, bucket[:] = bucket[:3], bucket[3:]
            digit, carry = _adder(cnf, taken)
            bucket.append(digit)
            if place + 1 == len(buckets):
                buckets.append([])
            buckets[place + 1].append(carry)
        place += 1
    if total >> len(buckets):
        cnf.add(*unless)
        return
    for place, bucket in enumerate(buckets):
        wanted = total >> place & 1
        if bucket:
            cnf.add(*unless, bucket[0] if wanted else -bucket[0])
        elif wanted:
            cnf.add(*unless)


def _adder(cnf: Cnf, bits: Sequence[int]) -> tuple[int, int]:
    """Return the digit and the carry of two or three bits."""
    digit, carry = cnf.new(), cnf.new()
    for values in product((False, True), repeat=len(bits)):
        here = [-bit if value else bit for bit, value in zip(bits, values, strict=True)]
        cnf.add(*here, digit if sum(values) % 2 else -digit)
    size = len(bits)
    for a in range(size):
        for b in range(a + 1, size):
            cnf.add(-bits[a], -bits[b], carry)
            if size == 3:
                cnf.add(bits[a], bits[b], -carry)
    if size == 2:
        cnf.add(bits[0], -carry)
        cnf.add(bits[1], -carry)
    return digit, carry
