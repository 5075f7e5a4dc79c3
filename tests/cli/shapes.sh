#!/bin/sh
# tools/shapes: what is a miss and what is not, its families, its file of rows; and the commands that it uses: bench --fastest,
# --samples, --rung chosen, tuned. A script stands for the program where times matter. $1: the repository; USKOR: the program.
set -u
. "$1/tests/cli/common"
command -v python3 >/dev/null || { echo "skipped: no python3"; exit 77; }
tool=$(cd "$1" && pwd)/tools/shapes

# It answers with the times of the case: median, low, high in ns of the chosen rung, of our best, and of the vendor's.
cat >fake <<'END'
#!/usr/bin/env python3
import json, os, sys
if "--version" in sys.argv:
    print("uskor fake")
    sys.exit()
assert "OPENBLAS_CORETYPE" not in os.environ and "OPENBLAS_L2_SIZE" not in os.environ
problems = [a for a in sys.argv if ":" in a and "=" in a]
device = sys.argv[sys.argv.index("--device") + 1]
if sys.argv[1] == "tuned":
    open("choices", "a").write("%d\n" % len(problems))
    print(json.dumps([{"problem": p + ",whole", "device": device, "device_name": "fake",
                       "kind": "cpu" if device == "cpu" else "cuda", "rung": "chosen"} for p in problems]))
    sys.exit()
with open("asked", "a") as file:
    file.write("".join(p + "\n" for p in problems))
assert "--fastest" in sys.argv
case = os.environ["CASE"].split()
out = []
for problem in problems:
    for rung, kind, times in zip(("chosen", "best", "vendor"), ("device", "device", "vendor"), case):
        row = {"problem": problem + ",whole", "rung": rung, "kind": kind, "parameters": "", "detail": "", "warnings": "",
               "verdict": "PASS", "reason": "", "nanoseconds": {}}
        if times == "wrong":
            row.update(verdict="FAIL", reason="it is wrong")
        else:
            median, low, high = map(float, times.split(","))
            row["nanoseconds"] = {"compute": {"summary": {"median": median, "low": low, "high": high, "count": 15}}}
        out.append(row)
print(json.dumps(out))
END
chmod +x fake
faked() { # CASE ARGUMENT…
    case=$1
    shift
    OPENBLAS_CORETYPE=Haswell CASE=$case USKOR=$folder/fake "$tool" --kernel dot "$@" >out 2>err
}
# The line of all problems without spaces; WITHIN 5, 15, BEST 1, 0.9 of the vendor's.
shares() {
    set -- "$1" "$(awk '$1 == "dot" && $2 == "all" { print $4, $6, $9, $11 }' out)"
    [ "$2" = "$1" ] || wrong "shares $2, not $1: $(cat out err)"
}
faked '1000,990,1010 900,890,910 850,840,860' --count 6 || wrong "it failed: $(cat out err)"
shares '0 100 0 100'
faked '1000,900,1010 900,890,980 900,890,910' --count 6 # intervals that reach the bar are no misses
shares '100 100 100 100'
faked '2000,1990,2010 1200,1190,1210 300,290,310' --count 6 --device cuda:0 # less than 1 µs on a GPU is none
shares '100 100 100 100'
faked '3000,2990,3010 1200,1190,1210 100,90,110' --count 6 --device cuda:0
shares '0 0 0 0'
faked '1000,990,1010 wrong 850,840,860' --count 6 && wrong 'a wrong rung is no success'
shares '0 0 0 0'
grep -q 'not timed, or wrong: best: FAIL it is wrong' out || wrong "no reason: $(cat out)"

# What is chosen is asked for once, for all of them.
rm -f choices
faked '1000,990,1010 900,890,910 850,840,860' --count 40
[ "$(sed 1d choices)" = 40 ] || wrong "the choices were asked for in parts: $(cat choices)"

