"""sort, argsort, unique, partition, topk."""

from __future__ import annotations

import bisect
import math
import operator
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from . import _device_sorts
from . import _library as lib
from ._arrays import NUMBERS, address, any_on_device, host, number, overlap, target

_DTYPES = MappingProxyType({letter: np.dtype(letter) for letter in "?bBhHiIlLqQefd"})  # those that the C library sorts
_KINDS = MappingProxyType({letter: NUMBERS[dtype.kind, dtype.itemsize] for letter, dtype in _DTYPES.items()})


def _least(by_size: dict[int, int], **others: int) -> Mapping[str, int]:
    """Lines with fewer elements than these are NumPy's: by the bytes of a number, and others by letter."""
    return MappingProxyType({letter: by_size[dtype.itemsize] for letter, dtype in _DTYPES.items()} | others)


# Below these a call, or a table of counts, costs more than the sort. Measured beside NumPy 2.4 on a Zen 4; those of
# argsort on an Emerald Rapids. For half precision NumPy has no sort by digits.
_SORT = _least({1: 1100, 2: 2500, 4: 2500, 8: 1100})
_ARGSORT = _least({1: 50_000, 2: 1_000_000, 4: 400, 8: 400}, e=2000)
_PARTITION = _least({1: 9000, 2: 12_000, 4: 2000, 8: 1500})
# The same, where NumPy has vectors for integers and floats of 2 bytes.
_SORT_16 = MappingProxyType({"i": 500_000, "u": 500_000, "f": 130_000})
_FEW_FLOATS = 256  # NumPy's stable sort is as fast as its vectors and a look at the zeros
_SORT_VECTORS = 60_000  # the least of all, where NumPy has vectors for a type
_SHARED = 200_000  # elements of 4 and 8 bytes from which two threads are faster than NumPy's one
_PIECE, _PIECES = 4096, 256  # bytes; so many are worth a second thread
_TABLE_LEAST, _SAMPLE = 40_000, 128  # elements from which a table of the distinct is faster than NumPy's sort; a sample
_SEARCHED = 20_000  # elements from which a search for zeros takes less time than a look at all
# As an integer of its size, -0 is the least one.
_INTEGERS = MappingProxyType({size: (np.dtype(f"i{size}"), np.iinfo(f"i{size}").min) for size in (2, 4, 8)})


def _numpys_vectors() -> list[str]:
    """The instruction sets that NumPy uses here, beyond those it always needs."""
    try:
        return np.show_config(mode="dicts")["SIMD Extensions"]["found"]
    except (KeyError, TypeError):
        return []


def _is_zen4(path: str = "/proc/cpuinfo") -> bool:
    """Whether the processor is a Zen 4, if it has AVX-512. A Zen 5 is of family 26."""
    try:
        with open(path) as information:
            words = "".join(line for _, line in zip(range(3), information, strict=False)).split()
    except OSError:
        return False
    return "AuthenticAMD" in words and "25" in words


def _has_slow_numpy() -> bool:
    """Whether NumPy sorts by AVX-512 on a Zen 4, where its compressions into memory are slow."""
    return _is_zen4() and any("AVX512" in name or name == "X86_V4" for name in _numpys_vectors())


_NUMPY_IS_SLOW = _has_slow_numpy()
_NUMPY_HAS_16 = "AVX512_ICL" in _numpys_vectors()  # vectors of numbers of 2 bytes


def _brief(dtype: np.dtype) -> int:
    """Arrays with fewer elements are NumPy's, whose sort takes so little time that a closer look at them costs some."""
    has_vectors = not _NUMPY_IS_SLOW and (dtype.itemsize > 2 or (dtype.itemsize == 2 and _NUMPY_HAS_16))
    return _SORT_VECTORS if has_vectors else _SORT["b"]


_BRIEF = MappingProxyType({letter: _brief(dtype) for letter, dtype in _DTYPES.items()})
_ALONE = "" if _NUMPY_IS_SLOW else "iIlLqQfd"  # those that NumPy sorts as fast as one thread of ours, however many


class TopK(NamedTuple):
    """What topk returns."""

    values: Any
    indices: Any


def _is_plain(a: object) -> TypeGuard[np.ndarray]:
    """Whether it is NumPy's array of numbers, as the C library has them: the usual case, at once."""
    return type(a) is np.ndarray and a.dtype.char in _KINDS and a.dtype.isnative


def _lines(shape: tuple[int, ...], axis: int) -> tuple[int, int, int]:
    """An axis of a contiguous array: elements of a line, and the lines before and beside it."""
    return shape[axis], math.prod(shape[:axis]), math.prod(shape[axis + 1 :])


