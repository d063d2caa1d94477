"""Tests that numplace's README is true, and says the same in both languages."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

HOUSE = Path(__file__).parents[2] / "tools" / "numplace"
ENGLISH, JAPANESE = (
    re.findall(
        r"^```(?:sh)?\n(.*?)^```$",
        re.sub(" +# .*", "", (HOUSE / name).read_text(encoding="utf-8")),
        re.MULTILINE | re.DOTALL,
    )
    for name in ("README.md", "README.ja.md")
)


def test_same_blocks() -> None:
    """Tests that both languages show the same commands and outputs."""
    assert ENGLISH == JAPANESE


def test_commands_run(tmp_path: Path) -> None:
    """Tests that all commands run from top to bottom, and the first prints what is shown."""
    _, first, output, others = ENGLISH
    call = f'numplace() {{ "{sys.executable}" -m numplace.commands.numplace "$@"; }}\n'
    for block, shown in ((first, output), (others, None)):
        run = subprocess.run(
            ["bash", "-ec", call + block], cwd=tmp_path, capture_output=True, text=True
        )
        assert run.returncode == 0, run.stderr
        assert shown in (None, run.stdout)
