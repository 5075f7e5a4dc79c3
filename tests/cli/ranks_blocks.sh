#!/bin/sh
# Eight of MPI's ranks: a grid of 2 × 2 × 2, and the bytes that a rank sends.
# $1: the repository; $2: the build; USKOR: the program.
set -u
. "$1/tests/cli/over_ranks"

# The wave in a grid of 2 × 2 × 2 ranks, and in slabs: the same bits, and the bytes that a rank sends: three times two
# planes of each face of the largest block. More ranks than blocks of two points are refused.
over 8 bench wave:nx=7,ny=6,nz=7,steps=3,input=random sort:8192 dot:2097152 --rung halo --rung halo-3d --rung overlap-3d \
    --rung splitters --rung blocks --time 0.001 --samples 5 --json
[ "$code" -eq 0 ] && [ "$(grep -c '"verdict": "PASS"' out)" -eq 20 ] || wrong "the wave in blocks: exit code $code: $(cat out err)"
awk '/"method": "halo"/ { slabs = 1 } /"method": ".*-3d"/ { slabs = 0 }
    /"method": / { waves = /halo|overlap/ }
    /"ranks": / { ranks = $2 + 0 } /"digest": / && ranks > 1 && waves { bits[$2]++ }
    /"bytes_sent": / && ranks == 8 && waves { wrong += $2 + 0 != 3 * 2 * 2 * 4 * (slabs ? 7 * 6 : 4 * 3 + 4 * 3 + 4 * 4) }
    END { for (each in bits) kinds++; exit wrong || kinds != 1 }' out || wrong "slabs and blocks, their bits and bytes: $(cat out)"
# Splitters: beside 7/8 of the keys, 33 sums of 7 counters; the counters of all ranks would be seven times as much. Dot:
# some nodes of a tree.
awk '/"method": / { sorts = /splitters/; adds = /blocks/ } /"ranks": / { ranks = $2 + 0 }
    /"bytes_sent": / && ranks == 8 { if (sorts) keys = $2 + 0; if (adds) sums = $2 + 0 }
    END { exit !(keys >= 3584 && keys < 3584 + 6000 && sums > 0 && sums < 300) }' out || wrong "bytes that ranks send: $(cat out)"
over 3 bench wave:nx=5,ny=5,nz=3 --rung halo-3d --time 0.001
[ "$code" -eq 0 ] && grep -q 'halo-3d *3  SKIP  no grid of 3 ranks leaves each 2 points.*; 2 ranks can' out ||
    wrong "blocks that are too thin: exit code $code: $(cat out err)"
finish
