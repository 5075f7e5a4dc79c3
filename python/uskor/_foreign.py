"""Arrays on a GPU of libraries that are not PyTorch or CuPy: they come by DLPack or __cuda_array_interface__, and
results are arrays of our own, which speak both."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np

from . import _dlpack, _driver
from . import _library as lib
from ._arrays import CUDA, CUDA_MANAGED, number
from ._driver import LEGACY
from ._layout import Seen

_TYPES = {
    lib.FLOAT32: "<f4", lib.FLOAT64: "<f8", lib.FLOAT16: "<f2", lib.INT8: "|i1", lib.INT16: "<i2", lib.INT32: "<i4",
    lib.INT64: "<i8", lib.UINT8: "|u1", lib.UINT16: "<u2", lib.UINT32: "<u4", lib.UINT64: "<u8",
}  # fmt: skip


def _steps(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    return tuple(size * math.prod(shape[i + 1 :]) for i in range(len(shape)))


class DeviceArray:
    """A result on a CUDA device, in C order. torch.from_dlpack, cupy.from_dlpack and others take it without a copy."""

    def __init__(self, device: int, shape: tuple[int, ...], kind: int, size: int) -> None:
        self.device = device
        self._memory = _driver.Memory(device, math.prod(shape) * size)
        self._seen = Seen(self._memory.address, shape, _steps(shape, size), kind, size, False)

    @property
    def shape(self) -> tuple[int, ...]:
        return self._seen.shape

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA, self.device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None) -> Any:
        if copy or (dl_device is not None and tuple(dl_device) != self.__dlpack_device__()):
            raise BufferError("uskor: the array is given as it is: no copy, no other device")
        if stream != -1:  # the taker's stream waits for what was enqueued on the default one
            _driver.wait(self.device, waiting=stream if stream is not None else LEGACY, awaited=LEGACY)
        return _dlpack.write(self, self._seen, self.__dlpack_device__(), max_version)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if self._seen.kind not in _TYPES:
            raise AttributeError("uskor: the interface has no name for this type; DLPack has")
        place = (self._seen.address, self._seen.read_only)
        return {"version": 3, "shape": self.shape, "typestr": _TYPES[self._seen.kind], "data": place, "stream": LEGACY}


class _Taken:
    """An array as it was handed over; it is kept while the call enqueues its work."""

    def __init__(self, owner: Any, seen: Seen, device: int, stream: int | None = None, capsule: Any = None) -> None:
        self.owner, self.seen, self.device, self.stream, self.capsule = owner, seen, device, stream, capsule

    @property
    def shape(self) -> tuple[int, ...]:
        return self.seen.shape

    def reshape(self, *shape: Any) -> _Taken:
        if not self.seen.is_contiguous:
            raise NotImplementedError("uskor: of this library, arrays without gaps; make a copy first")
        sides = tuple(shape[0]) if isinstance(shape[0], tuple) else shape
        if -1 in sides:
            sides = np.broadcast_to(np.int8(0), self.shape).reshape(sides).shape
        seen = self.seen._replace(shape=sides, strides=_steps(sides, self.seen.size))
        return _Taken(self.owner, seen, self.device, self.stream, self.capsule)


def _by_interface(a: Any) -> _Taken:
    said = a.__cuda_array_interface__
    dtype = np.dtype(said["typestr"])
    address, read_only = said["data"]
    if said.get("mask") is not None:
        raise NotImplementedError("uskor: an array with a mask")
    shape = tuple(said["shape"])
    strides = tuple(said.get("strides") or _steps(shape, dtype.itemsize))
    kind = number(dtype) if dtype.kind != "b" else None
    seen = Seen(address, shape, strides, kind, dtype.itemsize, bool(read_only))
    return _Taken(a, seen, _driver.device_of(address) if math.prod(shape) else 0, said.get("stream"))


def _by_dlpack(a: Any) -> _Taken:
    kind, device = a.__dlpack_device__()
    if int(kind) not in (CUDA, CUDA_MANAGED):
        raise NotImplementedError(f"uskor: an array on a device of DLPack's kind {kind}")
    try:
        capsule = a.__dlpack__(stream=LEGACY, max_version=_dlpack.VERSION)
    except TypeError:  # of a library older than version 1
        capsule = a.__dlpack__(stream=LEGACY)
    return _Taken(a, _dlpack.read(capsule), int(device), None, capsule)


class Foreign:
    """The methods of _families.py for such arrays. Work goes to the default stream."""

    module = None  # no functions on such arrays

    def take(self, arrays: tuple[Any, ...]) -> list[_Taken | None]:
        taken = {id(a): self._take(a) for a in arrays if a is not None}  # one array twice is one
        return [taken.get(id(a)) for a in arrays]

    def _take(self, a: Any) -> _Taken:
        taken = _by_dlpack(a) if hasattr(a, "__dlpack__") else _by_interface(a)
        if taken.stream not in (None, LEGACY):
            _driver.wait(taken.device, waiting=LEGACY, awaited=taken.stream)
        return taken

    def give(self, taken: _Taken) -> Any:
        if taken.stream not in (None, LEGACY):  # what its owner enqueues next waits for the result
            _driver.wait(taken.device, waiting=taken.stream, awaited=LEGACY)
        return taken.owner

    def see(self, a: _Taken) -> Seen:
        return a.seen

    def address(self, a: _Taken) -> int:
        return a.seen.address

    def device(self, a: _Taken) -> int:
        return a.device

    def on(self, a: _Taken) -> contextlib.AbstractContextManager:
        return _driver.current(a.device)

    def stream(self, a: _Taken) -> int:
        return LEGACY

    def empty(self, a: _Taken, shape: tuple[int, ...], dtype: str | None = None) -> _Taken:
        kinds = {None: (a.seen.kind, a.seen.size), "float64": (lib.FLOAT64, 8), "int64": (lib.INT64, 8)}
        kind, size = kinds[dtype]
        if kind is None:
            raise NotImplementedError("uskor: a result of this type")
        made = DeviceArray(a.device, shape, kind, size)
        return _Taken(made, made._seen, a.device)

    def copy(self, a: _Taken) -> _Taken:
        made = self.empty(a, a.shape)
        self.assign(made, a)
        return made

    def assign(self, target: _Taken, a: _Taken) -> None:
        if not (target.seen.is_contiguous and a.seen.is_contiguous) or target.seen.kind != a.seen.kind:
            raise NotImplementedError("uskor: of this library, arrays without gaps, and vectors of float64 for dot")
        _driver.copy(target.seen.address, a.seen.address, math.prod(a.shape) * a.seen.size)

    def broadcast(self, a: _Taken, shape: tuple[int, ...]) -> _Taken:
        if a.shape != shape:
            raise NotImplementedError("uskor: of this library, batches of the same shape")
        return a
