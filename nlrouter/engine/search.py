"""The search of a board: what is known of its parts, and what is done for each of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto

import numpy as np

from nlrouter.answer import Answer, Cost
from nlrouter.certificate import PartProof
from nlrouter.deadline import Deadline
from nlrouter.engine.find.config import FinderConfig
from nlrouter.engine.find.draft import Draft, Settled, missing_lines, partial_answer, settle
from nlrouter.engine.find.drawn import Drawn
from nlrouter.engine.find.finder import NEIGHBOURHOODS, Finder
from nlrouter.engine.nets.legality import fault
from nlrouter.engine.nets.nets import BoardNets
from nlrouter.engine.nets.parts import Part, merge
from nlrouter.engine.nets.routing import NO_ANSWER, Routing
from nlrouter.engine.prove.config import ProofConfig
from nlrouter.engine.prove.proof import METHODS, Proof
from nlrouter.engine.schedule.turns import Turns, Work
from nlrouter.result import Observer, Outcome, Progress, Standing
from nlrouter.tally import Tallies


class Role(Enum):
    """What a process does for the parts."""

    ALL = auto()
    """Find and prove, in turns."""
    FIND = auto()
    """Find."""
    PROVE = auto()
    """Prove by branch and bound; find as well while there is no answer."""


METHOD_NAMES = frozenset(
    {
        *(neighbourhood.name for neighbourhood in NEIGHBOURHOODS),
        *(method.name for method in METHODS),
        "bidding",
        "displacement",
        "full answers",
        "maxsat",
        "only answer",
        "rounding",
        "small boards",
    }
)
"""The methods that can be switched off."""


PartWriter = Callable[[Proof, tuple[tuple[int, ...], ...]], PartProof]
"""Writes what a proof shows of a part; with the layers of each of the parts that are alike."""


class Board:
    """What is known of the board so far."""

    def __init__(
        self,
        nets: BoardNets,
        parts: list[Part],
        deadline: Deadline,
        observer: Observer,
        writer: PartWriter | None = None,
    ) -> None:
        self.nets = nets
        self.parts = parts
        self.deadline = deadline
        self.observer = observer
        self.routings: list[Routing | None] = [None] * len(parts)
        self.drafts: list[Draft | None] = [None] * len(parts)
        self.bounds = [0] * len(parts)
        self.phases = [""] * len(parts)
        self.answer: Answer | None = None
        self.cost: Cost | None = None
        self.impossible = False
        self.tallies = Tallies()
        self.writer = writer
        self.proofs: dict[int, PartProof] = {}

    @property
    def lower_bound(self) -> int:
        """The bound on the board's cost."""
        return self.nets.constant + sum(
            min(bound, NO_ANSWER) * part.copies
            for bound, part in zip(self.bounds, self.parts, strict=True)
        )

    def closed(self, i: int) -> bool:
        """Whether the cost of part ``i`` is known."""
        routing = self.routings[i]
        return routing is not None and routing.cost <= self.bounds[i]

    @property
    def done(self) -> bool:
        """Whether nothing is left to be known."""
        return self.impossible or all(self.closed(i) for i in range(len(self.parts)))

    def open_parts(self) -> list[int]:
        """Return the parts to be searched: while any has no routing, others can wait."""
        todo = [i for i in range(len(self.parts)) if not self.closed(i)]
        return [i for i in todo if self.routings[i] is None] or todo

    def gap(self, i: int) -> int:
        """Return what part ``i`` adds to the gap of the board, 1 where it has no routing."""
        routing, part = self.routings[i], self.parts[i]
        return 1 if routing is None else part.copies * max(1, routing.cost - self.bounds[i])

    def take_routing(self, i: int, routing: Routing | None, phase: str) -> bool:
        """Take up a routing of part ``i``; return whether it is the best so far.

        One that is none is refused, with a warning: its cost would be taken for a limit.
        """
        known = self.routings[i]
        if routing is None or (known is not None and known.cost <= routing.cost):
            return False
        if wrong := fault(self.parts[i].nets, routing):
            warnings.warn(f"{phase}: a routing was refused: {wrong}", RuntimeWarning, stacklevel=2)
            return False
        self.routings[i] = routing
        self.merge(phase)
        return True

    def merge(self, phase: str) -> None:
        """Put the routings of the parts together, if all parts have one."""
        complete = [found for found in self.routings if found is not None]
        if len(complete) < len(self.parts):
            return
        self.answer, self.cost = merge(self.nets, self.parts, complete)
        self.report(phase)

    def take_draft(self, i: int, draft: Draft | None) -> None:
        """Take up a draft of part ``i``, if it is the closest to a routing."""
        known = self.drafts[i]
        if draft is not None and (known is None or draft.overlaps < known.overlaps):
            self.drafts[i] = draft

    def take_bound(self, i: int, bound: int, phase: str) -> None:
        """Take up a bound of part ``i``."""
        if bound <= self.bounds[i]:
            return
        self.bounds[i] = bound
        self.phases[i] = phase
        routing = self.routings[i]
        if bound >= NO_ANSWER and routing is None:
            self.impossible = True
        else:
            self.report(phase)

    def write(self, i: int, proof: Proof) -> None:
        """Write what proves the bound of part ``i``, if that is wanted and not done yet."""
        if self.writer is not None and i not in self.proofs:
            layer = self.nets.layer
            places = tuple(
                tuple(np.unique(layer[members]).tolist()) for members, _ in self.parts[i].places
            )
            self.proofs[i] = self.writer(proof, places)

    def report(self, phase: str) -> None:
        """Tell the observer how things stand; where there is no answer, there is no bound."""
        bound = None if self.impossible else self.lower_bound
        seconds = self.deadline.elapsed()
        known = (seconds, self.answer, self.cost, bound, phase, self.lines_so_far)
        self.observer(Progress(*known, missing=self.missing))

    def missing(self) -> tuple[int, ...]:
        """Return the lines that do not go together, once each part has a routing or a draft."""
        known = zip(self.routings, self.drafts, strict=True)
        if not all(routing or draft for routing, draft in known):
            return ()
        return missing_lines(self.nets, self.parts, self._settled(Deadline(0.0)))

    def lines_so_far(self) -> Answer | None:
        """Return the lines that go together, None where there is an answer; takes up nothing."""
        if self.answer is not None:
            return None
        return partial_answer(self.nets, self.parts, self._settled(self._moment()))

    def result(self) -> Outcome:
        """Return the result as things stand."""
        partial = None if self.answer is not None else self._settle()
        seconds = self.deadline.elapsed()
        reason, standing = "", Standing(self.cost, self.lower_bound)
        if self.impossible:
            reason, standing = "the exact search found none", Standing(infeasible=True)
        return Outcome(
            self.nets.problem,
            None if self.impossible else self.answer,
            standing,
            seconds,
            reason,
            partial,
            methods=dict(self.tallies),
            proofs=tuple(self.proofs.values()),
        )

    def _settle(self) -> Answer:
        """Make the most of the drafts, now and then an answer; return the lines there are."""
        settled = self._settled(self._moment())
        for i, found in enumerate(settled):
            if self.routings[i] is None and not len(found.missing):
                self.take_routing(i, found.routing, "draft")
        return partial_answer(self.nets, self.parts, settled)

    def _moment(self) -> Deadline:
        """Return when to stop to look for more lines."""
        return Deadline(SETTLE_SECONDS, self.deadline.clock)

    def _settled(self, deadline: Deadline) -> list[Settled]:
        """Return as many lines of each part as are found until then to go together."""
        return [
            settle(part.nets, draft, deadline) if routing is None else Settled(routing, _NOTHING)
            for part, routing, draft in zip(self.parts, self.routings, self.drafts, strict=True)
        ]


