"""Threads, devices, and what served a call."""

from __future__ import annotations

import importlib
import operator
from typing import Any

from . import _library as lib


def threads() -> int:
    """The most threads that a call on the CPU uses."""
    return int(lib.library.uskor_threads())


def set_threads(count: int) -> None:
    """Sets that number for all calls of the process; 0: as at the start (USKOR_NUM_THREADS, OMP_NUM_THREADS, or the
    processors that the process may use). Raises ValueError for a negative number."""
    count = operator.index(count)
    if not 0 <= count < 1 << 31:
        raise ValueError(f"uskor.set_threads: {count} threads")
    lib.library.uskor_set_threads(count)


def devices() -> list[str]:
    """The devices of this machine that Uskor knows, such as ["cpu", "cuda:0"]."""
    return [lib.library.uskor_device_name(i).decode() for i in range(lib.library.uskor_device_count())]


def tuned(function, *arguments, **options) -> str:
    """Calls a function of this module and returns the rung (implementation) that the tuned choice ran, such as "simd".

    function, arguments, options: uskor.sort and others, and what it takes.

    Returns the rung's name, or "numpy" where NumPy did the work. Where a function makes several calls, the last one's.
    """
    lib.of_thread.last = None
    function(*arguments, **options)
    return lib.of_thread.last.rung if lib.of_thread.last else "numpy"


def register() -> None:
    """Makes the library known to threadpoolctl, where that is installed."""
    try:
        threadpoolctl: Any = importlib.import_module("threadpoolctl")  # it has no types
    except ImportError:
        return

    class Controller(threadpoolctl.LibController):
        user_api = "uskor"
        internal_api = "uskor"
        filename_prefixes = ("libuskor",)
        check_symbols = ("uskor_threads", "uskor_set_threads")

        def get_num_threads(self) -> int:
            return threads()

        def set_num_threads(self, num_threads: int) -> None:
            set_threads(num_threads)

        def get_version(self) -> str:
            return lib.library.uskor_version().decode()

        def set_additional_attributes(self) -> None:
            pass

    threadpoolctl.register(Controller)
