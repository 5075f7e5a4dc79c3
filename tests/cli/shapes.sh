#!/bin/sh
# tools/matmul-shapes asks for the chosen rung beside cuBLAS, counts what reaches it, and does not count what is wrong. A
# script stands for the program. $1: the repository; USKOR: the program.
set -eu
uskor=${USKOR:?}
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
tool=$1/tools/matmul-shapes
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/fake" <<'END'
#!/usr/bin/env python3
import json, sys
def row(problem, rung, time, verdict):
    return {"problem": problem + ",alpha=1", "rung": rung, "kind": "device", "verdict": verdict,
            "nanoseconds": {"compute": {"summary": {"median": time}}}}
assert "chosen" in sys.argv and "cublas" in sys.argv
out = []
for i, problem in enumerate(a for a in sys.argv if a.startswith("matmul:")):
    out += [row(problem, "ours", [1000, 2100, 3000, 1000][i % 4], "FAIL" if i % 4 == 3 else "PASS"),
            row(problem, "cublas", 2000, "PASS")]
print(json.dumps(out))
END
chmod +x "$folder/fake"
USKOR=$folder/fake "$tool" 8 3 >"$folder/out" && { echo "a wrong rung is no success"; exit 1; }
grep -q '^at least 1.0 of cuBLAS: 2 of 8; at least 0.9: 4$' "$folder/out" || { cat "$folder/out"; exit 1; }
[ "$(grep -c 'not timed, or wrong' "$folder/out")" = 2 ]
USKOR=$folder/fake "$tool" 8 3 >"$folder/again" || :
cmp -s "$folder/out" "$folder/again" # the same shapes for the same seed
! grep -q 64: "$folder/out" # batches are taken only where they are named
USKOR=$folder/fake "$tool" 8 3 1000 batch >"$folder/out" || { cat "$folder/out"; exit 1; }
grep -q '^at least 1.0 of cuBLAS: 1 of 2; at least 0.9: 2$' "$folder/out" || { cat "$folder/out"; exit 1; }
[ "$(grep -c '^batch *64: [0-9]* x [0-9]* x [0-9]* ' "$folder/out")" = 2 ]
"$uskor" bench matmul:m=64,n=64,k=64 --device cpu --rung chosen --store none --time 0.01 >"$folder/out" || exit 1
[ "$(grep -c ' PASS ' "$folder/out")" = 1 ] || { echo "one rung is chosen: $(cat "$folder/out")"; exit 1; }
"$uskor" bench matmul:m=8,n=9,k=10,batch=3 --device cpu --rung serial --rung packed --store none --time 0.01 >"$folder/out"
! grep -q SKIP "$folder/out" || { echo "rungs and probes take batches: $(cat "$folder/out")"; exit 1; }
"$uskor" check matmul --device cpu --rung chosen 2>"$folder/error" && exit 1
grep -q -- '--rung chosen' "$folder/error"
