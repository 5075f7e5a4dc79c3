"""Inputs that are no files, and odd places for a result."""
import os
import struct
import subprocess

from files import npy
from trial import ENDS, FOLDER, IS_ROOT, REFUSED, RIGHT, try_it


def sparse(path, size, head):
    with open(path, "wb") as file:
        file.write(head)
        file.truncate(size)


def place_trials():
    sort = ["sort", "in.npy", "-o", "out.npy"]
    good = {"in.npy": npy(data=struct.pack("<4f", 3, 1, 2, 0))}
    kinds = {
        "fifo": lambda: os.mkfifo("in.npy"),
        "folder": lambda: os.mkdir("in.npy"),
        "loop": lambda: os.symlink("in.npy", "in.npy"),
        "dangling": lambda: os.symlink("nowhere", "in.npy"),
        "/dev/zero": lambda: os.symlink("/dev/zero", "in.npy"),
        "/dev/full": lambda: os.symlink("/dev/full", "in.npy"),
        "/proc/self/mem": lambda: os.symlink("/proc/self/mem", "in.npy"),
        "/proc/kcore": lambda: os.symlink("/proc/kcore", "in.npy"),
        "/proc/cpuinfo": lambda: os.symlink("/proc/cpuinfo", "in.npy"),
        "/dev/null": lambda: os.symlink("/dev/null", "in.npy"),
        "/dev/stdin": lambda: os.symlink("/dev/stdin", "in.npy"),
        "absent": lambda: None,
        "sparse 8 TiB": lambda: sparse("in.npy", 128 + 2**43, npy(shape=f"({2**41},)", data=b"", pad=117)),
        "sparse, shape too long": lambda: sparse("in.npy", 2**40, npy(shape=f"({2**41},)", data=b"")),
    }
    for name, prepare in kinds.items():
        for command in (sort, ["transpose", "in.npy", "-o",
                               "out.npy"], ["resize", "in.npy", "-o", "out.png", "--scale",
                                            "2"], ["dot", "in.npy",
                                                   "in.npy"], ["matmul", "in.npy", "in.npy", "-o",
                                                               "out.npy"], ["history", "--store", "in.npy"],
                        ["import", "--store", "new.sqlite",
                         "in.npy"], ["try", "dot",
                                     "in.npy"], ["compare", "in.npy",
                                                 "in.npy"], ["report", "--store", "in.npy", "-o",
                                                             "out.html"], ["grade", "in.npy"]):
            codes = REFUSED
            if (name, command[0]) in (("absent", "history"), ("absent", "report"), ("/dev/null", "import"),
                                      ("/dev/null", "history"), ("/dev/null", "try"), ("/proc/cpuinfo",
                                                                                       "try"), ("folder", "grade")):
                codes = ENDS
            if command[0] in ("history", "compare", "report"):  # 3: there is no store, or nothing in it
                codes = (2, 3)
            try_it(f"{command[0]} of {name}", command, codes, prepare=prepare)
    outs = {
        "/dev/full": 2, "/dev/null": 2, "/": 2, ".": 2, "..": 2, "": 2, "nowhere/out.npy": 2, "in.npy/out.npy": 2,
        "x" * 300: 2, "x/" * 3000 + "y": 2, "/proc/out.npy": 2, "/sys/out.npy": 2, "/proc/self/fd/1": 2, "fifo": 2,
        "loop": 2, "dangling": ENDS, "folder": 2, "folder/": 2, "out.npy/": 2, "in.npy": 2, "-": ENDS, "a\nb.npy": 0,
        "a\x1b[31m.npy": 0, b"a\xff\xfe.npy": 0, "/dev/stdout": 2, " ": 0, "*": 0
    }

    def prepare_outs():
        os.mkfifo("fifo")
        os.mkdir("folder")
        os.symlink("loop", "loop")
        os.symlink("nothing", "dangling")

    for out, code in outs.items():
        for force in ([], ["--force"]):
            codes = code if isinstance(code, tuple) else (code, )
            if out == "in.npy" and force:
                codes = RIGHT
            try_it(f"output {out[:40]!r} {force}", ["sort", "in.npy", "-o", out, *force], codes, good, prepare_outs)
            if code != 0:
                for command in (["export", "--store", "s.sqlite", "-o",
                                 out], ["wave", "--size", "8x8x8", "--steps", "1", "-o", out], [
                                     "bench", "dot:n=10", "-d", "cpu", "-r", "serial", "--time", "0.001", "--store",
                                     "none", "--json", "-o", out
                                 ], ["report", "--store", "s.sqlite", "-o", out], ["exercise", "sort:radix", "-o",
                                                                                   out]):
                    try_it(f"{command[0]} output {out[:40]!r} {force}",
                           command + force,
                           ENDS,
                           good,
                           lambda:
                           (prepare_outs(), subprocess.run(["cp", os.path.join(FOLDER, "s.sqlite"), "."], check=True)),
                           may_leave=["-", "nothing"])
    if IS_ROOT:
        user = ["setpriv", "--reuid", "64999", "--clear-groups"]

        def unreadable():
            os.chmod("in.npy", 0)
            os.chmod(".", 0o777)

        try_it("unreadable", sort, REFUSED, good, unreadable, start=user)
        try_it("read-only folder", sort, REFUSED, good, lambda: os.chmod(".", 0o555), start=user)
        try_it("folder without x", ["sort", "d/in.npy", "-o", "d/out.npy"],
               REFUSED,
               good,
               lambda: (os.mkdir("d"), os.rename("in.npy", "d/in.npy"), os.chmod("d", 0o644)),
               start=user)
        try_it("store in a read-only folder",
               ["bench", "dot:n=10", "-d", "cpu", "-r", "serial", "--time", "0.001", "--store", "n.sqlite"],
               REFUSED,
               good,
               lambda: os.chmod(".", 0o555),
               start=user)
        try_it("exercise in a read-only folder", ["exercise", "sort:radix", "-o", "new"],
               REFUSED,
               good,
               lambda: os.chmod(".", 0o555),
               start=user)
    del png_file
