#!/bin/sh
# Ceilings are measured once and kept; on a full disk they are shown, and that is no success.
. "$1/tests/cli/common"

# On arrays of 85 MiB, as their size is not the point, and by a clock that stands while
# other programs run: on a busy machine none would be kept.
ceilings() {
    export FAULT=own
    preload libfaulty_memory.so:libfaulty_clock.so "$USKOR" ceilings --device cpu --threads 1 --time 0.001 --store kept.sqlite "$@"
}

expect 0 'no local memory' ceilings
for name in fma-f32 dram-triad 'tensor-bf16 .*through CUDA only' measured; do
    grep -q "$name" out || wrong "no $name: $(cat out)"
done

# Nothing of it is measured again.
expect 0 'stored since' ceilings

# On a disk that is full (the store may not grow past 100 KiB) they are shown, not kept, and that is no success.
full() { (ulimit -f 200 && ceilings --remeasure --json -o again.json); }
expect 2 'are not stored' full
[ "$(grep -c 'are not stored' err)" = 1 ] || wrong "a full disk is not said once: $(cat err)"
python3 - <<'PYTHON' || wrong "other rows: $(cat again.json)"
import json
rows = json.load(open("again.json"))
names = {row["ceiling"] for row in rows}
assert {"fma-f32", "fma-f64", "dram-read", "dram-copy", "dram-triad"} <= names, names
for row in rows:
    if row["verdict"] == "PASS":
        assert row["quartile1"] <= row["rate"] <= row["quartile3"] <= row["best"] and not row["kept"], row
    else:
        assert row["reason"], row
PYTHON
finish
