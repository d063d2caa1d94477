"""Boards to measure on: files, those that a survey always makes, and fresh ones."""

from __future__ import annotations

import argparse
import csv
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from nlrouter import Problem, generate, read_problem, write_problem
from nlrouter.generators import MAX_VIAS, NoBoard


@dataclass(frozen=True)
class Known:
    """What is known of a board: the cost of the contest's winner, the best cost, a bound."""

    winner_cost: int | None
    best_cost: int | None
    bound: int | None


@dataclass(frozen=True)
class Board:
    """A board to measure on.

    Parameters
    ----------
    name
        Its name.
    make
        Reads or makes it, in whatever process.
    path
        Its file, if it has one already.
    groups
        What it is put together by in tables: titles, and its group.
    """

    name: str
    make: Callable[[], Problem]
    path: Path | None = None
    groups: Mapping[str, str] = field(default_factory=dict)

    @contextmanager
    def file(self) -> Iterator[Path]:
        """Yield a file of the board, for a while."""
        if self.path is not None:
            yield self.path
            return
        with TemporaryDirectory() as folder:
            path = Path(folder) / f"{self.name}.txt"
            write_problem(path, self.make())
            yield path

    @property
    def known(self) -> Known | None:
        """What a ``best_known.csv`` beside the folder of its file says of it, if there is one."""
        file = None if self.path is None else self.path.resolve().parents[1] / "best_known.csv"
        if file is None or not file.exists():
            return None
        with file.open(newline="") as stream:
            for row in csv.DictReader(stream):
                if row.pop("board") == self.name:
                    return Known(**{key: int(cell) if cell else None for key, cell in row.items()})
        return None


def boards_of(parser: argparse.ArgumentParser, paths: Iterable[Path]) -> list[Board]:
    """Return problem files, and those in folders; end with the usage where there are none."""
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            parser.error(f"{path} does not exist")
        files += sorted(path.glob("*.txt")) if path.is_dir() else [path]
    if not files:
        parser.error("no boards")
    return [
        Board(f"{path.resolve().parent.name}/{path.stem}", partial(read_problem, path), path)
        for path in files
    ]


SIZES = (
    "10x10x2", "12x12x3", "16x16x2", "20x20x2", "21x28x2", "24x24x3", "30x30x2", "36x36x3",
)  # fmt: skip
FILLS = (50, 60, 70, 80, 85)
KINDS = {"full": 2, "bus": 3, "detours": 2, "channel": 2, "switchbox": 3, "escape": 3}
"""The other kinds, and how many boards of each."""


def made(name: str, kind: str, size: str, groups: Mapping[str, str], **more: Any) -> Board:
    """Return a board that `generate` makes, of a size such as ``10x10x2``."""
    x, y, z = map(int, size.split("x"))
    return Board(name, partial(_problem, kind, (x, y, z), **more), groups=groups)


def _problem(*arguments: Any, **more: Any) -> Problem:
    """Make a board, and forget its hidden answer."""
    return generate(*arguments, **more)[0]


def of_survey(kind: str, size: str, fill: int | None, seed: int) -> Board:
    """Return a board of a kind, filled by some percent if it is a random one."""
    name = "_".join(str(part) for part in (kind, size, fill, seed) if part)
    group = kind if fill is None else f"{kind}, {fill} % filled"
    share = None if fill is None else fill / 100
    return made(name, kind, size, {"kind": group, "size": size}, fill=share, seed=seed)


SURVEY = [
    of_survey("random", size, fill, seed) for size in SIZES for fill in FILLS for seed in (1, 2)
] + [
    of_survey(kind, size, None, seed)
    for size in SIZES
    for kind, count in KINDS.items()
    for seed in range(1, count + 1)
]
"""The 200 boards of the survey."""


