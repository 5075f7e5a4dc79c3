"""matmul, dot."""

from __future__ import annotations

from typing import Any

import numpy as np

from . import _device
from . import _library as lib
from ._arrays import address, any_on_device, host, number, overlap, target
from ._layout import MULTIPLIED, Stored, stored


def _readable(x: np.ndarray) -> tuple[np.ndarray, Stored]:
    """The array, or a copy of it, whose last two axes are rows in memory."""
    size = x.dtype.itemsize
    found = stored(x.shape[-2:], x.strides[-2:], size)
    if found is None or not x.flags.aligned or any(step < 0 or step % size for step in x.strides[:-2]):
        x = np.array(x, order="C")
        found = Stored(False, max(x.shape[-1], 1))
    return x, found


def _step(x: np.ndarray) -> int | None:
    """The distance of the matrices, in elements, where all of them are equally far apart."""
    shape, strides = x.shape[:-2], x.strides[:-2]
    used = [(side, step) for side, step in zip(shape, strides) if side != 1]
    for (_, outer), (side, inner) in zip(used, used[1:]):
        if outer != side * inner:
            return None
    return used[-1][1] // x.dtype.itemsize if used else 0


def _multiply(a: np.ndarray, b: np.ndarray, c: np.ndarray, kind: int) -> None:
    """Products of all matrices of a and b, which have the axes of c before their last two."""
    (a, of_a), (b, of_b) = _readable(a), _readable(b)
    steps = _step(a), _step(b)
    if None in steps:  # the batch is not one row of matrices: its first axis is taken apart
        for i in range(c.shape[0]):
            _multiply(a[i], b[i], c[i], kind)
        return
    m, n, k = *c.shape[-2:], a.shape[-1]
    batch = c.size // (m * n) if m * n else 0
    # fmt: off
    lib.of_thread.cpu.call("gemm_strided", kind, kind, of_a.transposed, of_b.transposed, m, n, k, 1.0, address(a),
                           of_a.pitch, steps[0], address(b), of_b.pitch, steps[1], 0.0, address(c), max(n, 1), m * n,
                           batch, 0)
    # fmt: on


def _matrices(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray, tuple[int, ...]] | None:
    """Operands with the same batch of matrices, and the product's shape; None where NumPy would refuse them."""
    left = a[np.newaxis, :] if a.ndim == 1 else a
    right = b[:, np.newaxis] if b.ndim == 1 else b
    if left.ndim < 2 or right.ndim < 2 or left.shape[-1] != right.shape[-2]:
        return None
    try:
        batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    except ValueError:
        return None
    shape = batch + (() if a.ndim == 1 else (a.shape[-2],)) + (() if b.ndim == 1 else (b.shape[-1],))
    left = np.broadcast_to(left, batch + left.shape[-2:])
    right = np.broadcast_to(right, batch + right.shape[-2:])
    return left, right, shape


def _kind_of(x: np.ndarray, y: np.ndarray) -> tuple[int | None, np.dtype]:
    """The type of a product that the C library makes, or None; the dtype."""
    if not type(x) is type(y) is np.ndarray or number(x.dtype) is None or number(y.dtype) is None:
        return None, x.dtype
    dtype = x.dtype if x.dtype == y.dtype else np.result_type(x, y)
    kind = number(dtype)
    return (kind if kind in MULTIPLIED else None), dtype


def matmul(a, b, out=None):
    """The matrix product, as numpy.matmul (the operator @) makes it.

    a, b: (…, m, k) and (…, k, n); axes before the last two are broadcast; one axis is a row of `a`, a column of `b`.
          Floats of 16 to 64 bits are multiplied by Uskor, other dtypes by NumPy. On a GPU: the same dtype, two axes or
          the same batch.
    out: an array for the result, of its shape, to whose dtype it may be cast.

    Half precision is summed in float32. On the CPU the result's bits do not depend on the number of threads.

    Returns an array of shape (…, m, n).
    Raises ValueError for shapes that do not fit.
    """
    if any_on_device(a, b, out):
        return _device.matmul(a, b, out)
    (x, give), (y, _) = host(a), host(b)
    kind, dtype = _kind_of(x, y)
    operands = _matrices(x, y) if kind is not None else None
    if kind is None or operands is None:
        into = target(out) if out is not None else None
        found = np.matmul(x, y, out=into) if into is not None else np.matmul(x, y)  # or what NumPy raises
        return out if out is not None else give(found)
    left, right, shape = operands
    into = target(out, shape) if out is not None else None
    result: Any = into
    if into is None or into.dtype != dtype or not into.flags.carray or overlap(into, x) or overlap(into, y):
        result = np.empty(shape, dtype)
    c = result.reshape(left.shape[:-1] + right.shape[-1:])
    _multiply(left.astype(dtype, copy=False), right.astype(dtype, copy=False), c, kind)
    if into is None:
        return give(result if shape else result[()])
    if result is not into:
        np.copyto(into, result, casting="same_kind")
    return out


def dot(a, b, out=None, *, sum="fast"):
    """The dot product, as numpy.dot makes it.

    a, b: two vectors of n elements; or arrays of which the last axis of `a` meets the last but one of `b`: then the
          product is `matmul`'s. float32, float64, float16 and bfloat16 are Uskor's, other dtypes NumPy's. On a GPU: two
          vectors.
    out: an array for the result, of exactly its shape and dtype.
    sum: of two vectors: "fast", "compensated" (as if in twice the precision), or "exact": rounded once, the same bits
         on any number of threads and any processor. Sums are doubles in all three, rounded to the dtype of the vectors.

    Returns a scalar for two vectors; an array of shape (…, m, …, n) else.
    Raises ValueError for shapes that do not fit or another `sum`.
    """
    if sum not in lib.SUMS:
        raise ValueError(f'uskor.dot: sum is "fast", "compensated" or "exact", not {sum!r}')
    if any_on_device(a, b, out):
        return _device.dot(a, b, out, sum)
    (x, give), (y, _) = host(a), host(b)
    kind, dtype = _kind_of(x, y)
    into = target(out) if out is not None else None
    if x.ndim == 1 and y.ndim == 1 and x.shape == y.shape and kind in MULTIPLIED:
        result = _dot_of_vectors(x.astype(dtype, copy=False), y.astype(dtype, copy=False), kind, sum)
    elif kind is not None and x.ndim >= 1 and y.ndim >= 1 and x.shape[-1] == y.shape[-min(y.ndim, 2)]:
        result = _dot_of_arrays(x, y)
    else:
        result = np.dot(x, y)  # or what NumPy raises
    if into is None:
        return give(result)
    if into.shape != np.shape(result) or into.dtype != result.dtype:
        raise ValueError("output array is not acceptable (must have the right datatype, number of dimensions)")
    into[...] = result
    return out


def _dot_of_vectors(x: np.ndarray, y: np.ndarray, kind: int, sum: str) -> np.floating:
    x, y = np.require(x, requirements=["C", "A"]), np.require(y, requirements=["C", "A"])
    result = np.empty((), np.float64)
    lib.of_thread.cpu.call("dot", address(result), address(x), address(y), x.size, kind, lib.SUMS[sum])
    with np.errstate(over="ignore"):
        return x.dtype.type(result)


def _dot_of_arrays(x: np.ndarray, y: np.ndarray) -> Any:
    """One product of matrices: all other axes of each make one."""
    if y.ndim <= 2:
        return matmul(x, y)
    columns = np.moveaxis(y, -2, 0)
    product: Any = matmul(x.reshape(-1, x.shape[-1]), columns.reshape(columns.shape[0], -1))
    return product.reshape(x.shape[:-1] + columns.shape[1:])
