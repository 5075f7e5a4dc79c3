"""Random arrays beside NumPy: 10 of each kind, 1000 with USKOR_LONG in the environment (tests/long/python.sh)."""

import os

import numpy as np
import pytest
import uskor
from cases import NUMPYS, TYPES, same

hypothesis = pytest.importorskip("hypothesis")
arrays = pytest.importorskip("hypothesis.extra.numpy")
strategies = hypothesis.strategies

settings = hypothesis.settings(max_examples=1000 if os.environ.get("USKOR_LONG") else 20, deadline=None, database=None)
shapes = arrays.array_shapes(max_dims=3, min_side=0, max_side=20)
types = strategies.sampled_from(TYPES)


@strategies.composite
def lines(draw):
    """An array, perhaps long enough for Uskor's own code or with a stride, and an axis of it."""
    a = draw(arrays.arrays(draw(types), draw(shapes)))
    times = draw(strategies.sampled_from([1, 300])) if a.ndim == 1 else 1  # many short lines would take long
    a = np.repeat(a, times, 0)[:: draw(strategies.sampled_from([1, -1, 2]))]
    return (a.T if draw(strategies.booleans()) else a), draw(strategies.integers(-a.ndim, a.ndim - 1))


@pytest.fixture(autouse=True, params=["uskor", "numpy"], scope="module")
def sorter(request):
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "uskor":
            for name, ours in NUMPYS.items():
                patch.setattr(uskor._sorts, name, ours)
        yield


@settings
@hypothesis.given(lines())
def test_sorts(case):
    a, axis = case
    same(uskor.sort(a, axis), np.sort(a, axis))
    same(uskor.argsort(a, axis), np.argsort(a, axis, stable=True))
    down = uskor.argsort(a, axis, descending=True)
    same(np.take_along_axis(a, down, axis), uskor.sort(a, axis, descending=True))


@settings
@hypothesis.given(lines(), strategies.data())
def test_parts(case, data):
    a, axis = case
    count = a.shape[axis]
    hypothesis.assume(count > 0)
    k = data.draw(strategies.integers(0, count - 1))
    got, expected = uskor.partition(a, k, axis), np.sort(a, axis)
    same(np.take(got, k, axis), np.take(expected, k, axis))
    same(np.sort(np.take(got, np.arange(k), axis), axis), np.take(expected, np.arange(k), axis))
    best = uskor.topk(a, k, axis, largest=False)
    same(best.values, np.take(expected, np.arange(k), axis))
    same(np.take_along_axis(a, best.indices, axis), best.values)


@settings
@hypothesis.given(lines(), strategies.tuples(*[strategies.booleans()] * 3))
def test_unique(case, asked):
    a, _ = case
    got, expected = uskor.unique(a, *asked), np.unique(a, *asked)
    for x, y in zip(got, expected) if any(asked) else [(got, expected)]:
        same(x, y)


@settings
@hypothesis.given(arrays.mutually_broadcastable_shapes(signature=np.matmul.signature, max_dims=3, max_side=6), types)
def test_products(found, dtype):
    rng = np.random.default_rng(1)
    a, b = (rng.integers(0, 2, shape).astype(dtype) for shape in found.input_shapes)
    same(uskor.matmul(a, b), np.matmul(a, b))


@settings
@hypothesis.given(shapes, types, strategies.data())
def test_transposes(shape, dtype, data):
    a = np.arange(np.prod(shape)).reshape(shape).astype(dtype)
    axes = data.draw(strategies.permutations(range(len(shape))))
    same(uskor.transpose(a, axes), np.transpose(a, axes).copy())
    if len(shape) == 2:
        expected = a.T.copy()
        same(uskor.transpose(a, out=a.reshape(shape[::-1])), expected)
