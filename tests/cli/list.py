"""The lists of kernels and devices in their forms, beside the rungs' own files. list.py SOURCES: reads names, json, markdown,
devices, devices.json, and for each kernel KERNEL.lines, KERNEL.ideas (400 columns wide) and KERNEL.narrow (60) in the
current folder. Prints what is wrong; exit 1 when anything is."""
import json
import os
import re
import sys

SOURCES = sys.argv[1]
wrong = []


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def expect(what, found, right):
    if found != right:
        wrong.append(f"{what}: {found!r}, not {right!r}")


def headers(path, words):
    """The lines of a rung's header: "// idea: …", which may go on below."""
    text = re.sub(r"\n//  +(?=\S)(?![a-z]+:)", " ", read(path))
    return [re.sub(r"\s+", " ", value) for value in re.findall(rf"^// {words}: +(.*)$", text, re.M)]


rows = json.load(open("json", encoding="utf-8"))
kernels = {}
for row in rows:
    kernels.setdefault(row["kernel"], []).append(row)
names = re.sub(r"\n    ", " ", read("names")).split("\n")
expect("last line", names[len(kernels):], ["More: uskor list KERNEL (ideas, parameters, fields)", ""])
tables = [[re.split(r" \| ", line.strip("| ")) for line in part.strip().split("\n")] for part in read("markdown").split("\n\n")]
for line, table, (kernel, rungs) in zip(names, tables, kernels.items()):
    lines = re.sub(r"\n {13}", " ", read(kernel + ".lines")).split("\n")
    ideas = read(kernel + ".ideas").split("\n")
    title = lines[0][len(kernel) + 2:]
    expect(kernel, re.sub(" +", " ", line), f"{kernel} {title} " + " ".join(rung["rung"] for rung in rungs))
    expect(kernel, table[0] + table[1], ["rung", "runs on", "idea", "---|---|---"])
    at, widest = 1, max(len(rung["rung"]) for rung in rungs)
    files = max(len(rung["source"]) for rung in rungs) + 4
    for number, rung in enumerate(rungs):
        kind = {"cpu": "CPU", "device": "device", "vendor": "library"}[rung["kind"]]
        where = rung["runs_on"] + (" (vendor)" if kind == "library" else "")
        expect(kernel, table[number + 2], [f"`{rung['rung']}`", where, rung["idea"]])
        expect(kernel, lines[number + 1].rstrip(),
               f"  {rung['row']:3} {rung['rung']:{widest}} {'src/' + rung['source']:{files}} {rung['idea']}")
        expect(kernel, ideas[at], f"  {rung['row']:3}  {rung['rung']:18} {kind:11} {rung['idea']} ({rung['runs_on']})")
        path = os.path.join(SOURCES, rung["source"])
        tunables = []
        while at + 1 < len(ideas) and ideas[at + 1].startswith(" " * 38):
            at += 1
            tunables.append(ideas[at].strip())
        at += 1
        if path.endswith((".cl", ".cu", ".glsl")):
            expect(rung["rung"], headers(path, "idea"), [rung["idea"]])
            expect(rung["rung"], headers(path, "rung"), [rung["rung"]])
            expect(rung["rung"], [one.strip() for text in headers(path, "tune") for one in text.split(";")], tunables)
            if (path.endswith(".cu") and rung["runs_on"] != "cuda") or kind != "device":
                wrong.append(f"{rung['rung']} runs on {rung['runs_on']}")
        elif kind == "CPU":
            expect(rung["rung"], rung["runs_on"], "cpu")
        if not os.path.exists(path):
            wrong.append(f"no file {path}")
    expect(kernel, lines[len(rungs) + 1], "Ideas, parameters and their values: --tunables; a rung's source: uskor show RUNG")
    fields = lines[lines.index(f"fields of a problem ({kernel}:field=value,…,type):") + 1:]
    expect(kernel, [text for text in fields if text and not re.fullmatch(r"  \S+ +\S.* \(default: .+\)", text)], [])
    expect(kernel, fields[-2].split()[0], "type")
    if "f32" not in fields[-2] or not re.search(r"\(default: f32\)|\(default: u8\)", fields[-2]):
        wrong.append(f"{kernel}: types {fields[-2]}")
    narrow = read(kernel + ".narrow")
    expect(kernel, [text for text in narrow.split("\n") if len(text) > 60], [])
    for rung in rungs:
        if not re.search(rf"^  {rung['row']} *{re.escape(rung['rung'])} ", narrow, re.M):
            wrong.append(f"{kernel}, narrow: no {rung['rung']}")

# Devices: a number that is not there has no line, bytes and counts are as people read them.
BYTES = ("memory_bytes", "cache_bytes", "local_bytes_per_group", "local_bytes_per_group_limit", "local_bytes_per_unit", "constant_bytes")
UNITS = {"clock_mhz": " MHz", "memory_clock_mhz": " MHz", "memory_bus_bits": " bits"}


def shown(key, value):
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, str) or not value:
        return value or ""
    if key not in BYTES:
        text = str(value) if value < 10000 else f"{value:,}".replace(",", "\u202f")
        return text + UNITS.get(key, "")
    unit = 0
    while value >= 1024 and unit < 4:
        value, unit = value / 1024, unit + 1
    return (f"{value:.3g}", ["B", "KiB", "MiB", "GiB", "TiB"][unit])


text = {part.split("\n")[0]: re.findall(r"^  (\S.*?)  +(\S.*)$|^  (.{38}) (\S.*)$", part, re.M)
        for part in read("devices").strip().split("\n\n")}
for device in json.load(open("devices.json", encoding="utf-8")):
    name = device["device"]
    if "absent" in device:
        if not any(line == f"{name}: none: {device['absent']}" for line in text):
            wrong.append(f"{name} is not absent")
        continue
    right = [shown(key, value) for key, value in device.items() if key not in ("device", "schema") and shown(key, value)]
    found = [row[1] or row[3] for row in text[name]]
    for value, line in zip(right, found):
        if isinstance(value, tuple):
            number, unit = line.split("\u00a0")
            if unit != value[1] or abs(float(number) - float(value[0])) > 0.006 * float(number) + 0.05:
                wrong.append(f"{name}: {line}, not {value}")  # free memory may change between both
        else:
            expect(name, line, value)
    expect(name, len(found), len(right))
print("\n".join(wrong))
sys.exit(bool(wrong))
