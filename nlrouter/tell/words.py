"""Progress, summaries and figures in words."""

from __future__ import annotations

from collections.abc import Collection

from nlrouter.result import Outcome, Progress, format_gap


def format_progress(progress: Progress) -> str:
    """Return time, cost, bound and gap of one moment; a hyphen for what is not known yet."""
    cost, bound, gap = progress.cost, progress.lower_bound, progress.standing.gap
    return "  ".join(
        [
            f"{progress.seconds:6.1f} s",
            f"cost {'-' if cost is None else cost.total}",
            f"bound {'-' if bound is None else bound}",
            f"gap {'-' if gap is None else format_gap(gap)}",
        ]
    )


def format_summary(result: Outcome, fixed: Collection[int] = ()) -> str:
    """Return the line that says how a search ended, with quality and fixed lines."""
    status, _, rest = str(result).partition("  ")
    if fixed:
        status += f" with line{'s' * (len(fixed) > 1)} {format_numbers(fixed)} fixed"
    if result.cost is not None:
        cost = str(result.cost)
        rest = rest.replace(cost, f"{cost}  quality {result.cost.quality:.6f}", 1)
    return f"{status}  {rest}"


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
