"""Tensors of PyTorch and arrays of CuPy on a GPU: the caller's stream, no copy. Skipped where there is none."""

import threading

import numpy as np
import pytest
import uskor


def modules():
    found = []
    try:
        import torch

        if torch.cuda.is_available():
            found.append("torch")
    except ImportError:
        pass
    try:
        import cupy

        if cupy.cuda.runtime.getDeviceCount() > 0:
            found.append("cupy")
    except Exception:
        pass
    return found


pytestmark = pytest.mark.skipif(not modules(), reason="no GPU with PyTorch or CuPy")


class Torch:
    def __init__(self):
        import torch

        self.module = torch

    def there(self, a):
        return self.module.from_numpy(np.ascontiguousarray(a)).cuda()

    def here(self, a):
        return a.cpu().numpy()

    def address(self, a):
        return a.data_ptr()

    def other_stream(self):
        return self.module.cuda.stream(self.module.cuda.Stream())

    def empty(self, shape, dtype):
        return self.module.empty(shape, dtype=getattr(self.module, dtype), device="cuda")


class Cupy:
    def __init__(self):
        import cupy

        self.module = cupy

    def there(self, a):
        return self.module.asarray(a)

    def here(self, a):
        return self.module.asnumpy(a)

    def address(self, a):
        return a.data.ptr

    def other_stream(self):
        return self.module.cuda.Stream(non_blocking=True)

    def empty(self, shape, dtype):
        return self.module.empty(shape, dtype)


@pytest.fixture(params=modules())
def on(request):
    return Torch() if request.param == "torch" else Cupy()


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "i8"])
@pytest.mark.parametrize("descending", [False, True])
def test_sorts(on, dtype, descending):
    rng = np.random.default_rng(1)
    numbers = [(rng.standard_normal(count) * 1000).astype(dtype) for count in (0, 1, 1000, 100_003)]
    for a in numbers[2:] if dtype[0] == "f" else ():
        a[3:6] = np.nan
    # some digits are alike in all of them
    numbers += [rng.integers(0, most, 50_021).astype(dtype) for most in (1, 200, 2**16, 10**5)]
    for a in numbers:
        expected = uskor.sort(a, descending=descending)
        there = on.there(a)
        np.testing.assert_array_equal(on.here(uskor.sort(there, descending=descending)), expected)
        np.testing.assert_array_equal(on.here(there), a)
        order = on.here(uskor.argsort(there, descending=descending))
        assert order.dtype == np.int64
        np.testing.assert_array_equal(order, uskor.argsort(a, descending=descending))
        assert uskor.sort(there, out=there, descending=descending) is there
        np.testing.assert_array_equal(on.here(there), expected)


@pytest.mark.parametrize("dtype", ["u4", "f4", "f8", "u8"])
def test_an_order_is_stable(on, dtype):
    a = np.random.default_rng(9).integers(0, 50, 300_007).astype(dtype)
    if dtype[0] == "f":
        a[::1000] = np.nan
        a[7::1000] = -np.float64(np.nan)
    np.testing.assert_array_equal(on.here(uskor.argsort(on.there(a))), np.argsort(a, stable=True))
    got = on.here(uskor.argsort(on.there(a), descending=True))
    np.testing.assert_array_equal(got, uskor.argsort(a, descending=True))


def numbers_with_equals(dtype):
    a = np.random.default_rng(10).integers(0, 500, 70_007).astype(dtype)
    if dtype[0] == "f":
        a[::1000] = np.nan
        a[5::900] = -0.0
    return a


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "i8"])
def test_what_is_distinct(on, dtype):
    a = numbers_with_equals(dtype)
    for shape in ((-1,), (7, -1)):
        there = on.there(a.reshape(shape))
        np.testing.assert_array_equal(on.here(uskor.unique(there)), np.unique(a))
        for got, expected in zip(
            uskor.unique(there, True, True, True), np.unique(a.reshape(shape), True, True, True), strict=True
        ):
            np.testing.assert_array_equal(on.here(got), expected)
    if dtype[0] == "f":
        np.testing.assert_array_equal(on.here(uskor.unique(there, equal_nan=False)), np.unique(a, equal_nan=False))
    for count in (0, 1):
        for got, expected in zip(
            uskor.unique(on.there(a[:count]), True, True, True), np.unique(a[:count], True, True, True), strict=True
        ):
            np.testing.assert_array_equal(on.here(got), expected)


@pytest.mark.parametrize("dtype", ["i4", "f4", "f8", "i8"])
@pytest.mark.parametrize("largest", [False, True])
def test_the_best(on, dtype, largest):
    a = numbers_with_equals(dtype)
    for k in (0, 1, 10, 2048, 2049, a.size):
        expected, got = uskor.topk(a + 0, k, largest=largest), uskor.topk(on.there(a + 0), k, largest=largest)
        np.testing.assert_array_equal(on.here(got.values), expected.values)
        np.testing.assert_array_equal(on.here(got.indices), expected.indices)
    with pytest.raises(ValueError):
        uskor.topk(on.there(a), a.size + 1)
    np.testing.assert_array_equal(on.here(uskor.partition(on.there(a), 100))[100], np.partition(a, 100)[100])


def test_arrays_that_begin_anywhere_and_have_gaps(on):
    a = np.random.default_rng(2).random(10_000, "f4")
    there = on.there(a)
    np.testing.assert_array_equal(on.here(uskor.sort(there[1:])), np.sort(a[1:]))
    np.testing.assert_array_equal(on.here(uskor.sort(there[::2])), np.sort(a[::2]))
    assert uskor.sort(there[5001:9999], out=there[1:4999]) is not None
    np.testing.assert_array_equal(on.here(there[1:4999]), np.sort(a[5001:9999]))
    np.testing.assert_array_equal(on.here(there[4999:]), a[4999:])


