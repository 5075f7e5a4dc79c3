#!/bin/sh
# The device auto: chosen by measured times with the copies and the device's opening, said in one line. The measurements
# are made up, so that it is known which device is to win. $1: the repository; USKOR: the program.
set -u
. "$1/tests/cli/common"
header '<f4' '(64, 64)' >a.npy && head -c 16384 /dev/zero >>a.npy
header '<f4' '(1000,)' >v.npy && head -c 4000 /dev/zero >>v.npy

# field DEVICE NAME: what the program reports of a device.
field() {
    "$USKOR" devices --json | awk -v device="\"device\": \"$1\"," -v name="\"$2\":" \
        'index($0, device) { here = 1 } here && index($0, name) { sub(/^[^:]*: "/, ""); sub(/",?$/, ""); print; exit }'
}
# whose KIND DEVICE: the beginning of a line about it.
whose() {
    printf '"kind": "%s", "device": "%s", "version": "%s"' "$1" "$(field "$2" name)" "$(field "$2" version)"
}
cpu=$(whose cpu cpu)
threads=$("$USKOR" devices --json | awk '/"units":/ { gsub(/[^0-9]/, ""); print; exit }')

# measured CPU_NS: both products and the dot take so long on the cpu.
measured() {
    for problem in matmul:m=64,n=64,k=64,f32 dot:n=1000,f32; do
        rung=simd
        [ "${problem%%:*}" = dot ] || rung=packed
        printf '{"problem": "%s", %s, "threads": %s, "ns": {"%s": %s}}\n' "$problem" "$cpu" "$threads" "$rung" "$1"
    done
}

measured 1000 >tuned
export USKOR_TUNED=$folder/tuned
silent matmul a.npy a.npy -o c.npy
expect 0 'device: cpu; expected: 1.00 µs; no other device' "$USKOR" matmul a.npy a.npy -fo c.npy --device auto
expect 0 'device: cpu; expected: 1.00 µs; no other device' "$USKOR" dot v.npy v.npy --device auto
expect 0 '' "$USKOR" matmul a.npy a.npy -fo c.npy --device auto --quiet
[ ! -s out ] && [ ! -s err ] || wrong "--quiet says $(cat out err)"
refuses 2 'did you mean cuda' matmul a.npy a.npy -o d.npy --device coda

"$USKOR" devices --json | grep -q '"opencl:0"' || finish
case $(field opencl:0 name) in *PoCL* | pthread* | cpu*) kind=opencl_cpu ;; *) kind=opencl ;; esac
other=$(whose $kind opencl:0)
# copies OPENING [DRIVER]: what the second device costs.
copies() {
    printf '{"transfers": "pageable", %s%s, "opening_ns": %s, "to_device_ns": {"64": 100}, "from_device_ns": {"64": 100}}\n' \
        "$other" "${2:+, \"driver\": \"$2\"}" "$1"
    printf '{"problem": "matmul:m=64,n=64,k=64,f32", %s, "ns": {"tiled": 2000}}\n' "$other"
}
# What the cpu takes, 1 s, is longer than all of the other's: 1 ms of opening, and copies of 16384 bytes each.
{ measured 1e9; copies 1e6; } >tuned
expect 0 'device: opencl:0; expected: cpu 1.00 s, opencl:0 1.08 ms with its opening and copies' \
    "$USKOR" matmul a.npy a.npy -fo c.npy --device auto
LC_ALL=C.UTF-8 "$USKOR" tuned matmul:m=64,n=64,k=64 --device opencl:0 >out 2>&1
grep -q 'and to open the device: 1.00 ms; copies: 76.8 µs' out || wrong "tuned: $(cat out)"
silent matmul a.npy a.npy -fo c.npy
{ measured 1.078e6; copies 1e6; } >tuned # its kernel and copies make it the slower one
expect 0 'device: cpu; expected: cpu 1.08 ms, opencl:0 1.08 ms with its opening and copies' \
    "$USKOR" matmul a.npy a.npy -fo c.npy --device auto
{ measured 1e9; copies 2e9; } >tuned # not even opened
expect 0 'device: cpu; expected: 1.00 s; no other device' "$USKOR" matmul a.npy a.npy -fo c.npy --device auto
{ measured 1e9; copies 1e6 'another driver'; } >tuned
expect 0 'device: cpu; expected: 1.00 s; no other device' "$USKOR" matmul a.npy a.npy -fo c.npy --device auto
{ measured 1e9; echo '{"transfers": "pageable", "kind": "tpu"}'; } >tuned
expect 0 "'tpu' is not a kind" "$USKOR" tuned dot:n=1000 --device opencl:0
finish
