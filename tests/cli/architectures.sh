#!/bin/sh
# uskor architectures: its forms have the same figures, with their marks and sources.
set -u
here=$(cd "$1/tests/cli" && pwd)
. "$here/common"
COLUMNS=400 expect 0 'operations per byte' "$USKOR" architectures
mv out table
COLUMNS=400 expect 0 'One multiprocessor' "$USKOR" architectures --cc 9.0
mv out one
refuses 2 'there is no compute capability 9.9 in the table; there are 9.0' architectures --cc 9.9
refuses 2 'there are 8.0, 8.6, 8.7, 8.9' architectures --cc 8.1
refuses 2 'there are 1.0 … 12.1' architectures --cc 99
refuses 2 'this command takes no arguments; --cc 9.0 shows one compute capability' architectures H200
if command -v python3 >/dev/null; then
    "$USKOR" architectures --json >json && "$USKOR" architectures --csv >csv
    python3 "$here/architectures.py" table json csv one || wrong 'the forms differ'
    "$USKOR" architectures --csv --cc 9.0 >csv.one
    { head -n 1 csv && grep -E '"[^"]*",9\.0,' csv; } | cmp - csv.one || wrong '--cc has other rows of CSV'
    "$USKOR" architectures --json --cc 9.0 | python3 -c 'import json, sys
all, one = json.load(open("json")), json.load(sys.stdin)
assert one["architectures"] == [row for row in all["architectures"] if row["compute_capability"] == "9.0"]
assert one["gpus"] == [gpu for gpu in all["gpus"] if gpu["compute_capability"] == "9.0"] and one["cpus"] == []' || wrong '--cc has other JSON'
fi
finish