def _served(x: np.ndarray) -> int | None:
    """The type, where the C library sorts such arrays; subclasses (masked arrays) are NumPy's own."""
    return number(x.dtype) if type(x) is np.ndarray else None


def _flatten(x: np.ndarray, axis: int | None) -> tuple[np.ndarray, int]:
    return (x.reshape(-1), 0) if axis is None else (x, normalize_axis_index(axis, x.ndim))


def _copy_to(into: np.ndarray, x: np.ndarray) -> None:
    """Copies an array, by several threads where both have no gaps: what a transpose does with a row of pieces. The
    threads share the page faults of new memory, too."""
    pieces = x.nbytes // _PIECE
    is_plain = x.flags.c_contiguous and into.flags.c_contiguous and not overlap(x, into)
    if pieces < _PIECES or not is_plain or lib.library.uskor_threads() == 1:
        np.copyto(into, x)
        return
    places = (address(into), 1, pieces, address(x), pieces, pieces)
    lib.of_thread.cpu.call("transpose_strided", *places, 1, pieces, _PIECE, 1)
    rest = pieces * _PIECE // x.itemsize
    into.reshape(-1)[rest:] = x.reshape(-1)[rest:]


def _copy(x: np.ndarray, axis: int) -> tuple[np.ndarray, np.ndarray, int]:
    """A copy in the array's own order of axes; the same memory as rows (C order), and the axis there."""
    copy = np.empty_like(x)
    _copy_to(copy, x)
    if copy.flags.c_contiguous:
        return copy, copy, axis
    if copy.flags.f_contiguous:
        return copy, copy.T, x.ndim - 1 - axis
    copy = x.copy(order="C")
    return copy, copy, axis


def _has_negative_zero(x: np.ndarray) -> bool:
    dtype = x.dtype
    if x.size == 0 or dtype.kind not in "fV":
        return False
    kind, least = _INTEGERS[dtype.itemsize]
    bits = x.view(kind)
    return bits.item(bits.argmin()) == least  # in half the time of a minimum of few numbers


def _without_negative_zero(x: np.ndarray) -> np.ndarray:
    """NumPy takes the two zeros for equal, the C library for neighbours; so both become one."""
    if x.dtype.kind == "V":  # bfloat16
        bits = x.view(np.uint16)
        return np.where(bits == 1 << 15, np.uint16(0), bits).view(x.dtype)
    if x.dtype.kind != "f":
        return x
    with np.errstate(all="ignore"):
        return x + x.dtype.type(0)


def _join_zeros(indices: np.ndarray, keys: np.ndarray) -> None:
    """Puts the two zeros of a line, which the C library tells apart, into one order: by a few looks at the indices."""
    places = range(indices.size)
    begin = bisect.bisect_left(places, True, key=lambda i: not keys[indices[i]] < 0)
    end = bisect.bisect_left(places, True, begin, key=lambda i: keys[indices[i]] != 0)
    zeros = indices[begin:end]
    if np.signbit(keys[zeros]).any():
        zeros.sort()


def _is_short(count: int, dtype: np.dtype, least: Mapping[str, int]) -> bool:
    """Whether NumPy is faster for a line of `count` elements."""
    return count < least.get(dtype.char, 0)


def _sorts_like_numpy(x: np.ndarray, count: int) -> bool:
    """Whether NumPy's sort of lines of `count` numbers is at least as fast as ours elsewhere than on a Zen 4, where
    they are not short: of numbers of 4 and 8 bytes it is, unless several threads sort them."""
    size = x.dtype.itemsize
    if _NUMPY_IS_SLOW or size == 1 or x.dtype.kind == "V":
        return False
    if size == 2:
        return _NUMPY_HAS_16 and count < _SORT_16[x.dtype.kind]
    return count < _SHARED or lib.library.uskor_threads() == 1


def _stable_sort(x: np.ndarray, axis: int) -> np.ndarray | None:
    """Floats sorted by NumPy: a few by its stable sort, more by its vectors where these do the same; else None."""
    if x.size < _FEW_FLOATS:
        return np.sort(x, axis, stable=True)
    if x.ndim != 1 or x.dtype.itemsize == 2 or not x.dtype.isnative or _has_negative_zero(x):
        return None
    result = x.copy()
    result.sort(axis)
    last = result.item(-1)
    return result if last == last else None  # NaNs, which are last, do not keep their bits there


