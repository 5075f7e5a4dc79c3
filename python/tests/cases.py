"""Arrays for the tests: every type that the C library has, of awkward shapes, laid out in several ways."""

import numpy as np

# What gives arrays to NumPy, and what it is where all are Uskor's.
NUMPYS = dict.fromkeys(("_SORT", "_ARGSORT", "_PARTITION", "_BRIEF", "_ALONE"), {})
NUMPYS |= {"_sorts_like_numpy": lambda *_: False}
TYPES = ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "?"]
SHAPES = [(0,), (1,), (7,), (1000,), (3, 5), (4, 6, 3), (0, 3), (2, 30)]


def numbers(shape, dtype, seed=1):
    """Numbers of the whole range of integers, some of them equal; floats with NaNs, infinities and both zeros."""
    rng = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    if kind == "b":
        return rng.integers(0, 2, shape).astype(bool)
    if kind in "iu":
        info = np.iinfo(dtype)
        a = rng.integers(info.min, info.max, shape, dtype, endpoint=True)
        return np.where(rng.random(shape) < 0.3, a % np.asarray(7, dtype), a).astype(dtype)
    a = (rng.standard_normal(shape) * 100).round(1).astype(dtype)
    special = np.array([np.nan, np.inf, -np.inf, 0.0, -0.0], dtype)
    return np.where(rng.random(shape) < 0.2, special[rng.integers(0, 5, shape)], a)


def layouts(a):
    """The same array in C order, in Fortran's, reversed, with gaps, read-only, and at odd addresses."""
    yield a
    yield np.asfortranarray(a)
    yield a[..., ::-1].copy()[..., ::-1]
    wide = np.zeros(a.shape[:-1] + (a.shape[-1] * 2,), a.dtype)
    wide[..., ::2] = a
    yield wide[..., ::2]
    fixed = a.copy()
    fixed.flags.writeable = False
    yield fixed
    odd = np.zeros(a.nbytes + 1, np.uint8)[1:].view(a.dtype).reshape(a.shape)
    odd[...] = a
    yield odd


def few_layouts(a):
    """All of them for some types, two for the others: what differs between types does not depend on layouts."""
    return list(layouts(a))[: 6 if a.dtype.str[1:] in ("i4", "f8") else 2]


def same(a, b):
    """Equal values (NaNs are), types and shapes; the two zeros are one."""
    assert type(a) is type(b), (type(a), type(b))
    assert a.dtype == b.dtype and a.shape == b.shape, (a.dtype, b.dtype, a.shape, b.shape)
    np.testing.assert_array_equal(a, b)


def same_bits(a, b):
    same(a, b)
    assert a.tobytes() == b.tobytes()
