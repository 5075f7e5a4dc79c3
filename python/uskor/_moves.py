"""transpose, resize: elements at other places."""

from __future__ import annotations

import math

import numpy as np

from . import _device
from . import _library as lib
from ._arrays import address, any_on_device, host, number, overlap, target
from ._layout import groups, new_sides

_ELEMENT_MOST = 65536  # bytes


def _rows(x: np.ndarray) -> int | None:
    """The distance of an array's rows in elements, where only these have gaps."""
    size = x.dtype.itemsize
    if x.flags.c_contiguous:
        return x.shape[-1]
    if x.ndim == 2 and x.strides[1] == size and x.strides[0] % size == 0 and x.strides[0] >= x.shape[1] * size:
        return x.strides[0] // size
    return None


def _is_one(x: np.ndarray, into: np.ndarray) -> bool:
    """Whether both are the same memory, without gaps."""
    return x.flags.c_contiguous and into.flags.c_contiguous and address(x) == address(into) and x.nbytes == into.nbytes


def _move(x: np.ndarray, into: np.ndarray, order: list[int]) -> bool:
    """Transposes by the C library, where this can: the result has no gaps, the elements are plain."""
    found = groups(x.shape, order)
    if found is None or x.size == 0 or x.dtype.hasobject or not into.flags.c_contiguous:
        return False
    batch, rows, columns, together = found
    size = x.dtype.itemsize * together
    context = lib.of_thread.cpu
    if not 0 < size <= _ELEMENT_MOST:
        return False
    if _is_one(x, into):
        context.call("transpose_in_place", address(x), columns, rows * columns, rows, columns, size, batch)
        return True
    pitch = _rows(x)
    if pitch is None or overlap(x, into):
        return False
    if not x.flags.c_contiguous and (batch, together) != (1, 1):
        return False
    pitch = pitch if not x.flags.c_contiguous else columns
    places = (address(into), rows, rows * columns, address(x), pitch, rows * pitch)
    context.call("transpose_strided", *places, rows, columns, size, batch)
    return True


def transpose(a, axes=None, *, out=None):
    """The transposed array, in memory of its own: numpy.transpose makes a view.

    a: an array of any shape and dtype. Uskor moves the elements where two neighbouring groups of axes change places
       (matrices, batches of them, planes and pixels), NumPy elsewhere. On a GPU: a matrix of
       elements of 1 to 16 bytes.
    axes: the order of the axes, as for numpy.transpose; None: reversed.
    out: an array for the result, of its shape and dtype. It may be the memory of `a`, such as `a` itself, if square, or
         a.reshape(columns, rows): then the transpose is in place.

    Returns `out`, or a new array in C order.
    Raises ValueError and numpy.exceptions.AxisError for wrong axes or another shape of `out`.
    """
    if any_on_device(a, out):
        return _device.transpose(a, axes, out)
    x, give = host(a)
    view = np.transpose(x, axes)
    if type(x) is not np.ndarray and out is None:
        return view.copy(order="C")  # a subclass is NumPy's
    x = np.asarray(x)
    into = target(out, view.shape, x.dtype) if out is not None else np.empty(view.shape, x.dtype)
    given = range(x.ndim)[::-1] if axes is None else axes if np.iterable(axes) else (axes,)
    order = [int(axis) % x.ndim for axis in given]
    if not _move(x, into, order):
        into[...] = view  # NumPy takes care of overlaps
    return give(into) if out is None else out


def _picture(x: np.ndarray, what: str) -> tuple[int, int, int]:
    """Height, width, channels."""
    if x.ndim not in (2, 3) or 0 in x.shape or (x.ndim == 3 and x.shape[2] > 4):
        raise ValueError(
            f"uskor.resize: {what} of shape {x.shape}; (height, width) and (height, width, 1 to 4) are possible"
        )
    return x.shape[0], x.shape[1], x.shape[2] if x.ndim == 3 else 1


def _with_pixels_together(x: np.ndarray) -> tuple[np.ndarray, int]:
    """The picture, or a copy, whose rows alone may have gaps; and the distance of rows in numbers."""
    size = x.dtype.itemsize
    length = math.prod(x.shape[1:])
    packed = [size, *np.cumprod(x.shape[:0:-1])[:-1] * size][::-1]
    if x.flags.aligned and list(x.strides[1:]) == packed and x.strides[0] % size == 0 and x.strides[0] >= length * size:
        return x, x.strides[0] // size
    return np.array(x, order="C"), length


def resize(picture, shape, *, out=None):
    """A picture in another size, interpolated bilinearly. (numpy.resize repeats elements and is another function.)

    picture: (height, width) or (height, width, 1 to 4 channels) of uint8, uint16 or float32. Rows may have gaps. On a
             GPU: 4 bytes a pixel, without gaps.
    shape: (height, width) of the result, each at least 1.
    out: an array for the result, of its shape and dtype.

    Pixels are squares and both pictures cover the same area; a smaller one interpolates without averaging. Bytes are
    within 1 of the exact result.

    Returns an array of shape (height, width) or (height, width, channels).
    Raises ValueError for shapes that are not possible, TypeError for another dtype.
    """
    if any_on_device(picture, out):
        return _device.resize(picture, shape, out)
    x, give = host(picture)
    kind = number(x.dtype)
    if kind not in (lib.UINT8, lib.UINT16, lib.FLOAT32) or x.dtype.kind == "b" or isinstance(x, np.ma.MaskedArray):
        what = "masked arrays" if isinstance(x, np.ma.MaskedArray) else x.dtype
        raise TypeError(f"uskor.resize: uint8, uint16 or float32, not {what}")
    height, width, channels = _picture(x, "a picture")
    new_height, new_width = new_sides(shape)
    new_shape = (new_height, new_width, *x.shape[2:])
    into = target(out, new_shape, x.dtype) if out is not None else np.empty(new_shape, x.dtype)
    x, pitch = _with_pixels_together(np.asarray(x))
    result, new_pitch = _with_pixels_together(into)
    if overlap(result, x):
        result, new_pitch = np.empty(new_shape, x.dtype), new_width * channels
    places = (address(result), new_width, new_height, new_pitch, address(x), width, height, pitch)
    lib.of_thread.cpu.call("resize_picture", *places, channels, kind)
    if result is not into:
        into[...] = result
    return give(into) if out is None else out
