"""``nlroute`` with many boards, where `fake_nlroute` takes the runs; first a scenario."""

import sys
from pathlib import Path

from nlrouter.commands.nlroute import parse
from nlrouter.commands.nlroute_batch import run_boards

FAKE_NLROUTE = str(Path(__file__).with_name("fake_nlroute.py"))


def batch(scenario: str, *arguments: str) -> int:
    """Run a batch and return its exit code."""
    return run_boards(parse(arguments), command=(sys.executable, FAKE_NLROUTE, scenario))


if __name__ == "__main__":
    sys.exit(batch(*sys.argv[1:]))
