"""A program whose types are checked (test_types.py)."""

from typing import Any, assert_type

import numpy as np
import uskor
from numpy.typing import NDArray

a: NDArray[np.float32] = np.ones((3, 3), np.float32)
assert_type(uskor.sort(a, descending=True), NDArray[np.float32])
assert_type(uskor.sort([3, 1]), NDArray[Any])
assert_type(uskor.argsort(a), NDArray[np.intp])
assert_type(uskor.matmul(a, a), NDArray[np.float32])
assert_type(uskor.topk(a, 2).values, NDArray[np.float32])
assert_type(uskor.transpose(a, out=a), NDArray[np.float32])
assert_type(uskor.unique(a), NDArray[np.float32])
assert_type(uskor.tuned(uskor.sort, a), str)
