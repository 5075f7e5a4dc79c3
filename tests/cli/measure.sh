#!/bin/sh
# The commands that measure: their exit codes, their forms, their messages, and what Ctrl-C leaves.
set -u
. "$1/tests/cli/common"

small=transpose:rows=100,cols=60
fast="--device cpu --time 0.01"

expect 2 'Usage: uskor COMMAND' "$USKOR"
expect 0 'Usage: uskor COMMAND' "$USKOR" --help
expect 2 "did you mean 'bench'" "$USKOR" bnech
expect 0 'transpose' "$USKOR" list
expect 0 'M12 onednn' "$USKOR" list matmul
expect 0 'T7   uskor sweep' "$USKOR" list transpose
expect 2 "did you mean 'transpose'" "$USKOR" list transpoze
expect 0 'last-level cache' "$USKOR" devices
expect 0 'PASS' "$USKOR" bench $small $fast
expect 0 'of the ceiling' "$USKOR" bench $small $fast
expect 1 'FAIL' "$USKOR" bench $small --device null --time 0.01
expect 1 'НЕВЕРНО  null     transpose naive ' "$USKOR" check transpose:rows=3,cols=5 --device null --lang ru
expect 2 'which problem' "$USKOR" bench
expect 2 "did you mean 'rows'" "$USKOR" bench transpose:rowz=3
expect 2 "did you mean 'serial'" "$USKOR" bench $small --rung seriel
expect 2 "TILE" "$USKOR" bench $small --set TILE
expect 2 "no rung chosen here has a parameter 'NONE'" "$USKOR" bench $small --set NONE=3
expect 2 'cuda' "$USKOR" bench $small --device coda:0
expect 2 'address space' "$USKOR" bench transpose:rows=2^40,cols=2^40 $fast
expect 2 'outside' "$USKOR" bench transpose:rows=4611686018427387904 $fast
expect 3 'runs on none' "$USKOR" sweep $small --device cpu --rung naive --over BX=1..4
expect 2 'needs a PROBLEM' "$USKOR" sweep --over BX=1..4
refuses 2 'BX is given twice' sweep $small --rung naive --over BX=1..4 --over BY=1 --over BX=1..4
refuses 2 'neither full nor halving' sweep $small --rung naive --over BX=1..4 --strategy best
expect 2 'FIRST..LAST' "$USKOR" sweep $small --rung naive --over BX=4..1
expect 1 'wrong' "$USKOR" sweep $small --device null --rung naive --over BX=1..4 --over BY=1,2
expect 0 'right' "$USKOR" check transpose:rows=5,cols=7,u8 --device cpu
expect 1 'FAIL' "$USKOR" check transpose:rows=5,cols=7 --device null
expect 0 'seed=9' "$USKOR" check transpose:rows=5,cols=7 --device cpu --seed 9 --json
for option in --time=1 --precision=1 --repeat=3 --cold --kernel-only --label=x; do # it times and keeps nothing
    refuses 2 "there is no option ${option%%=*}" check $small --device cpu "$option"
done
"$USKOR" check --help | grep -qE -e '--time' && wrong 'check --help offers what check does not do'

# A device that is named twice, in whatever words, is one device: there are as many rows, of several values of the tunables
# and several counts of threads, as when it is named once.
once() {
    code=$1 words=$2 rung=$3 first=$4
    shift 4
    expect "$code" "$words" "$USKOR" check $small --rung "$rung" --device "$first" --csv
    rows=$(grep -c ",$rung," out)
    [ "$rows" -gt 0 ] || wrong "$first: no row: $(cat out)"
    for device; do
        set -- "$@" --device "$device"
        shift
    done
    expect "$code" "$words" "$USKOR" check $small --rung "$rung" "$@" --csv
    [ "$(grep -c ",$rung," out)" = "$rows" ] || wrong "$first was checked more than once: $(cat out)"
}
once 0 'PASS' serial cpu cpu cpu:0 cpu
once 1 'FAIL' naive null null null:0
if "$USKOR" devices 2>/dev/null | grep -q '^opencl:0'; then
    expect 0 'PASS' "$USKOR" bench $small --rung naive --device opencl --device opencl:0 --time 0.001 --csv
    [ "$(grep -c ',naive,' out)" = 1 ] || wrong "opencl:0 was benched more than once: $(cat out)"
