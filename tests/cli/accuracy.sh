#!/bin/sh
# uskor bench --accuracy: every kind of inputs, errors in every form, the report's chart, and who has no such view.
set -u
. "$1/tests/cli/common"

tiny=matmul:m=33,n=40,k=17
fast="--device cpu --time 0.001 --rung serial --rung packed"

# By a clock that stands while other programs run: what noise voids has no point in the chart.
export FAULT=own
expect 0 'inputs: wide61' preload libfaulty_clock.so "$USKOR" bench $tiny --accuracy $fast --store a.sqlite
for input in unit signed normal wide17 wide61 wide; do
    grep -q "inputs: $input\$" out || wrong "no table of the inputs $input: $(cat out)"
done
[ "$(grep -c '^  a serial ' out)" = 6 ] || wrong "serial is not in all six tables: $(cat out)"
grep -q '33 of 33 rows were compared' out || wrong "how many rows were compared is not said: $(cat out)"

# Errors of a float product: above 0, and below K rounding errors of the terms' magnitudes.
"$USKOR" bench $tiny --accuracy $fast --store none --json >figures.json || wrong "no JSON"
python3 - figures.json <<'END' || wrong "the errors in JSON"
import json, sys
rows = json.load(open(sys.argv[1]))
assert len(rows) == 12, len(rows)
for row in rows:
    errors = row["accuracy"]
    assert row["kernel"] == "accuracy" and row["verdict"] == "PASS", row
    assert 0 < errors["relative"] < 17 * 2**-24, errors
    assert errors["componentwise"] < 17 * 2**-24 and errors["largest"] > 0, errors
    assert errors["rows"] == errors["all_rows"] == 33, errors
    assert row["worst_error"] == errors["relative"]
END

# One kind of inputs when one is named.
expect 0 'inputs: wide' "$USKOR" bench $tiny,input=wide --accuracy $fast --store none
[ "$(grep -c 'inputs:' out)" = 1 ] || wrong "other inputs than the one named: $(cat out)"

# A wrong rung has no errors to show: every answer of the null device is wrong.
expect 1 'FAIL' "$USKOR" bench $tiny,input=unit --accuracy --device null --rung naive --time 0.001 --store none

expect 2 "the accuracy of transpose's rungs is not compared" "$USKOR" bench transpose:rows=8,cols=8 --accuracy --device cpu
expect 0 'inputs: wide' "$USKOR" bench $tiny,input=wide,bf16 --accuracy $fast --store none
expect 2 'f32, f16 and bf16' "$USKOR" bench $tiny,f64 --accuracy $fast --store none

# The report has a chart of it, and its table.
"$USKOR" report --store a.sqlite --charts >charts || wrong "no list of charts"
grep -q '^accuracy/cpu/1$' charts || wrong "no chart: $(cat charts)"
"$USKOR" report --store a.sqlite --svg accuracy/cpu/1 >chart.svg || wrong "no SVG"
for rung in serial packed; do
    grep -q ">$rung<" chart.svg || wrong "the chart does not name $rung"
done
[ "$(grep -o 'class="point' chart.svg | wc -l)" -ge 6 ] || wrong "fewer points than kinds of inputs"
"$USKOR" report --store a.sqlite -o report.html --force >/dev/null || wrong "no report"
grep -q 'id="accuracy"' report.html || wrong "no chapter"
grep -q 'wide61' report.html || wrong "no table of errors"

finish
