"""Measure how much of its bounds nlroute's certificates show, and print the tables of proofs.md.

A run of each board writes an answer and a certificate, and nlcheck checks it in a process of its
own, which knows nothing of the search. What that says is kept, a line of JSON a board, as soon as
it is known; a board that is kept is not run again.

Prints a row per board: what `tools/bench.py` measured of it (medians over its seeds), and what the
certificate shows and how long its check takes. The exit code is 1 if a check refuses, or if more is
verified than an answer costs.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import inf
from pathlib import Path

from arguments import checked, kept, positive, read_kept, readable
from bench import RECORDED, files_of, known_of, read_figures, show
from bench_runs import Figures
from interrupt import interruptible

from nlrouter.commands.option_types import whole_number

COMMANDS = (sys.executable, "-m")
VERDICT = re.compile(r"^bound (?P<claimed>\d+): (?:(?P<part>\d+) verified,|verified$)", re.M)
"""What nlcheck says of a certificate."""


@dataclass(frozen=True)
class Verified:
    """What a certificate shows of a board.

    Parameters
    ----------
    board
        The board's folder and name.
    bound
        What is verified; None without a certificate, as of a board that has no answer.
    seconds
        Time of the whole check.
    refused
        What the check said where it refused, or empty.
    """

    board: str
    bound: int | None
    seconds: float
    refused: str


def main(arguments: Sequence[str] | None = None) -> int:
    """Do the runs that are missing, print the table and return the exit code."""
    options = _parse(arguments)
    rows = read_figures(options.bench) if options.bench.exists() else {}
    found = {verified.board: verified for verified in read_kept(options.runs, Verified)}
    boards = {f"{path.resolve().parent.name}/{path.stem}": path for path in options.boards}
    for name, path in boards.items():
        if name not in found:
            found[name] = measure(name, path, options.time_limit, options.workers)
            with options.runs.open("a") as file:
                file.write(json.dumps(asdict(found[name])) + "\n")
            print(found[name], file=sys.stderr)
    figures = {name: rows.get(name) for name in boards}
    known = {name: known_of(path) for name, path in boards.items()}
    best = {name: each.best_cost for name, each in known.items() if each is not None}
    print("\n".join(table(figures, found, best)))
    wrong = [
        name
        for name, each in figures.items()
        if found[name].refused or (each and (found[name].bound or 0) > (each.cost or inf))
    ]
    for name in wrong:
        print(f"wrong: {name}: {found[name]}", file=sys.stderr)
    return int(bool(wrong))


def measure(name: str, path: Path, limit: float, workers: int) -> Verified:
    """Route a board, and check its certificate."""
    with tempfile.TemporaryDirectory() as folder:
        answer, certificate = Path(folder, "answer.txt"), Path(folder, "certificate.json")
        route = [*COMMANDS, "nlrouter.commands.nlroute", str(path), "-o", str(answer)]
        route += ["--certificate", str(certificate), "--time-limit", f"{limit:g}", "--quiet"]
        subprocess.run([*route, "--workers", str(workers)], capture_output=True, check=False)
        if not (certificate.exists() and answer.exists()):
            return Verified(name, None, 0.0, "")
        check = [*COMMANDS, "nlrouter.commands.nlcheck", "--input", str(path)]
        check += ["--target", str(answer), "--certificate", str(certificate)]
        start = time.monotonic()
        done = subprocess.run(check, capture_output=True, text=True, check=False)
        seconds = time.monotonic() - start
    said = VERDICT.search(done.stdout)
    if done.returncode or said is None:
        return Verified(name, None, seconds, (done.stdout + done.stderr).strip())
    return Verified(name, int(said["part"] or said["claimed"]), seconds, "")


def table(
    figures: dict[str, Figures | None], kept: dict[str, Verified], best: dict[str, int | None]
) -> Iterable[str]:
    """Return the lines of the table in Markdown, with best costs where there are any."""
    titles = ["board", "first", "cost", "bound", "status", "seconds"]
    titles += [*(["known"] if best else []), "verified", "check s"]
    yield f"| {' | '.join(titles)} |"
    yield f"|{'|'.join('---' if each in ('board', 'status') else '---:' for each in titles)}|"
    for name, each in figures.items():
        cells = ["-"] * 5
        if each is not None:
            cells = [show(each.first, ".1f"), show(each.cost), show(each.bound), each.status]
            cells.append(f"{each.seconds:.1f}")
        cells += [show(best.get(name))] if best else []
        verified = kept[name]
        shown = verified.bound is not None
        cells += [show(verified.bound), f"{verified.seconds:.1f}" if shown else "-"]
        yield f"| {name if best else name.split('/')[-1]} | {' | '.join(cells)} |"


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("runs", type=kept(Verified), help="file of the runs, which is gone on with")
    parser.add_argument("boards", type=Path, nargs="+", help="problem files, or folders of them")
    parser.add_argument(
        "--bench",
        type=checked(readable(read_figures, "what bench.py wrote")),
        default=RECORDED,
        help="what bench.py wrote",
    )
    parser.add_argument("--time-limit", type=positive, default=30.0, help="seconds of a search")
    parser.add_argument("--workers", type=whole_number(1), default=2, help="processes that search")
    options = parser.parse_args(arguments)
    options.boards = files_of(parser, options.boards)
    return options


if __name__ == "__main__":
    sys.exit(interruptible(main))
