"""Python: NumPy's arrays, sorted, transposed in place, multiplied (docs/python.md).

python3 arrays.py
"""

import numpy as np
import uskor

a = np.random.default_rng(1).random((2000, 3000), "f4")
assert np.array_equal(uskor.sort(a), np.sort(a))
assert np.array_equal(uskor.argsort(a[0]), np.argsort(a[0], stable=True))

values, counts = uskor.unique(np.arange(10_000) % 17, return_counts=True)
assert values.tolist() == list(range(17)) and counts.sum() == 10_000

square = a[:2000, :2000].copy()
expected = square.T.copy()
assert uskor.transpose(square, out=square) is square and np.array_equal(square, expected)

best = uskor.topk(a[0], 3)
print("the best:", best.values, "at", best.indices)
print("sorted by", uskor.tuned(uskor.sort, a[0]), "on", uskor.devices()[0])
