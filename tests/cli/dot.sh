#!/bin/sh
# uskor dot on .npy files: the number, and one clear line for what is no pair of vectors.
set -u
. "$1/tests/cli/common"

# vector FILE DESCR COUNT BYTES: a .npy file of version 1.0 with one axis; BYTES are printf escapes.
vector() {
    { header "$2" "($3,)" && printf "$4"; } >"$1"
}

# exactly TEXT A B: what is printed for them on $device, and nothing else.
exactly() {
    [ "$("$USKOR" dot "$2" "$3" --device "$device" 2>&1)" = "$1" ] ||
        wrong "dot $2 $3 on $device is not $1: $("$USKOR" dot "$2" "$3" --device "$device" 2>&1)"
}

# 1 2 3 and 4 5 6 as float32: 4 + 10 + 18.
vector a.npy '<f4' 3 '\000\000\200\077\000\000\000\100\000\000\100\100'
vector b.npy '<f4' 3 '\000\000\200\100\000\000\240\100\000\000\300\100'
vector big.npy '>f4' 3 '\100\200\000\000\100\240\000\000\100\300\000\000'
vector two.npy '<f4' 2 '\000\000\200\077\000\000\000\100'
vector wide.npy '<f8' 3 '\000\000\000\000\000\000\360\077\000\000\000\000\000\000\000\100\000\000\000\000\000\000\010\100'
vector integers.npy '<i4' 3 '\001\000\000\000\002\000\000\000\003\000\000\000'
vector empty.npy '<f4' 0 ''

expect 0 32 "$USKOR" dot a.npy b.npy
expect 0 32 "$USKOR" dot a.npy big.npy
"$USKOR" dot a.npy - --json <b.npy >out || wrong 'dot of a pipe'
grep -q '"schema": "uskor.dot/1"' out && grep -q '"result": 32.0' out && grep -q '"n": 3' out || wrong "dot --json: $(cat out)"
expect 0 14 "$USKOR" dot wide.npy wide.npy
expect 0 0 "$USKOR" dot empty.npy empty.npy
# NaN and infinity go where IEEE 754 sends them; a NaN has no sign; what overflows a double is infinite.
vector infinite.npy '<f4' 3 '\000\000\200\177\000\000\200\077\000\000\000\100'
vector minus.npy '<f4' 3 '\000\000\200\377\000\000\200\077\000\000\200\177'
[ "$("$USKOR" dot infinite.npy minus.npy --json | grep -c '"result": "nan"')" = 1 ] || wrong 'JSON has no NaN'
vector nan.npy '<f4' 3 '\000\000\300\377\000\000\200\077\000\000\000\100'
huge='\240\310\353\205\363\314\341\177' # 1e308
vector huge.npy '<f8' 3 "$huge$huge$huge"
for device in cpu $("$USKOR" devices --json | grep -q '"opencl:0"' && echo opencl:0); do
    exactly inf a.npy infinite.npy
    exactly nan infinite.npy minus.npy
    exactly nan a.npy nan.npy
    exactly inf huge.npy huge.npy
done

phases 'computing checking' dot a.npy b.npy

expect 2 'a.npy has 3 elements and two.npy has 2' "$USKOR" dot a.npy two.npy
expect 2 'must be of the same type' "$USKOR" dot a.npy wide.npy
expect 2 'integers.npy: is of type int32' "$USKOR" dot integers.npy b.npy
expect 2 'missing.npy' "$USKOR" dot a.npy missing.npy
expect 2 'two inputs are needed' "$USKOR" dot a.npy
expect 2 'cuda' "$USKOR" dot a.npy b.npy --device coda:0

finish
