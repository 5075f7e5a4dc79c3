"""Hostile inputs, one command each: .npy and PNG files, arguments, variables, places for a result, standard streams.
Each trial is begun in a folder of its own. The command ends by itself with one of the codes that the trial allows; with 2
or 3 it says so in one line that begins with "uskor", and leaves nothing. inputs.sh runs it: the program, a folder."""
import os
import struct
import subprocess
import sys
import zlib

PROGRAM, FOLDER = sys.argv[1], sys.argv[2]
ONLY = sys.argv[3] if len(sys.argv) > 3 else ""
trials = failures = 0
ENDS = (0, 1, 2, 3)
REFUSED = (2,)
RIGHT = (0,)
IS_ROOT = os.geteuid() == 0


def report(name, text):
    global failures
    failures += 1
    print(f"FAIL: {name}: {text}", flush=True)


def strays():
    """Processes of the program that were started in this trial and outlive it."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.readlink(f"/proc/{number}/cwd") == os.getcwd() and int(number) != os.getpid():
                found.append(number)
        except OSError:
            pass
    return found


def judge(name, code, error, codes, before, may_leave, lines):
    left = sorted(set(os.listdir(".")) - set(before) - set(may_leave))
    if code not in codes:
        report(name, f"exit code {code}, not one of {codes}: {error[-300:]!r}")
    elif code in (2, 3):
        said = [line for line in error.decode("utf-8", "replace").split("\n") if line]
        said = [line for line in said if not line.startswith(("For details: ", "Подробнее: "))]
        if lines and (len(said) != 1 or not said[0].startswith("uskor")):
            report(name, f"code {code}, and not one line: {error[-300:]!r}")
    if code not in (0, 1) and left:
        report(name, f"code {code}, and left is {left}")
    if any(byte < 32 and byte not in (9, 10) for byte in error) or b"\x7f" in error:
        report(name, f"control characters: {error[-300:]!r}")
    try:
        error.decode()
    except UnicodeDecodeError:
        report(name, f"not UTF-8: {error[-300:]!r}")
    if any(name.endswith(".part") for name in left):
        report(name, f"left is {left}")


def try_it(name, arguments, codes=REFUSED, files=None, prepare=None, env=None, start=None, lines=True, may_leave=(),
           seconds=120, after=None, **streams):
    """One trial. files: name to bytes; prepare: called in the folder; start: words in front of the program."""
    global trials
    if ONLY not in name:
        return
    trials += 1
    os.chdir(FOLDER)
    subprocess.run(["rm", "-rf", "work"], check=True)
    os.mkdir("work")
    os.chdir("work")
    for path, content in (files or {}).items():
        with open(path, "wb") as file:
            file.write(content)
    if prepare:
        prepare()
    before = os.listdir(".")
    environment = dict(os.environ, OMP_NUM_THREADS="2")
    for key, value in (env or {}).items():
        environment.pop(key, None)
        if value is not None:
            environment[key] = value
    streams.setdefault("stdin", subprocess.DEVNULL)
    streams.setdefault("stdout", subprocess.PIPE)
    streams.setdefault("stderr", subprocess.PIPE)
    process = subprocess.Popen([*(start or []), PROGRAM, *arguments], env=environment, **streams)
    try:
        error = process.communicate(timeout=seconds)[1] or b""
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        report(name, f"not over after {seconds} s")
        return
    judge(name, process.returncode, error, codes, before, may_leave, lines and "stderr" in streams)
    if after:
        after(name, process.returncode)
    if strays():
        report(name, f"processes are left: {strays()}")


# ---- .npy ----


def npy(descr="'<f4'", shape="(4,)", data=b"\0" * 16, version=1, order="False", pad=117, header=None, length=None,
        minor=0):
    text = header if header is not None else f"{{'descr': {descr}, 'fortran_order': {order}, 'shape': {shape}, }}"
    text = text.encode() if isinstance(text, str) else text
    text = text.ljust(pad) + b"\n"
    size = len(text) if length is None else length
    return b"\x93NUMPY" + bytes([version, minor]) + struct.pack("<H" if version == 1 else "<I", size) + text + data


def npy_trials():
    sort = ["sort", "in.npy", "-o", "out.npy"]
    whole = struct.pack("<4f", 3, 1, 2, 0)
    cases = {
        "empty": b"", "magic": b"\x93NUMPY", "half a magic": b"\x93NUM", "zip": b"PK\3\4" + b"\0" * 40,
        "text": b"1 2 3\n", "version 0": npy(version=0), "version 4": npy(version=4), "version 255": npy(version=255),
        "minor 1": npy(minor=1), "header longer than the file": npy(length=65535),
        "header of 4 GiB": npy(version=2, length=0xffffffff), "header of 2 GiB": npy(version=3, length=0x7fffffff),
        "header of 0": npy(length=0), "header of 1": npy(length=1), "nothing in braces": npy(header="{}"),
        "no braces": npy(header=""), "two dictionaries": npy(header="{}{}"), "NULs": npy(header=b"\0" * 100),
        "not ASCII": npy(header="{'descr': '<f4', 'fortran_order': False, 'shape': (4,), 'é': 1}"),
        "broken UTF-8": npy(header=b"{'descr': '\xff\xfe', 'fortran_order': False, 'shape': (4,)}"),
        "escapes": npy("'\\x3cf4'"), "terminal's words": npy("'\x1b[31m'"), "open string": npy(header="{'descr': '<f4"),
        "twice": npy(header="{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (4,)}"),
        "no shape": npy(header="{'descr': '<f4', 'fortran_order': False}"),
        "records": npy("[('a', '<f4'), ('b', '<i4')]"), "one record": npy("[('a', '<f4')]"), "subarray": npy("('<f4', (2,))"),
        "objects": npy("'|O'"), "strings": npy("'<U4'"), "bytes": npy("'|S4'"), "void": npy("'|V4'"),
        "times": npy("'<M8[ns]'", data=b"\0" * 32), "complex": npy("'<c8'", data=b"\0" * 32), "bool": npy("'|b1'", data=b"\0" * 4),
        "half": npy("'<f2'", data=b"\0" * 8), "long double": npy("'<f16'", data=b"\0" * 64), "u1": npy("'|u1'", data=b"\0" * 4),
        "i2": npy("'<i2'", data=b"\0" * 8), "f3": npy("'<f3'"), "f0": npy("'<f0'"), "f-4": npy("'<f-4'"),
        "f huge": npy("'<f99999999999999999999'"), "x4": npy("'<x4'"), "no type": npy("''"), "one letter": npy("'f'"),
        "order as a number": npy(order="0"), "order none": npy(order="None"), "shape is a list": npy(shape="[4]"),
        "shape is a number": npy(shape="4"), "shape (4)": npy(shape="(4)"), "negative": npy(shape="(-4,)"),
        "2^63": npy(shape="(9223372036854775808,)"), "2^63-1": npy(shape="(9223372036854775807,)"),
        "2^64": npy(shape="(18446744073709551616,)"), "2^61": npy(shape="(2305843009213693951,)"),
        "2^62/4": npy(shape="(1152921504606846976,)"), "2^32 x 2^32": npy(shape="(4294967296, 4294967296)"),
        "10^40": npy(shape="(" + "9" * 40 + ",)"), "0 x 2^63": npy(shape="(0, 9223372036854775807)"), "65 axes": npy(shape="(" + "1, " * 65 + ")"),
        "33 axes": npy(shape="(" + "1, " * 33 + ")"), "fraction": npy(shape="(4.0,)"), "hexadecimal": npy(shape="(0x4,)"),
        "sign": npy(shape="(+4,)"), "two commas": npy(shape="(4,,)"), "spaces": npy(shape="(4 4,)"), "octal": npy(shape="(04,)"),
        "underscores": npy(shape="(1_0,)"), "two axes": npy(shape="(2, 2)"), "no axis": npy(shape="()", data=b"\0" * 4),
        "cut": npy(data=whole[:15]), "no data": npy(data=b""), "one byte more": npy(data=whole + b"\0"), "two arrays": npy() + npy(),
    }
    for name, content in cases.items():
        codes = REFUSED if name not in ("one letter", "octal") else ENDS
        try_it(f"npy: {name}", sort, codes, {"in.npy": content})
    good = {
        "version 1": npy(data=whole), "version 2": npy(data=whole, version=2), "version 3": npy(data=whole, version=3),
        "a long header": npy(data=whole, version=2, pad=66000), "longest of version 1": npy(data=whole, pad=65534),
        "no padding": npy(data=whole, pad=0), "odd header": npy(data=whole, pad=100), "Fortran": npy(data=whole, order="True"),
        "big endian": npy("'>f4'", data=struct.pack(">4f", 3, 1, 2, 0)), "f8 big": npy("'>f8'", data=struct.pack(">4d", 3, 1, 2, 0)),
        "u8": npy("'<u8'", data=struct.pack("<4Q", 3, 2**64 - 1, 2, 0)), "i8": npy("'>i8'", data=struct.pack(">4q", 3, -2**63, 2, 0)),
        "none": npy(shape="(0,)", data=b""), "Python 2's L": npy(shape="(4L,)", data=whole), "equals": npy("'=f4'", data=whole),
        "NaN": npy(data=struct.pack("<4f", float("nan"), float("-inf"), -0.0, 0.0)), "double quotes": npy('"<f4"', data=whole),
        "tabs": npy(header="{\t'shape':\n(4 , )\t,'fortran_order' : False,'descr':'<f4'}", data=whole),
        "|u4": npy("'|u4'", data=whole),
    }
    for name, content in good.items():
        codes = RIGHT if name not in ("equals", "|u4") else ENDS
        try_it(f"npy, good: {name}", sort, codes, {"in.npy": content})
    matrices = {"good": RIGHT, "2^31 x 2^31": REFUSED, "three axes": REFUSED, "0 x 5": RIGHT, "5 x 0": RIGHT, "records": REFUSED,
                "big endian Fortran": RIGHT, "c16": RIGHT, "f2": RIGHT, "V3": ENDS}
    contents = {
        "good": npy(shape="(2, 2)", data=whole), "2^31 x 2^31": npy(shape="(2147483648, 2147483648)"),
        "three axes": npy(shape="(1, 2, 2)"), "0 x 5": npy(shape="(0, 5)", data=b""), "5 x 0": npy(shape="(5, 0)", data=b""),
        "records": npy("[('a', '<f4')]", "(2, 2)"), "big endian Fortran": npy("'>f8'", "(2, 2)", b"\0" * 32, order="True"),
        "c16": npy("'<c16'", "(2, 2)", b"\0" * 64), "f2": npy("'<f2'", "(2, 2)", b"\0" * 8), "V3": npy("'|V3'", "(2, 2)", b"\0" * 12)}
    for name, codes in matrices.items():
        codes = ENDS if name in ("c16", "f2", "0 x 5", "5 x 0") else codes
        try_it(f"npy, transpose: {name}", ["transpose", "in.npy", "-o", "out.npy"], codes, {"in.npy": contents[name]})
    two = {"a.npy": npy(shape="(2, 2)"), "b.npy": npy(shape="(3, 2)", data=b"\0" * 24), "c.npy": npy("'<f8'", "(2, 2)", b"\0" * 32),
           "v.npy": npy(), "w.npy": npy("'<i4'"), "e.npy": npy(shape="(0,)", data=b""), "z.npy": npy(shape="(2, 0)", data=b""),
           "y.npy": npy(shape="(0, 2)", data=b"")}
    for one, other, codes in (("a", "b", REFUSED), ("a", "c", REFUSED), ("a", "v", REFUSED), ("z", "y", ENDS), ("y", "z", ENDS),
                              ("a", "a", RIGHT), ("a", "nothing", REFUSED)):
        try_it(f"npy, matmul: {one} {other}", ["matmul", f"{one}.npy", f"{other}.npy", "-o", "out.npy"], codes, two)
    for one, other, codes in (("v", "w", REFUSED), ("v", "e", REFUSED), ("e", "e", ENDS), ("v", "v", RIGHT), ("a", "v", REFUSED)):
        try_it(f"npy, dot: {one} {other}", ["dot", f"{one}.npy", f"{other}.npy"], codes, two)


# ---- kinds of files that are none ----


def sparse(path, size, head):
    with open(path, "wb") as file:
        file.write(head)
        file.truncate(size)


def place_trials():
    sort = ["sort", "in.npy", "-o", "out.npy"]
    good = {"in.npy": npy(data=struct.pack("<4f", 3, 1, 2, 0))}
    png_file = png()
    kinds = {
        "fifo": lambda: os.mkfifo("in.npy"), "folder": lambda: os.mkdir("in.npy"), "loop": lambda: os.symlink("in.npy", "in.npy"),
        "dangling": lambda: os.symlink("nowhere", "in.npy"), "/dev/zero": lambda: os.symlink("/dev/zero", "in.npy"),
        "/dev/full": lambda: os.symlink("/dev/full", "in.npy"), "/proc/self/mem": lambda: os.symlink("/proc/self/mem", "in.npy"),
        "/proc/kcore": lambda: os.symlink("/proc/kcore", "in.npy"), "/proc/cpuinfo": lambda: os.symlink("/proc/cpuinfo", "in.npy"),
        "/dev/null": lambda: os.symlink("/dev/null", "in.npy"), "/dev/stdin": lambda: os.symlink("/dev/stdin", "in.npy"),
        "absent": lambda: None, "sparse 8 TiB": lambda: sparse("in.npy", 128 + 2**43, npy(shape=f"({2**41},)", data=b"", pad=117)),
        "sparse, shape too long": lambda: sparse("in.npy", 2**40, npy(shape=f"({2**41},)", data=b"")),
    }
    for name, prepare in kinds.items():
        for command in (sort, ["transpose", "in.npy", "-o", "out.npy"], ["resize", "in.npy", "-o", "out.png", "--scale", "2"],
                        ["dot", "in.npy", "in.npy"], ["matmul", "in.npy", "in.npy", "-o", "out.npy"],
                        ["history", "--store", "in.npy"], ["import", "--store", "new.sqlite", "in.npy"], ["try", "dot", "in.npy"],
                        ["compare", "in.npy", "in.npy"], ["report", "--store", "in.npy", "-o", "out.html"],
                        ["grade", "in.npy"]):
            codes = REFUSED
            if (name, command[0]) in (("absent", "history"), ("absent", "report"), ("/dev/null", "import"), ("/dev/null", "history"),
                                      ("/dev/null", "try"), ("/proc/cpuinfo", "try"), ("folder", "grade")):
                codes = ENDS
            try_it(f"{command[0]} of {name}", command, codes, prepare=prepare)
    outs = {"/dev/full": 2, "/dev/null": 2, "/": 2, ".": 2, "..": 2, "": 2, "nowhere/out.npy": 2, "in.npy/out.npy": 2, "x" * 300: 2,
            "x/" * 3000 + "y": 2, "/proc/out.npy": 2, "/sys/out.npy": 2, "/proc/self/fd/1": 2, "fifo": 2, "loop": 2, "dangling": ENDS,
            "folder": 2, "folder/": 2, "out.npy/": 2, "in.npy": 2, "-": ENDS, "a\nb.npy": 0, "a\x1b[31m.npy": 0, b"a\xff\xfe.npy": 0,
            "/dev/stdout": 2, " ": 0, "*": 0}

    def prepare_outs():
        os.mkfifo("fifo")
        os.mkdir("folder")
        os.symlink("loop", "loop")
        os.symlink("nothing", "dangling")

    for out, code in outs.items():
        for force in ([], ["--force"]):
            codes = code if isinstance(code, tuple) else (code,)
            if out == "in.npy" and force:
                codes = RIGHT
            try_it(f"output {out[:40]!r} {force}", ["sort", "in.npy", "-o", out, *force], codes, good, prepare_outs)
            if code != 0:
                for command in (["export", "--store", "s.sqlite", "-o", out], ["wave", "--size", "8x8x8", "--steps", "1", "-o", out],
                                ["bench", "dot:n=10", "-d", "cpu", "-r", "serial", "--time", "0.001", "--store", "none", "--json", "-o", out],
                                ["report", "--store", "s.sqlite", "-o", out], ["exercise", "sort:radix", "-o", out]):
                    try_it(f"{command[0]} output {out[:40]!r} {force}", command + force, ENDS, good,
                           lambda: (prepare_outs(), subprocess.run(["cp", os.path.join(FOLDER, "s.sqlite"), "."], check=True)),
                           may_leave=["-", "nothing"])
    if IS_ROOT:
        user = ["setpriv", "--reuid", "64999", "--clear-groups"]

        def unreadable():
            os.chmod("in.npy", 0)
            os.chmod(".", 0o777)

        try_it("unreadable", sort, REFUSED, good, unreadable, start=user)
        try_it("read-only folder", sort, REFUSED, good, lambda: os.chmod(".", 0o555), start=user)
        try_it("folder without x", ["sort", "d/in.npy", "-o", "d/out.npy"], REFUSED, good,
               lambda: (os.mkdir("d"), os.rename("in.npy", "d/in.npy"), os.chmod("d", 0o644)), start=user)
        try_it("store in a read-only folder", ["bench", "dot:n=10", "-d", "cpu", "-r", "serial", "--time", "0.001", "--store", "n.sqlite"],
               REFUSED, good, lambda: os.chmod(".", 0o555), start=user)
        try_it("exercise in a read-only folder", ["exercise", "sort:radix", "-o", "new"], REFUSED, good, lambda: os.chmod(".", 0o555),
               start=user)
    del png_file


# ---- PNG ----


def chunk(kind, data, crc=None):
    crc = zlib.crc32(kind + data) if crc is None else crc
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)


def png(width=2, height=2, depth=8, colour=2, interlace=0, rows=None, extra=(), compression=0, method=0, before=b"", idat=None,
        end=True, crc=None, cut=None):
    channels = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}.get(colour, 1)
    if rows is None:
        rows = (b"\0" + b"\x10" * ((width * channels * depth + 7) // 8)) * height if width * height < 1e7 else b"\0" * 1000
    data = zlib.compress(rows) if idat is None else idat
    whole = b"\x89PNG\r\n\x1a\n" + before
    whole += chunk(b"IHDR", struct.pack(">IIBBBBB", width & 0xffffffff, height & 0xffffffff, depth, colour, compression, method, interlace))
    whole += b"".join(extra) + chunk(b"IDAT", data, crc) + (chunk(b"IEND", b"") if end else b"")
    return whole if cut is None else whole[:cut]


def png_trials():
    resize = ["resize", "in.png", "-o", "out.png", "--scale", "2"]
    palette = chunk(b"PLTE", bytes(range(51)))
    one_pass = b"".join(b"\0" + b"\x10" * 3 for _ in range(3))
    good = {"8 bit": png(), "16 bit": png(depth=16), "grey 1": png(depth=1, colour=0), "grey alpha 16": png(depth=16, colour=4),
            "palette": png(colour=3, extra=[palette]), "palette 4": png(depth=4, colour=3, extra=[chunk(b"PLTE", bytes(range(48)))]),
            "transparent palette": png(colour=3, extra=[palette, chunk(b"tRNS", b"\1\2")]),
            "gamma": png(extra=[chunk(b"gAMA", struct.pack(">I", 45455))]), "text": png(extra=[chunk(b"tEXt", b"a\0b")]),
            "APNG": png(extra=[chunk(b"acTL", struct.pack(">II", 2, 0)), chunk(b"fcTL", struct.pack(">IIIIIHHBB", 0, 2, 2, 0, 0, 1, 1, 0, 0))])}
    maybe = {"interlaced": png(interlace=1, rows=one_pass + b"\0" * 20), "gamma 0": png(extra=[chunk(b"gAMA", struct.pack(">I", 0))]),
             "gamma huge": png(extra=[chunk(b"gAMA", b"\xff" * 4)]), "bad chunk crc": png(extra=[chunk(b"tEXt", b"a\0b", 1)]),
             "no end": png(end=False), "trailing bytes": png() + b"x" * 100, "bad ICC": png(extra=[chunk(b"iCCP", b"x\0\0garbage")]),
             "palette index beyond": png(colour=3, extra=[chunk(b"PLTE", b"\0\0\0")]), "two PNGs": png() + png(),
             "palette on RGB": png(extra=[palette]), "text bomb": png(extra=[chunk(b"zTXt", b"a\0\0" + zlib.compress(b"x" * 10**8, 9))]),
             "tRNS too long": png(colour=3, extra=[palette, chunk(b"tRNS", b"\1" * 999)]), "sRGB 9": png(extra=[chunk(b"sRGB", b"\x09")]),
             "chunk first": png(before=chunk(b"tEXt", b"a\0b")), "wrong filter": png(rows=b"\x07" + b"\x10" * 6 + b"\0" + b"\x10" * 6), "too many rows": png(rows=b"\0" * 9999)}
    bad = {"empty": b"", "signature": png(cut=8), "half a signature": png(cut=4), "half an IHDR": png(cut=20), "IHDR": png(cut=33),
           "half an IDAT": png(cut=45), "JPEG": b"\xff\xd8\xff\xe0" + b"\0" * 100, "GIF": b"GIF89a" + b"\0" * 100, "npy": npy(),
           "width 0": png(width=0), "height 0": png(height=0), "2^31": png(width=2**31), "2^31-1 each": png(2**31 - 1, 2**31 - 1),
           "2^32-1": png(width=2**32 - 1), "bomb 1 bit": png(65536, 65536, 1, 0), "bomb 16 bit": png(20000, 20000, 16, 6),
           "colour 1": png(colour=1), "colour 7": png(colour=7), "depth 3": png(depth=3), "depth 0": png(depth=0), "depth 16 palette":
           png(depth=16, colour=3, extra=[palette]), "interlace 2": png(interlace=2), "compression 1": png(compression=1),
           "filter 1": png(method=1), "bad crc of IHDR": png().replace(b"IHDR", b"IHDR")[:29] + b"\0\0\0\0" + png()[33:],
           "bad crc of IDAT": png(crc=1), "no palette": png(colour=3), "empty IDAT": png(idat=b""), "garbage in IDAT": png(idat=b"garbage"),
           "rows missing": png(8, 8, rows=b"\0" * 10), "no IDAT": png().replace(b"IDAT", b"tEXt"), "chunk of 2^31": png(cut=33) + struct.pack(">I", 2**31) + b"IDAT", "unknown critical": png(extra=[chunk(b"ABCD", b"")]),
           "letters of a terminal": png(extra=[chunk(b"\x1b[3m", b"")]), "two IHDR": png(extra=[png()[8:33]])}
    for name, content in good.items():
        try_it(f"png, good: {name}", resize, RIGHT, {"in.png": content})
    for name, content in maybe.items():
        try_it(f"png: {name}", resize, (0, 2), {"in.png": content})
    for name, content in bad.items():
        try_it(f"png: {name}", resize, REFUSED, {"in.png": content})
    for scale in ("0", "-1", "nan", "inf", "1e308", "1e-308", "0x2", "2x", "", " ", "1e9", "1/0", "99999999999999999999", "²"):
        try_it(f"scale {scale!r}", ["resize", "in.png", "-o", "out.png", f"--scale={scale}"], ENDS if scale in ("0x2", "1e-308") else REFUSED, {"in.png": png()})
    for size in ("0x0", "x", "-1x5", "5x-1", "1e3x5", "99999999999x99999999999", "1048576x1048576", "4294967296x1", "4x4x4", "", "nanxnan", "5X5 ", "３x３"):
        try_it(f"size {size!r}", ["resize", "in.png", "-o", "out.png", f"--size={size}"], ENDS if size == "5X5 " else REFUSED, {"in.png": png()})
    for most in ("0", "-1", "nan", "2^64", "99999999999999999999999", "1", "", "3.5"):
        try_it(f"max-pixels {most!r}", [*resize, f"--max-pixels={most}"], ENDS if most == "3.5" else REFUSED, {"in.png": png()})


# ---- stores ----


def store_trials():
    import sqlite3
    with open(os.path.join(FOLDER, "s.sqlite"), "rb") as file:
        whole = file.read()
    readers = [["history", "--store", "s.sqlite"], ["export", "--store", "s.sqlite", "-o", "new.jsonl"],
               ["report", "--store", "s.sqlite", "-o", "new.html"], ["compare", "1", "1", "--store", "s.sqlite"]]
    writers = [["bench", "dot:n=10", "-d", "cpu", "-r", "serial", "--time", "0.001", "--store", "s.sqlite"],
               ["import", "--store", "s.sqlite", "in.jsonl"]]

    def change(*statements):
        def prepare():
            connection = sqlite3.connect("s.sqlite", isolation_level=None)
            for statement in statements:
                connection.execute(statement)
            connection.close()
        return prepare

    def page(number, content):
        return whole[:4096 * number] + content + whole[4096 * number + len(content):]

    def locked():
        process = subprocess.Popen([sys.executable, "-c", "import sqlite3, time\nc = sqlite3.connect('s.sqlite', isolation_level=None)\n"
                                    "c.execute('BEGIN EXCLUSIVE')\nopen('ready', 'w')\ntime.sleep(40)"], cwd=".")
        while not os.path.exists("ready"):
            pass
        locked.process = process

    def unlock(*_):
        locked.process.kill()
        locked.process.wait()

    pages = len(whole) // 4096
    damaged = {"cut": whole[:5000], "cut to a header": whole[:100], "cut by a byte": whole[:-1], "one byte": b"S", "empty": b"",
               "header only": b"SQLite format 3\0", "zeros": b"\0" * 40960, "random": os.urandom(40960), "page size 1": whole[:16] + b"\0\1" + whole[18:],
               "page size 3": whole[:16] + b"\0\3" + whole[18:], "reserved 255": whole[:20] + b"\xff" + whole[21:],
               "schema format 9": whole[:44] + b"\0\0\0\x09" + whole[48:], "UTF-16": whole[:56] + b"\0\0\0\2" + whole[60:],
               "write version 9": whole[:18] + b"\x09\x09" + whole[20:], "root page of garbage": page(0, whole[:100] + b"\xff" * 400),
               **{f"page {i} of ones": page(i, b"\xff" * 4096) for i in range(1, pages, max(1, pages // 12))},
               **{f"page {i} of zeros": page(i, b"\0" * 4096) for i in range(1, pages, max(1, pages // 12))},
               "itself behind": whole + whole, "freelist of garbage": whole[:32] + b"\xff" * 8 + whole[40:]}
    for name, content in damaged.items():
        for command in readers + writers:
            files = {"s.sqlite": content, "in.jsonl": b""}
            try_it(f"store, {name}: {command[0]}", command, ENDS, files, may_leave=["s.sqlite-wal", "s.sqlite-shm", "new.jsonl", "new.html"])
    edits = {"another tool's": ["DROP TABLE IF EXISTS x", "CREATE TABLE x(y)", "PRAGMA application_id=1"], "newer": ["PRAGMA user_version=9999"],
             "older than all": ["PRAGMA user_version=0"], "negative version": ["PRAGMA user_version=-5"],
             "a view in a table's place": ["ALTER TABLE runs RENAME TO old", "CREATE VIEW runs AS SELECT * FROM old"],
             "a trigger": ["CREATE TRIGGER t AFTER INSERT ON runs BEGIN DELETE FROM runs; END"],
             "a column fewer": ["ALTER TABLE runs RENAME COLUMN label TO lable"], "no table": ["DROP TABLE runs"]}
    for name, statements in edits.items():
        for command in readers + writers:
            try_it(f"store, {name}: {command[0]}", command, ENDS, {"s.sqlite": whole, "in.jsonl": b""},
                   change(*statements), may_leave=["s.sqlite-wal", "s.sqlite-shm", "new.jsonl", "new.html"])
    for command in readers + writers:
        try_it(f"store, locked: {command[0]}", command, ENDS, {"s.sqlite": whole, "in.jsonl": b""}, locked, seconds=100,
               may_leave=["s.sqlite-wal", "s.sqlite-shm", "new.jsonl", "new.html", "ready"], after=unlock)
    wals = {"garbage log": os.urandom(9000), "empty log": b"", "another's log": b"\x37\x7f\x06\x82" + b"\0" * 4000}
    for name, content in wals.items():
        for command in readers + writers:
            try_it(f"store, {name}: {command[0]}", command, ENDS, {"s.sqlite": whole, "s.sqlite-wal": content, "in.jsonl": b""},
                   may_leave=["s.sqlite-shm", "new.jsonl", "new.html"])
            try_it(f"store, journal {name}: {command[0]}", command, ENDS, {"s.sqlite": whole, "s.sqlite-journal": content, "in.jsonl": b""},
                   may_leave=["s.sqlite-shm", "new.jsonl", "new.html", "s.sqlite-wal"])
    with open(os.path.join(FOLDER, "s.jsonl"), "rb") as file:
        lines = file.read()
    imports = {"empty": b"", "NUL": b"\0", "not UTF-8": b"\xff\xfe\n", "cut": lines[:-20], "half": lines[:len(lines) // 2], "deep": b"[" * 100000,
               "deep objects": b'{"a":' * 50000, "a number": b"1\n", "null": b"null\n", "long line": b'"' + b"x" * 10**7 + b'"\n',
               "CRLF": lines.replace(b"\n", b"\r\n"), "BOM": b"\xef\xbb\xbf" + lines, "NaN": lines.replace(b"1", b"NaN", 3), "1e999": lines.replace(b"0.", b"1e999", 1),
               "twice": lines + lines, "keys gone": b"{}\n", "html": b"<html>", "UTF-16": lines.decode().encode("utf-16"),
               "surrogates": lines.replace(b"cpu", b"\\ud800", 1), "numbers of text": lines.replace(b":1", b':"1"')}
    for name, content in imports.items():
        try_it(f"import {name}", ["import", "--store", "new.sqlite", "in.jsonl"], ENDS, {"in.jsonl": content}, may_leave=["new.sqlite"] if name in ("twice", "CRLF", "BOM") else [])
        try_it(f"compare {name}", ["compare", "in.jsonl", "in.jsonl"], ENDS, {"in.jsonl": content})


# ---- arguments and variables ----


def argument_trials():
    numbers = ("-1", "0", "1e400", "nan", "inf", "-inf", "0x10", "1k1", "1kk", "5 s", "99999999999999999999", "2^64", "2^63", "2^-1", "", " ",
               "1_000", "1,5", "١", "\xa0", "1\n", "-0", "1e-400", "%s%n", "0.1.2", "+-1")
    options = ("--time", "--threads", "--limit", "--seed", "--precision", "--repeat")
    for option in options:
        for number in numbers:
            try_it(f"{option} {number!r}", ["bench", "dot:n=10", "-d", "cpu", "-r", "serial", "--store", "none", "--kernel-only",
                                            *(["--time=0.001"] if option != "--time" else []), f"{option}={number}"], (0, 2), seconds=60)
    for size in numbers:
        try_it(f"n={size!r}", ["check", f"dot:n={size}", "-d", "cpu", "-r", "serial"], (0, 2), seconds=60)
        try_it(f"steps {size!r}", ["wave", "-o", "out.npy", "--size", "8x8x8", f"--steps={size}"], (0, 2), may_leave=["out.npy"])
        try_it(f"courant {size!r}", ["wave", "-o", "out.npy", "--size", "8x8x8", "--steps=1", f"--courant={size}"], (0, 2))
        try_it(f"sweep {size!r}", ["sweep", "dot:n=10", "-r", "parallel", "-d", "cpu", "--store", "none", "--time=0.001", f"--over=n={size}"], ENDS, seconds=60)
        try_it(f"since {size!r}", ["history", "--store", "none.sqlite", f"--since={size}"], (2, 3))
        try_it(f"sizes {size!r}", ["bandwidth", "-d", "cpu", "--store", "none", "--time=0.001", f"--sizes={size}"], ENDS, seconds=60)
    words = ("", " ", ":", "dot:", "dot:n", "dot:n=", "dot:=1", "dot::", "dot:n=1,n=2", "dot:x=1", "dot:n=1..", "dot:n=1..2x0", "dot:n=1..2x1",
             "dot:n=1..10x-2", "dot:n=5..1", "dot:n=1..2^60x2", "dot:n=1..1000000000+1", "dot,n=1", "dot:n=10,f64,f32", "dot:f128", "x" * 100000, "dot:n=" + "9" * 5000,
             "dot:" + "n=1," * 2000, "нет", "dot:n=10,input=", "dot:n=10,input=x", "%n%n%n", "\x1b[31m", "dot:n=1;rm", "--", "-", "---", "dot:n=10\n", "../dot", "DOT:n=10")
    for word in words:
        for command in ("check", "bench", "explain"):
            extra = ["--store", "none", "--time=0.001"] if command == "bench" else []
            try_it(f"{command} {word[:30]!r}", [command, word, "-d", "cpu", *extra] if command != "explain" else [command, word, "--for", "this-cpu"],
                   (0, 1, 2, 3) if word in ("--", "-", "dot:", "dot:n=10,f64,f32", "dot:n=10\n") else REFUSED)
    raw = (b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80", b"\x80dot")
    for text in raw:
        for arguments in ([text], ["check", text], ["help", text], ["bench", b"dot:n=10," + text], ["check", "dot:n=10", "-d", text],
                          ["check", "dot:n=10", "-r", text], ["sort", text, "-o", "out.npy"], ["history", "--store", text], ["--lang", text, "list"],
                          ["list", text], ["bench", "dot:n=10", "--label", text, "--store", "none", "-d", "cpu", "-r", "serial", "--time=0.001"],
                          ["exercise", text, "-o", "new"], ["explain", "dot:n=10", "--for", text], ["try", text, "k.c"], ["reproduce", text],
                          ["check", "dot:n=10", "-s", text], ["check", "dot:n=10", "-s", b"TILE=" + text], ["compare", text, text]):
            label = arguments[-1] if isinstance(arguments[0], bytes) else arguments[0]
            try_it(f"raw {text!r} {label}", arguments, ENDS if arguments[0] in ("bench", "reproduce", "history") else (2, 3))
    for command in "devices list bench try exercise grade check ceilings roofline explain effect architectures sweep bandwidth overlap lab report history "\
            "compare export import reproduce transpose dot matmul sort resize wave help".split():
        for arguments in (["--nonsense"], ["--lang=xx"], ["--lang"], ["-"], ["a", "b", "c", "d", "e"], ["--help=1"], ["--device="], ["--device=cuda:-1"],
                          ["--device=opencl:99999999999"], ["-o"], ["--output="]):
            try_it(f"{command} {' '.join(arguments)}", [command, *arguments], (2, 3))


def variable_trials():
    good = {"in.npy": npy(data=struct.pack("<4f", 3, 1, 2, 0))}
    commands = (["devices"], ["sort", "in.npy", "-o", "out.npy"], ["check", "dot:n=10", "-d", "cpu", "-r", "serial"],
                ["bench", "dot:n=10", "-d", "cpu", "-r", "serial", "--time=0.001"], ["history"], ["explain", "dot:n=10", "-r", "serial", "--for", "this-cpu"])
    long = "x" * 100000
    settings = [{"HOME": None, "XDG_DATA_HOME": None, "XDG_CACHE_HOME": None}, {"HOME": ""}, {"HOME": "relative", "XDG_DATA_HOME": None}, {"HOME": long, "XDG_DATA_HOME": None},
                {"XDG_DATA_HOME": long}, {"XDG_DATA_HOME": "relative"}, {"XDG_DATA_HOME": "/dev/full"}, {"XDG_CACHE_HOME": long}, {"XDG_CACHE_HOME": "/dev/full"},
                {"TMPDIR": ""}, {"TMPDIR": "/nowhere"}, {"TMPDIR": long}, {"TMPDIR": "/dev/full"}, {"PATH": None}, {"PATH": ""}, {"PATH": long},
                {"LANG": "ru_RU.UTF-8", "LC_ALL": None}, {"LANG": "ru", "LC_ALL": None}, {"LC_ALL": "ru_RU.KOI8-R"}, {"LC_ALL": long}, {"LC_ALL": "\x1b[31m"},
                {"LC_ALL": "tr_TR.UTF-8"}, {"LANGUAGE": "../../../etc"}, {"COLUMNS": "0"}, {"COLUMNS": "1"}, {"COLUMNS": "99999999999"}, {"COLUMNS": "nan"}, {"COLUMNS": ""},
                {"TERM": None}, {"TERM": long}, {"NO_COLOR": ""}, {"OMP_NUM_THREADS": "-1"}, {"OMP_NUM_THREADS": "1,2,3"}, {"OMP_NUM_THREADS": "99999999999999999999"},
                {"OMP_PLACES": "garbage"}, {"OMP_PROC_BIND": "garbage"}, {"OMP_SCHEDULE": "garbage"}, {"OMP_WAIT_POLICY": "garbage"}, {"OMP_STACKSIZE": "-5"}, {"OMP_STACKSIZE": "99999999999G"},
                {"OMP_PLACES": "{9999}"}, {"OMP_CANCELLATION": "true"}, {"OMP_DISPLAY_ENV": "verbose"}, {"OMP_MAX_ACTIVE_LEVELS": "0"}, {"OMP_TARGET_OFFLOAD": "mandatory"},
                {"USKOR_LIBCUDA": ""}, {"USKOR_LIBCUDA": long}, {"USKOR_LIBCUDA": "/dev/null"}, {"USKOR_LIBCUDA": "/"}, {"USKOR_CLBLAST": "/etc/passwd"}, {"USKOR_CUBLAS": "/nowhere"},
                {"USKOR_NVDISASM": "/dev/null"}, {"USKOR_CXX": "/nowhere"}, {"USKOR_NCCL": "/etc/passwd"}, {"USKOR_CACHE": "\xff"}, {"USKOR_ISA": "avx512 "}, {"USKOR_DRIVER_SECONDS": "1e999"},
                {"USKOR_DRIVER_SECONDS": "0"}, {"USKOR_DRIVER_SECONDS": "1e-9"}, {"CUDA_PATH": long}, {"CUDA_HOME": "/dev/zero"}, {"CUDA_VISIBLE_DEVICES": "garbage"}, {"OCL_ICD_FILENAMES": "/dev/zero"},
                {"OCL_ICD_VENDORS": long}, {"OCL_ICD_VENDORS": "/nowhere"}, {"POCL_DEVICES": "garbage"}, {"POCL_DEBUG": "all"}, {"POCL_CACHE_DIR": ""}, {"LD_LIBRARY_PATH": long},
                {"LD_LIBRARY_PATH": "::::"}, {"MALLOC_PERTURB_": "255"}, {"MALLOC_ARENA_MAX": "garbage"}, {"GLIBC_TUNABLES": "garbage"}, {"MALLOC_CHECK_": "3"}, {"TZ": long},
                {"SQLITE_TMPDIR": "/nowhere"}, {"OCL_ICD_DEBUG": "7"}, {"LIBGL_DEBUG": "verbose"}, {"EGL_LOG_LEVEL": "debug"}, {"__EGL_VENDOR_LIBRARY_FILENAMES": "/dev/zero"},
                {"__EGL_VENDOR_LIBRARY_DIRS": "/nowhere"}, {"LIBGL_ALWAYS_SOFTWARE": "garbage"}, {"GALLIUM_DRIVER": "softpipe"}, {"CC": ""}, {"CC": "/nowhere"}, {"XDG_RUNTIME_DIR": "/dev/null"}]
    for setting in settings:
        for command in commands:
            name = ", ".join(f"{key}={(value or 'unset')[:20]!r}" for key, value in setting.items())
            try_it(f"{name}: {command[0]}", command, ENDS, good, env=setting, lines=False, may_leave=["out.npy", "relative", "uskor"],
                   after=lambda name, code: code in (2, 3) and os.path.exists("out.npy") and report(name, "out.npy is there"))


# ---- standard streams and signals ----


def stream_trials():
    good = {"in.npy": npy(data=struct.pack("<4f", 3, 1, 2, 0)), "k.c": b"void dot(const float *a, const float *b, double *out, long n) { *out = 0; }"}
    copy = lambda: subprocess.run(["cp", os.path.join(FOLDER, "s.sqlite"), os.path.join(FOLDER, "s.jsonl"), "."], check=True)
    fast = ["-d", "cpu", "-r", "serial", "--time", "0.001"]
    commands = (["devices"], ["list"], ["help"], ["help", "counting"], ["bench", "--help"], ["--version"], ["sort", "in.npy", "-o", "out.npy"], ["dot", "in.npy", "in.npy"],
                ["check", "dot:n=10", *fast[:4]], ["bench", "dot:n=10", *fast], ["bench", "dot:n=10", *fast, "--json"], ["bench", "dot:n=10", *fast, "--csv"],
                ["history", "--store", "s.sqlite"], ["history", "--store", "s.sqlite", "--json"], ["export", "--store", "s.sqlite", "-o", "-"], ["export", "--store", "s.sqlite"],
                ["import", "--store", "n.sqlite", "s.jsonl"], ["report", "--store", "s.sqlite", "-o", "out.html"], ["compare", "1", "1", "--store", "s.sqlite"],
                ["architectures"], ["effect"], ["exercise"], ["reproduce"], ["explain", "dot:n=10", "-r", "serial", "--for", "this-cpu"],
                ["wave", "-o", "out.npy", "--size", "8x8x8", "--steps", "1"], ["exercise", "sort:radix", "-o", "new"], ["try", "dot", "k.c", "--time", "0.001", "--store", "none"])
    leaves = ["out.npy", "out.html", "new", "n.sqlite", "store.jsonl", "uskor.jsonl", "report.html"]
    for command in commands:
        name = " ".join(command[:2])
        for closing in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full", "2>/dev/full", "| true", "| head -c 1", "</", "0>/dev/null", "1</dev/null", "2</dev/null"):
            pipe = "|" in closing
            script = f'"$@" {closing}; exit ${{PIPESTATUS[0]}}' if pipe else f'exec "$@" {closing}'
            try_it(f"streams {closing}: {name}", command, ENDS, good, copy, start=["bash", "-c", script, "x"], lines=False, may_leave=leaves)
            try_it(f"streams {closing}, SIGPIPE ignored: {name}", command, ENDS, good, copy, start=["bash", "-c", "trap '' PIPE; " + script, "x"], lines=False,
                   may_leave=leaves) if pipe else None


GROUPS = {"npy": npy_trials, "places": place_trials, "png": png_trials, "stores": store_trials, "arguments": argument_trials, "variables": variable_trials,
          "streams": stream_trials}
for group, run in GROUPS.items():
    if not os.environ.get("INPUTS") or group in os.environ["INPUTS"].split():
        begin = trials
        run()
        print(f"{group}: {trials - begin} trials, {failures} failures so far", flush=True)
os.chdir("/")
sys.exit(failures != 0)
