"""The functions on arrays that are on a CUDA device: enqueued on the caller's current stream, not waited for, without a
copy where an array is contiguous and at a multiple of 256 bytes."""

from __future__ import annotations

import contextlib
import ctypes
import math
import sys
from typing import Any, cast

import numpy as np

from . import _driver
from . import _library as lib
from ._families import family_of
from ._layout import MULTIPLIED, Seen, groups, new_sides, stored

_ALIGNMENT = 256
_PLANS_KEPT = 16  # of a stream; each holds its scratch memory on the device
_STREAMS_KEPT = 8  # of a thread


class _Stream:
    """A context on a stream, and its last plans."""

    def __init__(self, stream: int) -> None:
        self.context = lib.Context(stream)
        self.plans: dict[tuple, ctypes.c_void_p] = {}
        self._free = lib.library.uskor_plan_free

    def plan(self, function: str, arguments: tuple) -> ctypes.c_void_p:
        key = (function, arguments)
        plan = self.plans.pop(key, None)
        if plan is None:
            if len(self.plans) >= _PLANS_KEPT:
                self._free(self.plans.pop(next(iter(self.plans))))
            plan = ctypes.c_void_p()
            self.context.call(function, ctypes.byref(plan), *arguments)
        self.plans[key] = plan  # the last one is the newest
        return plan

    def __del__(self, is_ending=sys.is_finalizing) -> None:
        for plan in {} if is_ending() else self.plans.values():
            self._free(plan)


class Work:
    """What a call on arrays of one library needs; to be used within `on`."""

    def __init__(self, *arrays: Any) -> None:
        self.family = cast(Any, family_of(*arrays))
        self.arrays: list[Any] = self.family.take(arrays)
        self.like = self.arrays[0]
        self.device = self.family.device(self.like)
        for a in self.arrays[1:]:
            if a is not None and self.family.device(a) != self.device:
                raise ValueError(f"uskor: arrays on several devices: {self.device} and {self.family.device(a)}")

    def on(self) -> contextlib.AbstractContextManager:
        return self.family.on(self.like)

    def _stream(self) -> _Stream:
        streams = lib.of_thread.streams
        key = (self.device, self.family.stream(self.like))
        found = streams.pop(key, None)
        if found is None:
            if len(streams) >= _STREAMS_KEPT:
                streams.pop(next(iter(streams)))
            if not streams:
                _driver.find_nvrtc()
            _driver.make_current(self.device)  # later calls find the context through the stream's own
            found = _Stream(key[1])
        streams[key] = found
        return found

    def run(
        self, function: str, arguments: tuple[Any, ...], target: Any, first: Any = None, second: Any = None
    ) -> None:
        stream = self._stream()
        plan = stream.plan(function, arguments)
        address = self.family.address
        lib.of_thread.last = stream.context
        stream.context.run(
            plan,
            address(target),
            address(first) if first is not None else None,
            address(second) if second is not None else None,
        )

    def source(self, a: Any, seen: Seen | None = None) -> Any:
        """The array, or a copy that the C library can take."""
        seen = seen or cast(Seen, self.family.see(a))
        return a if seen.is_contiguous and seen.address % _ALIGNMENT == 0 else self.family.copy(a)

    def target(self, out: Any, shape: tuple[int, ...], kind: int | None, *others: Seen) -> Any:
        """`out` where the C library can write it and none of the others is; else new memory, copied by `finish`."""
        if out is None:
            return self.family.empty(self.like, shape)
        seen = self.family.see(out)
        if seen.shape != shape:
            raise ValueError(f"output array has shape {seen.shape}, not {shape}")
        if seen.kind != kind or (kind is None and seen.size != self.family.see(self.like).size):
            raise TypeError("output array has another dtype than the result")
        if seen.read_only:
            raise ValueError("output array is read-only")
        low, high = _bounds(seen)
        meets = any(low < end and begin < high for begin, end in map(_bounds, others))
        return out if seen.is_contiguous and seen.address % _ALIGNMENT == 0 and not meets else self.family.copy(out)

    def finish(self, out: Any, result: Any) -> Any:
        if out is not None and out is not result:
            self.family.assign(out, result)
        return self.family.give(result if out is None else out)


def _bounds(seen: Seen) -> tuple[int, int]:
    reach = sum((side - 1) * step for side, step in zip(seen.shape, seen.strides)) + seen.size
    return seen.address, seen.address + (reach if math.prod(seen.shape) else 0)


def refuse(function: str, what: str) -> NotImplementedError:
    return NotImplementedError(f"uskor.{function}: on a GPU {what}")


