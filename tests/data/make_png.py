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
# What is ignored: gamma, resolution, text (one of them a compressed megabyte of zeros).
bomb = chunk(b"zTXt", b"Comment\0\0" + zlib.compress(bytes(1 << 20), 9))
write("rgb-8-annotated.png", RGB, 8, chunk(b"gAMA", struct.pack(">I", 100000)) + bomb)