_NOTHING = np.empty(0, np.intp)

SETTLE_SECONDS = 0.5
"""Time for that: whoever stops a search waits for it. The lines of 36x36x8 take a tenth."""


@dataclass(frozen=True)
class SearchConfig:
    """Settings of all that is done for a part."""

    finder: FinderConfig = field(default_factory=FinderConfig)
    """Answers: negotiation, improvement."""
    proof: ProofConfig = field(default_factory=ProofConfig)
    """Bounds: branch and bound on vias and sides, MaxSAT, the search for an only answer."""
    cell_seconds: float = 3e-7
    """Seconds of the first step per net and cell: a negotiation takes some rounds of the dual."""
    search_cells: int = 800
    """Cells that a net's search looks at, at the most: on larger layers, some about its ends."""
    first_share: float = 12.0
    """That of finding while there is no answer and vias are to be chosen: first answers of 35
    boards drawn afresh take one process 0.87 of the time that they take with 4.0. Without vias it
    is twice that of proving: with 12.0 adc2015 Q17 has none after 14 s, with 4.0 after 7."""
    rough: float = 0.4
    """Share of the cost by which it is above the bound from which finding has so much with an
    answer: such as fill the board are twice as dear as need be. With 0.2 the largest part of
    36x36x8 with 234 lines has 1.7 of 11.4 seconds for its proof, of which nothing comes."""
    far: float = 0.03
    """The same where vias are to be chosen, from which on who proves helps to find as well, after
    ``far_seconds``: a proof hardly ends in time, and finding still gains. On 30x30x2 with 30 vias
    it has the best answer after 10 to 59 s."""
    far_seconds: float = 10.0
    """Of the random boards of the survey that one process proves in 60 s, all are nearer after 20.
    Where no vias are to be chosen it goes on proving: the bounds of adc2016 Q17 and Q18 stand 20
    and 40 higher after 60 s, at the same costs."""
    prove_share: float = 2.0
    """That of proving, beside 1.0 of finding once there is an answer: most boards end by a bound
    that has come up to an answer of the first seconds."""