def transpose(a: Any, axes: Any, out: Any) -> Any:
    work = Work(a, out)
    a, out = work.arrays
    seen = work.family.see(a)
    order = np.arange(len(seen.shape))[::-1] if axes is None else axes
    view = np.transpose(np.broadcast_to(np.int8(0), seen.shape), order).shape  # or what NumPy raises
    found = groups(seen.shape, [int(axis) % len(seen.shape) for axis in order])
    if found is None or found[0] != 1 or seen.size * found[3] not in (1, 2, 4, 8, 16):
        raise refuse("transpose", "a matrix of elements of 1, 2, 4, 8 or 16 bytes is transposed")
    with work.on():
        result = work.target(out, view, seen.kind, seen)
        work.run("plan_transpose", (found[1], found[2], seen.size * found[3]), result, work.source(a))
        return work.finish(out, result)


def resize(picture: Any, shape: Any, out: Any) -> Any:
    work = Work(picture, out)
    picture, out = work.arrays
    seen = work.family.see(picture)
    height, width = new_sides(shape)
    if seen.kind != lib.UINT8 or len(seen.shape) != 3 or seen.shape[2] != 4:
        raise refuse("resize", "pictures of shape (height, width, 4) of uint8 are resized")
    if min(seen.shape) < 1:
        raise ValueError("uskor.resize: sides are at least 1")
    with work.on():
        result = work.target(out, (height, width, 4), seen.kind, seen)
        sizes = (width, height, 4 * width, seen.shape[1], seen.shape[0], 4 * seen.shape[1], 4, lib.UINT8)
        work.run("plan_resize_picture", sizes, result, work.source(picture))
        return work.finish(out, result)


def dot(a: Any, b: Any, out: Any, sum: str) -> Any:
    work = Work(a, b, out)
    a, b, out = work.arrays
    seen, other = work.family.see(a), work.family.see(b)
    if len(seen.shape) != 1 or len(other.shape) != 1 or seen.kind != other.kind or sum != "fast":
        raise refuse("dot", 'two vectors of one dtype, with sum="fast"; uskor.matmul multiplies matrices')
    if seen.kind not in (lib.FLOAT32, lib.FLOAT64):
        raise refuse("dot", "vectors of float32 and float64")
    if seen.shape != other.shape:
        raise ValueError(f"shapes {seen.shape} and {other.shape} not aligned")
    with work.on():
        exact = work.family.empty(a, (), "float64")
        work.run("plan_dot", (seen.shape[0], seen.kind, lib.SUMS[sum]), exact, work.source(a), work.source(b))
        result = work.target(out, (), seen.kind)
        if seen.kind == lib.FLOAT64 and out is None:
            return work.finish(None, exact)
        work.family.assign(result, exact)
        return work.finish(out, result)


def _stored(work: Work, a: Any) -> tuple[Any, bool, int]:
    """A matrix, or a batch of them, and how it is stored: transposed or not, the pitch."""
    seen = work.family.see(a)
    found = stored(seen.shape, seen.strides, seen.size) if len(seen.shape) == 2 else None
    if found and seen.address % _ALIGNMENT == 0:
        return a, found.transposed, found.pitch
    return work.source(a), False, max(seen.shape[-1], 1)


def matmul(a: Any, b: Any, out: Any) -> Any:
    work = Work(a, b, out)
    a, b, out = work.arrays
    x, y = work.family.see(a), work.family.see(b)
    if x.kind != y.kind or x.kind not in MULTIPLIED:
        raise refuse("matmul", "two arrays of one dtype, a float of 16 to 64 bits")
    if not x.shape or not y.shape or x.shape[-1] != y.shape[-min(len(y.shape), 2)]:
        raise ValueError(f"uskor.matmul: shapes {x.shape} and {y.shape} do not fit")
    left = a.reshape(1, -1) if len(x.shape) == 1 else a
    right = b.reshape(-1, 1) if len(y.shape) == 1 else b
    batch = np.broadcast_shapes(tuple(left.shape[:-2]), tuple(right.shape[:-2]))
    m, k, n = left.shape[-2], left.shape[-1], right.shape[-1]
    shape = batch + (() if len(x.shape) == 1 else (m,)) + (() if len(y.shape) == 1 else (n,))
    with work.on():
        result = work.target(out, shape, x.kind, x, y)
        if batch:
            left, right = (work.family.broadcast(o, batch + tuple(o.shape[-2:])) for o in (left, right))
        (left, left_turned, lda), (right, right_turned, ldb) = _stored(work, left), _stored(work, right)
        # fmt: off
        sizes = (x.kind, x.kind, left_turned, right_turned, m, n, k, 1.0, lda, m * k, ldb, k * n, 0.0, max(n, 1), m * n,
                 math.prod(batch), 0)
        # fmt: on
        if math.prod(shape):
            work.run("plan_gemm_strided", sizes, result, left, right)
        return work.finish(out, result)
