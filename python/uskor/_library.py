"""The C library (include/uskor.h) through ctypes, which releases the interpreter's lock while a function runs.

Nothing here changes after the import. Contexts, which serve one thread at a time, belong to each thread."""

from __future__ import annotations

import ctypes
import os
import pathlib
import sys
import threading
from ctypes import byref, c_char, c_char_p, c_double, c_int, c_size_t, c_uint, c_void_p
from typing import Any


class Error(RuntimeError):
    """A fault of the library or of the system below it. Wrong arguments are a ValueError."""


class Unavailable(Error):
    """No such device, no driver, or no memory."""


FLOAT32, FLOAT64, INT32, INT64, UINT32, UINT64, FLOAT16, BFLOAT16, INT8, UINT8, INT16, UINT16 = range(12)
DESCENDING = 1
SUMS = {"fast": 0, "compensated": 1, "exact": 2}

_SORT = (c_int, c_uint)  # type, flags
_GEMM = (c_int, c_int, c_int, c_int, c_size_t, c_size_t, c_size_t, c_double)
_SIZES = (c_size_t,)

# function: the parameters behind the context. All return a status.
_FUNCTIONS = {
    "sort_lines": (c_void_p, *_SIZES * 3, *_SORT),
    "partial_sort": (c_void_p, *_SIZES * 2, *_SORT),
    "argsort": (c_void_p, c_void_p, c_size_t, c_int, c_size_t, c_uint),
    "argsort_lines": (c_void_p, c_void_p, *_SIZES * 3, c_int, c_size_t, c_uint),
    "sort_pairs": (c_void_p, c_void_p, c_size_t, c_int, c_size_t, c_uint),
    "partition_lines": (c_void_p, *_SIZES * 4, *_SORT),
    "dot": (c_void_p, c_void_p, c_void_p, c_size_t, c_int, c_int),
    "gemm_strided": (*_GEMM, c_void_p, *_SIZES * 2, c_void_p, *_SIZES * 2, c_double, c_void_p, *_SIZES * 3, c_uint),
    "transpose_strided": (c_void_p, *_SIZES * 2, c_void_p, *_SIZES * 6),
    "transpose_in_place": (c_void_p, *_SIZES * 6),
    "resize_picture": (c_void_p, *_SIZES * 3, c_void_p, *_SIZES * 4, c_int),
    "plan_sort": (c_void_p, c_size_t, *_SORT),
    "plan_sort_unique": (c_void_p, c_size_t, *_SORT),
    "plan_argsort": (c_void_p, c_size_t, c_int, c_size_t, c_uint),
    "plan_partial_argsort": (c_void_p, *_SIZES * 2, c_int, c_size_t, c_uint),
    "plan_dot": (c_void_p, c_size_t, c_int, c_int),
    "plan_gemm_strided": (c_void_p, *_GEMM, *_SIZES * 4, c_double, *_SIZES * 3, c_uint),
    "plan_transpose": (c_void_p, *_SIZES * 3),
    "plan_resize_picture": (c_void_p, *_SIZES * 7, c_int),
}


def _load() -> ctypes.CDLL:
    own = os.environ.get("USKOR_LIBRARY") or pathlib.Path(__file__).with_name("libuskor.so")
    library = ctypes.CDLL(os.fspath(own))
    for name, parameters in _FUNCTIONS.items():
        function = getattr(library, "uskor_" + name)
        function.argtypes = (c_void_p, *parameters)
        function.restype = c_int
    others = {
        "open": (c_int, c_void_p, c_char_p),
        "open_cuda": (c_int, c_void_p, c_void_p),
        "close": (None, c_void_p),
        "message": (c_char_p, c_void_p),
        "rung": (c_char_p, c_void_p),
        "version": (c_char_p,),
        "set_threads": (None, c_uint),
        "threads": (c_uint,),
        "device_count": (c_size_t,),
        "device_name": (c_char_p, c_size_t),
        "run_device": (c_int, c_void_p, c_void_p, c_void_p, c_void_p),
        "plan_free": (c_int, c_void_p),
    }
    for name, (result, *others_parameters) in others.items():
        function = getattr(library, "uskor_" + name)
        function.argtypes = others_parameters
        function.restype = result
    return library


library = _load()
# A function whose types ctypes is not told takes C's int, and ctypes' own objects, in half the time.
_argsort, _sort_unique = library["uskor_argsort"], library["uskor_sort_unique"]
_memory = c_char.from_buffer
_INDEX_BYTES = c_size_t(8)


def _raise(status: int, context: c_void_p | None) -> None:
    message = library.uskor_message(context).decode(errors="replace")
    kinds = {2: ValueError, 3: Unavailable}
    raise kinds.get(status, Error)(message)


class Context:
    """A context of the C library, closed with the object. `stream` is a CUDA stream's address; None is the CPU."""

    def __init__(self, stream: int | None = None) -> None:
        self.handle = c_void_p()
        self._count = c_size_t()
        self._close = library.uskor_close
        if stream is None:
            status = library.uskor_open(byref(self.handle), b"cpu")
        else:
            status = library.uskor_open_cuda(byref(self.handle), stream or None)
        if status:
            _raise(status, None)

    def call(self, function: str, *arguments: object) -> None:
        """Calls uskor_<function> with this context; raises what its status says."""
        status = getattr(library, "uskor_" + function)(self.handle, *arguments)
        if status:
            _raise(status, self.handle)

    def argsort(self, indices: Any, keys: Any, kind: int) -> None:
        """uskor_argsort of keys in host memory, at least one, to indices of 8 bytes. Neither array is read-only."""
        self._count.value = keys.size
        status = _argsort(
            self.handle, byref(_memory(indices)), byref(_memory(keys)), self._count, kind, _INDEX_BYTES, 0
        )
        if status:
            _raise(status, self.handle)

    def sort_unique(self, values: Any, kind: int) -> int:
        """uskor_sort_unique of values in host memory, at least one, in their place. Returns how many are distinct."""
        self._count.value = values.size
        status = _sort_unique(self.handle, byref(_memory(values)), self._count, byref(self._count), kind, 0)
        if status:
            _raise(status, self.handle)
        return self._count.value

    def run(self, plan: c_void_p, target: int, first: int | None, second: int | None) -> None:
        """Enqueues a plan of this context on addresses on the device."""
        status = library.uskor_run_device(plan, target, first, second)
        if status:
            _raise(status, self.handle)

    @property
    def rung(self) -> str:
        return library.uskor_rung(self.handle).decode()

    def __del__(self, is_ending=sys.is_finalizing) -> None:  # at the end a driver may be gone already
        if self.handle and not is_ending():
            self._close(self.handle)


class _OfThread(threading.local):
    """Each thread's own: its context on the CPU, those on streams (_device.py), and the libraries of arrays."""

    def __init__(self) -> None:
        self.streams: dict[tuple[int, int], Any] = {}
        self.families: dict[str, Any] = {}
        self.driver: ctypes.CDLL | None = None  # CUDA's
        self.last: Context | None = None
        self._cpu: Context | None = None

    @property
    def cpu(self) -> Context:
        context = self.last = self._cpu
        if context is None:
            context = self.last = self._cpu = Context()
        return context


of_thread = _OfThread()
