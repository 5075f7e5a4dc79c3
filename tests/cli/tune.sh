#!/bin/sh
# uskor tune's file: cut, not writable, or of another kind; and a call that goes on. $1: the repository; USKOR: the program.
set -u
. "$1/tests/cli/common"
# tunes FILE ARGUMENT…: one thread, with times added to the file.
tunes() {
    into=$1
    shift
    "$USKOR" tune -d cpu --threads 1 --time 30 --file "$into" "$@" >out 2>err || wrong "tune $* left with $?: $(cat err)"
}

tunes own.jsonl dot:n=64
says '1 problems measured'
printf '{"problem": "dot:n=7' >>own.jsonl # as a full disk leaves it
tunes own.jsonl dot:n=65
[ "$(wc -l <own.jsonl)" = 3 ] || wrong "a line is joined to one that was cut: $(cat own.jsonl)"
USKOR_TUNED=own.jsonl expect 0 'own.jsonl:2: not JSON' "$USKOR" tuned -d cpu --threads 1 dot:n=65
says 'from dot:n=65,input=unit,f32 (own.jsonl)'

printf '// rung: mine\nvoid dot(void) { }\n' >mine.c
cp mine.c before.c
refuses 2 'mine.c: not a tuned file' tune -d cpu --file mine.c dot:n=64
cmp -s mine.c before.c || wrong 'a kernel was written to'
: >empty.jsonl
tunes empty.jsonl dot:n=64
says '1 problems measured'

mkdir own.folder
refuses 2 'own.folder: cannot write' tune -d cpu --file own.folder dot:n=64
refuses 2 'missing/own.jsonl: cannot write' tune -d cpu --file missing/own.jsonl dot:n=64

# The very problem's line decides, also against rungs that it lacks.
sed -n 1p own.jsonl | sed 's/"ns": {[^}]*}/"ns": {"serial": 5, "simd": 95}/; s/"code": {[^}]*}, //' >few.jsonl
USKOR_TUNED=few.jsonl expect 0 'serial' "$USKOR" tuned -d cpu --threads 1 dot:n=64
says 'expected: 5.00 ns, from dot:n=64,input=unit,f32 (few.jsonl)'

# Ctrl-C: what is left is said, and the next call knows what was measured. Beside other programs nothing is kept, and the
# last problem comes soon.
"$USKOR" tune -d cpu --threads 1 --time 600 --file cut.jsonl dot >out 2>err &
for turn in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
    sleep 0.3
    [ ! -s cut.jsonl ] || break
done
kill -INT $!
wait $!
got=$?
[ $got = 130 ] || wrong "an interrupted tune left with $got"
grep -q '[1-9][0-9]* left;' out || wrong "it does not say what is left: $(cat out)"
if [ -s cut.jsonl ]; then
    known=$(wc -l <cut.jsonl)
    "$USKOR" tune -d cpu --threads 1 --time 0.2 --file cut.jsonl dot >out 2>&1
    grep -q " $known known before" out ||
        wrong "what was measured is not known: $(cat out)"
fi
finish
