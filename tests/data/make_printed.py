#!/usr/bin/env python3
"""Writes printed/store.jsonl: two runs of a ladder, one of another machine, and ceilings, whose figures are known.

transpose of 1000 moves 8 MB: a copy in 10 us is 800 GB/s. Run "before": naive 40 us (200 GB/s), tiled 20 us (400); run
"after": naive 40 us, tiled 16 us (500; 1.25 times as fast); the other machine: naive 20 us, tiled 16 us. Samples lie up
to 2 % beside their median. matmul of 500 computes 250 M operations in 100 us: 2500 GFLOP/s."""
import json
import pathlib


def fingerprint(texts):
    value = 0xCBF29CE484222325
    for byte in b"".join(text.encode() + b"\0" for text in texts):
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


def machine(cpu):
    facts = [cpu, "x86_64", "Linux 6.1.0", "Debian GNU/Linux 12 (bookworm)", "8 17179869184"]
    return {"fingerprint": fingerprint(facts), "cpu": cpu, "architecture": facts[1], "kernel": facts[2], "os": facts[3],
            "cores": 8, "memory_bytes": 17179869184}


lines = []


def run(number, label, cpu, rows):
    about = {"key": f"{number:032x}", "started": 1700000000 + 86400 * number, "command": "uskor bench transpose matmul",
             "label": label, "code_version": f"0.{number}.0"}
    for place, row in enumerate(rows, 1):
        problem, rung, kind, median, work, more = row
        kernel, computes = problem.split(":")[0], problem.startswith("matmul")
        samples = [round(median * (1 + (i - 6) / 300), 3) for i in range(13)] if median else []
        lines.append({
            "uskor": 1, "run": about, "machine": machine(cpu), "number": place, "kernel": kernel, "problem": problem,
            "rung": rung, "kind": kind, "device": "cuda:0" if kind != "host" else "cpu", "device_name": "A GPU",
            "driver": "550.1", "made_at": about["started"] + place, "verdict": "PASS", "idea": f"the idea of {rung}",
            "code_version": about["code_version"], "batch": 2, "bytes": 3e6 if computes else work,
            "operations": work if computes else 0, "work": work,
            "rate_unit": "GFLOP/s" if computes else "GB/s",
            "limit_rung": "" if computes or kind == "probe" else "copy",
            "samples": {"compute": {"ns": samples, "rounds": list(range(len(samples)))}} if samples else {}, **more})


square, product = "transpose:rows=1000,cols=1000,f32", "matmul:m=500,n=500,k=500,f32"
wrong = {"verdict": "FAIL", "reason": "element 7 is 1, not 2", "worst_error": 1.0, "worst_where": "element 7"}
absent = {"verdict": "SKIP", "reason": "libcublas.so is not here"}


def ladder(naive, tiled):
    return [(square, "copy", "probe", 1e4, 8e6, {}), (square, "naive", "device", naive, 8e6, {}),
            (square, "tiled", "device", tiled, 8e6, {"parameters": "TILE=32 ROWS=8"}),
            (square, "vector", "device", 0, 8e6, wrong), (square, "cublas", "vendor", 0, 8e6, absent),
            (product, "tiled", "device", 1e5, 250e6, {"warnings": "unsteady"})]


run(1, "before", "A processor", ladder(4e4, 2e4))
run(2, "after", "A processor", ladder(4e4, 1.6e4))
run(3, "", "Another processor", ladder(2e4, 1.6e4))
for what, rate, unit in (("fma-f32", 10000.0, "GFLOP/s"), ("dram-copy", 1000.0, "GB/s")):
    lines.append({"uskor": 1, "machine": machine("A processor"),
                  "ceiling": {"device": "cuda:0", "device_name": "A GPU", "driver": "550.1", "threads": 0, "what": what,
                              "rate": rate, "unit": unit, "made_at": 1700000002}})
(pathlib.Path(__file__).parent / "printed" / "store.jsonl").write_text(
    "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines), encoding="utf-8")
