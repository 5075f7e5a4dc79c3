#!/bin/sh
# uskor bandwidth --peers and uskor bench --devices: words where there is one device or none, and the whole way on one
# OpenCL device that is in the group several times.
set -u
. "$1/tests/cli/common"

USKOR_LIBCUDA=/nonexistent/libcuda.so.1 expect 3 "install NVIDIA's driver" "$USKOR" bandwidth --peers
for group in cuda: cuda:1..0 nothing:0.. opencl:0..99; do
    expect 2 'is not a group of devices' "$USKOR" bandwidth --peers --devices "$group"
done
expect 2 'is for --devices' "$USKOR" bench dot --weak
expect 2 'is for --peers' "$USKOR" bandwidth --devices cuda:0..1

if ! "$USKOR" devices | grep -q '^opencl:0'; then
    [ "$failures" = 0 ] && echo "SKIP: no OpenCL device" && exit 77
    finish
fi
expect 3 'one device has no peer' "$USKOR" bandwidth --peers --devices opencl:0 --store none

# Two ways, two latencies, both ways, all to all, each by five means, of which NCCL takes no device twice.
"$USKOR" bandwidth --peers --devices opencl:0,opencl:0 --sizes 64K --time 0.001 --store none --csv >peers.csv
[ "$(grep -c PASS peers.csv)" = 24 ] || wrong "--peers, what passes: $(cat peers.csv)"
[ "$(grep -c SKIP peers.csv)" = 6 ] || wrong "--peers, what is skipped: $(cat peers.csv)"

expect 2 'no ladder over devices' "$USKOR" bench resize --devices opencl:0,opencl:0 --store none
expect 2 "did you mean 'peer-stores'" "$USKOR" bench dot:n=1000 --devices opencl:0,opencl:0 --rung peer-store --store none
expect 0 one-device "$USKOR" bench transpose:rows=100,cols=70 --devices opencl:0,opencl:0 --time 0.001 --store none
for words in through-host peer-copies pipelined peer-stores links SKIP; do
    says "$words"
done
! grep -qE 'FAIL|ERROR' out || wrong "$(cat out)"
finish
