#!/bin/sh
# Ceilings are measured once and kept; the roofline and the architectures' tables are shown in every form.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
store="$folder/store.sqlite"
say() { echo "$*" >&2; exit 1; }
is_busy=false # other programs disturb every ceiling: then none is stored

"$USKOR" ceilings --device cpu --threads 1 --time 0.001 --store "$store" >"$folder/first.txt"
grep -q 'fma-f32' "$folder/first.txt" || say 'no multiply-adds'
grep -q 'dram-triad' "$folder/first.txt" || say 'no triad'
grep -q 'tensor-bf16 .*through CUDA only' "$folder/first.txt" || say 'a cpu with tensor cores'
grep -q 'measured' "$folder/first.txt" || say 'not measured'
# What noise voids or other programs disturb is not kept: on a busy machine it is measured again.
for attempt in 1 2 3 4 5; do
    "$USKOR" ceilings --device cpu --threads 1 --store "$store" >"$folder/second.txt"
    if grep -q 'stored since' "$folder/second.txt"; then break; fi
    "$USKOR" ceilings --device cpu --threads 1 --time 0.01 --store "$store" --remeasure >"$folder/attempt.txt"
done
if ! grep -q 'stored since' "$folder/second.txt"; then
    grep -q 'noisy: ' "$folder/attempt.txt" || ! grep -q '[a-z0-9]  *1  *[0-9]' "$folder/attempt.txt" ||
        say 'what was measured was not kept'
    is_busy=true
fi
# On a disk that is full (the store may not grow past 100 KiB) they are shown, not kept, and that is no success. A busy
# machine may void them all: then there is nothing to keep.
for attempt in 1 2 3 4 5; do
    got=0
    (ulimit -f 200; exec "$USKOR" ceilings --device cpu --threads 1 --time 0.001 --store "$store" --remeasure --json \
        -o "$folder/again.json") 2>"$folder/full" || got=$?
    [ "$got" = 0 ] || break
done
if [ "$got" = 0 ] && grep -q '"noisy: ' "$folder/again.json"; then
    got=2 is_busy=true
fi
[ "$got" = 2 ] || say "a full disk left with $got"
$is_busy || [ "$(grep -c 'are not stored' "$folder/full")" = 1 ] || say "a full disk is not said once: $(cat "$folder/full")"
python3 - "$folder/again.json" <<'PYTHON'
import json, sys
rows = json.load(open(sys.argv[1]))
names = {row['ceiling'] for row in rows}
assert {'fma-f32', 'fma-f64', 'dram-read', 'dram-copy', 'dram-triad'} <= names, names
for row in rows:
    if row['verdict'] == 'PASS':
        assert row['quartile1'] <= row['rate'] <= row['quartile3'] <= row['best'] and not row['kept'], row
    else:
        assert row['reason'], row
PYTHON
# A busy machine voids some of them, which are not stored.
rows=$("$USKOR" ceilings --device cpu --threads 1 --store "$store" --csv | wc -l)
[ "$rows" -ge 2 ] && [ "$rows" -le 13 ] || say "not a row for each ceiling: $rows"
if "$USKOR" ceilings --device cpu --cold --store "$store" 2>/dev/null; then say 'cold ceilings?'; fi
for option in --cold --repeat=3 --rung=serial --set=A=1 --seed=2 --kernel-only; do
    "$USKOR" bandwidth --buses $option >/dev/null 2>&1 && say "bandwidth takes $option, which means nothing there"
    "$USKOR" bandwidth --help | grep -q -e "${option%%=*}" && say "bandwidth's help has $option"
done

# cli/terminal shows these ceilings, too, and need not measure them.
$is_busy || { cp "$store" "$folder/kept.sqlite" && mv "$folder/kept.sqlite" "$2/tests/ceilings.sqlite"; }

# A figure that noise voids is not drawn: on a busy machine it is measured again. One that stays busy is said to be.
draws() {
    "$USKOR" bench dot:n=4096 --device cpu --threads 1 --rung serial --time 0.001 --store "$store" >/dev/null
    "$USKOR" roofline dot --device cpu --threads 1 --store "$store" >"$folder/roofline.txt"
    grep -q '╱' "$folder/roofline.txt" && grep -q 'dram-read .*GB/s' "$folder/roofline.txt" &&
        grep -q 'a serial .* 4096, f32' "$folder/roofline.txt"
}
"$USKOR" bench dot:n=4096 --device cpu --threads 2 --rung parallel --time 0.001 --store "$store" >/dev/null
tries=0
until draws; do
    tries=$((tries + 1))
    [ $tries -lt 4 ] || ! grep -q '! .*dram-read.*: noisy: ' "$folder/roofline.txt" || break
    [ $tries -lt 10 ] || say "no line of the memory, or no point: $(cat "$folder/roofline.txt")"
    "$USKOR" ceilings --device cpu --threads 1 --time 0.001 --store "$store" --remeasure >/dev/null
done
"$USKOR" roofline sort --device cpu --threads 1 --store "$store" | grep -q 'No points' || say 'no word of why there are no points'
"$USKOR" roofline --device cpu --threads 1 --store "$store" --json | python3 -c '
import json, sys
chart = json.load(sys.stdin)[0]
point = chart["points"][0]
assert point["rung"] == "serial" and abs(point["operations_per_byte"] - 0.25) < 1e-3, point
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
if $is_busy; then
    echo 'other programs keep this machine so busy that no ceiling was stored'
    exit 77
fi
