"""Does the doctor say what the system says? doctor.py TEXT JSON PROGRAM (TEXT: in a terminal of 72 columns or more, with
OMP_PLACES=cores). Prints what is wrong; exit 1 when anything is."""
import glob
import json
import os
import re
import subprocess
import sys

text = open(sys.argv[1], encoding="utf-8").read()
findings = json.load(open(sys.argv[2], encoding="utf-8"))["findings"]
values = {(row["group"], row["title"]): row["value"] for row in findings}
wrong = []


def expect(group, title, right):
    found = values.get((group, title))
    if not (right.fullmatch(found or "") if isinstance(right, re.Pattern) else found == right):
        wrong.append(f"{group}, {title}: {found!r}, not {right!r}")


def first_lines(pattern):
    """The different ones of neighbours, parted by commas."""
    lines = []
    for path in sorted(glob.glob(pattern)):
        try:
            line = open(path, encoding="utf-8").readline().rstrip("\n")
        except OSError:
            continue
        if line and line != (lines or [""])[-1]:
            lines.append(line)
    return ", ".join(lines)


# The text has the same findings, in their order, whatever breaks its lines.
flat = re.sub(r"\s+", " ", text).strip()
changing = ("the same work again", "other programs use", "load")
at = 0
for row in findings:
    line = row["title"] + " " + (row["value"].split("\n")[0] or "—")
    if row["title"] in changing or "stopped" in line:
        continue
    found = flat.find(re.sub(r"\s+", " ", line).strip(), at)
    if found < 0:
        wrong.append(f"not in the text, or not in this order: {line}")
    at = max(at, found)
groups = list(dict.fromkeys(row["group"] for row in findings))
expect_groups = ["program", "devices", "libraries", "processor", "caches and memory", "noise", "walls around strangers' files"]
if groups != expect_groups or [line for line in text.split("\n") if line and line[0] != " "] != expect_groups:
    wrong.append(f"groups: {groups}")

version = subprocess.run([sys.argv[3], "--version"], capture_output=True, text=True).stdout
if values["program", "uskor"] not in version:
    wrong.append(f"another version than {version}")
release = {key: value.strip('"') for key, value in re.findall(r"^(\w+)=(.*)$", open("/etc/os-release").read(), re.M)}
expect("program", "system", release["PRETTY_NAME"])
system = os.uname()
expect("program", "operating system's kernel",
       f"{system.sysname} {system.release} {system.machine}, {os.confstr('CS_GNU_LIBC_VERSION')}")

devices = json.loads(subprocess.run([sys.argv[3], "devices", "--json"], capture_output=True, text=True).stdout)
for device in devices.get("devices", devices) if isinstance(devices, dict) else devices:
    name = device.get("id") or device.get("device")
    if name and device.get("driver"):
        expect("devices", name, f"{device['name']}; {device['driver']} {device['version']}")
for name in ("matmul:openblas", "sort:std-sort", "resize:stb", "dot:openblas"):
    expect("libraries", name, re.compile("is here|.+"))

may_use, cpu = len(os.sched_getaffinity(0)), "/sys/devices/system/cpu/"
expect("processor", "cores", f"{os.sysconf('SC_NPROCESSORS_ONLN')}, of which this process may use {may_use}")
expect("processor", "OMP_PLACES", "cores")
expect("processor", "threads bound by OpenMP", re.compile("yes|no"))
for title, pattern in (("governor", cpu + "cpu*/cpufreq/scaling_governor"), ("frequency driver", cpu + "cpu*/cpufreq/scaling_driver"),
                       ("SMT", cpu + "smt/control"), ("memory limit", "/sys/fs/cgroup/memory.max"),
                       ("transparent huge pages", "/sys/kernel/mm/transparent_hugepage/enabled"),
                       ("perf_event_paranoid", "/proc/sys/kernel/perf_event_paranoid")):
    expect("processor", title, first_lines(pattern))
for cache in sorted(glob.glob(cpu + "cpu0/cache/index[0-7]")):
    level, kind, size, shared = (first_lines(f"{cache}/{name}") for name in ("level", "type", "size", "shared_cpu_list"))
    expect("caches and memory", f"L{level} {kind}", f"{size}, of processors {shared}")
expect("caches and memory", "measured", "not yet: uskor ceilings")

time = "([\\d.]+)\u00a0([nµm]?s)"
expect("noise", "the same work again", re.compile(f"median {time}, quartiles {time} … {time}, slowest {time}"))
units = {"ns": 1, "µs": 1e3, "ms": 1e6, "s": 1e9}
middle, low, high, most = (float(number) * units[unit] for number, unit in re.findall(time, values["noise", "the same work again"]))
if not low <= middle <= high <= most:
    wrong.append("noise: " + values["noise", "the same work again"])
expect("noise", "load", re.compile(r"[\d.]+ [\d.]+ [\d.]+ \d+/\d+ \d+"))
walls = [row for row in findings if row["group"] == expect_groups[-1]]
if len(walls) < 9 or not all(row["value"] for row in walls):
    wrong.append(f"walls: {walls}")
print("\n".join(wrong))
sys.exit(bool(wrong))
