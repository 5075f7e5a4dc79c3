"""What is enqueued for arrays on a GPU, on a driver of host memory ($USKOR_LIBCUDA: tests/fake_cuda of the project) and
with a CuPy of the test's own: launches on the caller's stream, with the caller's addresses."""

import contextlib
import ctypes
import gc
import os
import sys
import types

import numpy as np
import pytest
import uskor
from uskor import _dlpack
from uskor import _library as lib
from uskor._arrays import number
from uskor._layout import Seen

pytestmark = pytest.mark.skipif("fake_cuda" not in os.environ.get("USKOR_LIBCUDA", ""), reason="needs tests/fake_cuda")


class Fake:
    """Fields of struct fake_cuda (tests/fake_cuda/fake_cuda.h), by their names."""

    def __init__(self, library, stream):
        self.stream, self._field = stream, library.fake_cuda_field
        self._field.restype = ctypes.c_void_p

    def __getattr__(self, name):
        kind = ctypes.c_void_p if name == "last_stream" else ctypes.c_int
        return kind.from_address(self._field(name.encode())).value


class Device(contextlib.nullcontext):
    id = 0


class Memory:
    """Memory of the driver's, freed with the object."""

    def __init__(self, size):
        place, self.driver = ctypes.c_uint64(), ctypes.CDLL(os.environ["USKOR_LIBCUDA"])
        assert self.driver.cuMemAlloc_v2(ctypes.byref(place), ctypes.c_size_t(size)) == 0
        self.address = place.value

    def __del__(self):
        self.driver.cuMemFree_v2(ctypes.c_uint64(self.address))


class Array:
    """As much of cupy.ndarray as the module uses, in the driver's memory."""

    def __init__(self, array):
        self.memory = Memory(array.nbytes)
        place = (ctypes.c_char * array.nbytes).from_address(self.memory.address)
        self.host = np.frombuffer(place, array.dtype).reshape(array.shape)
        self.host[...] = array
        self._see()

    def _see(self):
        self.shape, self.strides, self.dtype = self.host.shape, self.host.strides, self.host.dtype
        self.data = types.SimpleNamespace(ptr=self.host.ctypes.data)
        self.device = Device()
        self.__cuda_array_interface__ = {"version": 3}

    def view(self, host):
        made = Array.__new__(Array)
        made.memory, made.host = self.memory, host
        made._see()
        return made

    def copy(self, order):
        return Array(self.host)

    def reshape(self, *shape):
        return self.view(self.host.reshape(*shape))

    def __getitem__(self, key):
        return self.view(self.host[key])

    def __setitem__(self, key, value):
        self.host[key] = value.host


@pytest.fixture
def fake(monkeypatch):
    library = ctypes.CDLL(os.environ["USKOR_LIBCUDA"])
    stream, context = ctypes.c_void_p(), ctypes.c_void_p()
    library.cuInit(0)
    library.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
    library.cuCtxSetCurrent(context)
    assert library.cuStreamCreate(ctypes.byref(stream), 1) == 0
    current = types.SimpleNamespace(ptr=stream.value)
    cupy = types.SimpleNamespace(
        ndarray=Array,
        cuda=types.SimpleNamespace(get_current_stream=lambda: current),
        empty=lambda shape, dtype: Array(np.zeros(shape, dtype)),
        broadcast_to=lambda a, shape: a.view(np.broadcast_to(a.host, shape)),
    )
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    return Fake(library, stream.value)


class Given:
    """An array on the device of a library that speaks DLPack."""

    def __init__(self, array, read_only=False):
        place, self.streams = ctypes.c_uint64(), []
        library = ctypes.CDLL(os.environ["USKOR_LIBCUDA"])
        assert library.cuMemAlloc_v2(ctypes.byref(place), ctypes.c_size_t(array.nbytes)) == 0
        self.seen = Seen(place.value, array.shape, array.strides, number(array.dtype), array.itemsize, read_only)

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, *, stream, max_version):
        self.streams.append(stream)
        return _dlpack.write(self, self.seen, (2, 0), max_version)


