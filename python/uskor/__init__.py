"""Uskor: sorts, matrix products, transposes and resizes by the fastest code known for this machine.

Functions have the names and rules of NumPy's, and take arrays of NumPy, of PyTorch and CuPy (on the GPU without a copy,
on the caller's stream), and of any library that speaks DLPack."""

from . import _library
from ._library import Error, Unavailable
from ._moves import resize, transpose
from ._products import dot, matmul
from ._sorts import TopK, argsort, partition, sort, topk, unique
from ._threads import devices, register, set_threads, threads, tuned

__version__ = _library.library.uskor_version().decode()
__all__ = [
    "Error",
    "TopK",
    "Unavailable",
    "argsort",
    "devices",
    "dot",
    "matmul",
    "partition",
    "resize",
    "set_threads",
    "sort",
    "threads",
    "topk",
    "transpose",
    "tuned",
    "unique",
]

register()
del register