def _backwards(x: np.ndarray) -> np.ndarray:
    """Numbers in the opposite order; NaNs stay NaNs, which are last in both."""
    if x.dtype.kind not in "fiub":
        raise NotImplementedError(f"uskor: descending order is for real numbers, not {x.dtype}")
    return np.negative(x) if x.dtype.kind == "f" else np.invert(x)


def _numpy_sort(x: np.ndarray, axis: int, descending: bool, stable: bool | None) -> np.ndarray:
    if descending:
        return _backwards(np.sort(_backwards(x), axis, stable=stable)).astype(x.dtype, copy=False)  # its byte order
    return np.sort(x, axis, stable=stable)


def _numpy_argsort(x: np.ndarray, axis: int, descending: bool, stable: bool | None) -> np.ndarray:
    if descending:
        return np.argsort(_backwards(x), axis, stable=True if type(x) is np.ndarray else None)
    return np.argsort(x, axis, stable=stable)


def _sort_rows(rows: np.ndarray, axis: int, kind: int, descending: bool) -> None:
    lib.of_thread.cpu.call("sort_lines", address(rows), *_lines(rows.shape, axis), kind, int(descending))


def sort(a, axis=-1, *, descending=False, stable=None, out=None):
    """A sorted copy, as numpy.sort makes it.

    a: an array of any shape and dtype. Numbers of 8 to 64 bits and bools are sorted by Uskor, others by NumPy. On a
       GPU: one line of numbers of 32 or 64 bits. Short lines are NumPy's, too, where it is faster.
    axis: the axis along which to sort; None: all elements, flattened.
    descending: the largest first, of real numbers. NaNs are last in both orders.
    stable: True: equal elements keep their order (seen in the signs of zeros alone).
    out: an array for the result, of its shape and dtype; it may be `a` itself.

    Returns an array of the shape and dtype of `a`.
    Raises numpy.exceptions.AxisError for a wrong axis; NotImplementedError for what is not served on a GPU, and for
    complex numbers, dates and strings in descending order.
    """
    if type(a) is np.ndarray and out is None and axis is not None and not descending:
        letter = a.dtype.char
        if a.size < _BRIEF.get(letter, 0) or (letter in _ALONE and lib.library.uskor_threads() == 1):
            if not stable or letter not in "efd":
                result = a.copy("K")  # as numpy.sort does it, without its detours
                result.sort(axis)
                return result
            ordered = _stable_sort(a, axis)
            if ordered is not None:
                return ordered
    if any_on_device(a, out):
        return _device_sorts.sort(a, axis, descending, out)
    x, give = host(a)
    kind = _served(x)
    if kind is None:
        result = _numpy_sort(x, axis, descending, stable)
        if out is None:
            return give(result)
        np.copyto(target(out, result.shape, result.dtype), result)
        return out
    x, axis = _flatten(x, axis)
    into = target(out, x.shape, x.dtype) if out is not None else None
    if x.dtype.kind in "iub":
        stable = None  # integers that are equal cannot be told from each other
    # NumPy's stable sort of floats has no vectors.
    least = _ARGSORT if stable and x.dtype.itemsize >= 4 else _SORT
    if _is_short(x.shape[axis], x.dtype, least):
        result = _numpy_sort(x, axis, descending, stable)
    elif _sorts_like_numpy(x, x.shape[axis]) and not stable:
        result = _numpy_sort(x, axis, descending, None)
    elif stable and _has_negative_zero(x):
        result = np.take_along_axis(x, argsort(x, axis, descending=descending, stable=True), axis)
    elif into is not None and into.flags.c_contiguous and into.flags.aligned:
        _copy_to(into, x)
        _sort_rows(into, axis, kind, descending)
        return out
    else:
        result, rows, at = _copy(x, axis)
        _sort_rows(rows, at, kind, descending)
    if into is None:
        return give(result)
    np.copyto(into, result)
    return out


