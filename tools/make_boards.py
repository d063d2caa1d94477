"""Make the generated boards of problems/; the others there are drawn by hand.

Without an option, write them; with --check, say which files differ from what this makes, and
end with exit code 1 if any does.
"""

from __future__ import annotations

import argparse
import sys
from math import atan2
from pathlib import Path

from arguments import checked, require_folder
from interrupt import interruptible

from nlrouter.files.problem_file import format_problem
from nlrouter.generators import fill_board, generate
from nlrouter.problem import Cell, Line, Problem, Via

PROBLEMS = Path(__file__).parent.parent / "problems"


def main(arguments: list[str] | None = None) -> int:
    """Write or check the boards and return the exit code."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare the files, write none")
    parser.add_argument(
        "--directory", type=checked(require_folder), default=PROBLEMS, help="default: problems/"
    )
    options = parser.parse_args(arguments)
    different = 0
    for name, problem in boards().items():
        path = options.directory / f"{name}.txt"
        data = format_problem(problem).encode()
        if not options.check:
            path.write_bytes(data)
        elif not path.exists() or path.read_bytes() != data:
            print(f"{path} is not what {Path(__file__).name} makes", file=sys.stderr)
            different += 1
    return 1 if different else 0


def boards() -> dict[str, Problem]:
    """Make the generated boards by name."""
    made = {
        "random_10x10x2": generate(10, 10, 2, lines=12, vias=4, fill=0.7, seed=1),
        "random_12x12x3": generate(12, 12, 3, lines=25, vias=8, fill=0.7, seed=2),
        "random_16x9x5": generate(16, 9, 5, lines=30, vias=12, fill=0.5, seed=3),
        "random_24x24x3": generate(24, 24, 3, lines=100, vias=20, fill=0.6, seed=4),
        "random_30x30x1": generate(30, 30, 1, lines=45, vias=0, fill=0.6, seed=5),
        "random_36x36x8": generate(36, 36, 8, lines=400, vias=40, fill=0.57, seed=6),
        "all_vias_14x20x4": generate(14, 20, 4, lines=30, vias=30, fill=0.45, seed=7),
        "sparse_36x36x2": generate(36, 36, 2, lines=24, vias=8, fill=0.25, seed=8),
        "full_7x7x1": fill_board(7, 7, seed=1),
        "full_15x15x1": fill_board(15, 15, seed=2),
        "full_36x36x1": fill_board(36, 36, seed=3),
    }
    return {name: problem for name, (problem, _) in made.items()} | {
        "ball_grid_25x25x3": ball_grid(balls=5, pitch=3, margin=6)
    }


def ball_grid(balls: int, pitch: int, margin: int) -> Problem:
    """Make a board like the escape routing of a ball grid array.

    A square of balls stands in the middle of layer 1. The outermost ring escapes to the rim
    on layer 1, and each ring inside it one layer further up, by vias between the balls. The
    ends on the rim are spread evenly and in the order of the balls around the middle.

    Parameters
    ----------
    balls
        Number of balls in a row.
    pitch
        Distance between them.
    margin
        Distance of the outermost ones from the rim.
    """
    size = 2 * margin + (balls - 1) * pitch + 1
    middle = (size - 1) / 2
    rim = [(0, i) for i in range(size - 1)] + [(i, size - 1) for i in range(size - 1)]
    rim += [(size - 1 - y, size - 1 - x) for y, x in rim]

    def angle(place: tuple[int, int]) -> float:
        y, x = place
        return atan2(y - middle, x - middle)

    rim.sort(key=angle)
    lines: list[Line] = []
    vias: list[Via] = []
    for z in range((balls + 1) // 2):
        inner = range(z, balls - z)
        ring = [(r, c) for r in inner for c in inner if {r, c} & {z, balls - 1 - z}]
        places = sorted(((margin + r * pitch, margin + c * pitch) for r, c in ring), key=angle)
        for i, (y, x) in enumerate(places):
            goal = rim[round((i + 0.5) * len(rim) / len(places))]
            lines.append(Line(len(lines) + 1, (Cell(0, y, x), Cell(z, *goal))))
            if z:
                vias.append(Via(chr(ord("a") + len(vias)), y + 1, x + 1, 0, z))
    return Problem(size, size, (balls + 1) // 2, tuple(lines), tuple(vias))


if __name__ == "__main__":
    sys.exit(interruptible(main))