def test_arrays_of_any_library_come_and_go_by_dlpack(fake):
    del sys.modules["cupy"]
    line = Given(np.arange(100, dtype="f4"))
    before = fake.launches
    result = uskor.sort(line)
    assert fake.launches > before and line.streams == [1] and result.shape == (100,)
    assert result.__dlpack_device__() == (2, 0)
    said = result.__cuda_array_interface__
    assert (said["shape"], said["typestr"], said["data"][1], said["version"]) == ((100,), "<f4", False, 3)
    capsule = result.__dlpack__(stream=fake.stream, max_version=(1, 0))
    assert _dlpack.read(capsule) == Seen(said["data"][0], (100,), (4,), lib.FLOAT32, 4, False)
    assert fake.last_stream == fake.stream  # it waits for the result
    again = uskor.sort(result, out=result)
    assert again is result
    assert uskor.matmul(Given(np.ones((4, 5), "f4")), Given(np.ones((5, 6), "f4"))).shape == (4, 6)
    allocations = fake.allocations
    capsule = None
    del result, again
    gc.collect()
    assert fake.allocations < allocations
    with pytest.raises(ValueError, match="read-only"):
        uskor.sort(line, out=Given(np.arange(100, dtype="f4"), read_only=True))


def launches(fake, call):
    """How many launches a call makes; all are on the caller's stream, nothing is waited for."""
    before, waits = fake.launches, fake.waits
    result = call()
    assert fake.waits == waits and fake.last_stream == fake.stream
    return result, fake.launches - before


def test_each_function_launches_on_the_callers_stream(fake):
    a, b = Array(np.ones((64, 32), "f4")), Array(np.ones((32, 48), "f4"))
    line, picture = a.reshape(-1), Array(np.ones((8, 9, 4), "u1"))
    for call, shape in (
        (lambda: uskor.sort(line), (2048,)),
        (lambda: uskor.sort(a, None, descending=True), (2048,)),
        (lambda: uskor.argsort(line), (2048,)),
        (lambda: uskor.argsort(a, None, descending=True), (2048,)),
        (lambda: uskor.matmul(a, b), (64, 48)),
        (lambda: uskor.matmul(b.view(b.host.T), a.view(a.host.T)), (48, 64)),
        (lambda: uskor.transpose(a), (32, 64)),
        (lambda: uskor.resize(picture, (16, 18)), (16, 18, 4)),
        (lambda: uskor.dot(line, line), ()),
    ):
        result, count = launches(fake, call)
        assert count >= 1 and result.shape == shape
        result = None
        allocations = fake.allocations
        again = launches(fake, call)[1]  # the plan is kept, with its memory
        assert again == count and fake.allocations == allocations


def test_a_sort_in_place_allocates_no_array(fake):
    line = Array(np.ones(5000, "f4"))
    result, count = launches(fake, lambda: uskor.sort(line, out=line))
    assert result is line and count >= 1


def test_arguments_that_are_wrong(fake):
    a = Array(np.ones((4, 4), "f4"))
    with pytest.raises(NotImplementedError, match="one line"):
        uskor.sort(a)
    with pytest.raises(ValueError, match="fit"):
        uskor.matmul(a, a[:3])
    with pytest.raises(ValueError, match="shape"):
        uskor.matmul(a, a, out=a[:3])
    with pytest.raises(TypeError, match="dtype"):
        uskor.transpose(a, out=Array(np.ones((4, 4), "i4")))
    with pytest.raises(NotImplementedError, match="argsort.*one line"):
        uskor.argsort(a)
    with pytest.raises(NotImplementedError, match="32 and 64 bits"):
        uskor.argsort(Array(np.ones(4, "i2")))
    with pytest.raises(NotImplementedError):
        uskor.topk(a, 1)
