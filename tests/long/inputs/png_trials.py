"""Hostile PNG files and sizes of a picture."""
import struct
import zlib

from files import chunk, npy, png
from trial import ENDS, REFUSED, RIGHT, try_it


def png_trials():
    resize = ["resize", "in.png", "-o", "out.png", "--scale", "2"]
    palette = chunk(b"PLTE", bytes(range(51)))
    one_pass = b"".join(b"\0" + b"\x10" * 3 for _ in range(3))
    good = {
        "8 bit": png(), "16 bit": png(depth=16), "grey 1": png(depth=1, colour=0), "grey alpha 16": png(depth=16,
                                                                                                        colour=4),
        "palette": png(colour=3, extra=[palette]), "palette 4": png(depth=4,
                                                                    colour=3,
                                                                    extra=[chunk(b"PLTE", bytes(range(48)))]),
        "transparent palette": png(colour=3, extra=[palette, chunk(b"tRNS", b"\1\2")]),
        "gamma": png(extra=[chunk(b"gAMA", struct.pack(">I", 45455))]), "text": png(extra=[chunk(b"tEXt", b"a\0b")]),
        "APNG": png(extra=[
            chunk(b"acTL", struct.pack(">II", 2, 0)),
            chunk(b"fcTL", struct.pack(">IIIIIHHBB", 0, 2, 2, 0, 0, 1, 1, 0, 0))
        ])
    }
    maybe = {
        "interlaced": png(interlace=1,
                          rows=one_pass + b"\0" * 20), "gamma 0": png(extra=[chunk(b"gAMA", struct.pack(">I", 0))]),
        "gamma huge": png(extra=[chunk(b"gAMA", b"\xff" * 4)]),
        "bad chunk crc": png(extra=[chunk(b"tEXt", b"a\0b", 1)]), "no end": png(end=False),
        "trailing bytes": png() + b"x" * 100, "bad ICC": png(extra=[chunk(b"iCCP", b"x\0\0garbage")]),
        "palette index beyond": png(colour=3,
                                    extra=[chunk(b"PLTE", b"\0\0\0")
                                           ]), "two PNGs": png() + png(), "palette on RGB": png(extra=[palette]),
        "text bomb": png(extra=[chunk(b"zTXt", b"a\0\0" + zlib.compress(b"x" * 10**8, 9))]),
        "tRNS too long": png(colour=3, extra=[palette, chunk(b"tRNS", b"\1" * 999)]),
        "sRGB 9": png(extra=[chunk(b"sRGB", b"\x09")]), "chunk first": png(before=chunk(b"tEXt", b"a\0b")),
        "wrong filter": png(rows=b"\x07" + b"\x10" * 6 + b"\0" + b"\x10" * 6), "too many rows": png(rows=b"\0" * 9999)
    }
    bad = {
        "empty": b"", "signature": png(cut=8), "half a signature": png(cut=4), "half an IHDR": png(cut=20),
        "IHDR": png(cut=33), "half an IDAT": png(cut=45), "JPEG": b"\xff\xd8\xff\xe0" + b"\0" * 100,
        "GIF": b"GIF89a" + b"\0" * 100, "npy": npy(), "width 0": png(width=0), "height 0": png(height=0),
        "2^31": png(width=2**31), "2^31-1 each": png(2**31 - 1, 2**31 - 1), "2^32-1": png(width=2**32 - 1),
        "bomb 1 bit": png(65536, 65536, 1, 0), "bomb 16 bit": png(20000, 20000, 16, 6), "colour 1": png(colour=1),
        "colour 7": png(colour=7), "depth 3": png(depth=3), "depth 0": png(depth=0),
        "depth 16 palette": png(depth=16, colour=3,
                                extra=[palette]), "interlace 2": png(interlace=2), "compression 1": png(compression=1),
        "filter 1": png(method=1), "bad crc of IHDR": png().replace(b"IHDR", b"IHDR")[:29] + b"\0\0\0\0" + png()[33:],
        "bad crc of IDAT": png(crc=1), "no palette": png(colour=3), "empty IDAT": png(idat=b""),
        "garbage in IDAT": png(idat=b"garbage"), "rows missing": png(8, 8, rows=b"\0" * 10), "no IDAT": png().replace(
            b"IDAT", b"tEXt"), "chunk of 2^31": png(cut=33) + struct.pack(">I", 2**31) + b"IDAT",
        "unknown critical": png(extra=[chunk(b"ABCD", b"")]),
        "letters of a terminal": png(extra=[chunk(b"\x1b[3m", b"")]), "two IHDR": png(extra=[png()[8:33]])
    }
    for name, content in good.items():
        try_it(f"png, good: {name}", resize, RIGHT, {"in.png": content})
    for name, content in maybe.items():
        try_it(f"png: {name}", resize, (0, 2), {"in.png": content})
    for name, content in bad.items():
        try_it(f"png: {name}", resize, REFUSED, {"in.png": content})
    for scale in ("0", "-1", "nan", "inf", "1e308", "1e-308", "0x2", "2x", "", " ", "1e9", "1/0",
                  "99999999999999999999", "²"):
        try_it(f"scale {scale!r}", ["resize", "in.png", "-o", "out.png", f"--scale={scale}"],
               ENDS if scale in ("0x2", "1e-308") else REFUSED, {"in.png": png()})
    for size in ("0x0", "x", "-1x5", "5x-1", "1e3x5", "99999999999x99999999999", "1048576x1048576", "4294967296x1",
                 "4x4x4", "", "nanxnan", "5X5 ", "３x３"):
        try_it(f"size {size!r}", ["resize", "in.png", "-o", "out.png", f"--size={size}"],
               ENDS if size == "5X5 " else REFUSED, {"in.png": png()})
    for most in ("0", "-1", "nan", "2^64", "99999999999999999999999", "1", "", "3.5"):
        try_it(f"max-pixels {most!r}", [*resize, f"--max-pixels={most}"], ENDS if most == "3.5" else REFUSED,
               {"in.png": png()})
