"""Tests of tools/mutants.py, and that its list fits the code."""

from __future__ import annotations

from pathlib import Path

import mutants
import pytest
from mutants import Mutant, killer, mutated, read_mutants

LISTED = read_mutants(mutants.ROOT / "tools" / "mutants.toml")


@pytest.mark.parametrize("mutant", LISTED, ids=lambda mutant: mutant.name)
def test_places(mutant: Mutant) -> None:
    """Tests that each listed place stands in its file once, and that its tests exist."""
    text = (mutants.ROOT / mutant.file).read_text(encoding="utf-8")
    compile(mutated(mutant, text), mutant.file, "exec")
    assert mutated(mutant, text) != text
    assert all((mutants.ROOT / tests).is_file() for tests in mutant.tests)


def test_place_that_is_gone() -> None:
    """Tests that a place that is not there, or is twice, is no mutant."""
    for text in ("y = 1\n", "x = 1\nx = 1\n"):
        with pytest.raises(ValueError, match="times"):
            mutated(Mutant("", "code.py", "x = 1", "x = 2", ()), text)


def test_name_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that a word that no mutant's name holds is bad usage, beside others or alone."""
    with pytest.raises(SystemExit, match="2"):
        mutants.main([LISTED[0].name, "nosuch"])
    assert capsys.readouterr().err.endswith("error: no mutant's name holds 'nosuch'\n")


def test_killer(tmp_path: Path) -> None:
    """Tests that tests are told that notice a mutant, and that the file is as it was after it."""
    code = tmp_path / "code.py"
    code.write_text("def double(x):\n    return 2 * x\n")
    imported = "from pathlib import Path\nrun = {}\nexec(Path('code.py').read_text(), run)\n"
    (tmp_path / "test_zero.py").write_text(
        f"{imported}def test():\n    assert run['double'](0) == 0\n"
    )
    (tmp_path / "test_one.py").write_text(
        f"{imported}def test():\n    assert run['double'](1) == 2\n"
    )
    before = code.read_text()
    for becomes, by in (("3 * x", "test_one.py"), ("x + x", None)):
        mutant = Mutant("", "code.py", "2 * x", becomes, ("test_zero.py", "test_one.py"))
        assert killer(mutant, tmp_path) == by
        assert code.read_text() == before
