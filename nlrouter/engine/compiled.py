"""Numba's ``njit`` with a cache that stops no search.

Compiled code goes beside the package; where that folder cannot be written, to the user's own
folder for caches, as Numba does it. Numba itself ends with an error where it can write to neither,
where the disk is full or where what is stored is damaged. Here the code is then compiled anew.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import numba
from numba.core.caching import FunctionCache


def njit(*, cache: bool, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator that compiles a function at its first call.

    Parameters
    ----------
    cache
        Whether the machine code is kept for the next process.
    options
        Other options of `numba.njit`.
    """

    def wrap(function: Callable[..., Any]) -> Any:
        dispatcher = numba.njit(**options)(function)
        if cache:
            with suppress(RuntimeError):  # There is no folder for it.
                dispatcher._cache = _ForgivingCache(function)  # noqa: SLF001 - as `enable_caching`.
        return dispatcher

    return wrap


class _ForgivingCache(FunctionCache):
    """A cache whose failures cost only the time of compiling."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for a signature; None where there is none that can be used."""
        # Whatever is wrong with what is stored: unpickling can raise anything.
        with suppress(Exception):
            return super().load_overload(sig, target_context)
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store machine code, if there is room for it."""
        with suppress(Exception):  # It reads the index first, which may be damaged as well.
            super().save_overload(sig, data)
