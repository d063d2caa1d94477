"""Routes a board by CP-SAT alone: the reference for all that the search does, in one process."""

from __future__ import annotations

import warnings
from contextlib import closing

from nlrouter.engine.exact.config import FlowConfig
from nlrouter.engine.find.drawn import Drawn, drawn_part
from nlrouter.engine.search import Board
from nlrouter.extras import require


def solve_parts(board: Board, drawn: Drawn, seed: int, config: FlowConfig) -> None:
    """Solve the parts of a board, the smallest first.

    Each may take an equal share of the time that is left then, so that all parts have a turn: an
    answer needs them all.

    Parameters
    ----------
    board
        Told of all that is found; its deadline is kept.
    drawn
        The nets to start from; they may change.
    seed
        Random seed of the solver.
    config
        Settings.

    Raises
    ------
    MissingExtra
        If OR-Tools is not installed.
    """
    require("cp-sat")
    from nlrouter.engine.exact.cp_sat import size_of, solve

    board.report("start")
    starts = [drawn_part(part, drawn) for part in board.parts]
    for i, start in enumerate(starts):
        board.take_draft(i, start.draft(board.nets.cells))
        board.take_routing(i, start.routing(), "start")
    if not board.parts:  # All lines are fixed.
        board.merge("start")
    sizes = [size_of(part.nets) for part in board.parts]
    for turn, i in enumerate(sorted(range(len(sizes)), key=sizes.__getitem__)):
        nets = board.parts[i].nets
        if board.impossible:
            return
        if sizes[i] > config.most_arcs:
            warnings.warn(
                f"CP-SAT leaves out a part of {nets.count} nets: its model has {sizes[i]} arcs, "
                f"expected at most {config.most_arcs}",
                RuntimeWarning,
                stacklevel=2,
            )
            continue
        slot = board.deadline.within(board.deadline.remaining() / (len(sizes) - turn))
        search = solve(nets, slot, start=starts[i].paths, seed=seed, config=config)
        with closing(search):  # Whoever hears of the news may raise.
            for known in search:
                board.take_routing(i, known.routing, "solve")
                board.take_bound(i, known.bound, "solve")
                board.report("solve")
