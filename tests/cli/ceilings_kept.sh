#!/bin/sh
# Ceilings are measured once and kept; on a full disk they are shown, and that is no success.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
store="$folder/store.sqlite"
built=$2
say() { echo "$*" >&2; exit 1; }
# On arrays of 85 MiB: their size is not the point. (A sanitizer shall leave it that.)
ceilings() {
    LD_LIBRARY_PATH="$built/tests${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}" LD_PRELOAD=libfaulty_memory.so \
        ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0" "$USKOR" ceilings --device cpu --threads 1 "$@"
}
is_busy=false # other programs disturb every ceiling: then none is stored

ceilings --time 0.001 --store "$store" >"$folder/first.txt"
grep -q 'fma-f32' "$folder/first.txt" || say 'no multiply-adds'
grep -q 'dram-triad' "$folder/first.txt" || say 'no triad'
grep -q 'tensor-bf16 .*through CUDA only' "$folder/first.txt" || say 'a cpu with tensor cores'
grep -q 'measured' "$folder/first.txt" || say 'not measured'

# What noise voids or other programs disturb is not kept: on a busy machine it is measured again.
for attempt in 1 2 3; do
    ceilings --time 0.01 --store "$store" >"$folder/second.txt"
    if grep -q 'stored since' "$folder/second.txt"; then break; fi
    cp "$folder/second.txt" "$folder/attempt.txt"
done
if ! grep -q 'stored since' "$folder/second.txt"; then
    grep -q '^  ! ' "$folder/attempt.txt" || ! grep -q '[a-z0-9]  *1  *[0-9]' "$folder/attempt.txt" ||
        say 'what was measured was not kept'
    is_busy=true
fi
# On a disk that is full (the store may not grow past 100 KiB) they are shown, not kept, and that is no success. A busy
# machine may void them all: then there is nothing to keep.
for attempt in 1 2; do
    got=0
    (ulimit -f 200; ceilings --time 0.001 --store "$store" --remeasure --json \
        -o "$folder/again.json") 2>"$folder/full" || got=$?
    [ "$got" = 0 ] || break
done
if [ "$got" = 0 ] && grep -q '"warnings": "[^"]' "$folder/again.json"; then
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
if $is_busy; then
    echo 'other programs keep this machine so busy that no ceiling was stored'
    exit 77
fi
