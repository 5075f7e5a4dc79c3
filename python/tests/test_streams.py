"""What is enqueued for arrays on a GPU, on a driver of host memory ($USKOR_LIBCUDA: tests/fake_cuda of the project) and
with a CuPy of the test's own: launches on the caller's stream, with the caller's addresses."""

import contextlib
import ctypes
import os
import sys
import types

import numpy as np
import pytest
import uskor

pytestmark = pytest.mark.skipif("fake_cuda" not in os.environ.get("USKOR_LIBCUDA", ""), reason="needs tests/fake_cuda")


class Fake(ctypes.Structure):
    """The beginning of struct fake_cuda (tests/fake_cuda/fake_cuda.h)."""

    _fields_ = [
        *((name, ctypes.c_int) for name in ("device_count", "major", "minor")),
        ("failing", ctypes.c_char_p),
        *((name, ctypes.c_int) for name in ("failure", "separated", "contexts", "streams", "events", "modules")),
        *((name, ctypes.c_int) for name in ("allocations", "pinned", "priority", "compilations", "loads", "launches")),
        *((name, ctypes.c_int) for name in ("waits", "rectangles", "prefetched", "peers", "peer_copies")),
        ("last_stream", ctypes.c_void_p),
    ]


class Device(contextlib.nullcontext):
    id = 0


class Array:
    """As much of cupy.ndarray as the module uses, at an aligned address of host memory."""

    def __init__(self, array):
        room = np.zeros(array.nbytes + 256, np.uint8)
        begin = -room.ctypes.data % 256
        self.host = room[begin : begin + array.nbytes].view(array.dtype).reshape(array.shape)
        self.host[...] = array
        self._see()

    def _see(self):
        self.shape, self.strides, self.dtype = self.host.shape, self.host.strides, self.host.dtype
        self.data = types.SimpleNamespace(ptr=self.host.ctypes.data)
        self.device = Device()
        self.__cuda_array_interface__ = {"version": 3}

    def view(self, host):
        made = Array.__new__(Array)
        made.host = host
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
    fake = Fake.in_dll(library, "fake_cuda")
    fake.stream = stream.value
    return fake


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
        (lambda: uskor.matmul(a, b), (64, 48)),
        (lambda: uskor.matmul(b.view(b.host.T), a.view(a.host.T)), (48, 64)),
        (lambda: uskor.transpose(a), (32, 64)),
        (lambda: uskor.resize(picture, (16, 18)), (16, 18, 4)),
        (lambda: uskor.dot(line, line), ()),
    ):
        result, count = launches(fake, call)
        assert count >= 1 and result.shape == shape
        allocations = fake.allocations
        _, again = launches(fake, call)  # the plan is kept, with its memory
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
    with pytest.raises(NotImplementedError):
        uskor.argsort(a)
