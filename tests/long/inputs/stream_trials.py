"""Standard streams that are closed, full, or without a reader."""
import os
import struct
import subprocess

from files import npy
from trial import ENDS, FOLDER, try_it


def stream_trials():
    good = {
        "in.npy": npy(data=struct.pack("<4f", 3, 1, 2, 0)),
        "k.c": b"void dot(const float *a, const float *b, double *out, long n) { *out = 0; }"
    }
    copy = lambda: subprocess.run(["cp", os.path.join(FOLDER, "s.sqlite"),
                                   os.path.join(FOLDER, "s.jsonl"), "."],
                                  check=True)
    fast = ["-d", "cpu", "-r", "serial", "--time", "0.001"]
    commands = (["devices"], ["list"], ["help"], ["help", "counting"], ["bench", "--help"], ["--version"],
                ["sort", "in.npy", "-o", "out.npy"], ["dot", "in.npy", "in.npy"], ["check", "dot:n=10", *fast[:4]],
                ["bench", "dot:n=10",
                 *fast], ["bench", "dot:n=10", *fast,
                          "--json"], ["bench", "dot:n=10", *fast,
                                      "--csv"], ["history", "--store",
                                                 "s.sqlite"], ["history", "--store", "s.sqlite",
                                                               "--json"], ["export", "--store", "s.sqlite", "-o",
                                                                           "-"], ["export", "--store", "s.sqlite"],
                ["import", "--store", "n.sqlite",
                 "s.jsonl"], ["report", "--store", "s.sqlite", "-o",
                              "out.html"], ["compare", "1", "1", "--store",
                                            "s.sqlite"], ["architectures"], ["effect"], ["exercise"], ["reproduce"],
                ["explain", "dot:n=10", "-r", "serial", "--for",
                 "this-cpu"], ["wave", "-o", "out.npy", "--size", "8x8x8", "--steps",
                               "1"], ["exercise", "sort:radix", "-o",
                                      "new"], ["try", "dot", "k.c", "--time", "0.001", "--store", "none"])
    leaves = ["out.npy", "out.html", "new", "n.sqlite", "store.jsonl", "uskor.jsonl", "report.html"]
    for command in commands:
        name = " ".join(command[:2])
        for closing in ("<&-", ">&-", "2>&-", "<&- >&- 2>&-", ">/dev/full", "2>/dev/full", "| true", "| head -c 1",
                        "</", "0>/dev/null", "1</dev/null", "2</dev/null"):
            pipe = "|" in closing
            script = f'"$@" {closing}; exit ${{PIPESTATUS[0]}}' if pipe else f'exec "$@" {closing}'
            try_it(f"streams {closing}: {name}",
                   command, (*ENDS, 141) if pipe else ENDS,
                   good,
                   copy,
                   start=["bash", "-c", script, "x"],
                   lines=False,
                   may_leave=leaves)
            try_it(f"streams {closing}, SIGPIPE ignored: {name}",
                   command,
                   ENDS,
                   good,
                   copy,
                   start=["bash", "-c", "trap '' PIPE; " + script, "x"],
                   lines=False,
                   may_leave=leaves) if pipe else None
