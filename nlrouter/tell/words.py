"""Progress, summaries and figures in words."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from nlrouter.result import Outcome, Progress, format_gap
from nlrouter.tally import Tally

MOST_NAMED = 6
"""Lines that are named while they are in each other's way: as many as fit into a row."""


def format_progress(progress: Progress) -> str:
    """Return time, cost, bound and gap of one moment; a hyphen for what is not known yet.

    While there is no answer, it tells how many lines are in each other's way, and names a few.
    """
    cost, bound, gap = progress.cost, progress.lower_bound, progress.standing.gap
    words = [
        f"{progress.seconds:6.1f} s",
        f"cost {'-' if cost is None else cost.total}",
        f"bound {'-' if bound is None else bound}",
        f"gap {'-' if gap is None else format_gap(gap)}",
    ]
    if missing := progress.missing():
        few = ", ".join(map(str, missing[:MOST_NAMED])) + ", ..." * (len(missing) > MOST_NAMED)
        words.append(f"{len(missing)} line{'s' * (len(missing) > 1)} left: {few}")
    return "  ".join(words)


def format_summary(result: Outcome, fixed: Collection[int] = ()) -> str:
    """Return the line that says how a search ended, with quality and fixed lines."""
    status, _, rest = str(result).partition("  ")
    if fixed:
        status += f" with line{'s' * (len(fixed) > 1)} {format_numbers(fixed)} fixed"
    if result.cost is not None:
        cost = str(result.cost)
        rest = rest.replace(cost, f"{cost}  quality {result.cost.quality:.6f}", 1)
    return f"{status}  {rest}"


def format_methods(methods: Mapping[str, Tally]) -> list[str]:
    r"""Return the lines of a table of what methods have cost and gained, the dearest first.

    Examples
    --------
    >>> print("\n".join(format_methods({"prices": Tally(3, 0.5, 0, 12.25)})))
    method                calls  seconds  better    raised
    prices                    3     0.50       0      12.2
    """
    lines = [f"{'method':<20} {'calls':>6} {'seconds':>8} {'better':>7} {'raised':>9}"]
    for name, tally in sorted(methods.items(), key=lambda item: -item[1].seconds):
        if tally.calls:
            lines.append(
                f"{name:<20} {tally.calls:>6} {tally.seconds:>8.2f} {tally.better:>7} "
                f"{tally.raised:>9.1f}"
            )
    return lines


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
