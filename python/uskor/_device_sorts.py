"""The sorts of arrays on a CUDA device. The array's library finds in sorted ones where and how often a number is."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np
from numpy.lib.array_utils import normalize_axis_index

from . import _library as lib
from ._device import Work, refuse
from ._layout import Seen

_INDEXED = 1 << 30  # as many indices the rungs can make
_SELECTED = 2048  # as many are found without a sort
_SORTED = (lib.FLOAT32, lib.FLOAT64, lib.INT32, lib.INT64, lib.UINT32, lib.UINT64)


def _line(function: str, seen: Seen, axis: int | None) -> tuple[int, ...]:
    """The shape of the result for an array that is one line of numbers; others are refused."""
    count = math.prod(seen.shape)
    if axis is None:
        shape: tuple[int, ...] = (count,)
    else:
        shape = seen.shape
        if shape[normalize_axis_index(axis, len(shape))] != count:
            raise refuse(function, "one line alone is sorted; axis=None sorts all elements")
    if seen.kind not in _SORTED:
        raise refuse(function, "numbers of 32 and 64 bits are sorted")
    return shape


def sort(a: Any, axis: int | None, descending: bool, out: Any, function: str = "sort") -> Any:
    work = Work(a, out)
    a, out = work.arrays
    seen = work.family.see(a)
    shape = _line(function, seen, axis)
    count = math.prod(shape)
    with work.on():
        result = work.target(out, shape, seen.kind, *(() if out is a else (seen,)))
        origin = work.source(a, seen) if result is not a else None
        if count:
            work.run("plan_sort", (count, seen.kind, int(descending)), result, origin)
        return work.finish(out, result)


def argsort(a: Any, axis: int | None, descending: bool, first: int | None = None) -> Any:
    """The order, or the first of its indices."""
    work = Work(a)
    a = work.like
    seen = work.family.see(a)
    shape = _line("argsort", seen, axis)
    count = math.prod(shape)
    if count > _INDEXED:
        raise refuse("argsort", f"at most {_INDEXED} numbers are sorted")
    is_part = first is not None and first <= _SELECTED
    with work.on():
        indices = work.family.empty(a, (first,) if is_part else shape, "int64")
        if is_part and first:
            planned = (count, first, seen.kind, 8, int(descending))
            work.run("plan_partial_argsort", planned, indices, work.source(a, seen))
        elif count and not is_part:
            work.run("plan_argsort", (count, seen.kind, 8, int(descending)), indices, work.source(a, seen))
        order = work.finish(None, indices)
        return order if first is None else order[:first]  # arrays of DLPack alone have no slices


def _module_of(function: str, work: Work) -> Any:
    """PyTorch or CuPy, whose indexing finds the rest."""
    if work.family.module is None:
        raise refuse(function, "arrays of PyTorch and CuPy; convert others by from_dlpack")
    return work.family.module


def topk(a: Any, k: Any, axis: int | None, largest: bool) -> tuple[Any, Any]:
    """Values and indices of the first k of the stable order."""
    work = Work(a)
    _module_of("topk", work)
    shape = _line("topk", work.family.see(a), axis)
    k = operator.index(k)
    if not 0 <= k <= math.prod(shape):
        raise ValueError(f"uskor.topk: k = {k} of {math.prod(shape)} elements")
    at = 0 if axis is None else axis % len(shape)
    sides = (*shape[:at], k, *shape[at + 1 :])
    with work.on():
        indices = argsort(a, None, largest, k)
        return a.reshape(-1)[indices].reshape(sides), indices.reshape(sides)


def partition(a: Any, kth: Any, axis: int | None) -> Any:
    """A sorted copy, which is partitioned at every place."""
    count = math.prod(_line("partition", Work(a).family.see(a), axis))
    for place in np.asarray(kth).reshape(-1):
        if not -count <= operator.index(place) < count:
            raise ValueError(f"kth(={place}) out of bounds ({count})")
    return sort(a, axis, False, None)


def unique(a: Any, with_index: bool, with_inverse: bool, with_counts: bool, equal_nan: bool) -> Any:
    """The distinct numbers, then what else is asked for; the device is waited for, as their number is not known."""
    work = Work(a)
    module = _module_of("unique", work)
    seen = work.family.see(a)
    count = _line("unique", seen, None)[0]
    with work.on():
        by_module = not with_index and not with_inverse and hasattr(module, "unique_consecutive")
        if equal_nan and count <= _INDEXED and not (with_index or with_inverse or with_counts):
            return distinct(work, a, seen, count)
        line = a.reshape(-1)
        if by_module:
            return _neighbours(module, sort(line, 0, False, None), with_counts, equal_nan)
        order: Any = None
        if with_index or with_inverse:
            order = argsort(line + 0, 0, False)  # + 0: the two zeros are equal here, not neighbours
            ordered = line[order]
        else:
            ordered = sort(line, 0, False, None)
        first = module.ones_like(ordered, dtype=bool)
        first[1:] = ordered[1:] != ordered[:-1]
        if equal_nan:
            is_nan = ordered != ordered
            first[1:] &= ~(is_nan[1:] & is_nan[:-1])
        result = [ordered[first]]
        if with_index:
            result.append(order[first])
        if with_inverse:
            inverse = module.empty_like(order)
            inverse[order] = module.cumsum(first, 0) - 1
            result.append(inverse.reshape(tuple(a.shape)))
        if with_counts:
            places = module.argwhere(first).reshape(-1)
            ends = module.full_like(places[:1], math.prod(tuple(a.shape)))
            result.append(module.diff(module.concatenate([places, ends])))
        return tuple(result) if len(result) > 1 else result[0]


def distinct(work: Work, a: Any, seen: Seen, count: int) -> Any:
    """One of each number, by the C library alone."""
    result, number = work.family.empty(a, (count,)), work.family.empty(a, (), "int64")
    if count == 0:
        return result
    # + 0: the two zeros are one here
    origin = a + 0 if seen.kind in (lib.FLOAT32, lib.FLOAT64) else work.source(a, seen)
    work.run("plan_sort_unique", (count, seen.kind, 0), result, origin, number)
    return result[: int(number)]


def _neighbours(torch: Any, ordered: Any, with_counts: bool, equal_nan: bool) -> Any:
    """What is distinct in sorted numbers, by PyTorch's own function, to which no NaN is another."""
    found = torch.unique_consecutive(ordered, return_counts=with_counts)
    values, counts = found if with_counts else (found, found)
    nans = int((values != values).sum()) if equal_nan and values.is_floating_point() else 0
    if nans > 1:  # they are last
        values = values[: values.shape[0] - nans + 1]
        if with_counts:
            counts = torch.cat([counts[: values.shape[0] - 1], torch.full_like(counts[:1], nans)])
    return (values, counts) if with_counts else values
