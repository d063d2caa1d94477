"""Days that are over in seconds, with `fake_router` in place of nlroute.

``small_day.py URL STATE MODE`` plays one as a process of its own, to be killed.
"""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

from nlrouter.contest.alive import AliveConfig
from nlrouter.contest.client import Client, ClientConfig
from nlrouter.contest.courier import CourierConfig
from nlrouter.contest.day import Day, DayConfig
from nlrouter.contest.plan import Plan, PlanConfig
from nlrouter.contest.state import DayState
from nlrouter.runs.router_run import RoutingConfig

CLIENT = ClientConfig(silence=2.0, exchange=4.0, first_pause=0.01, longest_pause=0.1)
DAY = DayConfig(
    login_patience=1.0,
    idle=0.01,
    courier=CourierConfig(
        round=0.02, list_every=0.05, put_pause=0.01, most_tries=4, first_wait=0.02
    ),
    alive=AliveConfig(every=0.2, retry=0.01),
    routing=RoutingConfig(look=0.01, memory_look=0.1, grace=1.0),
)
PLAN = PlanConfig(first_run=0.5, least_run=0.3, closing=10.0, closing_per_board=0.1)


def play(
    url: str,
    folder: Path,
    mode: str,
    *,
    seconds: float = math.inf,
    board_time: float = math.inf,
    dry_run: bool = False,
    clock: Callable[[], float] = time.time,
    log: Callable[[str], None] = print,
    stop: threading.Event | None = None,
) -> bool:
    """Play a day of so many seconds and return what it returns."""
    stop = stop or threading.Event()
    router = [sys.executable, str(Path(__file__).with_name("fake_router.py")), mode]
    plan = Plan(clock() + seconds, board_time, dry_run, router, PLAN, clock)
    state = DayState(str(folder), url, "team")
    client = Client(url, "team", "practice", log, stop, CLIENT)
    try:
        return Day(client, state, plan, log, stop, DAY).run()
    finally:
        client.close()
        state.close()


if __name__ == "__main__":
    sys.exit(not play(sys.argv[1], Path(sys.argv[2]), sys.argv[3], seconds=60))
