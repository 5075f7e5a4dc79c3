#!/usr/bin/env python3
"""Writes the PNG files in this folder from the format's description (ISO/IEC 15948), without libpng.

The files are committed: the tests need no Python. Sample c of pixel (x, y) has the value (x * 37 + y * 91 + c * 53) of
8-bit pictures, modulo their depth's range; (x * 3571 + y * 9203 + c * 16127) of 16-bit ones.
"""
import pathlib
import struct
import zlib

folder = pathlib.Path(__file__).parent / "png"
folder.mkdir(exist_ok=True)
WIDTH, HEIGHT = 13, 11
GREY, RGB, PALETTE, GREY_ALPHA, RGBA = 0, 2, 3, 4, 6
CHANNELS = {GREY: 1, RGB: 3, PALETTE: 1, GREY_ALPHA: 2, RGBA: 4}
# Adam7: first column, first row, column step, row step of each pass.
PASSES = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def chunk(name, data):
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))


def sample(x, y, c, depth):
    if depth == 16:
        return (x * 3571 + y * 9203 + c * 16127) & 0xFFFF
    return (x * 37 + y * 91 + c * 53) & ((1 << depth) - 1)


def rows(columns, lines, kind, depth):
    """Unfiltered rows of the pixels at these columns and lines."""
    data = b""
    for y in lines:
        bits = 0
        for x in columns:
            for c in range(CHANNELS[kind]):
                bits = bits << depth | sample(x, y, c, depth)
        length = len(columns) * CHANNELS[kind] * depth
        padded = (length + 7) // 8
        data += b"\0" + (bits << (padded * 8 - length)).to_bytes(padded, "big")
    return data


def write(name, kind, depth, extra=b"", interlaced=False):
    if interlaced:
        data = b"".join(
            rows(range(x, WIDTH, dx), range(y, HEIGHT, dy), kind, depth)
            for x, y, dx, dy in PASSES
            if x < WIDTH and y < HEIGHT
        )
    else:
        data = rows(range(WIDTH), range(HEIGHT), kind, depth)
    header = struct.pack(">IIBBBBB", WIDTH, HEIGHT, depth, kind, 0, 0, int(interlaced))
    compressed = zlib.compress(data, 9)
    (folder / name).write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + extra + chunk(b"IDAT", compressed) + chunk(b"IEND", b"")
    )


def palette(depth):
    return chunk(b"PLTE", bytes((i * k + 7) & 0xFF for i in range(1 << depth) for k in (3, 5, 11)))


for depth in (1, 2, 4, 8, 16):
    write(f"grey-{depth}.png", GREY, depth)
    # The first pixel's colour is the transparent one.
    write(f"grey-{depth}-transparent.png", GREY, depth, chunk(b"tRNS", struct.pack(">H", sample(0, 0, 0, depth))))
for depth in (8, 16):
    colour = b"".join(struct.pack(">H", sample(0, 0, c, depth)) for c in range(3))
    write(f"rgb-{depth}.png", RGB, depth)
    write(f"rgb-{depth}-transparent.png", RGB, depth, chunk(b"tRNS", colour))
    write(f"grey-alpha-{depth}.png", GREY_ALPHA, depth)
    write(f"rgba-{depth}.png", RGBA, depth)
for depth in (1, 2, 4, 8):
    write(f"palette-{depth}.png", PALETTE, depth, palette(depth))
    # The first two entries have an alpha of their own.
    write(f"palette-{depth}-transparent.png", PALETTE, depth, palette(depth) + chunk(b"tRNS", bytes([40, 200])))
write("rgba-8-interlaced.png", RGBA, 8, interlaced=True)
write("grey-1-interlaced.png", GREY, 1, interlaced=True)
# Text is skipped, here a compressed megabyte of zeros.
bomb = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(1 << 20), 9))
gamma = chunk(b"gAMA", struct.pack(">I", 100000))
write("rgb-8-annotated.png", RGB, 8, gamma + bomb)


def profile(space, intent=0):
    """A colour profile (ICC.1, clause 7) of one tag, whose text cannot be packed."""
    header = struct.pack(">I4sI4s4s4s", 400, b"\0" * 4, 0x02400000, b"mntr", space, b"XYZ ")
    header = header.ljust(36, b"\0") + b"acsp"
    header = header.ljust(64, b"\0") + struct.pack(">IIII", intent, 0xF6D6, 0x10000, 0xD32D)
    table = struct.pack(">I4sII", 1, b"cprt", 144, 256)
    text = bytes(i * i * 37 % 251 for i in range(256))
    return chunk(b"iCCP", b"made\0\0" + zlib.compress(header.ljust(128, b"\0") + table + text, 9))


def exif(order, orientation):
    """A TIFF structure with one entry."""
    mark = b"II" if order == "<" else b"MM"
    return chunk(b"eXIf", mark + struct.pack(order + "HIHHHIHHI", 42, 8, 1, 0x0112, 3, 1, orientation, 0, 0))


chroma = chunk(b"cHRM", struct.pack(">8I", 31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000))
density = chunk(b"pHYs", struct.pack(">IIB", 2835, 3780, 1))
light = chunk(b"cICP", bytes([9, 16, 0, 1])) + chunk(b"mDCV", bytes(range(24))) + chunk(b"cLLI", bytes(range(8)))
write("rgb-8-colour.png", RGB, 8, gamma + chroma + profile(b"RGB ") + light + density + exif(">", 6))
write("rgb-8-profile-odd.png", RGB, 8, profile(b"RGB ", 99))  # an intent that does not exist
write("grey-8-profile.png", GREY, 8, profile(b"GRAY") + exif("<", 3))
write("rgb-8-standard.png", RGB, 8, chunk(b"sRGB", b"\2"))
write(
    "rgb-8-colour-damaged.png",
    RGB,
    8,
    chunk(b"gAMA", bytes(4)) + chunk(b"cHRM", bytes(31)) + chunk(b"sRGB", b"\4") + chunk(b"cICP", bytes(5))
    + chunk(b"pHYs", bytes([0, 0, 0, 1, 0, 0, 0, 1, 2])) + chunk(b"iCCP", b"made\0\0" + bytes(200)) + chunk(b"eXIf", b"II*\0"),
)
write("animated.png", RGB, 8, chunk(b"acTL", struct.pack(">II", 2, 0)) + chunk(b"fcTL", bytes(26)))