# The same problems for the same seed, whatever else is asked for; others for another.
good='1000,990,1010 1000,990,1010 1000,990,1010'
asked() { rm -f asked; faked "$good" "$@"; sort asked; }
asked --count 9 >all
asked --count 3 --family medium >medium
[ "$(wc -l <all)" = 9 ] && [ "$(wc -l <medium)" = 3 ] || wrong "$(cat all medium)"
comm -13 all medium | grep . && wrong 'a family has other problems by itself'
asked --count 9 --seed 18 | cmp -s - all && wrong 'another seed has the same problems'
faked "$good" --family odd && wrong 'a family of another kernel'
grep -q "no family 'odd'" err || wrong "$(cat err)"

# A file of rows is continued: after --time, and where its last line was cut. It is of one device and seed.
faked "$good" --count 9 --time 0 -o rows && wrong 'no problem was measured'
asked --count 6 -o rows >first
head -c -20 rows >cut && mv cut rows
asked --count 9 -o rows >rest
[ "$(wc -l <first)" = 6 ] && [ "$(wc -l <rest)" = 4 ] && [ "$(wc -l <rows)" = 10 ] || wrong "$(cat first rest rows)"
faked "$good" --count 9 -o rows --seed 18 && wrong 'rows of another seed'
grep -q 'rows of another seed: 17, not 18' err || wrong "$(cat err)"
echo nonsense >rows
faked "$good" -o rows && wrong 'no rows'
grep -q 'rows: not a file of rows' err || wrong "$(cat err)"

# The program itself.
"$tool" --kernel dot --family small --count 2 --threads 1 >out 2>err || wrong "$(cat out err)"
grep -q '^dot  *all  *2 ' out || wrong "$(cat out)"
quick="--device cpu --threads 1 --store none --time 0.001"
expect 0 '' "$USKOR" bench dot:n=20000 $quick --fastest --samples 20 --json
python3 -c '
import json
rows = json.load(open("out"))
own = [row for row in rows if row["kind"] != "vendor"]
assert 1 <= len(own) <= 2, own # our best, and the chosen one
assert all(row["verdict"] == "PASS" and row["nanoseconds"]["compute"]["summary"]["count"] >= 20 for row in rows), rows
' || wrong "$(cat out)"
expect 0 '' "$USKOR" bench dot:n=20000 $quick --fastest --isolate --rung serial --rung simd --csv
[ "$(grep -c ',serial,\|,simd,' out)" = 1 ] || wrong "only the faster of two named: $(cat out)"
expect 0 '' "$USKOR" tuned dot:n=20000 sort:n=100 --device cpu
[ "$(grep -c '^  cpu  ' out)" = 2 ] || wrong "$(cat out)"
expect 0 '"rung": "simd"' "$USKOR" tuned sort:n=100 --device cpu --json
# shellcheck disable=SC2046
expect 0 '' "$USKOR" tuned $(seq -f 'dot:n=%.0f' 100 139) --device cpu
[ "$(grep -c '^  cpu  ' out)" = 40 ] || wrong "not all of 40: $(cat out)"
refuses 2 'which problem' tuned

# uskor tune: measures, keeps, goes on where it ended, and the choice follows.
tune="--device cpu --threads 1 --file tuned.jsonl"
expect 0 '2 problems measured, 0 known before, 0 left; 0 not right; tuned.jsonl' "$USKOR" tune dot:n=100..200x2 $tune
[ "$(wc -l <tuned.jsonl)" = 2 ] || wrong "$(cat tuned.jsonl)"
expect 0 ' known before, ' "$USKOR" tune dot $tune --time 0.1
grep -q '^[0-9]* problems measured, [0-9]* known before, [1-9][0-9]* left' out || wrong "the time has no effect: $(cat out)"
# Beside other programs only what was named is kept.
others=
for core in $(seq "$(nproc)"); do
    sh -c 'while :; do :; done' &
    others="$others $!"
