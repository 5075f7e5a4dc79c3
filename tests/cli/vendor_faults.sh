#!/bin/sh
# Vendors' libraries that do harm when they are loaded, at their first call and at a later one: their own rung is an
# ERROR or left out, by name, and the others keep their verdicts. $2: the build folder.
set -u
. "$1/tests/cli/common"
[ -z "${ASAN_OPTIONS-}" ] || exit 77 # a sanitizer wants to be the first library
export OMP_NUM_THREADS=2 XDG_CACHE_HOME="$folder/cache" USKOR_DRIVER_SECONDS=1
vendor=$2/tests/libfaulty_vendor.so

# The shims are looked for beside the program; the libraries where the loader looks first.
mkdir program first
cp "$USKOR" program/uskor
for shim in hwy opencv cub mpi; do ln -s "$vendor" "program/libuskor_$shim.so"; done
for library in libblis.so.4 libmkl_rt.so.3; do ln -s "$vendor" "first/$library"; done

# harmed RUNG BESIDE PROBLEM COMMAND…: $FAULT is in the rung, BESIDE passes.
harmed() {
    rung=$1 beside=$2
    shift 2
    LD_LIBRARY_PATH=$folder/first timeout -s KILL 120 program/uskor "$@" -d cpu -r "$rung" -r "$beside" >out 2>err
    got=$?
    case $got in
    0 | 1) ;;
    *) wrong "$FAULT, $*: exit code $got: $(cat err)" ;;
    esac
    grep -E "$beside .*(PASS|[1-9][0-9]* right, 0 wrong)" out >shown || wrong "$FAULT, $*: $beside has no verdict: $(cat out err)"
    cat out err | grep -q -e "$rung" || wrong "$FAULT, $*: $rung is not named"
    ! grep -qE "(PASS .*$rung|^ +$rung .*PASS)" out || wrong "$FAULT, $*: $rung passes: $(cat out)"
}

export FAULT FAULT_CALL=1
fast='--time 0.001 --kernel-only --store none'
FAULT=load-hang
harmed vqsort qsort bench sort:n=1000 $fast
for FAULT in load-abort load-exit0; do
    harmed vqsort qsort bench sort:n=1000 $fast
    harmed blis serial bench matmul:m=8,k=8,n=8 $fast
    harmed onemkl serial bench matmul:m=8,k=8,n=8 $fast
    harmed opencv-exact parallel bench resize:width=16,height=16 $fast
done
# At work a child takes it: check has one, bench has one with --isolate.
for act in abort exit0 hang garbage; do
    for FAULT_CALL in 1 3; do
        FAULT=sort-$act
        [ "$act $FAULT_CALL" = 'hang 1' ] && continue
        harmed vqsort qsort bench sort:n=1000 $fast --isolate --limit 1s
    done
    FAULT=gemm-$act
    [ "$act" = hang ] || harmed blis serial check matmul:m=8,k=8,n=8 --limit 1s
done
FAULT=gemm-abort
harmed onemkl serial check matmul:m=8,k=8,n=8

# CUB's shim, on the stand-in's device, whose memory is the host's; what is wrong with it leaves the cpu its verdict.
stand_in=$2/tests/libfake_cuda.so
export FAULT_CALL=1
while IFS=: read -r FAULT words; do
    USKOR_LIBCUDA=$stand_in USKOR_NVRTC=$stand_in timeout -s KILL 120 program/uskor check sort:n=1000,u32 -d cpu -d cuda:0 \
        -r qsort -r cub-radix --tiny --limit 1s >out 2>err
    grep -q '^PASS  cpu .*qsort' out || wrong "CUB, $FAULT: qsort has no verdict: $(cat out err)"
    grep -A2 '^[A-Z]* *cuda:0 .*cub-radix' out | grep -qF "$words" || wrong "CUB, $FAULT: not said: $words: $(cat out err)"
done <<CASES
none-none:1 right, 0 wrong
cub-abort:crashed with SIGABRT
cub-exit3:ended the process with exit code 3
cub-garbage:stand behind a greater one
bytes-garbage:wrong
code-garbage:CUB: no such error (cudaError 719)
CASES

# MPI's, as one rank: a line that names it, and never the library's own exit code.
while IFS=: read -r code FAULT words; do
    OMPI_COMM_WORLD_SIZE=1 timeout -s KILL 60 program/uskor bench dot:n=1000 -d cpu --time 0.001 --store none >out 2>err
    got=$?
    [ "$got" = "$code" ] || wrong "MPI, $FAULT: exit code $got, not $code: $(cat out err)"
    [ -z "$words" ] || grep '^uskor: .*MPI' err | grep -qF "$words" || wrong "MPI, $FAULT: not said: $words: $(cat err)"
done <<CASES
3:load-abort:crashed with SIGABRT
0:none-none:
134:load-abort:SIGABRT in the library of the MPI shim
3:load-abort:crashed with SIGABRT
134:start-abort:SIGABRT in the library of
1:version-exit0:exit() was called in the library of
1:end-exit0:exit() was called in the library of
2:start-garbage:start: xxx
2:world-garbage:this is rank 0 of 0, which cannot be
2:rank-garbage:this is rank -7 of 1, which cannot be
2:gather-garbage:gather: an error
CASES
FAULT=none-none
LD_LIBRARY_PATH=$folder/first program/uskor bench matmul:m=8,k=8,n=8 $fast -d cpu -r blis -r onemkl >out 2>err
[ "$(grep -c PASS out)" = 2 ] || wrong "without a fault: $(cat out err)"

# A clock that goes back is named, and no time below zero is shown.
preload libfaulty_clock.so timeout -s KILL 60 "$USKOR" bench dot:n=1000 -d cpu -r serial $fast >out 2>err
! grep -qE -- ' -[0-9.]+ (s|ms|µs|ns) *±' out || wrong "a time below zero is shown: $(cat out)"
cat out err | grep -q "clock went back" || wrong "a clock that goes back is not named: $(cat out err)"
# One of the day that jumps over the centuries changes nothing but dates.
jump() {
    preload libfaulty_clock.so env FAULT=day timeout -s KILL 60 "$USKOR" $1 >out 2>err || wrong "$1, by a jumping clock: $? $(cat err)"
    ! grep -qE -- '(^|[ "])-?(nan|inf)' out || wrong "$1, by a jumping clock: $(cat out)"
}
jump "bench dot:n=1000 -d cpu -r serial --time 0.001 --kernel-only --store s.sqlite"
jump "history --store s.sqlite --since 7d"
jump "export --store s.sqlite -o s.jsonl"
# A moment after the year 9999 is refused; one before it is taken.
preload libfaulty_clock.so env FAULT=day timeout -s KILL 60 "$USKOR" import --store n.sqlite s.jsonl >out 2>err ||
    grep -q "'made_at' is not an integer from 0 to\|'started' is not an integer from 0 to" err ||
    wrong "import, by a jumping clock: $(cat err)"
finish
