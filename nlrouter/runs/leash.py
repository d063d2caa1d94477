"""Runs a command that ends when its owner does, even if the owner is killed.

``python -m nlrouter.runs.leash COMMAND ...`` passes SIGTERM on to the command, and sends it
one when standard input ends, as a pipe does whose writer dies. A process of its own, so that
the command has no thread beside it that it did not ask for.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence


def main(command: Sequence[str]) -> int:
    """Run the command and return its exit code."""
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL)

    def wait_for_the_owner() -> None:
        while os.read(0, 1024):
            pass
        child.terminate()

    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    signal.signal(signal.SIGINT, lambda *_: child.terminate())
    threading.Thread(target=wait_for_the_owner, daemon=True).start()
    return child.wait()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
