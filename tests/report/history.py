"""Is the history that of the samples? history.py EXPORTED.json TEXT CSV JSON, of one kernel. Medians, quartiles, rates and
changes are worked out anew. Prints what is wrong; exit 1 when anything is."""
import csv
import json
import re
import statistics
import sys

TIMES = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
wrong = []


def near(found, right, slack, where):
    if not abs(found - right) <= slack * abs(right):
        wrong.append(f"{where}: {found:g}, not {right:g}")


lines = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
keys = list(dict.fromkeys(line["run"]["key"] for line in lines))
rows = list(csv.DictReader(open(sys.argv[3], encoding="utf-8")))
kernel = rows[0]["problem"].split(":")[0]
# In pieces between rungs' rows: those of the ladder, of one run after the other.
wanted = {}
for line in lines:
    if line["kernel"] == kernel and line["kind"] != "probe":
        key = (keys.index(line["run"]["key"]) + 1, line["problem"], line["device"], line["rung"], line["parameters"])
        wanted[key] = line
found = {(int(row["run"]), row["problem"], row["device"], row["rung"], row["parameters"]): row for row in rows}
if found.keys() != wanted.keys():
    wrong.append(f"other measurements: {sorted(found.keys() ^ wanted.keys())[:3]}")
best = {}
for key, line in wanted.items():
    row, where = found.get(key), " ".join(str(part) for part in key)
    if not row:
        continue
    for name, right in (("made_at", line["made_at"]), ("code_version", line["code_version"]), ("verdict", line["verdict"]),
                        ("device_name", line["device_name"]), ("label", line["run"]["label"]), ("threads", line["threads"]),
                        ("started", line["run"]["started"]), ("cache", "cold" if line["cold"] else "hot")):
        if row[name] != str(right):
            wrong.append(f"{where}: {name} {row[name]}, not {right}")
    times = line["samples"].get("compute", {"ns": []})["ns"]
    if int(row["samples"]) != len(times):
        wrong.append(f"{where}: {row['samples']} samples")
    if line["verdict"] == "PASS" and times:
        low, middle, high = statistics.quantiles(times, n=4, method="inclusive") if len(times) > 1 else times * 3
        for name, right in (("median_ns", middle), ("quartile1_ns", low), ("quartile3_ns", high), ("rate", line["work"] / middle)):
            near(float(row[name]), right, 1e-8, f"{where}, {name}")
        cell = best.setdefault(key[1:4], {})
        cell[key[0]] = min(middle, cell.get(key[0], middle))
objects = json.load(open(sys.argv[4], encoding="utf-8"))
if len(objects) != len(rows):
    wrong.append(f"{len(objects)} objects, {len(rows)} rows")
for one, row in zip(objects, rows):
    for name in ("run", "started", "made_at", "label", "code_version", "problem", "device", "device_name", "rung", "parameters",
                 "threads", "cache", "verdict", "samples", "rate_unit"):
        if str(one[name]) != row[name]:
            wrong.append(f"JSON has another {name}: {one[name]}, not {row[name]}")
    for name in ("median", "quartile1", "quartile3"):
        near(one[name] or 0, float(row[name + "_ns"] or 0), 1e-8, "JSON, " + name)

# For people: a table for each problem and device, a column for each run, what changed since the oldest.
text, seen = open(sys.argv[2], encoding="utf-8").read(), 0
for part in re.split(r"\n\n", text.strip("\n")):
    head = re.match(r"\S+ (.*), (\w+) · (\S+) — .*\n  run +([\d ]+\d)(?: +change)?\s*\n", part)
    if not head:
        continue
    runs = [int(run) for run in head[4].split()]
    ends = [found.end() for found in re.finditer(r"\d+", part.split("\n")[1])]
    numbers = re.findall(r"\d+", head[1])
    for line in part.split("\n")[3:]:
        rung, times = line.split()[0], []
        for end in ends:
            cell = re.search(r"([\d.]+)\s([nµm]?s)$", line[:end])
            times.append(cell and float(cell[1]) * TIMES[cell[2]])
        right = [value for key, value in best.items() if key[1:] == (head[3], rung) and
                 re.findall(r"=(\d+)", key[0])[:len(numbers)] == numbers]
        if len(right) != 1:
            continue
        seen += 1
        for run, time in zip(runs, times):
            if time:
                near(time, right[0].get(run, 0), 0.0051, f"table, {head[0].splitlines()[0]}, {rung}, run {run}")
        change = re.search(r"([+-][\d.]+)\s%$", line.rstrip())
        if change and len(right[0]) > 1:
            near(float(change[1]), 100 * (right[0][max(right[0])] / right[0][min(right[0])] - 1), 0.01, f"change of {rung}")
if seen < 15:
    wrong.append(f"{seen} rows of tables")
print("\n".join(wrong[:20]))
sys.exit(bool(wrong))
