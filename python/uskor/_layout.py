"""How matrices lie in memory: what the C library takes as it is."""

from __future__ import annotations

import math
import operator
from typing import Any, NamedTuple

from . import _library as lib

MULTIPLIED = (lib.FLOAT32, lib.FLOAT64, lib.FLOAT16, lib.BFLOAT16)  # types of the matrix product


class Seen(NamedTuple):
    """An array on a device: the address, the shape, strides in bytes, the type of its numbers, bytes of one."""

    address: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    kind: int | None
    size: int
    read_only: bool

    @property
    def is_contiguous(self) -> bool:
        expected = self.size
        for side, step in zip(reversed(self.shape), reversed(self.strides)):
            if side != 1 and step != expected:
                return 0 in self.shape
            expected *= side
        return True


class Stored(NamedTuple):
    """A matrix as it lies in memory: rows of `pitch` elements, to be transposed or not."""

    transposed: bool
    pitch: int


def stored(shape: tuple[int, ...], strides: tuple[int, ...], size: int) -> Stored | None:
    """How a matrix (two axes) with these strides is stored in rows of elements of `size`; None where it is not."""
    for transposed in (False, True):
        (rows, columns), (along, step) = (shape[::-1], strides[::-1]) if transposed else (shape, strides)
        if (step == size or columns <= 1) and (rows <= 1 or (along % size == 0 and along >= columns * size)):
            return Stored(transposed, max(along // size if rows > 1 else columns, 1))
    return None


def new_sides(shape: Any) -> tuple[int, int]:
    """The height and the width that `resize` is asked for."""
    sides = tuple(map(operator.index, shape)) if hasattr(shape, "__iter__") else ()
    if len(sides) != 2 or min(sides) < 1:
        raise ValueError(f"uskor.resize: a new shape of {shape}; (height, width), each at least 1, is possible")
    return sides


def groups(shape: tuple[int, ...], order: list[int]) -> tuple[int, int, int, int] | None:
    """(batch, rows, columns, elements that stay together) of an order of axes that exchanges two neighbouring groups of
    them; None for any other."""
    order = [axis for axis in order if shape[axis] != 1]
    axes = sorted(order)
    first = next((i for i, axis in enumerate(order) if axis != axes[i]), len(order))
    last = next((i for i in range(len(order), first, -1) if order[i - 1] != axes[i - 1]), first)
    inside, moved = axes[first:last], order[first:last]
    if not inside:
        return None
    split = inside.index(moved[0])
    if moved != inside[split:] + inside[:split]:
        return None
    sides = [
        math.prod(shape[axis] for axis in part) for part in (axes[:first], inside[:split], inside[split:], axes[last:])
    ]
    return sides[0], sides[1], sides[2], sides[3]
