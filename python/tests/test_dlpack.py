"""Capsules of DLPack, read and written, with NumPy at the other end."""

import gc
import weakref

import numpy as np
import pytest
from cases import same
from uskor import _dlpack
from uskor._arrays import address, number
from uskor._layout import Seen


class Owner:
    """An array that is handed out by our own capsules."""

    def __init__(self, array):
        self.array = array
        read_only = not array.flags.writeable
        self.seen = Seen(address(array), array.shape, array.strides, number(array.dtype), array.itemsize, read_only)

    def __dlpack_device__(self):
        return 1, 0

    def __dlpack__(self, *, max_version=None, **_):
        return _dlpack.write(self, self.seen, (1, 0), max_version)


@pytest.mark.parametrize("dtype", ["i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8"])
def test_out_and_in(dtype):
    for a in (np.arange(24).astype(dtype).reshape(2, 3, 4), np.zeros((0, 3), dtype), np.array(5).astype(dtype)):
        for view in (a, a.T, a[..., ::-1] if a.ndim else a):
            same(np.from_dlpack(Owner(view)), view)
            assert _dlpack.read(view.__dlpack__()) == Owner(view).seen or 0 in view.shape
            assert _dlpack.read(view.__dlpack__(max_version=(1, 0))).address == address(view)


def test_read_only_flags():
    a = np.arange(5)
    a.flags.writeable = False
    assert not np.from_dlpack(Owner(a)).flags.writeable
    assert np.from_dlpack(Owner(np.arange(5))).flags.writeable
    assert _dlpack.read(a.__dlpack__(max_version=(1, 0))).read_only
    with pytest.raises(BufferError):
        Owner(a).__dlpack__()


def test_the_owner_lives_as_long_as_its_capsule_or_what_took_it():
    for version in (None, (1, 0)):
        for take in (lambda owner: owner.__dlpack__(max_version=version), np.from_dlpack):
            owner = Owner(np.arange(1000))
            seen = weakref.ref(owner)
            taken = take(owner)
            del owner
            gc.collect()
            assert seen() is not None
            del taken
            gc.collect()
            assert seen() is None
    with pytest.raises(TypeError):
        _dlpack.read(object())