done
expect 0 'not kept: other programs ran' "$USKOR" tune dot --device cpu --threads 1 --file noisy.jsonl --time 0.1
grep -q '^0 problems measured' out && [ ! -e noisy.jsonl ] || wrong "kept: $(cat out)"
expect 0 '1 problems measured' "$USKOR" tune dot:n=100 --device cpu --threads 1 --file noisy.jsonl
# shellcheck disable=SC2086
kill $others
echo '{"problem": "dot:n=77,f32", "kind": "cpu"}' >>tuned.jsonl
USKOR_TUNED=tuned.jsonl expect 0 'from dot:n=100,' "$USKOR" tuned dot:n=101 --device cpu --threads 1
says 'tuned.jsonl:'
says '"device" is missing, empty or too long'
# What can be sent: this device's lines, once. What is of other code is left out, named, and measured again.
expect 0 ' written to sent.jsonl' "$USKOR" tune dot $tune --contribute sent.jsonl
grep -q '"code": {.*"uskor": ' sent.jsonl || wrong "$(cat sent.jsonl)"
grep -e "$(uname -n)" -e "$folder" sent.jsonl && wrong "a contribution names this machine"
refuses 2 'sent.jsonl' tune dot $tune --contribute sent.jsonl
expect 3 'has no times of these devices' "$USKOR" tune wave $tune --contribute none.jsonl
[ ! -e none.jsonl ] || wrong "an empty contribution is left"
sed -n '1s/"simd": "[0-9a-f]*"/"simd": "00000001"/p' sent.jsonl >stale.jsonl
USKOR_TUNED=stale.jsonl expect 0 "stale.jsonl:1: rung 'simd' has changed since it was measured" "$USKOR" tuned dot:n=100 \
    --device cpu --threads 1
python3 -c '
import json
lines = [json.loads(line) for line in open("tuned.jsonl")]
for line in lines[:1]:
    line["ns"] = {"compensated": 1, "simd": 2}
open("tuned.jsonl", "w").write("\n".join(map(json.dumps, lines)))
'
USKOR_TUNED=tuned.jsonl expect 0 '  cpu        compensated' "$USKOR" tuned dot:n=100 --device cpu --threads 1
USKOR_TUNED=none expect 0 '' "$USKOR" tuned dot:n=100 --device cpu --threads 1
grep -q tuned.jsonl err && wrong "USKOR_TUNED=none: $(cat err)"
# The system's file goes before the shipped ones, the user's own before it, the named one before all.
python3 -c '
import json
line = json.loads(open("tuned.jsonl").readline())
for name, rung in (("systems", "compensated"), ("own", "exact"), ("named", "serial")):
    line["ns"] = {rung: 1, "simd": 2}
    open(name + ".jsonl", "w").write(json.dumps(line) + "\n")
'
mkdir -p data/uskor
layered() { # COMMAND…: where /etc has the system's file, in a mount namespace of its own
    XDG_DATA_HOME="$PWD/data" unshare -m sh -c \
        'mount -t tmpfs none /etc && mkdir /etc/uskor && cp systems.jsonl /etc/uskor/tuned.jsonl && exec "$@"' - "$@"
}
if unshare -m mount -t tmpfs none /etc 2>/dev/null; then
    expect 0 '  cpu        compensated' layered "$USKOR" tuned dot:n=100 --device cpu --threads 1
    says '(/etc/uskor/tuned.jsonl)'
    cp own.jsonl data/uskor/tuned.jsonl
    expect 0 '  cpu        exact' layered "$USKOR" tuned dot:n=100 --device cpu --threads 1
    USKOR_TUNED=named.jsonl expect 0 '  cpu        serial' layered "$USKOR" tuned dot:n=100 --device cpu --threads 1
    USKOR_TUNED=none expect 0 '' layered "$USKOR" tuned dot:n=100 --device cpu --threads 1
    grep -q 'uskor/tuned.jsonl)' out && wrong "USKOR_TUNED=none: $(cat out)"
fi
refuses 2 "did you mean 'dot'" tune dott
refuses 2 "did you mean 'sort'" tuned sotr:n=3
expect 0 '' "$USKOR" bench matmul:m=64,n=64,k=64 $quick --rung chosen
[ "$(grep -cw PASS out)" = 1 ] || wrong "one rung is chosen: $(cat out)"
expect 0 '' "$USKOR" bench matmul:m=8,n=9,k=10,batch=3 $quick --rung serial --rung packed
grep -q SKIP out && wrong "rungs and probes take batches: $(cat out)"
refuses 2 '--rung chosen' check matmul --device cpu --rung chosen
finish
