"""Signals at random times: stores and results stay whole."""
import os
import random
import sqlite3
import subprocess

from files import npy, png
from trial import FOLDER, report, try_it


def signal_trials():
    chance = random.Random(int(os.environ.get("INPUTS_SEED", "1")))
    good = {
        "in.npy": npy(shape="(300, 200)", data=os.urandom(240000)),
        "t.npy": npy(shape="(200, 300)", data=bytes(240000)), "v.npy": npy(shape="(200000,)",
                                                                           data=bytes(800000)), "in.png": png(300, 200),
        "k.c": b"void dot(const float *a, const float *b, double *out, long n) { *out = 0; for (long i = 0; i < n; i++) *out += (double)a[i] * b[i]; }"
    }
    copy = lambda: subprocess.run(["cp", os.path.join(FOLDER, "s.sqlite"),
                                   os.path.join(FOLDER, "s.jsonl"), "."],
                                  check=True)
    commands = (["devices"], [
        "bench", "dot:n=100000", "transpose:rows=99,cols=70", "-d", "cpu", "-r", "serial", "-r", "parallel", "--time",
        "0.1", "--store", "s.sqlite"
    ], [
        "bench", "dot:n=100000", "-d", "cpu", "-r", "serial", "--time", "0.1", "--store", "new.sqlite", "--json", "-o",
        "new.json"
    ], ["bench", "dot:n=1000", "-d", "cpu", "-r", "serial", "--time", "0.1", "--store", "new.sqlite", "--isolate"
        ], ["check", "transpose:rows=50,cols=30", "-d", "cpu", "-d", "opencl:0", "-r", "serial", "-r",
            "naive"], ["try", "dot", "k.c", "--time", "0.1", "--store",
                       "s.sqlite"], ["sort", "v.npy", "-o",
                                     "out.npy"], ["transpose", "in.npy", "-o",
                                                  "out.npy"], ["matmul", "in.npy", "t.npy", "-o", "out.npy"],
                ["transpose", "in.npy", "-o", "out.npy", "-d",
                 "opencl:0"], ["resize", "in.png", "-o", "out.png", "--scale",
                               "3"], ["wave", "-o", "out.npy", "--size", "40x40x40", "--steps",
                                      "50"], ["history", "--store",
                                              "s.sqlite"], ["export", "--store", "s.sqlite", "-o", "new.jsonl"],
                ["import", "--store", "new.sqlite",
                 "s.jsonl"], ["report", "--store", "s.sqlite", "-o",
                              "out.html"], ["compare", "1", "1", "--store", "s.sqlite"
                                            ], ["explain", "dot:n=10000", "-r", "serial", "--for",
                                                "this-cpu"], ["exercise", "sort:radix", "-o", "new"],
                ["ceilings", "-d", "cpu", "--time", "0.01", "--store",
                 "new.sqlite"], [
                     "sweep", "transpose:rows=200,cols=200", "-r", "tiled", "-d",
                     "opencl:0", "--over", "TILE=8,16", "--time", "0.05", "--store", "s.sqlite"
                 ], ["bandwidth", "-d", "opencl:0", "--sizes", "1K..64Kx2", "--time", "0.01", "--store", "s.sqlite"])
    stores = ("s.sqlite", "new.sqlite")
    for command in commands:
        for number, code in ((2, 130), (15, 143), (1, 129)):
            for _ in range(int(os.environ.get("INPUTS_TIMES", "5"))):
                delay = chance.choice((chance.uniform(0, 0.05), chance.uniform(0, 0.4), chance.uniform(0, 1.5)))

                def after(name, _code):
                    for store in stores:
                        if os.path.exists(store) and os.path.getsize(store):
                            if sqlite3.connect(store).execute("PRAGMA integrity_check").fetchone() != ("ok", ):
                                report(name, f"{store} is damaged")
                    for out in ("out.npy", "out.png", "out.html", "new.jsonl", "new.json", "new"):
                        if os.path.isfile(out) and (os.path.getsize(out) == 0
                                                    or out == "out.npy" and open(out, "rb").read(6) != b"\x93NUMPY"):
                            report(name, f"{out} is not whole")
                    if os.path.isdir("new") and len(os.listdir("new")) < 2:
                        report(name, f"new has {os.listdir('new')}")

                try_it(f"signal {number} after {delay:.3f} s: {command[0]} {command[1] if len(command) > 1 else ''}",
                       command, (0, 1, 3, 130, code, -number),
                       good,
                       copy,
                       start=["timeout", "--preserve-status", "-s",
                              str(number), f"{delay:.3f}"],
                       lines=False,
                       after=after,
                       may_leave=[
                           "out.npy", "out.png", "out.html", "new.jsonl", "new.json", "new", "new.sqlite",
                           "new.sqlite-wal", "new.sqlite-shm", "s.sqlite-wal", "s.sqlite-shm"
                       ])
