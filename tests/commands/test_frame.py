"""Tests of what all commands share."""

import sys
from argparse import Namespace
from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace

import pytest

from nlrouter.commands.frame import Exit, command, make_parser
from nlrouter.files.errors import FileError

COMMANDS = (
    "nlcheck", "nlconv", "nldraw", "nlgen", "nlroute", "nlscore", "nlsubmit", "nlview",
)  # fmt: skip


Acts = Callable[[Callable[[Namespace], Exit]], None]


@pytest.fixture
def nlx(monkeypatch: pytest.MonkeyPatch) -> Acts:
    """Says what the command ``nlx`` does."""
    name = "nlrouter.commands.nlx_run"
    return lambda act: monkeypatch.setitem(sys.modules, name, SimpleNamespace(run=act))


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (FileError("a.txt", 3, "'x'", "a number"), 2, "nlx: a.txt:3: found 'x', expected a number"),
        (MemoryError(), 1, "nlx: out of memory"),
        (SystemError("no"), 1, "nlx: the interpreter failed, mostly for want of memory: no"),
        (KeyboardInterrupt(), 1, "nlx: interrupted"),
    ],
)
def test_early_end(
    error: BaseException, code: int, message: str, nlx: Acts, capsys: pytest.CaptureFixture[str]
) -> None:
    """Tests that what ends a command early is told in a sentence and by the exit code."""

    def act(args: Namespace) -> Exit:
        raise error

    nlx(act)
    assert command("nlx", lambda argv: Namespace(argv=argv))([]) == code
    assert capsys.readouterr().err.strip() == message


def test_interrupt_as_the_end(nlx: Acts, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that Ctrl-C may be how a command is to end, of which there is nothing to say."""

    def act(args: Namespace) -> Exit:
        raise KeyboardInterrupt

    nlx(act)
    assert command("nlx", lambda _: Namespace(), interrupted=Exit.DONE)() == 0
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("argv", [None, ["x"]])
def test_owner_of_the_process(nlx: Acts, argv: list[str] | None) -> None:
    """Tests that an action knows whether the process is its own, and gets the arguments."""
    seen: list[Namespace] = []

    def act(args: Namespace) -> Exit:
        seen.append(args)
        return Exit.DONE

    nlx(act)
    assert command("nlx", lambda argv: Namespace(argv=argv))(argv) == 0
    assert (seen[0].argv, seen[0].owns_process) == (argv, argv is None)


@pytest.mark.parametrize("arguments", [[name] for name in COMMANDS] + [["nlsubmit", "list"]])
def test_help_with_exit_codes(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that each command, and one of a command's own, lists its exit codes."""
    with pytest.raises(SystemExit) as leaving:
        import_module(f"nlrouter.commands.{arguments[0]}").main([*arguments[1:], "--help"])
    assert leaving.value.code == 0
    assert "exit codes:\n  0  " in capsys.readouterr().out


@pytest.mark.parametrize("name", COMMANDS)
def test_name_and_version(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Tests that each command knows its own name and version."""
    with pytest.raises(SystemExit) as leaving:
        import_module(f"nlrouter.commands.{name}").main(["--version"])
    assert leaving.value.code == 0
    assert capsys.readouterr().out.startswith(f"{name} ")


def test_abbreviations() -> None:
    """Tests that no option can be shortened: a later one could make that ambiguous."""
    parser = make_parser("nlx", "Does it.", "")
    with pytest.raises(SystemExit):
        parser.parse_args(["--vers"])
