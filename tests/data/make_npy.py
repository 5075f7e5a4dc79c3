#!/usr/bin/env python3
"""Writes the .npy files in this folder with NumPy, so that the reader and writer are tested against the original.

The files are committed: the tests need no NumPy. Run it again only to add files: python3 tests/data/make_npy.py
"""
import pathlib

import numpy

folder = pathlib.Path(__file__).parent / "npy"
folder.mkdir(exist_ok=True)


def values(descr, shape):
    """0, 1, 2 … as any type: real parts of complex numbers, every second one True for bool."""
    count = int(numpy.prod(shape, dtype=int))
    numbers = numpy.arange(count)
    if descr == "|b1":
        numbers = numbers % 2
    return numbers.astype(descr).reshape(shape)


# One of every item type and byte order, 2 x 3.
kinds = ["b1", "i1", "u1"] + [k + b for k in "iu" for b in "248"] + ["f2", "f4", "f8", "f16", "c8", "c16"]
for kind in kinds:
    single = kind[1:] == "1"
    for order, word in [("|", "")] if single else [("<", "le-"), (">", "be-")]:
        numpy.save(folder / f"{word}{kind}.npy", values(order + kind, (2, 3)))

# Shapes and orders.
numpy.save(folder / "fortran.npy", numpy.asfortranarray(values("<f4", (2, 3))))
numpy.save(folder / "transposed.npy", numpy.ascontiguousarray(values("<f4", (2, 3)).T))
numpy.save(folder / "scalar.npy", values("<i4", ()))
numpy.save(folder / "vector.npy", values("<i4", (5,)))
numpy.save(folder / "cube.npy", values("<u2", (2, 3, 4)))
numpy.save(folder / "empty.npy", values("<f8", (0, 7)))
numpy.save(folder / "long-shape.npy", values("<u1", (1,) * 30))

# Versions 2.0 and 3.0 of the same array.
for version in (2, 3):
    with open(folder / f"version-{version}.npy", "wb") as file:
        numpy.lib.format.write_array(file, values("<f4", (2, 3)), version=(version, 0))

# What is refused, by name.
numpy.save(folder / "refused-object.npy", numpy.array([[1, "two"]], dtype=object), allow_pickle=True)
numpy.save(folder / "refused-unicode.npy", numpy.array([["ab", "cd"]]))
numpy.save(folder / "refused-bytes.npy", numpy.array([[b"ab", b"cd"]]))
numpy.save(folder / "refused-date.npy", numpy.array([["2001-02-03"]], dtype="M8[D]"))
numpy.save(folder / "refused-difference.npy", numpy.array([[5]], dtype="m8[s]"))
numpy.save(folder / "refused-void.npy", numpy.zeros((1, 2), dtype="V5"))
numpy.save(folder / "refused-record.npy", numpy.zeros((1, 2), dtype=[("a", "<f4"), ("b", "<i2")]))
numpy.save(folder / "refused-complex-long-double.npy", values("<c32", (2, 3)))
numpy.savez(folder / "refused-archive.npz", values("<f4", (2, 3)))
(folder / "refused-archive.npz").rename(folder / "refused-archive.npy")
