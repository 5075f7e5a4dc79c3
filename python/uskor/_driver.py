"""What CUDA's driver is asked for: contexts, memory of results, streams that wait; and where NVRTC is."""

from __future__ import annotations

import contextlib
import ctypes
import os
import pathlib
import sys
from collections.abc import Iterator
from ctypes import byref, c_int, c_size_t, c_uint64, c_void_p

from . import _library as lib

_NVRTC = ("nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib")  # where NVIDIA's wheels have it
_DEVICE_OF_POINTER = 9  # CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL
_NO_TIMING = 2  # of an event
LEGACY = 1  # the default stream by its own name: CUDA's, DLPack's, and the array interface's


def _open() -> ctypes.CDLL:
    if lib.of_thread.driver is None:
        try:
            lib.of_thread.driver = ctypes.CDLL(os.environ.get("USKOR_LIBCUDA") or "libcuda.so.1")
        except OSError as error:
            raise lib.Unavailable(f"uskor: no CUDA driver: {error}") from None
    return lib.of_thread.driver


def _check(result: int, what: str) -> None:
    if result:
        raise lib.Unavailable(f"uskor: CUDA's driver says {result} when {what}")


def _primary(driver: ctypes.CDLL, device: int) -> c_void_p:
    """The device's primary context, which PyTorch, CuPy and CUDA's runtime use. It is kept to the end."""
    handle, context = c_int(), c_void_p()
    _check(driver.cuInit(0), "it is started")
    _check(driver.cuDeviceGet(byref(handle), device), f"device {device} is asked for")
    _check(driver.cuDevicePrimaryCtxRetain(byref(context), handle), "its primary context is asked for")
    return context


def make_current(device: int) -> None:
    """Gives the thread the device's primary context, where it has none yet."""
    driver, context = _open(), c_void_p()
    if driver.cuCtxGetCurrent(byref(context)) == 0 and context.value:
        return
    _check(driver.cuCtxSetCurrent(_primary(driver, device)), "the context is made current")


@contextlib.contextmanager
def current(device: int) -> Iterator[None]:
    """The device's primary context, for a while."""
    driver, before = _open(), c_void_p()
    driver.cuCtxGetCurrent(byref(before))
    _check(driver.cuCtxSetCurrent(_primary(driver, device)), "the context is made current")
    try:
        yield
    finally:
        if before.value:
            driver.cuCtxSetCurrent(before)


def device_of(address: int) -> int:
    """The device whose memory is at an address."""
    found = c_int()
    make_current(0)
    what = "the device of an address is asked for"
    _check(_open().cuPointerGetAttribute(byref(found), _DEVICE_OF_POINTER, c_uint64(address)), what)
    return found.value


def wait(device: int, *, waiting: int, awaited: int) -> None:
    """What is enqueued in one stream from now on waits for what is in another."""
    if waiting == awaited:
        return
    driver, event = _open(), c_void_p()
    with current(device):
        _check(driver.cuEventCreate(byref(event), _NO_TIMING), "an event is made")
        _check(driver.cuEventRecord(event, c_void_p(awaited)), "an event is recorded")
        _check(driver.cuStreamWaitEvent(c_void_p(waiting), event, 0), "a stream is to wait")
        driver.cuEventDestroy_v2(event)


def copy(to: int, source: int, size: int) -> None:
    """Enqueues a copy within the device in the default stream of the current context."""
    what = f"{size} bytes are copied"
    if size:
        _check(_open().cuMemcpyDtoDAsync_v2(c_uint64(to), c_uint64(source), c_size_t(size), c_void_p(LEGACY)), what)


class Memory:
    """Memory on a device, freed with the object."""

    def __init__(self, device: int, size: int) -> None:
        self.device, self._driver, address = device, _open(), c_uint64()
        with current(device):
            _check(self._driver.cuMemAlloc_v2(byref(address), c_size_t(max(size, 1))), f"{size} bytes are allocated")
        self.address = address.value

    def __del__(self, is_ending=sys.is_finalizing) -> None:
        if getattr(self, "address", 0) and not is_ending():
            with current(self.device):
                self._driver.cuMemFree_v2(c_uint64(self.address))


def find_nvrtc() -> None:
    """Loads the NVRTC of NVIDIA's wheels, which no loader finds by itself; the C library then finds it by its name."""
    if os.environ.get("USKOR_NVRTC"):
        return
    for entry in sys.path:
        for folder in _NVRTC:
            for file in sorted(pathlib.Path(entry, folder).glob("libnvrtc.so.*")):
                try:
                    ctypes.CDLL(os.fspath(file))
                except OSError:
                    continue
                return
