#!/bin/sh
# Ceilings, the roofline and the architectures' tables are shown in every form.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
say() { echo "$*" >&2; exit 1; }

if "$USKOR" ceilings --device cpu --cold --store none 2>/dev/null; then say 'cold ceilings?'; fi
for option in --cold --repeat=3 --rung=serial --set=A=1 --seed=2 --kernel-only; do
    "$USKOR" bandwidth --buses $option >/dev/null 2>&1 && say "bandwidth takes $option, which means nothing there"
    "$USKOR" bandwidth --help | grep -q -e "${option%%=*}" && say "bandwidth's help has $option"
done

# Figures that nobody measured: what is shown of them does not hang on the machine.
made="$folder/made.sqlite"
python3 "$1/tests/cli/made_ceilings.py" "$made" || say 'no ceilings of our own'
"$USKOR" ceilings --device cpu --threads 1 --store "$made" >"$folder/made.txt"
grep -q 'stored since' "$folder/made.txt" || say 'what is stored was measured again'
grep -q 'dram-read  *1  *19\.99 GB/s .* 20\.00 .*steady' "$folder/made.txt" || say "another rate: $(cat "$folder/made.txt")"
rows=$("$USKOR" ceilings --device cpu --threads 1 --store "$made" --csv | wc -l)
[ "$rows" = 11 ] || say "not a row for each ceiling: $rows"
"$USKOR" roofline dot --device cpu --threads 1 --store "$made" >"$folder/roofline.txt"
for line in '╱' 'dram-read  *20\.0 GB/s' 'fma-f64  *4[45][0-9][0-9][0-9] GFLOP/s' 'a serial .* 4096, f32'; do
    grep -q "$line" "$folder/roofline.txt" || say "no $line: $(cat "$folder/roofline.txt")"
done
"$USKOR" roofline sort --device cpu --threads 1 --store "$made" | grep -q 'No points' || say 'no word of why there are no points'
"$USKOR" roofline --device cpu --threads 1 --store "$made" --json | python3 -c '
import json, sys
chart = json.load(sys.stdin)[0]
point = chart["points"][0]
assert point["rung"] == "serial" and abs(point["operations_per_byte"] - 0.25) < 1e-3, point
assert abs(point["gflops"] / 2.048 - 1) < 1e-3 and point["bound_by"] == "memory", point
assert len(chart["points"]) == 1, "two threads below the lines of one"
assert any(c["ceiling"] == "dram-read" for c in chart["ceilings"]), chart'

"$USKOR" architectures --json | python3 -c '
import json, sys
tables = json.load(sys.stdin)
assert len(tables["architectures"]) >= 25 and len(tables["gpus"]) >= 20
for row in tables["architectures"] + tables["gpus"] + tables["cpus"]:
    for figure in row["figures"].values():
        assert figure is None or tables["sources"][figure["source"]]["note"], row
        assert figure is None or figure["checked"] in ("source", "elsewhere", "no"), row'
"$USKOR" architectures | grep -q "^  ?  *not checked" || say 'nothing says what ? means'
"$USKOR" architectures --cc 9.0 | grep -q '^ *228 *local memory, KiB (.*Programming Guide' || say 'no local memory of 9.0'
if "$USKOR" architectures --cc 9.1 2>"$folder/error.txt"; then say '9.1?'; fi
grep -q '9.0' "$folder/error.txt" || say 'the error does not name 9.0'