def argsort(a, axis=-1, *, descending=False, stable=None):
    """The indices that would sort the array, as numpy.argsort makes them.

    a, axis, descending: as for `sort`.
    stable: Uskor's order is always stable: equal elements (the two zeros, but on a GPU -0 is before +0; NaNs) keep
       their order.

    Returns an array of intp of the shape of `a`.
    Raises numpy.exceptions.AxisError for a wrong axis; NotImplementedError for what is not served on a GPU.
    """
    if _is_plain(a) and a.ndim == 1 and not descending and (axis == -1 or axis is None) and a.flags.carray:
        letter, count = a.dtype.char, a.size
        if count < _ARGSORT.get(letter, 1):
            return np.argsort(a, stable=True)
        indices = np.empty(count, np.intp)
        is_float, is_long = letter in "efd", count >= _SEARCHED
        keys = _without_negative_zero(a) if is_float and not is_long and _has_negative_zero(a) else a
        lib.of_thread.cpu.argsort(indices, keys, _KINDS[letter])
        if is_float and is_long:
            _join_zeros(indices, a)
        return indices
    if any_on_device(a):
        return _device_sorts.argsort(a, axis, descending)
    x, give = host(a)
    kind = _served(x)
    if kind is None or x.ndim == 0:
        return give(_numpy_argsort(x, axis, descending, stable))
    x, axis = _flatten(x, axis)
    if _is_short(x.shape[axis], x.dtype, _ARGSORT):
        return give(_numpy_argsort(x, axis, descending, True))
    keys = np.require(_without_negative_zero(x) if _has_negative_zero(x) else x, requirements=["C", "A"])
    indices = np.empty(keys.shape, np.intp)
    lines = _lines(keys.shape, axis)
    lib.of_thread.cpu.call("argsort_lines", address(indices), address(keys), *lines, kind, 8, int(descending))
    return give(indices)


