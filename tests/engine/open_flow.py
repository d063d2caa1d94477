"""CP-SAT that ends open and at once, for tests of who asks it."""

from __future__ import annotations

import pytest

from nlrouter.deadline import Deadline
from nlrouter.engine.exact import flow_model
from nlrouter.engine.exact.flow_model import FlowResult
from nlrouter.engine.nets.nets import Nets
from nlrouter.result import Status


def end_open(monkeypatch: pytest.MonkeyPatch, bound: int) -> list[float]:
    """Let every run end with a bound alone; return the list of the seconds given to them."""
    seconds: list[float] = []

    def solve_flow(nets: Nets, *given: object, **how: object) -> FlowResult:
        slot = given[3]
        assert isinstance(slot, Deadline)
        seconds.append(slot.remaining())
        return FlowResult(Status.UNKNOWN, None, None, None, bound)

    monkeypatch.setattr(flow_model, "solve_flow", solve_flow)
    return seconds