def _with_vias(
    size: str, lines: int, vias: int, spans: Sequence[tuple[int, int]], fill: float, seed: int
) -> Board:
    name = f"{size}, {vias} vias"
    more = {"lines": lines, "vias": vias, "spans": spans, "fill": fill, "seed": seed}
    return made(name, "random", size, {"board": name}, **more)


WITH_VIAS = [
    _with_vias("21x28x2", 18, 18, [(1, 2)], 0.85, 7),
    _with_vias("28x28x2", 28, 24, [(1, 2)], 0.6, 1),
    _with_vias("36x36x2", 28, 28, [(1, 2)], 0.5, 1),
    _with_vias("36x36x3", 48, 40, [(1, 2), (2, 3)], 0.4, 5),
    _with_vias("21x28x2", 16, 12, [(1, 2)], 0.75, 2),
    _with_vias("28x28x3", 30, 20, [(1, 3)], 0.5, 3),
    _with_vias("30x30x2", 30, 30, [(1, 2)], 0.75, 8),
    _with_vias("30x30x3", 36, 24, [(1, 2), (2, 3)], 0.5, 1),
]
"""Boards with many vias of one or two spans: which line takes which decides what they cost."""

LENGTHS = {"few long": (25, 40), "many short": (6, 15)}
"""Cells of a line, from and to, in the hidden answer."""

VIAS = {"none": (1,), "few": (2, 3, 4, 8), "all": (2, 3, 4, 8), "one span": (2, 3, 4)}
"""How lines go through vias, and how many layers such boards may have."""

SIDES = (10, 36)
"""Columns and rows, from and to: as often as not the most, as on the contest's boards."""

FILLS_OF = {"few long": (25, 40, 50), "many short": (25, 50, 70)}
"""Percent of the cells that the hidden answer fills, of boards with many vias: with more, hardly
one is found."""

FILLS_WITHOUT = (25, 50, 70, 85, 100)
"""The same where few lines go through vias, or none."""

CELLS = (1000, 3000, SIDES[1] ** 2 * 8)
"""Where classes of sizes end."""


def fresh(seed: int, count: int = 100) -> list[Board]:
    """Draw boards of all mixes of lines and vias, their sizes and fills from a seed."""
    rng = random.Random(seed)
    mixes = [(lines, vias) for lines in LENGTHS for vias in VIAS]
    boards: list[Board] = []
    while len(boards) < count:
        lines, vias = mixes[len(boards) % len(mixes)]
        fill = rng.choice(FILLS_WITHOUT if vias in ("none", "few") else FILLS_OF[lines])
        with suppress(NoBoard):
            problem = _draw(rng, LENGTHS[lines], vias, fill)
            size = f"{problem.width}x{problem.height}x{problem.layers}"
            cells = problem.width * problem.height * problem.layers
            groups = {
                "lines, vias": f"{lines}, {vias}",
                "fill": f"{fill:3} %",
                "cells": next(f"up to {most:6,}" for most in CELLS if cells <= most),
            }
            name = f"fresh{seed}_{len(boards) + 1}_{size}"
            boards.append(Board(name, partial(replace, problem), groups=groups))
    return boards


def _draw(rng: random.Random, lengths: tuple[int, int], vias: str, fill: int) -> Problem:
    """Draw a board; raise `NoBoard` if none is found."""
    width, height = (rng.choice((rng.randint(*SIDES), SIDES[1])) for _ in range(2))
    layers = rng.choice(VIAS[vias])
    lines = max(2, width * height * layers * fill // (100 * rng.randint(*lengths)))
    share = {"none": 0.0, "few": rng.uniform(0.03, 0.2), "all": 1.0}.get(vias, rng.uniform(0.5, 1))
    return generate(
        "full" if fill == 100 else "random",
        (width, height, layers),
        lines=lines,
        vias=min(MAX_VIAS, ceil(share * lines)),
        spans="through" if vias == "one span" else "any",
        fill=None if fill == 100 else fill / 100,
        seed=rng.randrange(2**31),
    )[0]
