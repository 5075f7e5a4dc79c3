import numpy as np
import pytest
import uskor
from cases import NUMPYS, SHAPES, TYPES, few_layouts, numbers, same, same_bits


@pytest.fixture(params=["uskor", "numpy"])
def sorter(request, monkeypatch):
    """Short lines are NumPy's; with "uskor" none is short."""
    if request.param == "uskor":
        for name, ours in NUMPYS.items():
            monkeypatch.setattr(uskor._sorts, name, ours)


def axes(shape):
    return [None, *range(-len(shape), len(shape))]


@pytest.mark.parametrize("dtype", TYPES)
def test_sorts_and_orders_are_numpys(dtype, sorter):
    for shape in SHAPES:
        for a in few_layouts(numbers(shape, dtype)):
            before = a.copy()
            for axis in axes(shape):
                same(uskor.sort(a, axis), np.sort(a, axis))
                same_bits(uskor.sort(a, axis, stable=True), np.sort(a, axis, stable=True))
                same(uskor.argsort(a, axis), np.argsort(a, axis, stable=True))
            np.testing.assert_array_equal(a, before)


@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_a_stable_sort_of_floats_keeps_zeros_signs_and_nans_bits(dtype, sorter):
    rng = np.random.default_rng(7)
    nan = np.array(np.nan, dtype)
    nan.view(f"u{nan.itemsize}")[...] |= 5  # no NaN that arithmetic makes
    for size in (1, 100, 300, 1000, 70_000):
        for special in ([], [-0.0, 0.0, -0.0], [-nan], [-0.0, nan]):
            a = rng.standard_normal(size).astype(dtype)
            for place, number in zip(rng.permutation(size), special):
                a[place] = number
            same_bits(uskor.sort(a, stable=True), np.sort(a, stable=True))


@pytest.mark.parametrize("dtype", TYPES)
def test_descending_order_has_the_largest_first_and_nans_last(dtype, sorter):
    for shape in SHAPES:
        a = numbers(shape, dtype, 2)
        for axis in range(len(shape)):
            got = uskor.sort(a, axis, descending=True)
            nans = np.isnan(a).sum(axis) if a.dtype.kind == "f" else np.zeros(np.delete(shape, axis), int)
            up = np.sort(a, axis)
            for at in np.ndindex(*nans.shape):
                line = at[:axis] + (slice(None),) + at[axis:]
                count = shape[axis] - nans[at]
                same(got[line], np.concatenate([up[line][:count][::-1], up[line][count:]]))
            order = uskor.argsort(a, axis, descending=True)
            same(np.take_along_axis(a, order, axis), got)
    equal = np.array([3, 1, 3, 1, 3], dtype if dtype != "?" else "u1")
    assert uskor.argsort(equal, descending=True).tolist() == [0, 2, 4, 1, 3]


