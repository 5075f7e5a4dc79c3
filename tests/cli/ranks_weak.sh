#!/bin/sh
# MPI's ranks with parts of their own (weak scaling), and with devices.
# $1: the repository; $2: the build; USKOR: the program.
set -u
. "$1/tests/cli/over_ranks"

# Weak scaling: each rank makes and judges its own part.
for ranks in 2 3; do
    over $ranks bench transpose:37x53 sort:n=1001,input=few dot:300007 matmul:50x70x60 \
        wave:nx=9,ny=7,nz=12,steps=3,input=random --weak --time 0.001 --store kept.sqlite
    [ "$code" -eq 0 ] && [ "$(grep -c ' PASS$' out)" -eq $((8 * ranks + 1)) ] || wrong "weak, $ranks ranks: exit code $code: $(cat out err)"
    grep -q 'for each rank' out || wrong "weak: $(cat out)"
done
expect 0 '' "$USKOR" report --store kept.sqlite -o report.html --force
grep -q 'ranks/weak/' report.html || wrong 'the report has no chart of weak scaling'

# Parts that stay in the devices' memory: through host memory here, where no rank has a GPU of its own. NCCL, which
# carries nothing for other devices, is a skip that says so.
if "$USKOR" devices | grep -q '^opencl:0'; then
    over 3 bench transpose:37x53 transpose:2x101,u8 matmul:m=50,n=7,k=31,beta=0.5 matmul:2x3x1 \
        sort:n=5003,input=few sort:n=2001,input=special,f64 sort:2 wave:nx=9,ny=7,nz=39,steps=3,input=random \
        dot:n=30007,input=integers --time 0.001 --device opencl:0 --rung resident --rung nccl
    [ "$code" -eq 0 ] || wrong "resident: exit code $code: $(cat out err)"
    [ "$(grep -c '^  resident .* PASS$' out)" -eq 27 ] || wrong "resident methods: $(cat out)"
    [ "$(grep -c '^  nccl *3  SKIP  NCCL works on CUDA devices only' out)" -eq 9 ] || wrong "NCCL without CUDA: $(cat out)"
fi
over 2 bench transpose:64 --rung resident --time 0.001
[ "$code" -eq 3 ] && grep -q 'nothing is resident' out || wrong "resident on the cpu: exit code $code: $(cat out err)"
finish
