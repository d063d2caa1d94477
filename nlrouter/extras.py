"""Packages that only some tasks need, and what is said where one is missing.

Light to import. Routing by all methods needs none of them.
"""

from __future__ import annotations

from importlib import import_module

EXTRAS: dict[str, tuple[str, tuple[str, ...]]] = {
    "draw": ("pictures in files", ("matplotlib", "PIL")),
    "view": ("the page in the browser", ("aiohttp",)),
    "contest": ("the contest's service", ("httpx", "psutil", "tenacity")),
    "xlsx": ("spreadsheets", ("openpyxl",)),
    "cluster": ("a cluster", ("distributed",)),
    "graph": ("a board as a graph", ("networkx",)),
    "cp-sat": ("the integer program", ("ortools",)),
}
"""By the extra's name: what it is for, and the modules that it brings."""


class MissingExtra(ImportError):
    """A package is not installed that the task at hand needs; says what to type."""


def require(extra: str) -> None:
    """Go on only where the packages of an extra are installed.

    Parameters
    ----------
    extra
        One of `EXTRAS`.

    Raises
    ------
    MissingExtra
        If one of them, or one that it needs itself, is missing.
    """
    task, modules = EXTRAS[extra]
    for module in modules:
        try:
            import_module(module)
        except ModuleNotFoundError as error:
            package = {"PIL": "pillow"}.get(error.name or module, error.name or module)
            sentence = f"{task}: found no package {package}, expected the extra {extra}: "
            raise MissingExtra(f"{sentence}pip install 'nlrouter[{extra}]'") from error
