"""What every way to prove the cost of a part, or of a layer, has in common."""

from __future__ import annotations

from nlrouter.engine.nets.nets import Nets
from nlrouter.engine.nets.routing import NO_ANSWER, Routing
from nlrouter.result import ceil_bound


class Proof:
    """A proof that is worked on step by step.

    Parameters
    ----------
    nets
        What is to be routed.
    seed
        Seed of the solvers.

    Attributes
    ----------
    bound
        No routing costs less; `NO_ANSWER` where there is none.
    routing
        The best routing found on the way, or None.
    phases
        What has raised the bound: ``prove`` (branch and bound), ``sweep`` (the frontier search),
        ``solve`` (CP-SAT), ``maxsat`` (core-guided MaxSAT).
    """

    def __init__(self, nets: Nets, seed: int) -> None:
        self.nets = nets
        self.bound = 0
        self.routing: Routing | None = None
        self.phases: set[str] = set()
        self.seed = seed

    def keep(self, routing: Routing) -> None:
        """Take note of a routing, if it is the best."""
        if self.routing is None or routing.cost < self.routing.cost:
            self.routing = routing

    def capped(self, bound: float) -> int:
        """Return a bound as a whole number; `NO_ANSWER` above what all free cells cost, bent."""
        most = 2 * int(self.nets.free.sum()) + 1
        return NO_ANSWER if bound > most else ceil_bound(bound)
