"""Hostile .npy files."""
import os
import struct

from files import npy
from trial import ENDS, REFUSED, RIGHT, try_it


def npy_trials():
    sort = ["sort", "in.npy", "-o", "out.npy"]
    whole = struct.pack("<4f", 3, 1, 2, 0)
    cases = {
        "empty": b"",
        "magic": b"\x93NUMPY",
        "half a magic": b"\x93NUM",
        "zip": b"PK\3\4" + b"\0" * 40,
        "text": b"1 2 3\n",
        "version 0": npy(version=0),
        "version 4": npy(version=4),
        "version 255": npy(version=255),
        "minor 1": npy(minor=1),
        "header longer than the file": npy(length=65535),
        "header of 4 GiB": npy(version=2, length=0xffffffff),
        "header of 2 GiB": npy(version=3, length=0x7fffffff),
        "header of 0": npy(length=0),
        "header of 1": npy(length=1),
        "nothing in braces": npy(header="{}"),
        "no braces": npy(header=""),
        "two dictionaries": npy(header="{}{}"),
        "NULs": npy(header=b"\0" * 100),
        "not ASCII": npy(header="{'descr': '<f4', 'fortran_order': False, 'shape': (4,), 'é': 1}"),
        "broken UTF-8": npy(header=b"{'descr': '\xff\xfe', 'fortran_order': False, 'shape': (4,)}"),
        "escapes": npy("'\\x3cf4'"),
        "terminal's words": npy("'\x1b[31m'"),
        "open string": npy(header="{'descr': '<f4"),
        "twice": npy(header="{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (4,)}"),
        "no shape": npy(header="{'descr': '<f4', 'fortran_order': False}"),
        "records": npy("[('a', '<f4'), ('b', '<i4')]"),
        "one record": npy("[('a', '<f4')]"),
        "subarray": npy("('<f4', (2,))"),
        "objects": npy("'|O'"),
        "strings": npy("'<U4'"),
        "bytes": npy("'|S4'"),
        "void": npy("'|V4'"),
        "times": npy("'<M8[ns]'", data=b"\0" * 32),
        "complex": npy("'<c8'", data=b"\0" * 32),
        "bool": npy("'|b1'", data=b"\0" * 4),
        "half": npy("'<f2'", data=b"\0" * 8),
        "long double": npy("'<f16'", data=b"\0" * 64),
        "u1": npy("'|u1'", data=b"\0" * 4),
        "i2": npy("'<i2'", data=b"\0" * 8),
        "f3": npy("'<f3'"),
        "f0": npy("'<f0'"),
        "f-4": npy("'<f-4'"),
        "f huge": npy("'<f99999999999999999999'"),
        "x4": npy("'<x4'"),
        "no type": npy("''"),
        "one letter": npy("'f'"),
        "order as a number": npy(order="0"),
        "order none": npy(order="None"),
        "shape is a list": npy(shape="[4]"),
        "shape is a number": npy(shape="4"),
        "shape (4)": npy(shape="(4)"),
        "negative": npy(shape="(-4,)"),
        "2^63": npy(shape="(9223372036854775808,)"),
        "2^63-1": npy(shape="(9223372036854775807,)"),
        "2^64": npy(shape="(18446744073709551616,)"),
        "2^61": npy(shape="(2305843009213693951,)"),
        "2^62/4": npy(shape="(1152921504606846976,)"),
        "2^32 x 2^32": npy(shape="(4294967296, 4294967296)"),
        "10^40": npy(shape="(" + "9" * 40 + ",)"),
        "0 x 2^63": npy(shape="(0, 9223372036854775807)"),
        "65 axes": npy(shape="(" + "1, " * 65 + ")"),
        "33 axes": npy(shape="(" + "1, " * 33 + ")"),
        "fraction": npy(shape="(4.0,)"),
        "hexadecimal": npy(shape="(0x4,)"),
        "sign": npy(shape="(+4,)"),
        "two commas": npy(shape="(4,,)"),
        "spaces": npy(shape="(4 4,)"),
        "octal": npy(shape="(04,)"),
        "underscores": npy(shape="(1_0,)"),
        "two axes": npy(shape="(2, 2)"),
        "no axis": npy(shape="()", data=b"\0" * 4),
        "cut": npy(data=whole[:15]),
        "no data": npy(data=b""),
        "one byte more": npy(data=whole + b"\0"),
        "two arrays": npy() + npy(),
    }
    for name, content in cases.items():
        codes = REFUSED if name not in ("one letter", "octal") else ENDS
        try_it(f"npy: {name}", sort, codes, {"in.npy": content})
    good = {
        "version 1": npy(data=whole),
        "version 2": npy(data=whole, version=2),
        "version 3": npy(data=whole, version=3),
        "a long header": npy(data=whole, version=2, pad=66000),
        "longest of version 1": npy(data=whole, pad=65534),
        "no padding": npy(data=whole, pad=0),
        "odd header": npy(data=whole, pad=100),
        "Fortran": npy(data=whole, order="True"),
        "big endian": npy("'>f4'", data=struct.pack(">4f", 3, 1, 2, 0)),
        "f8 big": npy("'>f8'", data=struct.pack(">4d", 3, 1, 2, 0)),
        "u8": npy("'<u8'", data=struct.pack("<4Q", 3, 2**64 - 1, 2, 0)),
        "i8": npy("'>i8'", data=struct.pack(">4q", 3, -2**63, 2, 0)),
        "none": npy(shape="(0,)", data=b""),
        "Python 2's L": npy(shape="(4L,)", data=whole),
        "equals": npy("'=f4'", data=whole),
        "NaN": npy(data=struct.pack("<4f", float("nan"), float("-inf"), -0.0, 0.0)),
        "double quotes": npy('"<f4"', data=whole),
        "tabs": npy(header="{\t'shape':\n(4 , )\t,'fortran_order' : False,'descr':'<f4'}", data=whole),
        "|u4": npy("'|u4'", data=whole),
    }
    for name, content in good.items():
        codes = RIGHT if name not in ("equals", "|u4") else ENDS
        try_it(f"npy, good: {name}", sort, codes, {"in.npy": content})
    matrices = {
        "good": RIGHT, "2^31 x 2^31": REFUSED, "three axes": REFUSED, "0 x 5": RIGHT, "5 x 0": RIGHT,
        "records": REFUSED, "big endian Fortran": RIGHT, "c16": RIGHT, "f2": RIGHT, "V3": ENDS
    }
    contents = {
        "good": npy(shape="(2, 2)", data=whole), "2^31 x 2^31": npy(shape="(2147483648, 2147483648)"),
        "three axes": npy(shape="(1, 2, 2)"), "0 x 5": npy(shape="(0, 5)", data=b""), "5 x 0": npy(shape="(5, 0)",
                                                                                                   data=b""),
        "records": npy("[('a', '<f4')]", "(2, 2)"), "big endian Fortran": npy("'>f8'",
                                                                              "(2, 2)",
                                                                              b"\0" * 32,
                                                                              order="True"),
        "c16": npy("'<c16'", "(2, 2)", b"\0" * 64), "f2": npy("'<f2'", "(2, 2)",
                                                              b"\0" * 8), "V3": npy("'|V3'", "(2, 2)", b"\0" * 12)
    }
    for name, codes in matrices.items():
        codes = ENDS if name in ("c16", "f2", "0 x 5", "5 x 0") else codes
        try_it(f"npy, transpose: {name}", ["transpose", "in.npy", "-o", "out.npy"], codes, {"in.npy": contents[name]})
    two = {
        "a.npy": npy(shape="(2, 2)"), "b.npy": npy(shape="(3, 2)", data=b"\0" * 24),
        "c.npy": npy("'<f8'", "(2, 2)", b"\0" * 32), "v.npy": npy(), "w.npy": npy("'<i4'"), "e.npy": npy(shape="(0,)",
                                                                                                         data=b""),
        "z.npy": npy(shape="(2, 0)", data=b""), "y.npy": npy(shape="(0, 2)", data=b"")
    }
    for one, other, codes in (("a", "b", REFUSED), ("a", "c", REFUSED), ("a", "v", REFUSED), ("z", "y", ENDS),
                              ("y", "z", ENDS), ("a", "a", RIGHT), ("a", "nothing", REFUSED)):
        try_it(f"npy, matmul: {one} {other}", ["matmul", f"{one}.npy", f"{other}.npy", "-o", "out.npy"], codes, two)
    for one, other, codes in (("v", "w", REFUSED), ("v", "e", REFUSED), ("e", "e", ENDS), ("v", "v", RIGHT), ("a", "v",
                                                                                                              REFUSED)):
        try_it(f"npy, dot: {one} {other}", ["dot", f"{one}.npy", f"{other}.npy"], codes, two)
