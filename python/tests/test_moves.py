import itertools

import numpy as np
import pytest
import uskor
from cases import TYPES, layouts, numbers, same, same_bits


@pytest.mark.parametrize("dtype", [*TYPES, "c16", "S3", "M8[s]", object])
def test_every_order_of_axes(dtype):
    for shape in [(), (5,), (3, 4), (2, 3, 4), (2, 1, 3, 2), (0, 3), (1, 7), (2, 3, 2, 2)]:
        a = numbers(shape, "i2").astype(dtype)
        for view in layouts(a) if shape and a.dtype.kind not in "OS" else [a]:
            for axes in [None, *itertools.permutations(range(len(shape)))]:
                got = uskor.transpose(view, axes)
                assert got.flags.c_contiguous and not (got.size and np.may_share_memory(got, view))
                same(got, np.transpose(view, axes).copy())
    a = numbers((2, 3, 4), "f4")
    same(uskor.transpose(a, (-1, 0, 1)), np.transpose(a, (-1, 0, 1)))


@pytest.mark.parametrize("dtype", ["u1", "f2", "f4", "f8", "c16", "S3"])
def test_transposes_in_place(dtype):
    for rows, columns in [(1, 1), (5, 5), (64, 64), (3, 7), (40, 33), (1, 9)]:
        a = numbers((rows, columns), "i2").astype(dtype)
        expected = a.T.copy()
        out = a if rows == columns else a.reshape(columns, rows)
        assert uskor.transpose(a, out=out) is out
        same(out, expected)


def test_transposes_into_an_array():
    a = numbers((8, 6), "f4")
    for out in (np.empty((6, 8), "f4"), np.empty((8, 6), "f4").T, np.empty((6, 16), "f4")[:, ::2]):
        assert uskor.transpose(a, out=out) is out
        same(out, a.T)
    square = numbers((8, 8), "f4")
    expected = square.T.copy()
    view = square.T
    uskor.transpose(square, out=view)  # the same elements: nothing moves
    same(square, expected.T.copy())
    overlapping = np.arange(100.0)
    expected = overlapping[:64].reshape(8, 8).T.copy()
    same(uskor.transpose(overlapping[:64].reshape(8, 8), out=overlapping[8:72].reshape(8, 8)), expected)
    with pytest.raises(ValueError):
        uskor.transpose(a, out=np.empty((8, 6), "f4"))
    with pytest.raises(TypeError):
        uskor.transpose(a, out=np.empty((6, 8), "i4"))
    with pytest.raises(ValueError):
        uskor.transpose(a, (0, 0))
    with pytest.raises(np.exceptions.AxisError):
        uskor.transpose(a, (0, 2))


def resized(x, height, width):
    """Bilinearly, in double: pixels are squares, edges are repeated."""
    for axis, side in ((0, height), (1, width)):
        at = np.clip((np.arange(side) + 0.5) * x.shape[axis] / side - 0.5, 0, x.shape[axis] - 1)
        low = np.floor(at).astype(int)
        high = np.minimum(low + 1, x.shape[axis] - 1)
        part = (at - low).reshape([-1 if i == axis else 1 for i in range(x.ndim)])
        x = np.take(x, low, axis) * (1 - part) + np.take(x, high, axis) * part
    return x


@pytest.mark.parametrize("dtype, most", [("u1", 1.0), ("u2", 0.500001), ("f4", 1e-4)])
def test_pictures(dtype, most):
    rng = np.random.default_rng(5)
    for shape in [(1, 1), (7, 5), (9, 8, 1), (6, 5, 2), (20, 30, 3), (16, 16, 4)]:
        a = (rng.random(shape) * 255).astype(dtype)
        for view in layouts(a):
            for new in [(1, 1), (13, 11), shape[:2], (2 * shape[0], 2 * shape[1])]:
                got = uskor.resize(view, new)
                assert got.dtype == a.dtype and got.shape == new + shape[2:]
                assert np.abs(got - resized(a.astype("f8"), *new)).max() <= most
                out = np.empty((new[0] + 3, *got.shape[1:]), dtype)[1 : 1 + new[0]]
                assert uskor.resize(view, new, out=out) is out
                same_bits(out, got)
    for wrong in (np.ones((3, 3, 5), "u1"), np.ones(3, "u1"), np.ones((0, 3), "u1")):
        with pytest.raises(ValueError):
            uskor.resize(wrong, (2, 2))
    with pytest.raises(ValueError):
        uskor.resize(np.ones((2, 2), "u1"), (0, 2))
    with pytest.raises(TypeError):
        uskor.resize(np.ones((2, 2), "u1"), (1.5, 2))
    for other in ("f8", "i2", "?"):
        with pytest.raises(TypeError):
            uskor.resize(np.ones((2, 2), other), (2, 2))
