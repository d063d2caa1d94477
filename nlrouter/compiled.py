"""Numba's ``njit``, compiled quickly, with a cache that stops no search.

Compiled code goes beside the package; where that folder cannot be written, to the user's own
folder for caches, as Numba does it. Numba itself ends with an error where it can write to neither,
where the disk is full or where what is stored is damaged. Here the code is then compiled anew. And
Numba looks at a function's own file only, and takes its code even where a function that it calls,
and that is compiled into it, has changed in another file. Here those files count as well.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numba
from numba.core import compiler, event, types
from numba.core.caching import FunctionCache
from numba.core.dispatcher import Dispatcher

from nlrouter.deadline import WALL

LLVM_LEVEL = 1
"""LLVM's level of optimisation. The kernels chase through queues and tables: at level 3 they take
longer to compile (28 s of CPU, at level 1 20 to 25) and are no faster: for the same work on four
boards, level 1 took 0.91 to 1.1 of the time."""


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
        dispatcher: Any = numba.njit(pipeline_class=_Compiler, **options)(function)
        dispatcher.get_call_template = _with_plain_types(dispatcher.get_call_template)
        if cache:
            with suppress(RuntimeError):  # There is no folder for it.
                dispatcher._cache = _ForgivingCache(function)  # noqa: SLF001 - as `enable_caching`.
        return dispatcher

    return wrap


def inner(*, cache: bool, **options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Return a decorator as `njit` does, for a function that only compiled ones call.

    It goes without the way in from Python: a sixth of what all kernels took to compile.
    """

    def refuse(*_: object, **__: object) -> None:
        raise TypeError("only compiled functions can call this one")

    def wrap(function: Callable[..., Any]) -> Any:
        dispatcher = njit(cache=cache, no_cpython_wrapper=True, **options)(function)
        # The table by which Python finds machine code stays empty.
        dispatcher._insert = lambda *_, **__: None  # noqa: SLF001
        dispatcher._compile_for_args = refuse  # noqa: SLF001
        return dispatcher

    return wrap


def _with_plain_types(template: Callable[..., Any]) -> Callable[..., Any]:
    """Return how to find what a kernel calls: one function for all integers.

    To Numba a literal is a type of its own, so it compiles ``pop(0)`` and ``pop(size)`` apart, and
    both once more for a number out of an array of 32 bits.
    """
    return lambda args, kws: template(tuple(map(_plain, args)), kws)


def _plain(type_: Any) -> Any:
    """Return the type as which an argument is passed."""
    plain = types.unliteral(type_)
    return types.int64 if plain == types.int32 else plain


def is_stored(kernel: Any) -> bool:
    """Return whether there is machine code on disk for a function that is kept."""
    cache = kernel._cache  # noqa: SLF001 - no other way to ask.
    return isinstance(cache, _ForgivingCache) and cache.stored


class _Stopwatch(event.Listener):
    """Lets the clock stand still while something is compiled."""

    def __init__(self) -> None:
        self._depth = 0
        self._start = self._effort = 0.0

    def on_start(self, event: Any) -> None:  # noqa: ARG002 - as Numba calls it.
        """Note when the outermost function began."""
        if self._depth == 0:
            WALL.tell(None)
            self._start, self._effort = time.monotonic(), time.thread_time()
        self._depth += 1

    def on_end(self, event: Any) -> None:  # noqa: ARG002
        """Take off what that took."""
        self._depth -= 1
        if self._depth == 0:
            WALL.exclude(time.monotonic() - self._start, time.thread_time() - self._effort)


event.register("numba:compile", _Stopwatch())


class _Compiler(compiler.Compiler):
    """Numba's pipeline at `LLVM_LEVEL`, for the functions of this package alone."""

    def compile_extra(self, func: Any) -> Any:
        """Compile a function, without the wrapper for callers in C: there are none."""
        self.state.flags.no_cfunc_wrapper = True
        with _quickly():
            return super().compile_extra(func)


@contextmanager
def _quickly() -> Iterator[None]:
    """Compile quickly for a while.

    LLVM optimises at `LLVM_LEVEL`, unless the user's ``NUMBA_OPT`` is lower already, and no garbage
    is collected: looking for it takes a tenth of the time.
    """
    config: Any = numba.config
    level, collects = config.OPT, gc.isenabled()
    config.OPT = type(level)(min(LLVM_LEVEL, int(level)))
    gc.disable()
    try:
        yield
    finally:
        config.OPT = level
        if collects:
            gc.enable()


class _ForgivingCache(FunctionCache):
    """A cache that knows what a kernel calls, and whose failures cost only time to compile."""

    @property
    def stored(self) -> bool:
        """Whether there is any code of the function that can still be used."""
        with suppress(Exception):
            return bool(self._fresh()._load_index())  # noqa: SLF001
        return False

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the machine code for a signature; None where there is none that can be used."""
        # Whatever is wrong with what is stored: unpickling can raise anything.
        with suppress(Exception):
            self._fresh()
            return super().load_overload(sig, target_context)
        return None

    def _fresh(self) -> Any:
        """Return the cache's file, told what code has to be made from to be used.

        That is known once all names are bound. Numba always loads before it saves.
        """
        self._cache_file._source_stamp = _sources(self._py_func)  # noqa: SLF001
        return self._cache_file

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store machine code, if there is room for it."""
        with suppress(Exception):  # It reads the index first, which may be damaged as well.
            super().save_overload(sig, data)


def _sources(function: Any) -> list[tuple[str, object]]:
    """Return what is compiled into a function: files with time and size, constants with value."""
    found: dict[str, object] = {}
    waiting, seen = [function], set()
    while waiting:
        function = waiting.pop()
        if function in seen:
            continue
        seen.add(function)
        path = Path(function.__code__.co_filename)
        stat = path.stat()
        found[str(path)] = stat.st_mtime_ns, stat.st_size
        for name in function.__code__.co_names:
            value = function.__globals__.get(name)
            if isinstance(value, Dispatcher):
                waiting.append(value.py_func)
            elif isinstance(value, bool | int | float | str | tuple):
                found[f"{path} {name}"] = repr(value)
    return sorted(found.items())