def large(dtype, size):
    """Arrays of many elements, each of which needs another care: how they are spread, what is equal, what differs."""
    rng = np.random.default_rng(6)
    if np.dtype(dtype).kind != "f":
        info = np.iinfo(dtype)
        small = rng.integers(0, 1000, size, dtype)
        wide = rng.integers(info.min, info.max, size, dtype, endpoint=True)
        yield wide
        yield np.where(rng.random(size) < 0.9, rng.integers(0, size, size), wide).astype(dtype)  # most in one cell
        yield small
        yield np.where(np.arange(size) == size // 2, info.max, small).astype(dtype)
        yield np.full(size, 5, dtype)
        yield np.arange(size).astype(dtype)[::-1].copy()
        return
    normal = rng.standard_normal(size).astype(dtype)
    yield normal
    yield rng.standard_cauchy(size).astype(dtype)
    yield np.where(rng.random(size) < 0.9, 1 + normal / 1000, 1e9 * normal).astype(dtype)
    yield normal[rng.integers(0, 3000, size)]
    yield (1 + np.arange(size) % 97 * np.finfo(dtype).eps).astype(dtype)  # alike but for the last bits
    special = normal.copy()
    special[::7], special[1::11], special[2::13], special[3::17], special[4::5] = np.nan, -np.nan, np.inf, -0.0, 0.0
    yield special
    whole = rng.integers(-size, size, size).astype(dtype)  # the low bits of all numbers are 0
    whole[::9], whole[1::9] = np.nan, np.inf
    yield whole
    yield rng.integers(0, 256, size * special.itemsize, np.uint8).view(dtype)


@pytest.mark.parametrize("dtype", ["i4", "u4", "i8", "u8", "f4", "f8"])
@pytest.mark.parametrize("size", [5000, 70_001, 200_003])
def test_large_arrays_are_ordered_as_numpy_orders_them(dtype, size):
    before = uskor.threads()
    try:
        for a in large(dtype, size):
            with np.errstate(all="ignore"):
                order, backwards, values = np.argsort(a, stable=True), uskor._sorts._backwards(a), np.unique(a)
                for threads in (1, 2):
                    uskor.set_threads(threads)
                    same(uskor.argsort(a), order)
                    same(uskor.argsort(backwards, descending=True), order)
                    same(uskor.unique(a), values)
    finally:
        uskor.set_threads(before)


def test_unique_keeps_one_zero_and_one_nan():
    for zeros in ([-0.0, 0.0], [0.0, -0.0], [-0.0], [0.0]):
        for size in (0, 3, 30_000):
            a = np.array([*zeros, np.nan, 3, -3, -np.nan] + [3.0] * size)
            np.testing.assert_array_equal(uskor.unique(a), [-3, 0, 3, np.nan])


def test_a_sort_into_an_array():
    a = numbers((20, 30), "f4")
    expected = np.sort(a, 0)
    out = np.empty_like(a)
    assert uskor.sort(a, 0, out=out) is out
    same(out, expected)
    out = np.empty((30, 20), "f4").T
    assert uskor.sort(a, 0, out=out) is out
    same(out, expected)
    assert uskor.sort(a, 0, out=a) is a
    same(a, expected)
    fixed = np.empty_like(a)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        uskor.sort(a, out=fixed)
    with pytest.raises(ValueError, match="shape"):
        uskor.sort(a, out=np.empty(3, "f4"))
    with pytest.raises(TypeError, match="dtype"):
        uskor.sort(a, out=np.empty(a.shape, "f8"))


@pytest.mark.parametrize("dtype", TYPES)
def test_unique_is_numpys(dtype, sorter):
    for shape in [*SHAPES, ()]:
        a = numbers(shape, dtype, 3) if shape else np.array(3).astype(dtype)
        for bits in range(8):
            asked = [bool(bits & 1), bool(bits & 2), bool(bits & 4)]
            for equal_nan in (True, False):
                got, expected = uskor.unique(a, *asked, equal_nan=equal_nan), np.unique(a, *asked, equal_nan=equal_nan)
                if not any(asked):
                    got, expected = (got,), (expected,)
                assert len(got) == len(expected)
                for i, (x, y) in enumerate(zip(got, expected)):
                    if asked[1] and i == 1 + asked[0] and not equal_nan:  # of equal NaNs NumPy's order is any
                        x, y = got[0][x], expected[0][y]
                    same(x, y)
    rows = np.array([[1, 2], [1, 2], [0, 5]]).astype(dtype)
    same(uskor.unique(rows, axis=0), np.unique(rows, axis=0))


@pytest.mark.parametrize("dtype", TYPES)
def test_partitions(dtype, sorter):
    for shape in SHAPES:
        for a in few_layouts(numbers(shape, dtype, 4)):
            for axis in axes(shape):
                count = a.size if axis is None else shape[axis]
                for kth in {0, count // 2, count - 1, -1, -count} if count else ():
                    got = uskor.partition(a, kth, axis)
                    expected = np.sort(a, axis)
                    at = 0 if axis is None else axis
                    place = kth % count
                    assert got.shape == expected.shape and got.dtype == expected.dtype
                    same(np.take(got, place, at), np.take(expected, place, at))
                    for part in (slice(place), slice(place, None)):  # each side has its own elements
                        index = [slice(None)] * expected.ndim
                        index[at] = part
                        same(np.sort(got[tuple(index)], at), expected[tuple(index)])
    a = numbers((50,), dtype)
    got, expected = uskor.partition(a, [3, 10, -1]), np.sort(a)
    same(got[[3, 10, -1]], expected[[3, 10, -1]])
    same(np.sort(got[:10]), expected[:10])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("largest", [True, False])
def test_topk_is_the_beginning_of_the_stable_order(dtype, largest, sorter):
    for shape in SHAPES:
        a = numbers(shape, dtype, 5)
        for axis in axes(shape):
            order = uskor.argsort(a, axis, descending=largest)
            flat, at = (a.reshape(-1), 0) if axis is None else (a, axis)
            for k in {0, 1, flat.shape[at] // 3, flat.shape[at]}:
                if k > flat.shape[at]:
                    continue
                got = uskor.topk(a, k, axis, largest=largest)
                indices = np.take(order, np.arange(k), at)
                same(got.indices, indices)
                same_bits(got.values, np.take_along_axis(flat, indices, at))


def test_errors_are_numpys():
    a = np.arange(6.0).reshape(2, 3)
    for function in (uskor.sort, uskor.argsort):
        with pytest.raises(np.exceptions.AxisError):
            function(a, 2)
    with pytest.raises(np.exceptions.AxisError):
        uskor.sort(np.float64(3))
    for kth in (3, -4, [0, 5]):
        with pytest.raises(ValueError, match="out of bounds"):
            uskor.partition(a, kth)
    with pytest.raises(TypeError):
        uskor.partition(a, 1.5)
    for k in (-1, 4):
        with pytest.raises(ValueError, match="uskor.topk"):
            uskor.topk(a, k)
    with pytest.raises(TypeError):
        uskor.topk(a, 1.5)
    with pytest.raises(TypeError, match="uskor.topk"):
        uskor.topk(np.array(["a"]), 1)


@pytest.mark.parametrize(
    "a",
    [
        np.array(["b", "a", "c"]),
        np.array([3 + 1j, 1 - 2j, np.nan]),
        np.array([2, 1], ">i4"),
        np.array([2, 1], np.longdouble),
        np.array(["2020-02-02", "NaT", "2010-01-01"], "M8[D]"),
        np.ma.array([3, 1, 2], mask=[False, True, False]),
        np.array([(2, 1.0), (1, 2.0)], [("a", "i4"), ("b", "f4")]),
        np.array([3, 1, 2], object),
    ],
    ids=str,
)
def test_other_types_are_left_to_numpy(a):
    for function in ("sort", "argsort"):
        same(getattr(uskor, function)(a), getattr(np, function)(a))
        if a.dtype.kind in "if":
            assert getattr(uskor, function)(a, descending=True).shape == a.shape
        else:
            with pytest.raises(NotImplementedError):
                getattr(uskor, function)(a, descending=True)


def test_lists_are_arrays():
    same(uskor.sort([3, 1, 2]), np.sort([3, 1, 2]))
    same(uskor.argsort([[3.0, 1], [2, 5]]), np.argsort([[3.0, 1], [2, 5]]))


@pytest.mark.parametrize(
    ("vendor", "family", "expected"),
    [("AuthenticAMD", 25, True), ("AuthenticAMD", 26, False), ("GenuineIntel", 6, False)],
)
def test_a_zen_4_is_told_from_its_successor(tmp_path, vendor, family, expected):
    information = tmp_path / "cpuinfo"
    information.write_text(f"processor\t: 0\nvendor_id\t: {vendor}\ncpu family\t: {family}\nmodel\t\t: 2\n")
    assert uskor._sorts._is_zen4(str(information)) is expected
    assert not uskor._sorts._is_zen4(str(tmp_path / "absent"))