@pytest.mark.parametrize("dtype", ["f4", "f8", "f2"])
def test_products(on, dtype):
    rng = np.random.default_rng(3)
    for left, right in [
        ((64, 32), (32, 48)),
        ((33, 65), (65, 1)),
        ((65,), (65, 7)),
        ((5, 9), (9,)),
        ((4, 16, 8), (4, 8, 24)),
        ((3, 5, 7), (7, 2)),
    ]:
        a, b = rng.integers(-4, 5, left).astype(dtype), rng.integers(-4, 5, right).astype(dtype)
        np.testing.assert_array_equal(on.here(uskor.matmul(on.there(a), on.there(b))), a @ b)
    a, b = rng.integers(-4, 5, (40, 50)).astype(dtype), rng.integers(-4, 5, (60, 50)).astype(dtype)
    there = on.there(b)
    np.testing.assert_array_equal(on.here(uskor.matmul(on.there(a), there.T)), a @ b.T)
    out = on.there(np.zeros((40, 60), dtype))
    assert uskor.matmul(on.there(a), there.T, out=out) is out
    np.testing.assert_array_equal(on.here(out), a @ b.T)
    with pytest.raises(ValueError):
        uskor.matmul(on.there(a), there)


def test_dots_transposes_pictures(on):
    rng = np.random.default_rng(4)
    a, b = rng.random(10_001, "f4"), rng.random(10_001, "f4")
    got = uskor.dot(on.there(a), on.there(b))
    assert abs(float(on.here(got)) - float(a.astype("f8") @ b)) < 1e-3 and on.here(got).dtype == np.float32
    for dtype in ("u1", "f2", "f4", "f8"):
        m = rng.integers(0, 100, (300, 211)).astype(dtype)
        np.testing.assert_array_equal(on.here(uskor.transpose(on.there(m))), m.T)
    picture = rng.integers(0, 256, (60, 70, 4)).astype("u1")
    got = on.here(uskor.resize(on.there(picture), (90, 100))).astype(int)
    assert abs(got - uskor.resize(picture, (90, 100)).astype(int)).max() <= 2


def test_work_is_on_the_callers_stream(on):
    a = np.random.default_rng(5).random(1 << 22, "f4")
    for _ in range(5):
        with on.other_stream():
            there = on.there(a)
            for _ in range(3):
                there = there + 1
            got = on.here(uskor.sort(there))
        np.testing.assert_array_equal(got, np.sort(a + np.float32(1) + np.float32(1) + np.float32(1)))


def test_nothing_is_copied(on):
    a = on.there(np.random.default_rng(6).random(1 << 16, "f4"))
    before = on.address(a)
    assert uskor.sort(a, out=a) is a and on.address(a) == before


def test_other_threads_have_contexts_of_their_own(on):
    a = np.random.default_rng(7).random(5000, "f4")
    wrong = []

    def work():
        try:
            np.testing.assert_array_equal(on.here(uskor.sort(on.there(a))), np.sort(a))
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    [each.start() for each in threads]
    [each.join() for each in threads]
    assert not wrong, wrong


def test_what_is_not_served_is_refused(on):
    a = on.there(np.ones((4, 4), "f4"))
    for call in (
        lambda: uskor.argsort(a),
        lambda: uskor.unique(a, axis=0),
        lambda: uskor.partition(a, 1),
        lambda: uskor.topk(a, 1),
        lambda: uskor.sort(a),
        lambda: uskor.sort(on.there(np.ones(4, "i2"))),
        lambda: uskor.dot(a[0], a[1], sum="exact"),
    ):
        with pytest.raises(NotImplementedError):
            call()
    with pytest.raises(TypeError, match="host memory"):
        uskor.matmul(a, np.ones((4, 4), "f4"))
    with pytest.raises(np.exceptions.AxisError):
        uskor.sort(a, 5)
    with pytest.raises(ValueError):
        uskor.sort(on.there(np.ones(4, "f4")), out=on.there(np.ones(5, "f4")))


class OnlyDLPack:
    def __init__(self, a):
        self.a = a

    def __dlpack__(self, **options):
        return self.a.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.a.__dlpack_device__()


class OnlyInterface:
    def __init__(self, a):
        self.a = a

    @property
    def __cuda_array_interface__(self):
        return self.a.__cuda_array_interface__


@pytest.mark.parametrize("shown", [OnlyDLPack, OnlyInterface])
def test_arrays_of_other_libraries(on, shown):
    a = np.random.default_rng(8).random(1 << 20, "f4")
    with on.other_stream():
        there = on.there(a)
        for _ in range(3):
            there = there + 1
        result = uskor.sort(shown(there))
        assert uskor.argsort(shown(there)).__cuda_array_interface__["typestr"] == "<i8"
        assert type(result) is uskor._foreign.DeviceArray
        back = on.module.from_dlpack(result)
        np.testing.assert_array_equal(on.here(back), np.sort(a + np.float32(1) + np.float32(1) + np.float32(1)))
        given = shown(there)
        assert uskor.sort(given, out=given) is given
        on.module.cuda.Device().synchronize() if on.module.__name__ == "cupy" else on.module.cuda.synchronize()
        np.testing.assert_array_equal(on.here(there), on.here(back))
    m = on.there(np.arange(12, dtype="f4").reshape(3, 4))
    np.testing.assert_array_equal(on.here(on.module.from_dlpack(uskor.transpose(shown(m)))), on.here(m).T)


def test_the_gpu_is_listed():
    assert any(name.startswith("cuda:") for name in uskor.devices())
