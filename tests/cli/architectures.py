"""The architectures' tables in their forms: the same figures, marks and sources. architectures.py TABLE JSON CSV ONE
(ONE: what --cc 9.0 prints; for people, 400 columns wide). Prints what is wrong; exit 1 when anything is."""
import csv
import json
import re
import sys

MARKS = {"source": "", "elsewhere": "~", "no": "?"}
table = open(sys.argv[1], encoding="utf-8").read()
data = json.load(open(sys.argv[2], encoding="utf-8"))
rows = list(csv.DictReader(open(sys.argv[3], encoding="utf-8")))
one = open(sys.argv[4], encoding="utf-8").read()
wrong = []


def expect(what, found, right):
    if found != right:
        wrong.append(f"{what}: {found!r}, not {right!r}")


def shown(figure):
    return f"{figure['value']:.6g}{MARKS[figure['checked']]}" if figure else ""


def cells(line, head):
    """The two labels of a row, then its cells, which end one place behind their titles in the head."""
    ends = [found.end() + 1 for found in re.finditer(r"\S+( \S+)*", head)]
    labels = re.split(" {2,}|(?<=\\.\\d) (?=B)", line[:ends[1]].strip())
    return labels + [line[begin:end].strip() for begin, end in zip(ends[1:], ends[2:])]


def block(first, count):
    lines = table.split("\n")
    begin = next(i for i, line in enumerate(lines) if line.strip().startswith(first))
    return lines[begin], lines[begin + 1:begin + 1 + count]


# Every figure of the tables, in the order of the keys, which is that of the columns.
head, lines = block("cc   architecture", len(data["architectures"]))
for line, row in zip(lines, data["architectures"]):
    what = row["compute_capability"]
    expect(what, cells(line, head), [what, row["architecture"]] + [shown(figure) for figure in row["figures"].values()])
    if f"\n  {what:5}{row['products']}\n" not in table:
        wrong.append(f"{what} has no products")
head, lines = block("GPU ", len(data["gpus"]))
for line, gpu in zip(lines, data["gpus"]):
    figures = gpu["figures"]
    right = [gpu["name"], gpu["compute_capability"]] + [shown(figure) for figure in figures.values()]
    balance = figures["fp32_gflops"]["value"] / figures["bandwidth_gb_per_s"]["value"]
    right.insert(2 + list(figures).index("balance_published"), f"{balance:.1f}")
    doubles, watts = figures["fp64_gflops"], figures["watts"]
    right.append(f"{doubles['value'] / watts['value']:.1f}" if doubles and watts else "")
    expect(gpu["name"], cells(line, head), right)
    expect(gpu["name"], round(gpu["balance"], 6), round(balance, 6))
head, lines = block("CPU ", len(data["cpus"]))
for line, cpu in zip(lines, data["cpus"]):
    models = f"{cpu['family']}, 0x{cpu['model_from']:02x}-0x{cpu['model_to']:02x}"
    expect(cpu["name"], cells(line, head), [cpu["name"], models] + [shown(figure) for figure in cpu["figures"].values()])

# The CSV has a row for each, those without a source too.
titles = {key: source["title"] for key, source in data["sources"].items()}
right = []
for of, version, figures in ([(row["architecture"], row["compute_capability"], row["figures"]) for row in data["architectures"]] +
                             [(gpu["name"], gpu["compute_capability"], gpu["figures"]) for gpu in data["gpus"]] +
                             [(cpu["name"], "", cpu["figures"]) for cpu in data["cpus"]]):
    for key, figure in figures.items():
        right.append([of, version, key] + ([f"{figure['value']:.9g}", figure["checked"], titles[figure["source"]]]
                                           if figure else ["", "", ""]))
expect("rows", [list(row.values()) for row in rows if row["figure"] != "balance"], right)
expect("balances", [round(float(row["value"]), 4) for row in rows if row["figure"] == "balance"],
       [round(gpu["balance"], 4) for gpu in data["gpus"]])

# Each source that a figure cites is in the list, and no other.
cited = {figure["source"] for row in data["architectures"] + data["gpus"] + data["cpus"] for figure in row["figures"].values() if figure}
flat = re.sub(r"\s+", " ", table[table.index("Sources (--cc"):])
for key, source in data["sources"].items():
    expect("listed: " + key, f" {source['title']} {source['note']}" in flat, key in cited)

# One compute capability: a line for each figure, with its source.
hopper = next(row for row in data["architectures"] if row["compute_capability"] == "9.0")
expect("one", one.split("\n")[0], f"Compute capability 9.0: Hopper ({hopper['products']})")
parts = one.split("\n\n")[1:]
for part, (name, figures) in zip(parts, [("One multiprocessor", hopper["figures"])] + [
        (gpu["name"], gpu["figures"]) for gpu in data["gpus"] if gpu["compute_capability"] == "9.0"]):
    expect("one", part.split("\n")[0], name)
    expect(name, len(part.strip().split("\n")) - 1, len(figures) + (name != "One multiprocessor"))
    for line, figure in zip(part.split("\n")[1:], figures.values()):
        expect(name, line[2:11].strip(), shown(figure))
        expect(name, line.endswith(f"({titles[figure['source']] if figure else 'no source'})"), True)

# NVIDIA's guide, 13.0: 128 cores, 64 units of doubles, 64 K registers, 2048 items, 227 of 228 KiB for a group.
expect("Hopper", [hopper["figures"][key]["value"] for key in ("cores", "fp64_units", "registers_k", "items", "local_kib", "local_group_kib")],
       [128, 64, 64, 2048, 228, 227])
print("\n".join(wrong))
sys.exit(bool(wrong))
