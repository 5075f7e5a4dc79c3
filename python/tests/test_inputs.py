"""Unusual arrays and wrong arguments: the same results, or errors of the same types, as NumPy's."""

import numpy as np
import pytest
import uskor


class Sub(np.ndarray):
    pass


FLOATS = np.random.default_rng(4).standard_normal(3000).astype("f4")
READ_ONLY = FLOATS.copy()
READ_ONLY.flags.writeable = False
INPUTS = {
    "steps": FLOATS[::3], "backwards": FLOATS[::-1], "rows": FLOATS.reshape(30, 100),
    "columns": FLOATS.reshape(30, 100).T, "four axes": FLOATS.reshape(3, 10, 10, 10), "read-only": READ_ONLY,
    "broadcast": np.broadcast_to(FLOATS[:10], (5, 10)),
    "unaligned": np.frombuffer(b"\0" + FLOATS.tobytes(), "u1")[1:].view("f4"),
    "empty": np.empty(0, "f4"), "no columns": np.empty((3, 0), "i4"), "no rows": np.empty((0, 3), "f8"),
    "big-endian": FLOATS.astype(">f4"), "big-endian integers": np.arange(3000, dtype=">i4")[::-1],
    "objects": np.array([3, 1, 2], object), "incomparable": np.array([3, "a", None], object),
    "dates": np.array(["2020-01-02", "NaT", "2019-01-01"], "M8[D]"), "times": np.array([3, 1, 2], "m8[s]"),
    "NaTs": np.array(["NaT", "NaT"], "M8[s]"), "half": FLOATS.astype("f2"), "complex": FLOATS.astype("c8"),
    "long double": FLOATS[:5].astype("g"), "texts": np.array(["b", "a"]), "bytes": np.array([b"b", b"a"]),
    "void": np.zeros(3, "V4"), "structures": np.array([(2, 1.0), (1, 2.0)], [("a", "i4"), ("b", "f4")]),
    "subclass": FLOATS.view(Sub),
    "masked": np.ma.array([3, 1, 2], mask=[0, 1, 0]), "matrix": np.matrix([[3, 1], [2, 0]]),
    "no axes": np.array(3.5), "scalar": 3.5, "list": [3, 1, 2], "lists": [[3, 1], [2, 0]], "ragged": [[1, 2], [3]],
    "None": None, "text": "abc", "set": {3, 1}, "range": range(5), "empty list": [], "memory": memoryview(b"cab"),
    "bools": np.array([True, False] * 2000), "NaNs": np.array([np.nan, 1, -np.nan, 0.0, -0.0, np.inf] * 400),
}  # fmt: skip
CALLS = {
    "sort": lambda m, a: m.sort(a),
    "sort, axis 0": lambda m, a: m.sort(a, 0),
    "sort, axis -2": lambda m, a: m.sort(a, axis=-2),
    "sort, axis 5": lambda m, a: m.sort(a, axis=5),
    "sort, no axis": lambda m, a: m.sort(a, axis=None),
    "sort, axis 1.0": lambda m, a: m.sort(a, axis=1.0),
    "stable sort": lambda m, a: m.sort(a, stable=True),
    "argsort": lambda m, a: m.argsort(a, stable=True),
    "argsort, axis 0": lambda m, a: m.argsort(a, 0, stable=True),
    "argsort, axis -3": lambda m, a: m.argsort(a, -3, stable=True),
    "argsort, no axis": lambda m, a: m.argsort(a, None, stable=True),
    "unique": lambda m, a: m.unique(a),
    "unique, all": lambda m, a: m.unique(a, True, True, True),
    "unique, axis 0": lambda m, a: m.unique(a, axis=0),
    "unique, axis 7": lambda m, a: m.unique(a, axis=7),
    "unique NaNs": lambda m, a: m.unique(a, equal_nan=False),
    "partition": lambda m, a: np.sort(m.partition(a, 1)),
    "partition, far": lambda m, a: m.partition(a, 10**6),
    "partition, 1.5": lambda m, a: m.partition(a, 1.5),
    "partition, none": lambda m, a: m.partition(a, []),
    "partition, axis 9": lambda m, a: m.partition(a, 0, 9),
    "partition, no axis": lambda m, a: np.sort(m.partition(a, 0, None)),
    "transpose": lambda m, a: m.transpose(a),
    "transpose, 1 0": lambda m, a: m.transpose(a, (1, 0)),
    "transpose, 0 0": lambda m, a: m.transpose(a, (0, 0)),
    "transpose, 0": lambda m, a: m.transpose(a, 0),
    "matmul": lambda m, a: m.matmul(a, a),
    "matmul, transposed": lambda m, a: m.matmul(a, np.transpose(a)),
    "matmul, 2": lambda m, a: m.matmul(a, 2),
    "dot": lambda m, a: m.dot(a, a),
    "dot, 2": lambda m, a: m.dot(a, 2.0),
}


