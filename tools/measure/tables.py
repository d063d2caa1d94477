"""Tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def show(value: float | None, form: str = "g") -> str:
    """Return a figure for a table."""
    return "-" if value is None else format(value, form)


def print_table(titles: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Print a table, each row as soon as it is there; its first column is one of names."""
    print(f"| {' | '.join(titles)} |\n|---|{'---:|' * (len(titles) - 1)}", flush=True)
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)
