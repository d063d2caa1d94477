"""Compiling the functions of a module by Numba, when they are first needed.

To import Numba and to load compiled code takes a second or two. A module that need not have it
for small work leaves its functions as they are, and asks here for the compiled ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType
from typing import Any

_COMPILED: dict[str, dict[str, Callable[..., Any]]] = {}


def compiled(module: ModuleType) -> Mapping[str, Callable[..., Any]]:
    """Return the functions of a module by name, compiled, and calling compiled ones."""
    if module.__name__ not in _COMPILED:
        from nlrouter.compiled import njit

        scope = dict(vars(module))
        functions: dict[str, Callable[..., Any]] = {
            name: njit(cache=True)(FunctionType(each.__code__, scope, name, each.__defaults__))
            for name, each in vars(module).items()
            if isinstance(each, FunctionType) and each.__module__ == module.__name__
        }
        scope.update(functions)  # Each finds the others here.
        _COMPILED[module.__name__] = functions
    return _COMPILED[module.__name__]
