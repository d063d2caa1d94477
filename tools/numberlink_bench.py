"""Measure puzzles: CPU seconds to a first answer, and to the proof that there is only one.

Beside the boards stands `table.csv` with what other programs need. Of each board the first answer
is looked for in a process of its own, start-up, imports and loading of compiled code not counted,
and the proof in another one. At the end, the medians and the largest ratio.
"""

from __future__ import annotations

import argparse
import csv
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from arguments import checked, require_folder
from interrupt import interruptible

ROOT = Path(__file__).resolve().parent.parent
BOARDS = ROOT.parent / "shared" / "corpus" / "numberlink"

ONE = """
import sys, time
from nlrouter import parse_problem, read_problem
from nlrouter.deadline import Deadline
from nlrouter.interface.puzzles import checked_answers
from nlrouter.rule_sets import Rules
path, rules, limit, seconds = sys.argv[1:]
problem = read_problem(path)
for small in "A.B\\nA.B", "AB\\nBA":
    checked_answers(parse_problem(small), Rules(rules), Deadline(60), 2)
deadline = Deadline(float(seconds), time.process_time)
found = checked_answers(problem, Rules(rules), deadline, int(limit))
print(deadline.elapsed(), len(found.drawings), found.verdict, sep=";")
"""
"""Measures one board; small ones are asked for before, so that all is loaded."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure and print a table; return the exit code."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "folder", nargs="?", type=checked(require_folder), default=BOARDS, metavar="FOLDER"
    )
    parser.add_argument("--boards", nargs="*", metavar="NAME", help="these only, such as P07")
    parser.add_argument("--rules", choices=("adc", "nikoli", "flow"), default="adc")
    parser.add_argument(
        "--time-limit", type=float, default=60.0, metavar="S", help="CPU seconds (default: 60)"
    )
    options = parser.parse_args(arguments)
    with open(options.folder / "table.csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    rows = [row for row in rows if not options.boards or row["board"] in options.boards]
    print("board   size    first  other  ratio   proof  other  verdict", flush=True)
    ratios, proofs, others = [], [], []
    for row in rows:
        path = str(options.folder / f"{row['board']}.txt")
        first, count, _ = measure(path, options.rules, 1, options.time_limit)
        proof, _, verdict = measure(path, options.rules, 2, options.time_limit)
        other = float(row["fastest_other_first_answer_cpu_s"])
        ratios.append(first / other if count else float("inf"))
        if row["other_proof_cpu_s"]:
            others.append(float(row["other_proof_cpu_s"]))
            proofs.append(proof if verdict != "not known" else float("inf"))
        print(
            f"{row['board']:<6}{row['size']:>7}{first:>8.4f}{other:>7.3f}{ratios[-1]:>7.1f}"
            f"{proof:>8.2f}{row['other_proof_cpu_s'] or '-':>7}  {verdict}",
            flush=True,
        )
    if ratios:
        print(f"first answer: median ratio {median(ratios):.2f}, largest {max(ratios):.1f}")
    if proofs:
        print(f"proofs the table has: median {median(proofs):.2f} s, there {median(others):.2f} s")
    return 0


def measure(path: str, rules: str, limit: int, seconds: float) -> tuple[float, int, str]:
    """Return the CPU seconds for a board, how many answers were found, and the verdict."""
    command = [sys.executable, "-c", ONE, path, rules, str(limit), str(seconds)]
    line = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout
    spent, count, verdict = line.strip().split(";")
    return float(spent), int(count), verdict


if __name__ == "__main__":
    sys.exit(interruptible(main))
