"""What an argument is: an array in host memory (NumPy's, or shown as NumPy's by DLPack), or one on a CUDA device."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from . import _library as lib

NUMBERS = {
    ("f", 4): lib.FLOAT32, ("f", 8): lib.FLOAT64, ("f", 2): lib.FLOAT16,
    ("i", 1): lib.INT8, ("i", 2): lib.INT16, ("i", 4): lib.INT32, ("i", 8): lib.INT64,
    ("u", 1): lib.UINT8, ("u", 2): lib.UINT16, ("u", 4): lib.UINT32, ("u", 8): lib.UINT64,
    ("b", 1): lib.UINT8,
}  # fmt: skip

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13  # DLPack's kinds of devices


def number(dtype: np.dtype) -> int | None:
    """The C library's type of numbers; None where it has none, or the bytes are in another order."""
    if dtype.kind == "V" and dtype.name == "bfloat16":  # ml_dtypes
        return lib.BFLOAT16
    return NUMBERS.get((dtype.kind, dtype.itemsize)) if dtype.isnative else None


def module_of(a: object) -> str:
    """ "torch", "cupy" where `a` is one of their arrays and the module is loaded; else ""."""
    for name, kind in (("torch", "Tensor"), ("cupy", "ndarray")):
        module = sys.modules.get(name)
        known = getattr(module, kind, None) if module else None
        if known is not None and isinstance(a, known):
            return name
    return ""


def is_on_device(a: Any) -> bool:
    """Whether the array's memory is a GPU's."""
    if isinstance(a, np.ndarray) or a is None:
        return False
    # PyTorch's and CuPy's first: they make a dictionary when they are asked for the interface.
    if getattr(a, "is_cuda", False) or module_of(a) == "cupy" or hasattr(a, "__cuda_array_interface__"):
        return True
    if hasattr(a, "__dlpack_device__"):
        kind = int(a.__dlpack_device__()[0])
        if kind not in (CPU, CUDA, CUDA_HOST, CUDA_MANAGED):
            raise NotImplementedError(f"uskor: arrays on a device of DLPack's kind {kind}; the CPU and CUDA are served")
        return kind in (CUDA, CUDA_MANAGED)
    return False


def any_on_device(*arrays: object) -> bool:
    """Whether they are a GPU's: all, or none. Raises TypeError for a mixture."""
    if type(arrays[0]) is np.ndarray and all(a is None for a in arrays[1:]):
        return False  # the usual case
    there = is_on_device(arrays[0])
    for a in arrays[1:]:
        if a is not None and is_on_device(a) != there:
            raise TypeError("uskor: some arrays are in host memory, others on a GPU; copy them to one place")
    return there


Give = Callable[[Any], Any]


def _itself(result: Any) -> Any:
    return result


def host(a: Any) -> tuple[np.ndarray, Give]:
    """The array as NumPy's, without a copy where it has memory, and what makes a result an array like `a`."""
    if type(a) is np.ndarray:
        return a, _itself
    if module_of(a) == "torch":
        torch = sys.modules["torch"]
        if a.requires_grad:
            raise TypeError("uskor: the tensor requires grad, which Uskor does not compute; pass tensor.detach()")
        return a.numpy(), lambda result: torch.from_numpy(np.asarray(result))
    if not isinstance(a, np.ndarray) and hasattr(a, "__dlpack__"):
        return np.from_dlpack(a), _itself
    return np.asanyarray(a), _itself


def target(out: object, shape: tuple[int, ...] | None = None, dtype: np.dtype | None = None) -> np.ndarray:
    """An argument `out` as NumPy's array. Raises TypeError and ValueError as NumPy's functions do."""
    if not isinstance(out, np.ndarray) and not hasattr(out, "__dlpack__"):
        raise TypeError("return arrays must be of ArrayType")
    array, _ = host(out)
    if not array.flags.writeable:
        raise ValueError("output array is read-only")
    if shape is not None and array.shape != shape:
        raise ValueError(f"output array has shape {array.shape}, not {shape}")
    if dtype is not None and array.dtype != dtype:
        raise TypeError(f"output array has dtype {array.dtype}, not {dtype}")
    return array


def overlap(a: np.ndarray, b: np.ndarray) -> bool:
    """Whether the memory of two arrays may meet: compared by their bounds."""
    return np.may_share_memory(a, b)


def address(a: np.ndarray) -> int:
    return a.__array_interface__["data"][0]