fi

# A publication's protocol, and a small problem's arrays.
expect 0 'faster than serial' "$USKOR" bench pipeline:n=64..1024x4 --device cpu --repeat 3
expect 0 'a after:' "$USKOR" bench pipeline:n=8 --show --seed 5 --device cpu --time 0.01
expect 0 'seed=' "$USKOR" bench pipeline:n=8 --seed random --device cpu --time 0.01
refuses 2 'one form, not two' bench transpose:8 --json --csv
refuses 2 'one form, not two' bench transpose:8 --json --markdown
refuses 2 'one form, not two' history --csv --json
refuses 2 'one form, not two' architectures --json --csv
refuses 2 '--show prints for people only: leave out --json and --csv' bench pipeline:n=8 --show --json
refuses 2 '--show prints for people only: leave out --json and --csv' bench pipeline:n=8 --csv --show
expect 2 'at most 256' "$USKOR" bench pipeline:n=1000 --show --device cpu

# Numbers: what the option takes, and nothing is cut off silently.
refuses 2 "--repeat takes a whole number from 2 to 100000; this is '1'" bench $small --repeat 1
refuses 2 "--repeat takes a whole number from 2 to 100000; this is '2.5'" bench $small --repeat 2.5
refuses 2 "--threads takes a whole number from 1 to 4096; this is 'x'" bench $small --threads x
refuses 2 "--threads takes a whole number from 1 to 4096; this is '1.5'" bench $small --threads 1.5
refuses 2 "--seed takes a whole number from 0 to 4294967295; this is 'abc'" bench $small --seed abc
refuses 2 "this is '1.7'" bench $small --seed 1.7
refuses 2 "--time takes a number from 0.001 to 3600; this is '0'" bench $small --time 0
refuses 2 "--precision takes a number from 0.01 to 100; this is '101'" bench $small --precision 101
expect 2 '--threads — это целое число от 1 до 4096, а не «x»' "$USKOR" bench $small --threads x --lang ru

# Files: beside and renamed, not overwritten without --force, in a form that programs read.
expect 0 '' "$USKOR" bench $small $fast --json -o result.json
expect 2 '--force' "$USKOR" bench $small $fast --json -o result.json
expect 0 '' "$USKOR" bench $small $fast --csv -o result.json --force
head -n 1 result.json | grep -q '^problem,device,' || wrong 'not CSV'
expect 2 'missing/result.csv' "$USKOR" bench $small $fast --csv -o missing/result.csv
[ "$(ls | grep -c unfinished)" = 0 ] || wrong 'an unfinished file is left'

# Ctrl-C keeps what was measured.
"$USKOR" bench transpose:rows=64..2048x2 --device cpu --time 30 --precision 0.01 --csv --store interrupted.sqlite \
    >interrupted 2>err &
first_is_stored() {
    "$USKOR" history transpose --csv --store interrupted.sqlite 2>/dev/null | grep -q ',"transpose:rows=64,'
}
wait_until first_is_stored
kill -INT $!
wait $!
[ $? = 130 ] || wrong "Ctrl-C left with something else than 130: $(cat err)"
grep -q '^"transpose:rows=64' interrupted || wrong 'Ctrl-C lost what was measured'
grep -q 'ends after the run under way and the last checks; Ctrl-C again: at once' err || wrong "Ctrl-C has no answer: $(cat err)"

# A second one ends it at once, in the middle of a run of seconds, and leaves no unfinished file.
"$USKOR" bench matmul:m=2000,n=2000,k=2000 --device cpu --rung serial --csv -o twice.csv 2>err &
has_unfinished() {
    ls -l "/proc/$1/fd" 2>/dev/null | grep -q '(deleted)' || ls -A | grep -q '^\.uskor-.*part$'
}
wait_until has_unfinished $! || wrong 'the unfinished file was not seen'
wait_until computes $!
kill -INT $!
sleep 0.05
kill -INT $! 2>/dev/null
wait $! 2>/dev/null
[ $? = 130 ] || wrong "a second Ctrl-C left with something else than 130: $(cat err)"
ls -A | grep -q '^\.uskor-.*part$' && wrong 'a second Ctrl-C left an unfinished file'
[ ! -e twice.csv ] || wrong 'a second Ctrl-C left a result'

finish
