"""made_ceilings.py STORE: ceilings of the processor's one thread that nobody measured, and points below them.

What a test says of them must not hang on a noisy machine. A measured dot product lends its line of an export: the
machine, the device. $USKOR: the program; python3 has what the rest needs."""
import json
import os
import sqlite3
import subprocess
import sys
import tempfile

RATES = {"clock": (3, "GHz"), "issue": (12, "GIPS"), "fma-f32": (90, "GFLOP/s"), "fma-f64": (45000, "GFLOP/s"),
         "l1-read": (180, "GB/s"), "l2-read": (90, "GB/s"), "l3-read": (40, "GB/s"), "dram-read": (20, "GB/s"),
         "dram-copy": (16, "GB/s"), "dram-triad": (18, "GB/s")}
WORK = 1e6


def uskor(*words):
    subprocess.run([os.environ["USKOR"], *words], check=True, stdout=subprocess.DEVNULL)


def steady(row, nanoseconds, **fields):
    samples = {"compute": {"ns": [nanoseconds * (1 + i / 1e4) for i in range(15)], "rounds": [i // 3 for i in range(15)]}}
    return {**row, **fields, "verdict": "PASS", "warnings": "", "samples": samples}


def lines(template):
    dot = next(row for row in template if row["rung"] == "serial")
    yield steady(dot, 4000)
    yield steady(dot, 2500, rung="parallel", threads=2)
    for what, (rate, unit) in RATES.items():
        yield steady(dot, WORK / rate, kernel="ceiling", problem=f"ceiling:what={what},bytes=0,reads=0,writes=0,times=0,"
                     f"operations=0,threads=0,f32", rung=what, kind="probe", work=WORK, rate_unit=unit, ceiling_rung="")


def main(store):
    with tempfile.TemporaryDirectory() as folder:
        measured, made = os.path.join(folder, "measured"), os.path.join(folder, "made.jsonl")
        uskor("bench", "dot:n=4096", "-d", "cpu", "--threads", "1", "-r", "serial", "--time", "0.001", "--kernel-only",
              "--store", measured)
        uskor("export", "--store", measured, "-o", made)
        with open(made) as file:
            rows = list(lines([json.loads(line) for line in file]))
        with open(made, "w") as file:
            for number, row in enumerate(rows, 1):
                print(json.dumps({**row, "number": number}), file=file)
        uskor("import", made, "--store", store)
    base = sqlite3.connect(store)
    for what, (rate, unit) in RATES.items():
        base.execute("INSERT INTO ceilings(machine, device, device_name, driver, threads, what, rate, unit, measurement, made_at)"
                     " SELECT machine, device, device_name, driver, threads, rung, ?, rate_unit, id, made_at"
                     " FROM measurements WHERE kernel = 'ceiling' AND rung = ?", (rate, what))
    base.commit()


main(sys.argv[1])
