#!/usr/bin/env python3
"""Writes the seeds in export/: exported lines, with members in different orders, since fuzzing changes the first bytes most."""
import json
import pathlib

folder = pathlib.Path(__file__).parent / "export"
facts = ["A processor", "x86_64", "Linux 6.1.0", "Debian GNU/Linux 12 (bookworm)", "8 17179869184"]


def fingerprint(texts):
    value = 0xCBF29CE484222325
    for byte in b"".join(text.encode() + b"\0" for text in texts):
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


machine = {"fingerprint": fingerprint(facts), "cpu": facts[0], "architecture": facts[1], "kernel": facts[2],
           "os": facts[3], "cores": 8, "memory_bytes": 17179869184}
run = {"key": "0123456789abcdef" * 2, "started": 1700000000, "command": "uskor bench transpose", "label": "before",
       "code_version": "0.1.0"}
least = {"kernel": "k", "problem": "k:n=1", "rung": "r", "kind": "host", "device": "cpu", "made_at": 1700000001,
         "verdict": "PASS"}
samples = {"compute": {"ns": [100.5, 2e-3, 1e300], "rounds": [0, 0, 1]}, "whole": {"ns": [7], "rounds": [4294967295]}}
rest = {"idea": "an idéa", "parameters": "BX=1", "detail": "", "device_name": "A processor", "driver": "1.2",
        "device_is_cpu": True, "threads": 2, "code_version": "0.1.0", "reason": "", "worst_error": None,
        "worst_where": "", "warnings": "", "cold": False, "batch": 3, "bytes": 1e9, "operations": "infinite",
        "work": 1e18, "rate_unit": "GB/s", "limit_rung": "copy"}
device = {"device_facts": {"units": "8", "name": "A processor"}}

lines = {
    "least": {"uskor": 1, "machine": machine, "run": run, "number": 1, **least, "samples": {}},
    "samples-first": {"samples": samples, "uskor": 1, **least, "number": 1, "machine": machine, "run": run},
    "fields-first": {**rest, **least, "uskor": 1, "number": 9, "samples": samples, "machine": machine, "run": run},
    "device-first": {**device, "uskor": 1, "run": run, "machine": machine, "number": 2, **least, **rest,
                     "samples": samples},
    "attachments-first": {"attachments": {"timeline": "[1,\n2]"}, "uskor": 1, "run": run, "machine": machine,
                          "number": 3, **least, "samples": {}},
    "ceiling": {"ceiling": {"device": "cpu", "device_name": "A processor", "driver": "", "threads": 2, "what": "fma-f32",
                            "rate": 101.5, "unit": "GFLOP/s", "made_at": 1700000002}, "uskor": 1, "machine": machine},
}
for name, line in lines.items():
    (folder / f"{name}.jsonl").write_text(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n")
