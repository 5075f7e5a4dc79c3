#!/bin/sh
# uskor reproduce: every publication with little time on the clock, what its table says, and its forms.
set -u
. "$1/tests/cli/common"

little="--device cpu --quick=0.6 --time 0.005"

expect 0 'transpose-2013' "$USKOR" reproduce --list
says 'sort-dot-2023'
says 'matmul-opencl-2017'
says 'matmul-oneapi-2021'
says 'dataflow-2017'
silent reproduce --list -o publications.txt
same out publications.txt
refuses 2 '--list prints for people only: leave out --json and --csv' reproduce --list --json -o publications.json
expect 2 "did you mean 'transpose-2013'" "$USKOR" reproduce transpose-2031
expect 2 'which publication' "$USKOR" reproduce
expect 2 'one publication' "$USKOR" reproduce transpose-2013 dataflow-2017
expect 2 'sets the parameters' "$USKOR" reproduce transpose-2013 --set TILE=32
expect 2 "measures no rung 'paded'; did you mean 'padded'" "$USKOR" reproduce transpose-2013 --rung paded --device cpu
refuses 2 "--quick takes a number of seconds above 0, such as 10; this is 'x'" reproduce transpose-2013 --quick=x
expect 3 'holds nothing' "$USKOR" reproduce transpose-2013 --stored
expect 3 'nothing of transpose-2013 runs' "$USKOR" reproduce transpose-2013 --device null

# Published figures stand; what is not here is a SKIP with its reason; the CPU's figure is today's, or — where noise
# voids it.
expect 0 '1.36*' "$USKOR" reproduce transpose-2013 --device cpu --quick --time 0.005
says 'SKIP [1]'
says 'not among the devices chosen (--device)'
says 'cannot tell'
grep -qE 'serial +9\.0 │ +([0-9.]+( ± [0-9.]+)? \([0-9.]+×\)|—)' out ||
    wrong "no figure of today beside Core i7's: $(cat out)"
expect 0 '1.36*' "$USKOR" reproduce transpose-2013 --stored --device cpu
grep -qE 'serial +9\.0 │ +([0-9.]+( ± [0-9.]+)?|—)' out ||
    wrong "--stored shows nothing: $(cat out)"

# A busy machine, or one with sanitizers, needs more time for the least of the sizes.
serial='N = 1024 +0\.0005336 ± 0\.0000093 │ +([0-9.]+( ± [0-9.]+)?|—)'
for seconds in 0.6 4 12; do
    expect 0 '14.73 ± 0.33' "$USKOR" reproduce sort-dot-2023 --device cpu --quick=$seconds --time 0.005
    grep -qE "$serial" out && break
done
says '6.7686 ± 0.0037'
grep -qE "$serial" out ||
    wrong "no time of the serial program: $(cat out)"
says 'would take longer than'

expect 0 '275.3' "$USKOR" reproduce matmul-opencl-2017 $little
says '2048 × 2048      87.15'
expect 0 '3.5–10' "$USKOR" reproduce matmul-oneapi-2021 --device cpu --rung blocked-local --quick=3 --time 0.005
says '25092705.482'
expect 3 '0.016322' "$USKOR" reproduce dataflow-2017 --device cpu --quick=0.1 --time 0.005
says '31222936'
expect 0 'опубликовано' "$USKOR" --lang ru reproduce transpose-2013 --stored --device cpu

# Through PoCL, where it is: the device's rungs, too; a figure that noise voids is shown as —, and is no SKIP.
if "$USKOR" devices 2>/dev/null | grep -q '^opencl:0'; then
    "$USKOR" reproduce transpose-2013 --device cpu --device opencl:0 --rung serial --rung tiled --rung padded \
        --quick=5 --time 0.005 >out 2>err || wrong "PoCL: $(cat err)"
    grep -qE 'transpose_3 \(padded\) +21 +34 │ SKIP \[1\] +([0-9.]+( ± [0-9.]+)?|—)' out ||
        wrong "no speed-up through PoCL: $(cat out)"
fi

# For programs.
expect 0 '' "$USKOR" reproduce transpose-2013 --device cpu --quick --time 0.005 --json -o result.json
expect 0 '' "$USKOR" reproduce transpose-2013 --device cpu --quick --time 0.005 --csv -o result.csv
grep -q '"publication": "transpose-2013"' result.json || wrong 'not JSON'
grep -q '"measurements"' result.json || wrong 'no measurements'
grep -q '^1,GeForce GTS 8800,time,ms,BY=64,BX=1,published,1.36,' result.csv ||
    grep -q '^1,GeForce GTS 8800,time,ms,BY=64,.*published,1.36' result.csv ||
    wrong "not CSV: $(head -n 3 result.csv)"
if command -v python3 >/dev/null; then
    python3 -c 'import json, csv
assert len(json.load(open("result.json"))["panels"]) == 4
assert len({len(row) for row in csv.reader(open("result.csv"))}) == 1' ||
        wrong 'a program cannot read it'
fi

# Ctrl-C keeps what was measured, on the terminal and in the store; a figure that noise voids is shown as —.
stored() {
    "$USKOR" history matmul --csv --store interrupted.sqlite 2>/dev/null | sed 1d
}
"$USKOR" reproduce matmul-opencl-2017 --device cpu --store interrupted.sqlite >out 2>err &
is_stored() {
    stored | grep -q .
}
wait_until is_stored
kill -INT $!
wait $!
[ $? = 130 ] || wrong "Ctrl-C left with something else than 130: $(cat err)"
stored | grep -q . || wrong "Ctrl-C lost what was measured: $(cat out err)"
for size in $(stored | sed -n 's/.*m=\([0-9]*\),.*,$/\1/p'); do
    grep -qE "^ +$size × $size +[0-9.]+ .*│ +[0-9.]+( ± [0-9.]+)?" out ||
        wrong "Ctrl-C lost the figure of $size × $size: $(stored) $(cat out err)"
done
# What other programs disturbed is stored so, and makes the exit code 1.
! stored | grep -q 'disturbed:'
expect $? '275.3' "$USKOR" reproduce matmul-opencl-2017 --device cpu --store interrupted.sqlite --stored

# A chapter of the report.
expect 0 '' "$USKOR" report -o report.html
grep -q 'id="transpose-2013"' report.html || wrong 'no chapter in the report'

finish
