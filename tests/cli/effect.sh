#!/bin/sh
# uskor effect: what is wrong is told in one line; what is measured is verified, in order and in the form that
# docs/effects.md states; nothing is wider than 80 columns. $1: the repository; USKOR: the program.
set -u
. "$1/tests/cli/common"

refuses 2 "which effect" effect
refuses 2 "did you mean 'stride'" effect strid
refuses 2 "there is no effect 'xyzzy'" effect xyzzy
refuses 2 "is a power of two" effect stride --size 20000 --device cpu --device opencl
refuses 2 "is a power of two" effect pages --size 1 --device cpu
refuses 2 "this is 'much'" effect stride --size much
refuses 2 "--for predicts and times nothing" effect stride --for sm_90 --device cpu
refuses 2 "not a known architecture" effect stride --for sm_1
refuses 2 "the model predicts kernels of GPUs" effect stride --for this-cpu
refuses 3 "false-sharing has none" effect false-sharing --for sm_90
refuses 3 "latency has none" effect latency --for sm_90
refuses 3 "runs on none of the chosen devices" effect stride --device cpu
refuses 3 "runs on none of the chosen devices" effect stride --device null
refuses 2 "--time" effect stride --time never
refuses 3 "nowhere.sqlite" effect pages --device cpu --store nowhere.sqlite

expect 0 "false sharing" "$USKOR" effect --list
listed=$(wc -l <out)
[ "$listed" = "$(grep -c '^EFFECT' "$1/src/explain/effects/effects.def")" ] || wrong "$listed effects are listed"
expect 0 "uskor effect stride" "$USKOR" help effect

fits() {
    long=$(python3 -c 'print(*(line for line in open("out", encoding="utf-8") if len(line) > 81), sep="", end="")')
    [ -z "$long" ] || wrong "wider than 80 letters: $long"
}
export COLUMNS=80
expect 0 "CPU" "$USKOR" effect --list
fits
expect 0 "× first" "$USKOR" effect branches --device cpu --time 0.001 --size 16k
fits
expect 0 "ветв" "$USKOR" effect branches --device cpu --time 0.001 --size 16k --lang ru
fits

cat >check.py <<'PY'
import json, sys

def need(condition, what):
    if not condition:
        print("FAIL:", what)
        sys.exit(1)

charts = json.load(open(sys.argv[1]))["effects"]
need([chart["effect"] for chart in charts] == sys.argv[3:], "effects: %s" % [chart["effect"] for chart in charts])
for chart in charts:
    for key in ("title", "lesson", "parameter", "axis", "device", "device_name", "problem", "steps", "series"):
        need(key in chart, key)
    for series in chart["series"]:
        values = [point["value"] for point in series["points"]]
        need(len(values) >= 4 and values == sorted(set(values)), "values of " + series["series"])
        for point in series["points"]:
            if sys.argv[2] == "measured" and point["verdict"] == "ERROR" and point["reason"].startswith("disturbed"):
                continue  # other programs had the processors: no figure, and no fault of the effect
            if sys.argv[2] == "measured":
                need(point["verdict"] == "PASS" or (point["verdict"] == "SKIP" and point["reason"]), point)
                need(point["verdict"] == "SKIP" or 0 < point["quartile1_ns"] <= point["measured_ns"] <= point["quartile3_ns"], point)
                need(point["verdict"] == "SKIP" or point["samples"] >= 1, point)
            else:
                need(point["verdict"] is None and point["measured_ns"] is None, point)
                need(point["predicted_ns"] > 0 and point["bound_by"], point)
    if sys.argv[2] == "predicted" and chart["effect"] == "bank-conflicts":
        times = [point["predicted_ns"] for point in chart["series"][0]["points"]]
        steps = [after - before for before, after in zip(times, times[1:])]
        need(min(steps) > 0 and 1.95 < steps[-1] / steps[-2] < 2.05, "the last 16 passes take twice as long as 8: %s" % times)
PY
"$USKOR" effect false-sharing pages branches subnormals --device cpu --threads 2 --time 0.001 --size 16k --json >cpu.json
python3 check.py cpu.json measured false-sharing pages branches subnormals || wrong "cpu.json: $(cat cpu.json)"
expect 0 "chain of 1048576" "$USKOR" effect latency --device cpu --time 0.001 --size 16k
fits
if "$USKOR" devices 2>/dev/null | grep -q '^opencl'; then
    POCL_EXTRA_BUILD_FLAGS='' "$USKOR" effect concurrent-kernels stride --device opencl:0 --time 0.001 --size 16k --measured-only --json >opencl.json
    python3 check.py opencl.json measured stride concurrent-kernels || wrong "opencl.json: $(cat opencl.json)"
    expect 0 "stride,opencl:0,strided,STRIDE,1,PASS" "$USKOR" effect stride --device opencl:0 --time 0.001 --size 16k --csv
fi
if command -v g++ >/dev/null; then
    "$USKOR" effect bank-conflicts --for sm_90 --size 16k --store none --json >predicted.json || wrong "effect --for"
    python3 check.py predicted.json predicted bank-conflicts || wrong "predicted.json: $(cat predicted.json)"
fi
finish
