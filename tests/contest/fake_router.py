"""Stands in for nlroute on boards of one straight line in the top row of two.

``fake_router.py MODE PROBLEM -o ANSWER ...``, where MODE says how the search ends.
"""

import json
import re
import sys
import time
from pathlib import Path


def board(width: int) -> str:
    """Return such a board."""
    return f"SIZE {width}X2X1\nLINE_NUM 1\nLINE#1 (0,0,1) ({width - 1},0,1)\n"


def main(mode: str, problem: str, answer: str) -> int:
    """Write the answer that the mode asks for, print the figures, return the exit code."""
    size = re.search(r"SIZE (\d+)X2X1", Path(problem).read_text())
    assert size
    width = int(size[1])
    row = ["1"] * width
    if mode == "crash":
        sys.exit("nlroute: out of luck")
    if mode == "wrong":
        row[1] = "0"
    if mode in ("optimal", "feasible", "wrong"):
        Path(answer).write_text(
            f"SIZE {width}X2X1\nLAYER 1\n{','.join(row)}\n{','.join('0' * width)}\n"
        )
    if mode == "endless":
        time.sleep(60)
    bound = {"optimal": width, "wrong": width, "infeasible": None}.get(mode, width - 1)
    print(json.dumps({"status": mode, "lower_bound": bound}))
    return {"infeasible": 3, "unknown": 1}.get(mode, 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[4]))
