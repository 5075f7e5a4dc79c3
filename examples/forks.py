"""Python: the library through ctypes, in forked processes (multiprocessing), before and after the parent used it.

python3 forks.py libuskor.so
"""

import ctypes
import multiprocessing
import sys

try:
    library = ctypes.CDLL(sys.argv[1])
except (IndexError, OSError):
    print("forks.py: name the library, such as: python3 forks.py ./libuskor.so", file=sys.stderr)
    sys.exit(2)
library.uskor_transpose.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_size_t] * 3
library.uskor_close.argtypes = [ctypes.c_void_p]
context = ctypes.c_void_p()


def open_context():
    if library.uskor_open(ctypes.byref(context), None) != 0:
        raise RuntimeError("cannot open")


def is_right(rows):
    """Transposes rows x 700 numbers with the process's context."""
    columns = 700
    source = (ctypes.c_uint32 * (rows * columns))(*range(rows * columns))
    target = (ctypes.c_uint32 * (rows * columns))()
    status = library.uskor_transpose(context, target, source, rows, columns, 4)
    places = ((i, j) for i in range(rows) for j in range(0, columns, 7))
    return status == 0 and all(target[j * rows + i] == i * columns + j for i, j in places)


def main():
    forking = multiprocessing.get_context("fork")
    open_context()
    right = is_right(300)
    for _ in range(2):
        with forking.Pool(3) as pool:
            right = right and all(pool.map(is_right, [100, 200, 300, 400]))
        right = right and is_right(500)
    with forking.Pool(2, initializer=open_context) as pool:
        right = right and all(pool.map(is_right, [300, 301]))
    library.uskor_close(context)
    print("right" if right else "wrong")


if __name__ == "__main__":
    library.uskor_set_threads(3)
    main()
