"""CUDA's driver, where something has to be asked of it: the thread's current context; and where NVRTC is."""

from __future__ import annotations

import ctypes
import os
import pathlib
import sys
from ctypes import byref, c_int, c_void_p

from . import _library as lib

_NVRTC = ("nvidia/cu13/lib", "nvidia/cuda_nvrtc/lib")  # where NVIDIA's wheels have it


def _check(result: int, what: str) -> None:
    if result:
        raise lib.Unavailable(f"uskor: CUDA's driver says {result} when {what}")


def make_current(device: int) -> None:
    """Gives the thread the device's primary context (which PyTorch and CuPy use), where it has none yet."""
    driver = ctypes.CDLL(os.environ.get("USKOR_LIBCUDA") or "libcuda.so.1")
    current = c_void_p()
    if driver.cuCtxGetCurrent(byref(current)) == 0 and current.value:
        return
    _check(driver.cuInit(0), "it is started")
    handle = c_int()
    _check(driver.cuDeviceGet(byref(handle), device), f"device {device} is asked for")
    _check(driver.cuDevicePrimaryCtxRetain(byref(current), handle), "its primary context is asked for")
    _check(driver.cuCtxSetCurrent(current), "the context is made current")


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
