"""The numbers of cells: in a frame, as the engine has them, and without, as certificates do."""

from __future__ import annotations


def unframed(cell: int, stride: int) -> int:
    """Return a framed cell's number without the frame; ``stride`` is that of framed rows."""
    row, column = divmod(int(cell), stride)
    return (row - 1) * (stride - 2) + column - 1


def framed(cell: int, stride: int) -> int:
    """Return the number that a cell without a frame has in one."""
    row, column = divmod(cell, stride - 2)
    return (row + 1) * stride + column + 1
