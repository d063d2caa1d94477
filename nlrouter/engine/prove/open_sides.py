"""Sides while vias are open: how the nets that go through none pass each other.

Whatever vias the other lines take, two nets of one layer whose ends are settled pass each other
on one of two sides (see ``bounds.sides``). On boards where most lines stay on their layer, that
raises the bound more than the choice of a via does; and the nearer the bound is to the cost, the
fewer vias are left to choose from.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from nlrouter.deadline import Deadline
from nlrouter.engine.bounds.dual import Dual
from nlrouter.engine.bounds.sided_paths import MOST_BITS
from nlrouter.engine.bounds.sides import draw_curves
from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.paths.cheapest import INFINITE
from nlrouter.engine.prove.asking import AskConfig, Asked, ask
from nlrouter.engine.prove.questions import Questions


@dataclass(frozen=True)
class OpenSidesConfig:
    """Settings of the questions."""

    ask: AskConfig = field(default_factory=AskConfig)
    least_score: float = 1.0
    """What a question has to promise at least (`Asked.score`); else a line is given its via."""
    most_size: int = 1_000_000
    """Nets times cells of a part up to which sides are asked about, and nets are tied; on larger
    ones cuts take their place. With 36x36x8 (540,000) the bound is 4397 after 45 s, with cuts 4362;
    with 36x36x3 (160,000) 2079 of 2120 after 40 s, with cuts 2065."""
    rounds: int = 20
    """Rounds of the dual of a node with settled sides before the next question. On six boards of
    21x28x2 to 30x30x2 the bound is up to 7 higher after 30 s than with 40, 4 to 12 than with 80."""
    most_passages: int = MOST_BITS
    """Sides of a net that are settled at the most."""
    most_drawn: int = 20
    """Sets of curves that are kept, the last ones used: up to 2 MB each."""


class OpenSides:
    """The questions about the sides of a part's nets, while vias are open.

    Parameters
    ----------
    nets
        The part.
    config
        Settings.
    """

    def __init__(self, nets: Nets, config: OpenSidesConfig) -> None:
        self._nets = nets
        self._config = config
        self._drawn: dict[bytes, Questions] = {}

    @property
    def asks(self) -> bool:
        """Whether the part is small enough to be asked about."""
        return self._nets.count * self._nets.cells <= self._config.most_size

    def watch(self, dual: Dual) -> None:
        """Let a dual keep its average sides from now on."""
        if self.asks:
            dual.watch(self._questions(dual).curves)

    def due(self, dual: Dual) -> bool:
        """Whether a dual is to be improved before anything is asked of it."""
        return not (dual.converged or (dual.engaged.any() and dual.averages.walks))

    def improve(self, dual: Dual, deadline: Deadline, rounds: int, upper: int | None) -> None:
        """Improve a dual by some rounds; with settled sides by as few as a question needs."""
        self.watch(dual)
        sided = bool(dual.engaged.any())
        dual.improve(deadline, min(self._config.rounds, rounds) if sided else rounds, upper)
        if sided:
            dual.rest()

    def _questions(self, dual: Dual) -> Questions:
        """Return the questions about the nets whose ends are settled in a dual.

        A net's curve depends on its ends alone, so what is settled already stays as it is.
        """
        key = dual.target.tobytes()
        if key in self._drawn:
            self._drawn[key] = self._drawn.pop(key)
        else:
            nets = self._nets
            # Curves are compared by paths: nets with settled sides may take walks.
            plain = Dual(nets, dual.choice, dual.config)
            relaxed = plain.route(plain.prices, plain.cuts)
            curves = draw_curves(
                nets.source, dual.target, relaxed.paths, relaxed.lengths, nets.cells, nets.stride,
                nets.layer,
            )  # fmt: skip
            curves = replace(curves, rays=curves.rays[:0])  # There are no questions about turns.
            while len(self._drawn) >= self._config.most_drawn:
                del self._drawn[next(iter(self._drawn))]
            self._drawn[key] = Questions(nets, curves, self._config.most_passages)
        return self._drawn[key]

    def tied(self, dual: Dual) -> Dual | None:
        """Return a dual in which more nets are tied whose sides are in doubt; None without any."""
        if dual.curves is None or dual.value >= INFINITE / 2:
            return None
        config = dual.config.bonds
        doubt = config.later_doubt if any(dual.passages) else config.doubt
        tied = dual.sided([])
        return tied if tied.tie(self._questions(dual).pairs(dual, doubt)) else None

    def ask(self, dual: Dual, bound: float, limit: float) -> Asked:
        """Return what comes of asking; see `asking.ask`. There are no cases that promise little."""
        if dual.curves is None or dual.value >= INFINITE / 2:
            return Asked([], [], [])
        config = self._config.ask
        questions = self._questions(dual)
        found = questions.doubtful(dual, config.doubt, turns=False)
        asked = ask(dual, bound, questions, found, limit, config)
        return asked if asked.score >= self._config.least_score else replace(asked, cases=[])
