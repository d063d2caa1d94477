"""Tests that compiled code is kept where there is a place for it, and that none is needed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import nlrouter
from nlrouter.deadline import WALL

KERNEL = """\
from nlrouter.compiled import njit

@njit(cache=True)
def double(x):
    return 2 * x
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A package folder that holds a kernel, and whose owner has no folder for caches."""
    (tmp_path / "kernel.py").write_text(KERNEL)
    (tmp_path / "no folder").write_text("")
    return tmp_path


def double(folder: Path, caches: Path, most_bytes: int = -1) -> None:
    """Compile and call the kernel in a process of its own, with files up to some size."""
    run("from kernel import double\nassert double(21) == 42", folder, caches, most_bytes)


def run(code: str, folder: Path, caches: Path, most_bytes: int = -1) -> None:
    """Run some code in a process of its own that may write files up to some size."""
    limit = f"resource.setrlimit(resource.RLIMIT_FSIZE, ({most_bytes}, {most_bytes}))"
    code = f"import resource\n{limit}\n{code}"
    places = {"HOME": str(caches), "XDG_CACHE_HOME": str(caches), "PYTHONPATH": str(folder)}
    environment = {key: text for key, text in os.environ.items() if key != "NUMBA_CACHE_DIR"}
    done = subprocess.run(
        [sys.executable, "-B", "-c", code],
        env=environment | places, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")


def stored(folder: Path) -> list[Path]:
    """Return the files of compiled code below a folder."""
    return sorted(folder.rglob("*.nb[ci]"))


def test_package_that_cannot_be_written(folder: Path) -> None:
    """Tests that the code goes to the user's folder for caches, or nowhere if there is none."""
    (folder / "__pycache__").write_text("")  # A file in its place stops even root.
    double(folder, folder / "caches")
    assert stored(folder) == stored(folder / "caches") != []
    for path in stored(folder):
        path.unlink()
    double(folder, folder / "no folder")
    assert stored(folder) == []


def test_full_disk(folder: Path) -> None:
    """Tests that code that cannot be stored serves all the same."""
    double(folder, folder / "no folder", most_bytes=0)
    assert stored(folder) == []


def test_whether_code_is_stored(folder: Path) -> None:
    """Tests that it is known whether a kernel has been compiled by an earlier run."""
    ask = "from kernel import double\nfrom nlrouter.compiled import is_stored\n"
    ask += "assert is_stored(double) == {}\nassert double(21) == 42\nassert is_stored(double) == {}"
    for before, after in [(False, True), (True, True)]:
        run(ask.format(before, after), folder, folder / "no folder")
    (folder / "kernel.py").write_text(KERNEL + "\n")
    run(ask.format(False, True), folder, folder / "no folder")
    (path,) = folder.rglob("*.nbi")
    path.write_bytes(b"damaged")
    run(ask.format(False, False), folder, folder / "no folder", most_bytes=0)


def test_damaged_code(folder: Path) -> None:
    """Tests that code that cannot be read is compiled anew."""
    double(folder, folder / "no folder")
    assert len(stored(folder / "__pycache__")) == 2
    for path in stored(folder):
        path.write_bytes(b"damaged")
    double(folder, folder / "no folder")


CALLER = """\
from nlrouter.compiled import njit
from constant import FACTOR
from kernel import double

@njit(cache=True)
def outer(x):
    return FACTOR * inner(x)

@njit(cache=True)
def inner(x):
    return double(x) + 1
"""


@pytest.mark.parametrize(
    ("file", "code", "value"), [("constant", "FACTOR = 3\n", 135), ("kernel", KERNEL, 10)]
)
def test_changes_in_other_files(folder: Path, file: str, code: str, value: int) -> None:
    """Tests that a kernel is compiled anew where one that it calls, or a constant, has changed."""
    call = "from caller import outer\nassert outer(2) == {}"
    (folder / "caller.py").write_text(CALLER)
    (folder / "constant.py").write_text("FACTOR = 2\n")
    (folder / "kernel.py").write_text(KERNEL.replace("2 * x", "22 * x"))
    run(call.format(90), folder, folder / "no folder")
    assert len([path for path in stored(folder) if "outer" in path.name]) == 2
    (folder / f"{file}.py").write_text(code)
    run(call.format(value), folder, folder / "no folder")


def test_all_kernels_are_kept_this_way() -> None:
    """Tests that no file takes Numba's own decorator."""
    package = Path(nlrouter.__file__).parent
    files = [*package.rglob("*.py"), *(package.parent / "tools").rglob("*.py")]
    found = [path for path in files if re.search(r"^ *(from|import) numba", path.read_text(), re.M)]
    assert found == [package / "compiled.py"]


def test_the_clock_stands_still_while_compiling() -> None:
    """Tests that compiling takes time of nobody's deadline, and the call itself does."""
    from nlrouter.compiled import njit

    @njit(cache=False)
    def double(x: int) -> int:
        return 2 * x

    before = WALL.excluded
    assert double(21) == 42
    once = WALL.excluded
    assert once > before
    assert double(22) == 44
    assert WALL.excluded == once


def test_all_integers_are_of_one_type() -> None:
    """Tests that a kernel called with a literal, a variable and 32 bits is compiled once."""
    from nlrouter.compiled import njit

    @njit(cache=False)
    def double(x: int) -> int:
        return 2 * x

    @njit(cache=False)
    def each(x: int, short: NDArray[np.int32]) -> int:
        return double(x) + double(3) + double(short[0])

    assert each(4, np.array([5], np.int32)) == 24
    assert len(double.signatures) == 1


def test_inner_functions() -> None:
    """Tests that what only kernels call refuses to be called from elsewhere, compiled or not."""
    from nlrouter.compiled import inner, njit

    @inner(cache=False)
    def double(x: int) -> int:
        return 2 * x

    @njit(cache=False)
    def outer(x: int) -> int:
        return double(x) + 1

    for _ in range(2):
        with pytest.raises(TypeError, match="only compiled functions can call this one"):
            double(20)
        assert outer(20) == 41