class Search:
    """All that is done for one part: finding and proving, in turns.

    Parameters
    ----------
    index
        The part's place on the board.
    part
        The part.
    seed
        Seed of all random choices.
    config
        Settings.
    without
        Names of the methods that are switched off.
    keeps
        Whether the proof keeps what a certificate needs.
    """

    def __init__(
        self,
        index: int,
        part: Part,
        seed: int,
        config: SearchConfig,
        without: frozenset[str] = frozenset(),
        *,
        keeps: bool = False,
    ) -> None:
        self.index = index
        self.tallies = Tallies(without)
        self.finder = Finder(part.nets, seed + index, config.finder, self.tallies)
        self.proof = Proof(part.nets, config.proof, self.tallies, keeps=keeps)
        self.config = config
        self._turns = Turns()

    @property
    def step_seconds(self) -> float:
        """Least seconds of the first step, at a guess."""
        nets, config = self.finder.nets, self.config
        return config.cell_seconds * nets.count * min(nets.cells, config.search_cells)

    @property
    def spent(self) -> float:
        """Seconds that the part has had."""
        return self._turns.total

    def start_from(self, board: Board, drawn: Drawn) -> None:
        """Start from what is drawn of the part."""
        routing = drawn.routing()
        if routing is not None:
            self.finder.adopt(routing)
            board.take_routing(self.index, routing, "start")
        elif any(path is not None for path in drawn.paths):
            self.finder.drawn = drawn
            board.take_draft(self.index, drawn.draft(self.finder.nets.cells))

    def take(self, board: Board, routing: Routing | None, phase: str) -> None:
        """Take up what others than the finder have found, and let the finder go on from it."""
        if board.take_routing(self.index, routing, phase) and routing is not None:
            self.finder.adopt(routing)

    def catch_up(self, board: Board) -> None:
        """Let the finder go on from the best routing, which others may have found."""
        best = board.routings[self.index]
        if best is not None:
            self.finder.adopt(best)

    def step(self, board: Board, deadline: Deadline, role: Role) -> None:
        """Do a piece of work of the role and let the board know what came out.

        Parameters
        ----------
        board
            What is known.
        deadline
            When to stop at the latest.
        role
            What this process does.
        """
        shares = self._shares(role, deadline.elapsed())
        self._turns.take(self._turns.next(shares), deadline, board)

    def _shares(self, role: Role, elapsed: float) -> dict[Work, float]:
        """Return the share of each kind of work in the time of a process."""
        # Without an answer, or with one far too dear, there is nothing to aim a proof at.
        config, best, vias = self.config, self.finder.best, self.finder.nets.classes
        gap = 1.0 if best is None else 1 - self.proof.bound / max(1, best.cost)
        rough = gap > config.rough
        far = gap > config.far and elapsed > config.far_seconds and vias
        # Proving looks for answers of puzzles as well.
        first = config.first_share if vias else 2 * config.prove_share
        find: dict[Work, float] = {self._find: first if rough else 1.0}
        prove: dict[Work, float] = {self._prove: config.prove_share}
        if role is Role.FIND:
            return find
        if role is Role.PROVE and best is None and not vias:
            return prove | {self._find: 1.0}  # Another finds, but not by the search for puzzles.
        return find | prove if role is Role.ALL or rough or far else prove

    def _find(self, deadline: Deadline, board: Board) -> None:
        if self.finder.step(deadline):
            board.take_routing(self.index, self.finder.best, "find")
        board.take_draft(self.index, self.finder.draft)

    def _prove(self, deadline: Deadline, board: Board) -> None:
        best = board.routings[self.index]
        self.proof.step(deadline, None if best is None else best.cost)
        phase = "+".join(sorted(self.proof.phases))
        self.take(board, self.proof.routing, phase)
        board.take_bound(self.index, self.proof.bound, phase)


def next_part(board: Board, searches: list[Search], parts: list[int]) -> int:
    """Return the part to be searched next, of those given: their gaps share out the time."""
    return min(parts, key=lambda i: searches[i].spent / board.gap(i))


def work_alone(board: Board, searches: list[Search], deadline: Deadline) -> None:
    """Search all parts in turns, in this process."""
    while not board.done and not deadline.passed():
        i = next_part(board, searches, board.open_parts())
        searches[i].step(board, deadline, Role.ALL)
        board.report("search")
