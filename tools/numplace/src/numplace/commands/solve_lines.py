"""``numplace solve --lines``: many grids, one a line, as fast as they come."""

from __future__ import annotations

import argparse
import json
from collections import Counter

from numplace.commands.options import note, say


def solve_lines(args: argparse.Namespace) -> int:
    """Solve all grids of a file in their order; return the exit code.

    Each line of the output is the answer of one grid, or ``none`` or ``unknown``.
    """
    from nlrouter.deadline import Deadline
    from nlrouter.files.errors import FileError
    from nlrouter.files.text import read_text
    from numplace.exit_codes import NO_SOLUTION, NOT_DONE, NOT_UNIQUE, SUCCESS, worst
    from numplace.files.answers import are_answer_lines
    from numplace.files.lines81 import grid_lines
    from numplace.files.write import require_places, require_replaceable
    from numplace.result import Status
    from numplace.solve.batch import solve_grids

    deadline = Deadline(args.time_limit)
    name, text = read_text(args.file)
    if args.proof is not None:
        raise FileError(name, None, "many puzzles (--lines)", "one, for a proof")
    require_places([args.output], [args.file])
    if args.output is not None and not args.force:
        require_replaceable(args.output, are_answer_lines)
    lines = list(grid_lines(text))
    counts: Counter[Status] = Counter()
    out = []
    try:
        for answer, status in solve_grids(lines, name, deadline):
            counts[status] += 1
            if args.json:
                out.append(json.dumps({"status": str(status), "answer": answer}) + "\n")
            else:
                out.append((answer or str(status)) + "\n")
    except KeyboardInterrupt:  # Which loses no answer.
        _give(args, out)
        raise
    _give(args, out)
    if not args.quiet:
        told = ", ".join(f"{counts[status]} {status}" for status in Status)
        note(f"{name}: {len(lines)} grids: {told}  {deadline.elapsed():.2f} s")
    codes = {Status.UNIQUE: SUCCESS, Status.NONE: NO_SOLUTION, Status.UNKNOWN: NOT_DONE}
    codes[Status.SEVERAL] = NOT_UNIQUE if args.unique else SUCCESS
    return worst(codes[status] for status in counts)


def _give(args: argparse.Namespace, lines: list[str]) -> None:
    """Write or print the answers."""
    from numplace.files.write import write

    if args.output is None:
        say("".join(lines))
    elif lines:
        write(args.output, "".join(lines))
