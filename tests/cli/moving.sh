#!/bin/sh
# Moving data: bandwidth, kinds of memory, overlap: their exit codes, their tables, their messages.
set -u
. "$1/tests/cli/common"

expect 0 'a copy in memory' "$USKOR" bandwidth --device cpu --sizes 1K..4K --time 0.001
expect 0 'latency of a copy of 1 KiB' "$USKOR" bandwidth --device cpu --sizes 1K --time 0.001
expect 0 '"bandwidth:copy,bytes=128"' "$USKOR" bandwidth --device cpu --sizes 128..512x2 --time 0.001 --json
expect 0 '63.015' "$USKOR" bandwidth --buses
silent bandwidth --buses -o buses.txt
same out buses.txt
refuses 2 'buses.txt' bandwidth --buses -o buses.txt
silent bandwidth --buses -o buses.txt --force
refuses 2 '--buses prints for people only: leave out --json and --csv' bandwidth --buses --json
refuses 2 '--buses prints for people only: leave out --json and --csv' bandwidth --csv --buses -o buses.csv
expect 2 'FROM..TO' "$USKOR" bandwidth --sizes 4K..1K
expect 2 'FROM..TO' "$USKOR" bandwidth --sizes 1K..
expect 2 'FROM..TO' "$USKOR" bandwidth --sizes 1K..4Kx1
expect 2 'FROM..TO' "$USKOR" bandwidth --sizes "1K..$(printf %060d 4)" # as long as there is room
expect 2 'FROM..TO' "$USKOR" bandwidth --sizes 1..4K
expect 2 'FROM..TO' "$USKOR" bandwidth --sizes 1K..999999g
expect 2 'does nothing' "$USKOR" bandwidth --device null
expect 2 'takes no arguments' "$USKOR" bandwidth cuda

expect 2 "did you mean 'pinned'" "$USKOR" bench wave --memory pined
expect 0 'pinning changes nothing there' "$USKOR" bench transpose:rows=9,cols=7 --device cpu --memory all --time 0.001
expect 1 'FAIL' "$USKOR" bench transpose:rows=9,cols=7 --device null --memory pageable --time 0.001

expect 2 'which job' "$USKOR" overlap
expect 2 'nothing to overlap' "$USKOR" overlap wave --memory mapped
expect 2 'numbers of queues' "$USKOR" overlap wave --queues 1,9
expect 2 'numbers of queues' "$USKOR" overlap wave --queues ,
refuses 2 "--chunks takes a whole number from 2 to" overlap wave --chunks 1
expect 2 'did you mean' "$USKOR" overlap transpoze:rows=9
expect 3 'nothing overlaps there' "$USKOR" overlap dot:n=1000 --device cpu

if "$USKOR" devices 2>/dev/null | grep -q '^opencl:0'; then
    fast="--device opencl:0 --time 0.001"
    expect 0 'pinned' "$USKOR" bandwidth --sizes 4K..64K $fast
    ! grep -qE 'FAIL|ERROR' out || wrong "$(cat out)"
    expect 0 'mapped' "$USKOR" bench wave:nx=16,ny=16,nz=16 --memory all --rung naive $fast
    ! grep -qE 'FAIL|ERROR' out || wrong "$(cat out)"
    expect 0 '2 queues, 5 parts' "$USKOR" overlap transpose:rows=50,cols=40 --queues 1,2 --chunks 5 $fast
    grep -q 'queue 2' out || wrong "no chart: $(cat out)"
    # The rung is choose_rung's: on a CPU's OpenCL naive is the fastest transpose that was measured, not the ladder's last.
    says ': naive, pinned memory'
    says 'overlap: transpose 50 × 40, f32'
    # Unless the store knows better: a run here in which strips takes a hundredth of naive's time.
    expect 0 '' "$USKOR" bench transpose:rows=50,cols=40 --rung naive --rung strips --kernel-only $fast
    expect 0 '' "$USKOR" export -o measured.jsonl
    awk '/"rung":"(naive|strips)"/ && !/overlap:/ {
        time = /"rung":"strips"/ ? 10 : 1000
        gsub(/"ns":\[[^]]*\]/, "\"ns\":[" time "," time "," time "]")
        gsub(/"rounds":\[[^]]*\]/, "\"rounds\":[0,1,2]")
        print
    }' measured.jsonl >altered.jsonl
    XDG_DATA_HOME=$folder/other
    export XDG_DATA_HOME
    expect 0 '' "$USKOR" import altered.jsonl
    expect 0 ': strips, pinned memory' "$USKOR" overlap transpose:rows=50,cols=40 --queues 1 --chunks 5 $fast
    expect 3 'nothing can leave before' "$USKOR" overlap sort:n=100 $fast
    expect 0 '"overlap:dot:n=1000' "$USKOR" overlap dot:n=1000 --json $fast
fi

finish
