"""What nets with bonds pay, for the check of a certificate.

Two nets of a layer whose ends are settled pass each other on one of two sides, and the side of one
settles that of the other (see ``curves``). So if the one pays a toll where it has side 1, and the
other is paid it where that follows from its own side, both together pay nothing in any answer: the
cheapest paths at any tolls cost no more than those of an answer.
"""

from __future__ import annotations

from nlrouter.checker.certificate.board import Case, Layers, ends_of
from nlrouter.checker.certificate.curves import curves_cross
from nlrouter.checker.certificate.limits import Refused, Work
from nlrouter.checker.certificate.walks import Toll


def tolls_of(
    board: Layers, case: Case, bonds: tuple[tuple[int, int, int], ...], work: Work
) -> tuple[dict[int, tuple[Toll, ...]], int]:
    """Return the tolls of each net that has any, none of them below 0, and what all pay anyhow.

    They are in halves of the certificate's unit.

    Those of nets whose side is settled already are left out: what the two pay and are paid cancels.

    Raises
    ------
    Refused
        If nets are tied that cannot be.
    """
    tolls: dict[int, tuple[Toll, ...]] = {}
    anyhow = 0
    for i, j, toll in bonds:
        work.add(len(board.layer))
        ends = ends_of(board, case, i, j)
        if board.layer[i] not in case.layers:
            raise Refused(f"nets {i} and {j} are not on a layer of their case")
        if (i, j) in case.sides:
            continue
        opposite = curves_cross(*ends, board.width)
        # The first net has a side for nothing; what the other one costs is paid to the second.
        free, halves = int(toll < 0), 2 * abs(toll)
        tolls[i] = (*tolls.get(i, ()), (ends[1], free, halves))
        tolls[j] = (*tolls.get(j, ()), (ends[0], 1 - free ^ opposite, halves))
        anyhow -= halves
    return tolls, anyhow
