"""The functions on arrays that are on a CUDA device: enqueued on the caller's current stream, not waited for, without a
copy where an array is contiguous and at a multiple of 256 bytes."""

from __future__ import annotations

import ctypes
import math
import operator
import sys
from typing import Any

import numpy as np

from . import _driver
from . import _library as lib
from ._families import family_of
from ._layout import MULTIPLIED, Seen, groups, stored

_ALIGNMENT = 256
_PLANS_KEPT = 16  # of a stream; each holds its scratch memory on the device
_STREAMS_KEPT = 8  # of a thread
_COPIED = 1 << 16  # the rungs of fewer numbers sort in place alone
_INDEXED = 1 << 30  # as many indices the rungs can make
_SORTED = (lib.FLOAT32, lib.FLOAT64, lib.INT32, lib.INT64, lib.UINT32, lib.UINT64)


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


class _Work:
    """What a call on arrays of one library needs; to be used within `on`."""

    def __init__(self, *arrays: Any) -> None:
        self.family = family_of(*arrays)
        taken = {id(a): self.family.take(a) for a in arrays if a is not None}  # one array twice is one
        self.arrays = [taken.get(id(a)) for a in arrays]
        self.like = self.arrays[0]
        devices = {self.family.device(a) for a in self.arrays if a is not None}
        if len(devices) > 1:
            raise ValueError(f"uskor: arrays on several devices: {sorted(devices)}")
        self.device = devices.pop()

    def on(self):
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

    def run(self, function: str, arguments: tuple, target: Any, first: Any = None, second: Any = None) -> None:
        stream = self._stream()
        plan = stream.plan(function, arguments)
        places = [self.family.address(a) if a is not None else None for a in (target, first, second)]
        lib.of_thread.last = stream.context
        stream.context.run(plan, *places)

    def source(self, a: Any) -> Any:
        """The array, or a copy that the C library can take."""
        seen = self.family.see(a)
        return a if seen.is_contiguous and seen.address % _ALIGNMENT == 0 else self.family.copy(a)

    def target(self, out: Any, shape: tuple[int, ...], kind: int | None, *others: Any) -> Any:
        """`out` where the C library can write it, else new memory, to be copied by `finish`."""
        if out is None:
            return self.family.empty(self.like, shape)
        seen = self.family.see(out)
        if seen.shape != shape:
            raise ValueError(f"output array has shape {seen.shape}, not {shape}")
        if seen.kind != kind or (kind is None and seen.size != self.family.see(self.like).size):
            raise TypeError("output array has another dtype than the result")
        if seen.read_only:
            raise ValueError("output array is read-only")
        taken = [_bounds(self.family.see(a)) for a in others]
        low, high = _bounds(seen)
        meets = any(low < end and begin < high for begin, end in taken)
        return out if seen.is_contiguous and seen.address % _ALIGNMENT == 0 and not meets else self.family.copy(out)

    def finish(self, out: Any, result: Any) -> Any:
        if out is not None and out is not result:
            self.family.assign(out, result)
        return self.family.give(result if out is None else out)


def _bounds(seen: Seen) -> tuple[int, int]:
    reach = sum((side - 1) * step for side, step in zip(seen.shape, seen.strides)) + seen.size
    return seen.address, seen.address + (reach if math.prod(seen.shape) else 0)


def _refuse(function: str, what: str) -> NotImplementedError:
    return NotImplementedError(f"uskor.{function}: on a GPU {what}")


def sort(a: Any, axis: int | None, descending: bool, out: Any) -> Any:
    work = _Work(a, out)
    a, out = work.arrays
    seen = work.family.see(a)
    shape = _line("sort", seen, axis)
    with work.on():
        result = work.target(out, shape, seen.kind, *(() if out is a else (a,)))
        if result is not a and math.prod(shape) < _COPIED:
            work.family.assign(result, a.reshape(shape))
            origin = None
        else:
            origin = None if result is a else work.source(a)
        if math.prod(shape):
            work.run("plan_sort", (math.prod(shape), seen.kind, int(descending)), result, origin)
        return work.finish(out, result)


def _line(function: str, seen: Seen, axis: int | None) -> tuple[int, ...]:
    """The shape of the result for an array that is one line of numbers; others are refused."""
    if axis is not None:
        axis = np.lib.array_utils.normalize_axis_index(axis, len(seen.shape))
        if seen.shape[axis] != math.prod(seen.shape):
            raise _refuse(function, "one line alone is sorted; axis=None sorts all elements")
    if seen.kind not in _SORTED:
        raise _refuse(function, "numbers of 32 and 64 bits are sorted")
    return seen.shape if axis is not None else (math.prod(seen.shape),)


