"""DLPack's structures (dlpack.h, version 1.0): arrays of other libraries read from capsules, our own put into them."""

from __future__ import annotations

import ctypes
from ctypes import (
    CFUNCTYPE,
    POINTER,
    Structure,
    c_char_p,
    c_int,
    c_int32,
    c_int64,
    c_uint8,
    c_uint16,
    c_uint32,
    c_uint64,
    c_void_p,
    py_object,
)
from typing import Any, cast

from . import _library as lib
from ._layout import Seen

READ_ONLY = 1  # a flag
VERSION = (1, 0)

_INTEGER, _UNSIGNED, _FLOAT, _BFLOAT = 0, 1, 2, 4
_KINDS = {
    lib.FLOAT32: (_FLOAT, 32), lib.FLOAT64: (_FLOAT, 64), lib.FLOAT16: (_FLOAT, 16), lib.BFLOAT16: (_BFLOAT, 16),
    lib.INT8: (_INTEGER, 8), lib.INT16: (_INTEGER, 16), lib.INT32: (_INTEGER, 32), lib.INT64: (_INTEGER, 64),
    lib.UINT8: (_UNSIGNED, 8), lib.UINT16: (_UNSIGNED, 16), lib.UINT32: (_UNSIGNED, 32), lib.UINT64: (_UNSIGNED, 64),
}  # fmt: skip
_CODES = {code: kind for kind, code in _KINDS.items()}


class _Tensor(Structure):
    _fields_ = [
        ("data", c_void_p), ("device_type", c_int32), ("device", c_int32), ("axes", c_int32), ("code", c_uint8),
        ("bits", c_uint8), ("lanes", c_uint16), ("shape", POINTER(c_int64)), ("strides", POINTER(c_int64)),
        ("offset", c_uint64),
    ]  # fmt: skip


class _Plain(Structure):  # DLManagedTensor
    _fields_ = [("tensor", _Tensor), ("context", c_void_p), ("deleter", c_void_p)]


class _Versioned(Structure):  # DLManagedTensorVersioned
    _fields_ = [
        ("major", c_uint32), ("minor", c_uint32), ("context", c_void_p), ("deleter", c_void_p), ("flags", c_uint64),
        ("tensor", _Tensor),
    ]  # fmt: skip


_NAMES = {b"dltensor_versioned": _Versioned, b"dltensor": _Plain}
_api = ctypes.pythonapi
_is_valid = ctypes.PYFUNCTYPE(c_int, c_void_p, c_char_p)(("PyCapsule_IsValid", _api))
_pointer_of = ctypes.PYFUNCTYPE(c_void_p, c_void_p, c_char_p)(("PyCapsule_GetPointer", _api))
_new_capsule = ctypes.PYFUNCTYPE(py_object, c_void_p, c_char_p, c_void_p)(("PyCapsule_New", _api))
_increase = ctypes.PYFUNCTYPE(None, py_object)(("Py_IncRef", _api))
_decrease = ctypes.PYFUNCTYPE(None, c_void_p)(("Py_DecRef", _api))


def read(capsule: Any) -> Seen:
    """What is in a capsule, which stays its owner: it is to be kept while the memory is used."""
    for name, structure in _NAMES.items():
        if _is_valid(id(capsule), name):
            managed = structure.from_address(_pointer_of(id(capsule), name))
            break
    else:
        raise TypeError("uskor: __dlpack__ did not give a capsule of DLPack's")
    if structure is _Versioned and managed.major != VERSION[0]:
        raise BufferError(f"uskor: DLPack {managed.major}.{managed.minor}; version 1 is understood")
    tensor = managed.tensor
    shape = tuple(tensor.shape[i] for i in range(tensor.axes))
    size = tensor.bits * tensor.lanes // 8
    strides: list[int] = []
    step = size
    for side in reversed(shape):
        strides.insert(0, step)
        step *= side
    if tensor.strides:
        strides = [tensor.strides[i] * size for i in range(tensor.axes)]
    kind = _CODES.get((tensor.code, tensor.bits)) if tensor.lanes == 1 else None
    read_only = structure is _Versioned and bool(managed.flags & READ_ONLY)
    return Seen((tensor.data or 0) + tensor.offset, shape, tuple(strides), kind, size, read_only)


class _Export:
    """The memory of a structure that another library holds, and the array behind it."""

    def __init__(self, owner: object, seen: Seen, device: tuple[int, int], is_versioned: bool) -> None:
        self.owner = owner
        self.sides = (c_int64 * len(seen.shape))(*seen.shape)
        self.steps = (c_int64 * len(seen.shape))(*(step // seen.size for step in seen.strides))
        code, bits = _KINDS[cast(int, seen.kind)]
        tensor = _Tensor(seen.address, *device, len(seen.shape), code, bits, 1, self.sides, self.steps, 0)
        deleter = ctypes.cast(_delete_versioned if is_versioned else _delete_plain, c_void_p)
        self.managed: _Versioned | _Plain
        if is_versioned:
            self.managed = _Versioned(*VERSION, id(self), deleter, READ_ONLY * seen.read_only, tensor)
        else:
            self.managed = _Plain(tensor, id(self), deleter)


@CFUNCTYPE(None, POINTER(_Versioned))
def _delete_versioned(managed):
    _decrease(managed.contents.context)


@CFUNCTYPE(None, POINTER(_Plain))
def _delete_plain(managed):
    _decrease(managed.contents.context)


@ctypes.PYFUNCTYPE(None, c_void_p)
def _drop(capsule):
    """A capsule that nobody took."""
    for name, structure in _NAMES.items():
        if _is_valid(capsule, name):
            _decrease(structure.from_address(_pointer_of(capsule, name)).context)


def write(owner: object, seen: Seen, device: tuple[int, int], max_version: tuple[int, int] | None) -> Any:
    """A capsule of an array at `seen`; `owner` lives until its taker frees it."""
    is_versioned = max_version is not None and max_version[0] >= VERSION[0]
    if seen.read_only and not is_versioned:
        raise BufferError("uskor: the array is read-only, which DLPack says from version 1 on")
    export = _Export(owner, seen, device, is_versioned)
    capsule = _new_capsule(
        ctypes.addressof(export.managed),
        b"dltensor_versioned" if is_versioned else b"dltensor",
        ctypes.cast(_drop, c_void_p),
    )
    _increase(export)
    return capsule