def found(call, module, a):
    """The results, or the error's type."""
    try:
        with np.errstate(all="ignore"):
            result = call(module, a)
    except Exception as error:
        return type(error)
    return result if isinstance(result, tuple) else (result,)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize("a", INPUTS.values(), ids=INPUTS)
def test_results_and_errors_are_numpys(a, call):
    ours, numpys = found(call, uskor, a), found(call, np, a)
    assert isinstance(ours, tuple) == isinstance(numpys, tuple), (ours, numpys)
    if not isinstance(ours, tuple):
        assert ours is numpys
        return
    assert len(ours) == len(numpys)
    for one, other in zip(ours, numpys):
        assert type(one) is type(other)
        assert np.asarray(one).dtype == np.asarray(other).dtype
        if np.asarray(one).dtype.kind in "fc":
            np.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-2)
        else:
            np.testing.assert_array_equal(one, other)


def test_a_sort_in_descending_order_keeps_the_byte_order():
    a = np.array([2, 1, 3], ">i4")
    out = np.empty_like(a)
    assert uskor.sort(a, descending=True, out=out) is out and out.tolist() == [3, 2, 1]


@pytest.mark.parametrize(
    ("call", "error"),
    [
        (lambda: uskor.topk(FLOATS, -1), ValueError),
        (lambda: uskor.topk(FLOATS, 2.5), TypeError),
        (lambda: uskor.topk(FLOATS, 3001), ValueError),
        (lambda: uskor.topk(FLOATS, 1, axis=9), np.exceptions.AxisError),
        (lambda: uskor.topk(FLOATS.astype("c8"), 1), TypeError),
        (lambda: uskor.topk(np.ma.array([3, 1], mask=[1, 0]), 1), TypeError),
        (lambda: uskor.resize(FLOATS, (2, 2)), ValueError),
        (lambda: uskor.resize(np.zeros((2, 2), "u1"), 5), ValueError),
        (lambda: uskor.resize(np.zeros((2, 2), "u1"), (5,)), ValueError),
        (lambda: uskor.resize(np.zeros((2, 2), "u1"), (0, 5)), ValueError),
        (lambda: uskor.resize(np.zeros((2, 2), "u1"), (2.5, 5)), TypeError),
        (lambda: uskor.resize(np.ma.zeros((2, 2), "u1"), (2, 2)), TypeError),
        (lambda: uskor.resize(np.zeros((2, 2)), (2, 2)), TypeError),
        (lambda: uskor.set_threads(-1), ValueError),
        (lambda: uskor.set_threads(2.5), TypeError),
        (lambda: uskor.sort(FLOATS, kind="stable"), TypeError),
        (lambda: uskor.sort(FLOATS, out=READ_ONLY), ValueError),
        (lambda: uskor.sort(FLOATS, out=FLOATS.astype("f8")), TypeError),
        (lambda: uskor.sort(FLOATS, out=[1]), TypeError),
        (lambda: uskor.sort(np.array(["a"]), descending=True), NotImplementedError),
    ],
)
def test_wrong_arguments_are_refused(call, error):
    with pytest.raises(error):
        call()
