"""The libraries whose arrays on a GPU are taken, each with the same few methods: PyTorch, CuPy, and any other."""

from __future__ import annotations

import contextlib
import sys
from typing import Any

import numpy as np

from . import _library as lib
from ._arrays import module_of, number
from ._foreign import Foreign
from ._layout import Seen

_NAMES = {
    "float32": lib.FLOAT32, "float64": lib.FLOAT64, "float16": lib.FLOAT16, "bfloat16": lib.BFLOAT16,
    "int8": lib.INT8, "int16": lib.INT16, "int32": lib.INT32, "int64": lib.INT64,
    "uint8": lib.UINT8, "uint16": lib.UINT16, "uint32": lib.UINT32, "uint64": lib.UINT64,
}  # fmt: skip

_HERE = contextlib.nullcontext()  # the array's device is the current one


class _Family:
    """Arrays that are used as they are."""

    def take(self, arrays: tuple[Any, ...]) -> list[Any]:
        return list(arrays)

    def give(self, a: Any) -> Any:
        return a


class Torch(_Family):
    """PyTorch's tensors."""

    def __init__(self) -> None:
        self.module = self.torch = sys.modules["torch"]
        self.kinds = {getattr(self.torch, name, None): kind for name, kind in _NAMES.items()}
        # The call that Triton uses, which makes no object, where PyTorch has it.
        self.raw_stream = getattr(self.torch._C, "_cuda_getCurrentRawStream", None)

    def see(self, a: Any) -> Seen:
        if a.requires_grad:
            raise TypeError("uskor: the tensor requires grad, which Uskor does not compute; pass tensor.detach()")
        size = a.element_size()
        strides = tuple([step * size for step in a.stride()])
        return Seen(a.data_ptr(), tuple(a.shape), strides, self.kinds.get(a.dtype), size, False)

    def address(self, a: Any) -> int:
        return a.data_ptr()

    def device(self, a: Any) -> int:
        return a.get_device()

    def on(self, a: Any) -> contextlib.AbstractContextManager:
        there = a.get_device()
        return _HERE if self.torch.cuda.current_device() == there else self.torch.cuda.device(there)

    def stream(self, a: Any) -> int:
        there = a.get_device()
        return self.raw_stream(there) if self.raw_stream else self.torch.cuda.current_stream(there).cuda_stream

    def empty(self, a: Any, shape: tuple[int, ...], dtype: str | None = None) -> Any:
        return a.new_empty(shape, dtype=getattr(self.torch, dtype)) if dtype else a.new_empty(shape)

    def copy(self, a: Any) -> Any:
        return a.clone(memory_format=self.torch.contiguous_format)

    def assign(self, target: Any, a: Any) -> None:
        target.copy_(a)

    def broadcast(self, a: Any, shape: tuple[int, ...]) -> Any:
        return a.expand(shape)


class Cupy(_Family):
    """CuPy's arrays."""

    def __init__(self) -> None:
        self.module = self.cupy = sys.modules["cupy"]

    def see(self, a: Any) -> Seen:
        return Seen(a.data.ptr, a.shape, a.strides, number(np.dtype(a.dtype)), a.dtype.itemsize, False)

    def address(self, a: Any) -> int:
        return a.data.ptr

    def device(self, a: Any) -> int:
        return a.device.id

    def on(self, a: Any) -> contextlib.AbstractContextManager:
        return a.device

    def stream(self, a: Any) -> int:
        return self.cupy.cuda.get_current_stream().ptr

    def empty(self, a: Any, shape: tuple[int, ...], dtype: str | None = None) -> Any:
        return self.cupy.empty(shape, dtype or a.dtype)

    def copy(self, a: Any) -> Any:
        return a.copy(order="C")

    def assign(self, target: Any, a: Any) -> None:
        target[...] = a

    def broadcast(self, a: Any, shape: tuple[int, ...]) -> Any:
        return self.cupy.broadcast_to(a, shape)


def family_of(*arrays: Any) -> Torch | Cupy | Foreign:
    """The library that all arrays are of; the first one is no None."""
    name = module_of(arrays[0])
    for a in arrays[1:]:
        if a is not None and module_of(a) != name:
            raise TypeError("uskor: arrays of several libraries; convert them to one, by from_dlpack")
    known = lib.of_thread.families
    family: Any = known.get(name)
    if family is None or family.module is not sys.modules.get(name):
        family = known[name] = {"torch": Torch, "cupy": Cupy, "": Foreign}[name]()
    return family
