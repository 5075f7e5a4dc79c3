"""What is found in numbers sorted on a device, with NumPy in place of the array's library."""

import contextlib
import types

import numpy as np
import pytest
import uskor
from uskor import _device_sorts
from uskor._arrays import number
from uskor._layout import Seen


class Work:
    """_device.Work of an array of NumPy's."""

    def __init__(self, *arrays):
        self.family = types.SimpleNamespace(module=np, see=self.see)
        self.on = contextlib.nullcontext

    def see(self, a):
        return Seen(0, a.shape, a.strides, number(a.dtype), a.itemsize, False)


@pytest.fixture(autouse=True)
def numpy_for_device(monkeypatch):
    monkeypatch.setattr(_device_sorts, "Work", Work)
    monkeypatch.setattr(_device_sorts, "sort", lambda a, axis, descending, out: uskor.sort(a, axis))

    monkeypatch.setattr(_device_sorts, "distinct", lambda work, a, seen, count: uskor.unique(a))

    def argsort(a, axis, descending, first=None):
        return uskor.argsort(a, axis, descending=descending)[:first]

    monkeypatch.setattr(_device_sorts, "argsort", argsort)


def numbers(dtype, count):
    a = np.random.default_rng(10).integers(0, 50, count).astype(dtype)
    if dtype[0] == "f":
        a[::100], a[5::90] = np.nan, -0.0
    return a


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "u8"])
@pytest.mark.parametrize("count", [0, 1, 6000])
def test_unique(dtype, count):
    a = numbers(dtype, count)
    for shape in ((-1,), (count, 1), (2, count // 2)) if count != 1 else ((-1,), (1, 1)):
        there = a.reshape(shape)
        for asked in np.ndindex(2, 2, 2):
            got, expected = _device_sorts.unique(there, *asked, True), np.unique(there, *map(bool, asked))
            for one, other in zip(*((x if any(asked) else (x,)) for x in (got, expected)), strict=True):
                np.testing.assert_array_equal(one, other)
        got, expected = (
            _device_sorts.unique(there, False, False, True, False),
            np.unique(there, return_counts=True, equal_nan=False),
        )
        for one, other in zip(got, expected, strict=True):
            np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8"])
@pytest.mark.parametrize("equal_nan", [False, True])
def test_unique_by_pytorchs_own_function(dtype, equal_nan):
    torch = pytest.importorskip("torch")
    for count in (0, 1, 2, 6000):
        a = numbers(dtype, count)
        ordered = torch.from_numpy(np.sort(a))
        values, counts = np.unique(a, return_counts=True, equal_nan=equal_nan)
        got = _device_sorts._neighbours(torch, ordered, True, equal_nan)
        np.testing.assert_array_equal(got[0].numpy(), values)
        np.testing.assert_array_equal(got[1].numpy(), counts)
        np.testing.assert_array_equal(_device_sorts._neighbours(torch, ordered, False, equal_nan).numpy(), values)


@pytest.mark.parametrize("largest", [False, True])
def test_topk(largest):
    a = numbers("f4", 1000)
    for shape, axis in (((-1,), -1), ((1, -1), 1), ((-1, 1), 0)):
        for k in (0, 1, 7, 1000):
            got = _device_sorts.topk(a.reshape(shape), k, axis, largest)
            expected = uskor.topk(a.reshape(shape), k, axis, largest=largest)
            for one, other in zip(got, expected, strict=True):
                np.testing.assert_array_equal(one, other)
    for k in (-1, 1001):
        with pytest.raises(ValueError, match="topk"):
            _device_sorts.topk(a, k, -1, largest)
    with pytest.raises(NotImplementedError, match="one line"):
        _device_sorts.topk(a.reshape(2, -1), 1, -1, largest)


def test_partition():
    a = numbers("i4", 1000)
    np.testing.assert_array_equal(_device_sorts.partition(a, [3, -1], -1), np.sort(a))
    with pytest.raises(ValueError, match="out of bounds"):
        _device_sorts.partition(a, 1000, -1)
    with pytest.raises(TypeError):
        _device_sorts.partition(a, 1.5, -1)
