"""Rehearse a contest: nlsubmit against the stand-in service, with faults and kills.

Serves boards of problems/, plays the day by ``nlsubmit run`` in a process of its own, kills
that process the hard way and starts it again, and says at the end whether every board has one
correct answer, whether one was sent twice, and how far apart the alive reports were.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

from adc_contest import Contest, Fault, parse_fault
from adc_server import serve
from arguments import checked, positive
from interrupt import interruptible

from nlrouter.commands.option_types import whole_number
from nlrouter.files.problem_file import read_problem

ROOT = Path(__file__).resolve().parent.parent
NLSUBMIT = (sys.executable, "-m", "nlrouter.commands.nlsubmit")
USER, PASSWORD = "team", "practice"
ALIVE_LIMIT = 180.0
"""Seconds between two alive reports that the rules allow."""

BURST = 10.0
"""Seconds in which every call is answered 503."""

USUAL_FAULTS = (
    Fault("drop", chance=0.08),
    Fault("busy", chance=0.05),
    Fault("lose", chance=0.08),
    Fault("half", chance=0.08),
    Fault("page", chance=0.03),
    Fault("expire", chance=0.05),
    Fault("slow", chance=0.03, seconds=15.0),
)
"""About one call in three goes wrong."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Play one contest and print its figures; return 0 if all is as it should be."""
    options = _parse(arguments)
    boards = options.problems or sorted(
        path for path in (ROOT / "problems").glob("*.txt") if not path.stem.startswith("infeasible")
    )
    boards = boards[: options.boards]
    # Numbers with gaps, as the service's; bytes, as some boards have CRLF or a byte-order mark.
    problems = {2 * index + 1: path.read_bytes().decode() for index, path in enumerate(boards)}
    contest = Contest(
        problems,
        {USER: PASSWORD},
        schedule=[("im1", 0.0), ("Aup", options.wait), ("im2", options.wait + options.seconds)],
        faults=list(options.fault if options.fault is not None else USUAL_FAULTS),
        seed=options.seed,
    )
    with ExitStack() as stack:
        folder = options.folder or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(parents=True, exist_ok=True)
        url = stack.enter_context(serve(contest, prefix="/adc"))
        code = play(url, contest, folder, options)
    return report(contest, code)


def play(url: str, contest: Contest, folder: Path, options: argparse.Namespace) -> int:
    """Run the client to its end, with kills and bursts on the way; return its exit code."""
    total = options.wait + options.seconds
    command = [*NLSUBMIT, "run", "--service", url, "--user", USER]
    command += ["--state", str(folder / "state"), "--until", f"{total:.0f}"]
    if options.workers:
        command += ["--workers", str(options.workers)]
    rng = random.Random(options.seed)
    kills = sorted(options.wait + options.seconds * rng.random() for _ in range(options.kills))
    bursts = sorted(options.wait + options.seconds * rng.random() for _ in range(options.bursts))
    burst = Fault("busy", count=0)
    contest.faults.insert(0, burst)
    with open(folder / "log.txt", "a") as log:

        def start() -> subprocess.Popen[bytes]:
            environment = os.environ | {"NLSUBMIT_PASSWORD": PASSWORD}
            return subprocess.Popen(command, stderr=log, env=environment)

        process = start()
        while process.poll() is None:
            time.sleep(0.2)
            now = time.time() - contest.started
            if bursts and now >= bursts[0]:
                burst.count = None if now < bursts[0] + BURST else 0
                if burst.count == 0:
                    bursts.pop(0)
            if kills and now >= kills[0]:
                kills.pop(0)
                process.kill()
                process.wait()
                contest.struck["client killed"] += 1
                print(f"{now:6.1f} s  client killed and started again", flush=True)
                process = start()
        print(f"{time.time() - contest.started:6.1f} s  client ended", flush=True)
        return process.returncode


def report(contest: Contest, code: int) -> int:
    """Print the figures; return 0 if they are as they should be."""
    correct = sum(stored.correct for stored in contest.answers.values())
    informed = sum(stored.cpu_sec is not None for stored in contest.answers.values())
    puts = Counter(put.number for put in contest.puts)
    twice = sorted(number for number, count in puts.items() if count > 1)
    times = [moment for moment, _ in contest.alive.get(USER, [])]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    print(f"boards             {len(contest.problems)}")
    print(f"correct answers    {correct}")
    print(f"wrong answers      {len(contest.answers) - correct}")
    print(f"with info          {informed}")
    print(f"answers put twice  {len(twice)} {twice or ''}")
    print(f"alive reports      {len(times)}, at most {max(gaps, default=0.0):.1f} s apart")
    print(f"points             {contest.score()[USER]:.3f}")
    print("faults             " + ", ".join(f"{k} {n}" for k, n in sorted(contest.struck.items())))
    print(f"client's exit code {code}")
    fine = correct == informed == len(contest.problems) and not twice and code == 0
    return 0 if fine and max(gaps, default=0.0) <= ALIVE_LIMIT else 1


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "problems",
        nargs="*",
        type=checked(read_problem),
        metavar="PROBLEM",
        help="default: those of problems/",
    )
    parser.add_argument("--boards", type=whole_number(1), default=20, help="at most (default: 20)")
    parser.add_argument("--seconds", type=positive, default=600.0, help="of Aup (default: 600)")
    parser.add_argument("--wait", type=float, default=5.0, help="before Aup (default: 5)")
    parser.add_argument("--kills", type=int, default=2, help="of the client (default: 2)")
    parser.add_argument(
        "--bursts", type=int, default=5, help="of ten seconds of 503 each (default: 5)"
    )
    parser.add_argument(
        "--fault",
        type=parse_fault,
        action="append",
        help="as for adc_server.py, instead of the usual ones",
    )
    parser.add_argument("--workers", type=int, help="for nlroute")
    parser.add_argument("--seed", type=int, default=0, help="of faults, kills and bursts")
    parser.add_argument("--folder", type=Path, help="keeps log and state (default: nothing kept)")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(interruptible(main))