def _has_few_distinct(x: np.ndarray) -> bool:
    """Whether a sample repeats itself: few distinct elements the C library finds without sorting all."""
    return len(set(x[:: x.size // _SAMPLE].tolist())) < _SAMPLE - 1


def _distinct(values: np.ndarray, kind: int) -> np.ndarray:
    """The distinct ones of contiguous `values`, in their memory."""
    is_float = values.dtype.kind == "f"
    may_sort = values.dtype.itemsize >= 4 and _sorts_like_numpy(values, values.size)
    if may_sort and (values.size < _TABLE_LEAST or not _has_few_distinct(values)):
        values.sort()  # the C library does not sort again what is in order
    values.resize(lib.of_thread.cpu.sort_unique(values, kind), refcheck=False)
    if is_float:
        zero = values.searchsorted(values.dtype.type(0))
        if zero + 1 < values.size and values[zero + 1] == 0:  # the C library tells -0 from 0
            values = np.delete(values, zero)
    return values


def _first_of_each(ordered: np.ndarray, equal_nan: bool) -> np.ndarray:
    """Marks, in a sorted array, the first of the elements that are equal."""
    first = np.ones(ordered.size, bool)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    if equal_nan and ordered.dtype.kind == "f":
        first[1:] &= ~(np.isnan(ordered[1:]) & np.isnan(ordered[:-1]))
    return first


def unique(a, return_index=False, return_inverse=False, return_counts=False, axis=None, *, equal_nan=True, sorted=True):
    """The distinct elements, sorted, as numpy.unique makes them.

    a: an array of any shape. Numbers of 8 to 64 bits are Uskor's; others, and an axis, are NumPy's. On a GPU: numbers
       of 32 and 64 bits, of PyTorch or CuPy, without an axis; the device is waited for.
    return_index: also where each stands first in the flattened array.
    return_inverse: also where each element of `a` is in the result, in the shape of `a`.
    return_counts: also how often each occurs.
    equal_nan: all NaNs are one.
    sorted: the result is sorted whatever this says.

    Returns an array of one dimension, or a tuple of it and what else was asked for, in this order.
    Raises NotImplementedError for what is not served on a GPU.
    """
    if _is_plain(a) and axis is None and equal_nan and not (return_index or return_inverse or return_counts) and a.size:
        return _distinct(a.flatten(), _KINDS[a.dtype.char])
    if any_on_device(a):
        if axis is not None:
            raise NotImplementedError("uskor.unique: on a GPU without an axis")
        return _device_sorts.unique(a, return_index, return_inverse, return_counts, equal_nan)
    x, give = host(a)
    kind = _served(x)
    asked = (return_index, return_inverse, return_counts)
    if kind is None or axis is not None or x.size == 0 or (any(asked) and _is_short(x.size, x.dtype, _SORT)):
        found: Any = np.unique(x, *map(bool, asked), axis=axis, equal_nan=equal_nan)  # type: ignore[call-overload]
        return tuple(map(give, found)) if isinstance(found, tuple) else give(found)
    shape, x = x.shape, x.reshape(-1)
    if not any(asked):
        if equal_nan or x.dtype.kind != "f":
            return give(_distinct(_without_negative_zero(x).copy(), kind))
        ordered = sort(x)
        return give(ordered[_first_of_each(ordered, False)])
    order = argsort(x, stable=True) if return_index or return_inverse else None
    ordered = sort(x) if order is None else x[order]
    first = _first_of_each(ordered, equal_nan)
    result = [ordered[first]]
    if order is not None and return_index:
        result.append(order[first])
    if order is not None and return_inverse:
        inverse = np.empty(x.size, np.intp)
        inverse[order] = np.cumsum(first) - 1
        result.append(inverse.reshape(shape))
    if return_counts:
        result.append(np.diff(np.append(np.flatnonzero(first), x.size)))
    return tuple(map(give, result))


def partition(a, kth, axis=-1):
    """A partitioned copy, as numpy.partition makes it: element kth is in its sorted place, smaller ones before it.

    a, axis: as for `sort`. On a GPU the copy is sorted.
    kth: an integer, or several; several are served by a sort.

    Returns an array of the shape and dtype of `a`.
    Raises numpy.exceptions.AxisError for a wrong axis, ValueError for a kth out of bounds, TypeError for one that is no
    integer, NotImplementedError for what is not served on a GPU.
    """
    if type(a) is np.ndarray and a.size < _PARTITION.get(a.dtype.char, 0):
        return np.partition(a, kth, axis)
    if any_on_device(a):
        return _device_sorts.partition(a, kth, axis)
    x, give = host(a)
    kind = _served(x)
    places = np.asanyarray(kth)
    if kind is None or x.size == 0 or places.dtype.kind not in "iu" or places.ndim > 1 or places.size == 0:
        return give(np.partition(x, kth, axis))
    x, axis = _flatten(x, axis)
    count = x.shape[axis]
    for place in places.reshape(-1).tolist():
        if not -count <= place < count:
            raise ValueError(f"kth(={place}) out of bounds ({count})")
    if _is_short(count, x.dtype, _PARTITION) or (places.size == 1 and _sorts_like_numpy(x, count)):
        return give(np.partition(x, kth, axis))
    result, rows, at = _copy(x, axis)
    if places.size > 1:
        _sort_rows(rows, at, kind, False)
    else:
        lines = _lines(rows.shape, at)
        first = int(places.reshape(-1)[0]) % count + 1
        lib.of_thread.cpu.call("partition_lines", address(rows), lines[0], first, *lines[1:], kind, 0)
    return give(result)


def _best_of_line(x: np.ndarray, k: int, largest: bool, kind: int) -> np.ndarray:
    """The stable order of the first k of a line: those beyond the k-th, then as many that equal it as are wanted."""
    parted = x.copy()
    lib.of_thread.cpu.call("partition_lines", address(parted), x.size, k, 1, 1, kind, int(largest))
    last = parted[k - 1]
    if last != last:  # NaNs are among them: the order of all says which
        return argsort(x, descending=largest)[:k]
    better = np.flatnonzero(x > last if largest else x < last)
    places = np.concatenate([better, np.flatnonzero(x == last)[: k - better.size]])
    places.sort()
    return places[argsort(x[places], descending=largest)]


def topk(a, k, axis=-1, *, largest=True):
    """The k largest (or smallest) elements along an axis, in order, and where they stand.

    a: an array of numbers of 8 to 64 bits, of any shape; axis: as for `sort`. On a GPU: of PyTorch or CuPy.
    k: how many, 0 to the length of the axis. Of equal elements the first ones come first; NaNs are last.

    Returns (values, indices): arrays of the shape of `a`, but k along the axis; indices are of intp.
    Raises numpy.exceptions.AxisError for a wrong axis, ValueError for a wrong k, TypeError for another dtype,
    NotImplementedError for what is not served on a GPU.
    """
    if any_on_device(a):
        return TopK(*_device_sorts.topk(a, k, axis, largest))
    x, give = host(a)
    kind = _served(np.asarray(x))
    if kind is None or isinstance(x, np.ma.MaskedArray):
        what = x.dtype if kind is None else "masked arrays"
        raise TypeError(f"uskor.topk: numbers of 8 to 64 bits, not {what}")
    x = np.asarray(x)
    x, axis = _flatten(x, axis)
    k = operator.index(k)
    if not 0 <= k <= x.shape[axis]:
        raise ValueError(f"uskor.topk: k = {k} of {x.shape[axis]} elements")
    if x.ndim == 1 and 0 < k < x.size // 2:
        indices = _best_of_line(x, k, largest, kind)
    else:
        indices = np.take(argsort(x, axis, descending=largest), np.arange(k), axis)
    return TopK(give(np.take_along_axis(x, indices, axis)), give(indices))
