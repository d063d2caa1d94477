"""Stands in for nlroute on the board of `PROBLEM`; the first argument is a scenario.

``optimal`` is at its end at once, ``later2`` finds a detour and is at its end after 2 seconds,
``slow`` finds a detour and goes on until its time is up, ``infeasible`` says that there is no
answer, ``crash`` fails. All can be stopped.
Imports nothing, so that it is quick.
"""

import json
import os
import signal
import sys
import time
from itertools import pairwise
from pathlib import Path

PROBLEM = "SIZE 4X3X1\nLINE_NUM 1\nLINE#1 (0,0,1) (3,0,1)\n"
STRAIGHT_4 = "SIZE 4X3X1\nLAYER 1\n01,01,01,01\n00,00,00,00\n00,00,00,00\n"
DETOUR_8 = "SIZE 4X3X1\nLAYER 1\n01,00,00,01\n01,01,01,01\n00,00,00,00\n"
CUT = "SIZE 4X3X1\nLAYER 1\n01,01,00,01\n00,00,00,00\n00,00,00,00\n"


def main(scenario: str, *arguments: str) -> int:
    """Do what the scenario says."""
    values = dict(pairwise(arguments))
    answer = Path(values["-o"])
    stopped = []
    signal.signal(signal.SIGTERM, lambda *_: stopped.append(True))
    if scenario == "crash":
        print("nlroute: out of luck", file=sys.stderr)
        return 1
    if scenario == "infeasible":
        print(json.dumps({"status": "infeasible", "lower_bound": None}))
        return 3
    if scenario != "optimal":
        write(answer, DETOUR_8)
        moment = {"seconds": 0.1, "cost": 8, "lower_bound": 1, "gap": 0.875, "phase": "prove"}
        print(json.dumps(moment), file=sys.stderr, flush=True)
        wait = float(values["--time-limit"] if scenario == "slow" else scenario[len("later") :])
        end = time.monotonic() + wait
        while time.monotonic() < end and not stopped:
            time.sleep(0.02)
        if scenario == "slow" or stopped:
            print(json.dumps({"status": "feasible", "lower_bound": 2}))
            return 0
    write(answer, STRAIGHT_4)
    print(json.dumps({"status": "optimal", "lower_bound": 4}))
    return 0


def write(path: Path, text: str) -> None:
    """Replace a file as a whole, as nlroute does."""
    other = path.with_suffix(".new")
    other.write_text(text)
    os.replace(other, path)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
