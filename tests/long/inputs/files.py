"""Files as their formats say, and as they do not."""
import struct
import zlib


def npy(descr="'<f4'",
        shape="(4,)",
        data=b"\0" * 16,
        version=1,
        order="False",
        pad=117,
        header=None,
        length=None,
        minor=0):
    text = header if header is not None else f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"
    text = text.encode() if isinstance(text, str) else text
    text = text.ljust(pad) + b"\n"
    size = len(text) if length is None else length
    return b"\x93NUMPY" + bytes([version, minor]) + struct.pack("<H" if version == 1 else "<I", size) + text + data


def chunk(kind, data, crc=None):
    crc = zlib.crc32(kind + data) if crc is None else crc
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)


def png(width=2,
        height=2,
        depth=8,
        colour=2,
        interlace=0,
        rows=None,
        extra=(),
        compression=0,
        method=0,
        before=b"",
        idat=None,
        end=True,
        crc=None,
        cut=None):
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}.get(colour, 1)
    if rows is None:
        rows = (b"\0" + b"\x10" *
                ((width * channels * depth + 7) // 8)) * height if width * height < 1e7 else b"\0" * 1000
    data = zlib.compress(rows) if idat is None else idat
    whole = b"\x89PNG\r\n\x1a\n" + before
    whole += chunk(
        b"IHDR",
        struct.pack(">IIBBBBB", width & 0xffffffff, height & 0xffffffff, depth, colour, compression, method, interlace))
    whole += b"".join(extra) + chunk(b"IDAT", data, crc) + (chunk(b"IEND", b"") if end else b"")
    return whole if cut is None else whole[:cut]