def argsort(a: Any, axis: int | None, descending: bool) -> Any:
    work = _Work(a)
    a = work.like
    seen = work.family.see(a)
    shape = _line("argsort", seen, axis)
    if math.prod(shape) > _INDEXED:
        raise _refuse("argsort", f"at most {_INDEXED} numbers are sorted")
    with work.on():
        indices = work.family.empty(a, shape, "int64")
        if math.prod(shape):
            work.run("plan_argsort", (math.prod(shape), seen.kind, 8, int(descending)), indices, work.source(a))
        return work.finish(None, indices)


def transpose(a: Any, axes: Any, out: Any) -> Any:
    work = _Work(a, out)
    a, out = work.arrays
    seen = work.family.see(a)
    order = np.arange(len(seen.shape))[::-1] if axes is None else axes
    view = np.transpose(np.broadcast_to(np.int8(0), seen.shape), order).shape  # or what NumPy raises
    found = groups(seen.shape, [int(axis) % len(seen.shape) for axis in order])
    if found is None or found[0] != 1 or seen.size * found[3] not in (1, 2, 4, 8, 16):
        raise _refuse("transpose", "a matrix of elements of 1, 2, 4, 8 or 16 bytes is transposed")
    with work.on():
        result = work.target(out, view, seen.kind, a)
        work.run("plan_transpose", (found[1], found[2], seen.size * found[3]), result, work.source(a))
        return work.finish(out, result)


def resize(picture: Any, shape: Any, out: Any) -> Any:
    work = _Work(picture, out)
    picture, out = work.arrays
    seen = work.family.see(picture)
    height, width = map(operator.index, shape)
    if seen.kind != lib.UINT8 or len(seen.shape) != 3 or seen.shape[2] != 4:
        raise _refuse("resize", "pictures of shape (height, width, 4) of uint8 are resized")
    if min(height, width, *seen.shape) < 1:
        raise ValueError("uskor.resize: sides are at least 1")
    with work.on():
        result = work.target(out, (height, width, 4), seen.kind, picture)
        sizes = (width, height, 4 * width, seen.shape[1], seen.shape[0], 4 * seen.shape[1], 4, lib.UINT8)
        work.run("plan_resize_picture", sizes, result, work.source(picture))
        return work.finish(out, result)


def dot(a: Any, b: Any, out: Any, sum: str) -> Any:
    work = _Work(a, b, out)
    a, b, out = work.arrays
    seen, other = work.family.see(a), work.family.see(b)
    if len(seen.shape) != 1 or len(other.shape) != 1 or seen.kind != other.kind or sum != "fast":
        raise _refuse("dot", 'two vectors of one dtype, with sum="fast"; uskor.matmul multiplies matrices')
    if seen.kind not in (lib.FLOAT32, lib.FLOAT64):
        raise _refuse("dot", "vectors of float32 and float64")
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


def _stored(work: _Work, a: Any) -> tuple[Any, bool, int]:
    """A matrix, or a batch of them, and how it is stored: transposed or not, the pitch."""
    seen = work.family.see(a)
    found = stored(seen.shape, seen.strides, seen.size) if len(seen.shape) == 2 else None
    if found and seen.address % _ALIGNMENT == 0:
        return a, *found
    return work.source(a), False, max(seen.shape[-1], 1)


def matmul(a: Any, b: Any, out: Any) -> Any:
    work = _Work(a, b, out)
    a, b, out = work.arrays
    x, y = work.family.see(a), work.family.see(b)
    if x.kind != y.kind or x.kind not in MULTIPLIED:
        raise _refuse("matmul", "two arrays of one dtype, a float of 16 to 64 bits")
    if not x.shape or not y.shape or x.shape[-1] != y.shape[-min(len(y.shape), 2)]:
        raise ValueError(f"uskor.matmul: shapes {x.shape} and {y.shape} do not fit")
    left = a.reshape(1, -1) if len(x.shape) == 1 else a
    right = b.reshape(-1, 1) if len(y.shape) == 1 else b
    batch = np.broadcast_shapes(tuple(left.shape[:-2]), tuple(right.shape[:-2]))
    m, k, n = left.shape[-2], left.shape[-1], right.shape[-1]
    shape = batch + (() if len(x.shape) == 1 else (m,)) + (() if len(y.shape) == 1 else (n,))
    with work.on():
        result = work.target(out, shape, x.kind, a, b)
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
