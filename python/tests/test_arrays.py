"""Arrays of other libraries in host memory, through DLPack and PyTorch's own way."""

import numpy as np
import pytest
import uskor
from cases import numbers, same


class Foreign:
    """An array of a library that nobody knows: it speaks DLPack alone."""

    def __init__(self, array):
        self.array = array

    def __dlpack__(self, **options):
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()


class Elsewhere(Foreign):
    """… and is on a device."""

    def __init__(self, kind):
        self.kind = kind

    def __dlpack_device__(self):
        return self.kind, 0


def test_dlpack_in_and_out():
    a = numbers((30, 40), "f4")
    same(uskor.sort(Foreign(a), 0), np.sort(a, 0))
    same(uskor.matmul(Foreign(a), Foreign(a.T)), uskor.matmul(a, a.T))
    same(uskor.transpose(Foreign(a)), a.T.copy())
    out = np.empty_like(a)
    foreign = Foreign(out)
    assert uskor.sort(Foreign(a), 0, out=foreign) is foreign
    same(out, np.sort(a, 0))
    same(np.from_dlpack(uskor.sort(a)), np.sort(a))


def test_dlpack_that_is_read_only():
    a = numbers((30,), "i4")
    a.flags.writeable = False
    same(uskor.sort(Foreign(a)), np.sort(a))
    with pytest.raises(ValueError, match="read-only"):
        uskor.sort(a, out=Foreign(a))


def test_devices_that_are_not_served():
    with pytest.raises(NotImplementedError, match="DLPack's kind 8"):
        uskor.sort(Elsewhere(8))
    with pytest.raises(TypeError, match="host memory"):
        uskor.matmul(np.ones((2, 2)), Elsewhere(2))
    with pytest.raises(TypeError):
        uskor.sort(np.ones(3), out=[0, 0, 0])


def test_tensors_in_host_memory():
    torch = pytest.importorskip("torch")
    a = torch.rand(50, 60)
    sorted_ = uskor.sort(a)
    assert isinstance(sorted_, torch.Tensor) and torch.equal(sorted_, a.sort().values)
    assert torch.equal(uskor.transpose(a), a.T.contiguous())
    out = torch.empty(60, 50)
    assert uskor.transpose(a, out=out) is out and torch.equal(out, a.T)
    assert torch.equal(uskor.argsort(a), torch.argsort(a, stable=True))
    assert float(uskor.dot(a[0], a[1])) == pytest.approx(float(a[0] @ a[1]), rel=1e-5)
    with pytest.raises(TypeError, match="requires grad"):
        uskor.sort(a.requires_grad_())


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    a = np.array([3, -0.0, 1, 0.0, -2], ml_dtypes.bfloat16)
    assert uskor.sort(a).astype("f4").tolist() == [-2, 0, 0, 1, 3]
    assert uskor.argsort(a).tolist() == [4, 1, 3, 2, 0]
    same(uskor.matmul(a[:2].reshape(1, 2), a[2:4].reshape(2, 1)), np.array([[3]], ml_dtypes.bfloat16))
