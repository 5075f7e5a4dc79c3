import fractions

import numpy as np
import pytest
import uskor
from cases import same, same_bits

SHAPES = [
    ((3,), (3,)), ((2, 3), (3, 4)), ((2, 3), (3,)), ((3,), (3, 4)), ((5, 2, 3), (3, 4)), ((5, 2, 3), (5, 3, 4)),
    ((2, 1, 2, 3), (5, 3, 4)), ((3,), (5, 3, 4)), ((5, 2, 3), (3,)), ((2, 0), (0, 3)), ((0, 2), (2, 2)),
    ((2, 2), (2, 0)), ((1, 1), (1, 1)), ((70, 90), (90, 110)), ((0, 2, 3), (3, 4)),
]  # fmt: skip


def integers(shape, dtype, seed):
    """Small ones, whose sums are exact in every order."""
    return np.random.default_rng(seed).integers(-4, 5, shape).astype(dtype)


def laid_out(a):
    yield a
    if a.ndim >= 2:
        yield np.swapaxes(np.swapaxes(a, -1, -2).copy(), -1, -2)
        yield np.repeat(np.repeat(a, 2, -1), 2, -2)[..., ::2, ::2]
        yield np.concatenate([a, a], -1)[..., : a.shape[-1]]
    yield a[::-1].copy()[::-1]


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8", "i4", "c8", "?"])
def test_products_are_numpys(dtype):
    for i, (left, right) in enumerate(SHAPES):
        for a in laid_out(integers(left, dtype, i)):
            for b in laid_out(integers(right, dtype, i + 100)):
                same(uskor.matmul(a, b), np.matmul(a, b))
                try:
                    expected = np.dot(a, b)
                except ValueError:
                    with pytest.raises(ValueError):
                        uskor.dot(a, b)
                else:
                    same(uskor.dot(a, b), expected)


def test_dot_of_more_axes_and_of_scalars():
    for left, right in [((2, 3), (4, 3, 5)), ((2, 4, 3), (4, 3, 5)), ((3,), (2, 3, 4)), ((), (3,)), ((2, 3), ())]:
        a, b = integers(left, "f4", 1), integers(right, "f4", 2)
        same(uskor.dot(a, b), np.dot(a, b))


def test_mixed_types_become_one():
    a, b = integers((4, 5), "f4", 1), integers((5, 6), "f8", 2)
    same(uskor.matmul(a, b), np.matmul(a, b))
    same(uskor.matmul(a, b.astype("i4")), np.matmul(a, b.astype("i4")))
    same(uskor.dot(a[0], b[:, 0]), np.dot(a[0], b[:, 0]))


def test_results_into_an_array():
    a, b = integers((6, 6), "f4", 1), integers((6, 6), "f4", 2)
    expected = a @ b
    for out in (
        np.empty((6, 6), "f4"),
        np.empty((6, 6), "f4").T,
        np.empty((6, 6), "f8"),
        np.empty((6, 12), "f4")[:, ::2],
    ):
        assert uskor.matmul(a, b, out=out) is out
        same(out.astype("f4"), expected)
    assert uskor.matmul(a, b, out=a) is a  # the result needs memory of its own first
    same(a, expected)
    out = np.empty((), "f4")
    assert uskor.dot(a[0], b[0], out=out) is out and out == a[0] @ b[0]
    fixed = np.empty((6, 6), "f4")
    fixed.flags.writeable = False
    for wrong in (np.empty((5, 6), "f4"), fixed):
        with pytest.raises(ValueError):
            uskor.matmul(a, b, out=wrong)
    with pytest.raises(TypeError):
        uskor.matmul(a, b, out=np.empty((6, 6), "i4"))
    with pytest.raises(ValueError):
        uskor.dot(a, b, out=np.empty((6, 6), "f8"))


def test_shapes_that_do_not_fit():
    for left, right in [((2, 3), (2, 3)), ((3,), (4,)), ((2, 2, 3), (3, 3, 4)), ((), (3,)), ((3,), ())]:
        with pytest.raises(ValueError):
            uskor.matmul(np.ones(left, "f4"), np.ones(right, "f4"))
    with pytest.raises(ValueError, match="sum"):
        uskor.dot([1.0], [1.0], sum="slow")


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_sums_are_as_accurate_as_they_say(dtype):
    rng = np.random.default_rng(3)
    a = (rng.standard_normal(300) * 10.0 ** rng.integers(-6, 6, 300)).astype(dtype)
    b = rng.standard_normal(300).astype(dtype)
    exact = sum(fractions.Fraction(float(x)) * fractions.Fraction(float(y)) for x, y in zip(a, b))
    expected = np.dtype(dtype).type(float(exact))
    same_bits(uskor.dot(a, b, sum="exact"), expected)
    for way in ("fast", "compensated"):
        assert abs(float(uskor.dot(a, b, sum=way)) - float(exact)) <= 1e-6 * float(np.abs(a.astype("f8") * b).sum())


def test_errors_of_products_are_bounded():
    rng = np.random.default_rng(4)
    for dtype, unit in (("f4", 2.0**-24), ("f8", 2.0**-53)):
        a, b = rng.standard_normal((50, 333)).astype(dtype), rng.standard_normal((333, 41)).astype(dtype)
        exact = a.astype(np.longdouble) @ b.astype(np.longdouble)
        bound = (333 + 3) * unit * (np.abs(a).astype(np.longdouble) @ np.abs(b).astype(np.longdouble))
        assert (np.abs(uskor.matmul(a, b) - exact) <= bound).all()
