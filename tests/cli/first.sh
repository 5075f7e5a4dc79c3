#!/bin/sh
# What a new user meets first: how long a bench takes is said before it begins, each kind of device gets a size that suits
# it, and tables come as soon as they are ready. $1: the repository; USKOR: the program.
set -u
. "$1/tests/cli/common"

# Minutes are told at once, by each command that takes them; less is not worth a word.
is_told() {
    grep -qsE "^uskor: about $minutes min" err
}
tells() { # MINUTES ARGUMENT…
    minutes=$1
    shift
    rm -f err # another command's word is none of this one
    "$USKOR" "$@" >out 2>err &
    wait_until is_told || wrong "$*: minutes are not told: $(cat err)"
    kill -INT $!
    wait $!
    code=$?
    [ $code = 130 ] || wrong "$*: Ctrl-C left with $code: $(cat err)"
}
# The ceiling's probe is timed for as long as the rung.
tells 10 bench transpose:64 -d cpu -r serial --time 300 --precision 0.01 --store none
tells '[1-9][0-9]*' check -d cpu
tells '[1-9][0-9]*' effect false-sharing -d cpu --time 300 --store none
tells 10 tune sort -d cpu --time 600 --file tuned.jsonl
# So does a publication's protocol, even a quick one.
measurements_are_told() {
    grep -qsE '^uskor: [0-9]+ measurements, about [1-9]' err
}
rm -f err
"$USKOR" reproduce matmul-oneapi-2021 -d cpu --quick --time 1 --store none >out 2>err &
wait_until measurements_are_told || wrong "reproduce --quick does not say how long it takes: $(cat err)"
kill -INT $!
wait $!
grep -q 'time_needed_tell(' "$1/src/cli/commands/explain.c" || wrong 'explain tells no minutes'
"$USKOR" bench transpose:64 -d cpu -r serial --time 0.01 --store none >out 2>err
[ ! -s err ] || wrong "a short bench says: $(cat err)"

# A kernel without a size: the CPU's own, then a smaller one for OpenCL on a CPU, each with its table; a size that is named
# holds for all.
first_and_second() { # WORD WORD: in this order
    awk -v first="$1" -v second="$2" 'index($0, first) { seen = 1 } index($0, second) && seen { both = 1 } END { exit !both }' out
}
"$USKOR" devices 2>/dev/null | grep -q '^opencl:0' || { echo 'no OpenCL on a CPU: the rest is left out'; finish; }
quick='--time 0.001 --kernel-only --store none'
"$USKOR" bench sort -r simd -r radix-local $quick >out 2>err || wrong "bench sort: $(cat err)"
first_and_second 'sort 2^20' 'sort 2^16' || wrong "sizes do not suit the devices: $(cat out)"
"$USKOR" bench sort:4096 -r simd -r radix-local $quick >out 2>err || wrong "bench sort:4096: $(cat err)"
[ "$(grep -c 'sort 4096\|sort 2^12' out)" = 1 ] || wrong "one size, several headings: $(cat out)"
first_and_second 'cpu — ' 'opencl:0 — ' || wrong "the CPU does not come first: $(cat out)"

finish
