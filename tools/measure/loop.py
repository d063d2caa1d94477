"""Does the runs that are missing, several side by side, and keeps each as soon as it is done."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from concurrent.futures import as_completed
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path

from interrupt import processes

from measure.boards import Board
from measure.records import Run, RunKey, read_runs

Work = Callable[[Board, RunKey], Run]


def tell(run: Run) -> None:
    """Say on standard error that a run is done."""
    key = run.key
    words = [f"{key.board} seed {key.seed}", key.version, f"{run.status} {run.cost}", run.error]
    print(": ".join(filter(None, words)), file=sys.stderr)


def measure(
    todo: Iterable[tuple[Work, Board, RunKey]],
    file: Path | None = None,
    jobs: int = 1,
    hear: Callable[[Run], None] = tell,
) -> list[Run]:
    """Return a run of each key.

    Parameters
    ----------
    todo
        What is to be done: how, on which board, and as which key. It can be pickled.
    file
        Keeps the runs, a line of JSON each. A run that it has is not done again.
    jobs
        How many go on side by side.
    hear
        Told of each run as soon as it is done; of one job after the other, in their order.
    """
    kept = {} if file is None else {run.key: run for run in read_runs(file)}
    with processes(jobs) as pool, file.open("a") if file else nullcontext() as out:
        runs = []
        missing = []
        for work, board, key in todo:
            if key in kept:
                runs.append(kept[key])
            else:
                missing.append(pool.submit(work, board, key))
        for future in missing if jobs == 1 else as_completed(missing):
            run = future.result()
            if out is not None:
                out.write(json.dumps(asdict(run)) + "\n")
                out.flush()
            runs.append(run)
            hear(run)
    return runs
