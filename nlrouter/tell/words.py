"""Progress, summaries and figures in words."""

from __future__ import annotations

from collections.abc import Collection

from nlrouter.answer import Cost
from nlrouter.result import Progress, Result


def format_progress(progress: Progress) -> str:
    """Return time, cost, bound and gap of one moment; a hyphen for what is not known yet."""
    cost, bound = progress.cost, progress.lower_bound
    gap = None if cost is None or bound is None else (cost.total - bound) / cost.total
    return "  ".join(
        [
            f"{progress.seconds:6.1f} s",
            f"cost {'-' if cost is None else cost.total}",
            f"bound {'-' if bound is None else bound}",
            f"gap {'-' if gap is None else format_gap(gap)}",
        ]
    )


def format_summary(result: Result, fixed: Collection[int] = ()) -> str:
    """Return the line that says how a search ended, with fixed lines, without the unknown."""
    parts = [str(result.status)]
    if fixed:
        parts[0] += f" with line{'s' * (len(fixed) > 1)} {format_numbers(fixed)} fixed"
    if result.cost is not None:
        parts.append(format_cost(result.cost))
        parts.append(f"quality {result.cost.quality:.6f}")
    if result.reason:
        parts.append(result.reason)
    if result.lower_bound is not None:
        parts.append(f"bound {result.lower_bound}")
    if result.gap:
        parts.append(f"gap {format_gap(result.gap)}")
    parts.append(f"{result.seconds:.1f} s")
    return "  ".join(parts)


def format_cost(cost: Cost) -> str:
    """Return a cost with its two parts, ``cost 97 = 84 cells + 13 bends``."""
    return f"cost {cost.total} = {cost.length} cells + {cost.bends} bends"


def format_numbers(numbers: Collection[int]) -> str:
    """Return numbers in order, three and more in a row as a range: ``1, 3-6``."""
    rows: list[list[int]] = []
    for number in sorted(numbers):
        if rows and number == rows[-1][-1] + 1:
            rows[-1].append(number)
        else:
            rows.append([number])
    return ", ".join(
        f"{row[0]}-{row[-1]}" if len(row) > 2 else ", ".join(map(str, row)) for row in rows
    )


def format_gap(gap: float) -> str:
    """Return a gap in percent, with enough digits that an open gap never reads 0."""
    percent = 100 * gap
    return f"{percent:.1f} %" if percent >= 1 or percent == 0 else f"{percent:.2g} %"
