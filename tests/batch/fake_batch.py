"""``nlroute`` with many boards, where `fake_nlroute` takes the runs; first a scenario."""

import sys

import fake_nlroute

from nlrouter.batch.command import run
from nlrouter.commands.nlroute_options import parse


def batch(scenario: str, *arguments: str) -> int:
    """Run a batch and return its exit code."""
    return run(parse(arguments), command=(sys.executable, fake_nlroute.__file__, scenario))


if __name__ == "__main__":
    sys.exit(batch(*sys.argv[1:]))
