#!/bin/sh
# Every device rung, at tiny sizes, on Oclgrind: a simulated OpenCL device that runs work-items in turn and finds races,
# missing barriers, accesses out of bounds and wrong calls, which PoCL hides.
# $1: the program, $2: a folder for logs, $3: how many ladders at a time, then the kernels.
set -u
program=$1 logs=$2/oclgrind jobs=$3
shift 3
if ! command -v oclgrind >/dev/null; then
    echo 'oclgrind is not installed (Debian: oclgrind), so no OpenCL rung can be tried on a simulated device' >&2
    exit 1
fi
rm -rf "$logs"
mkdir -p "$logs"

# Fewer groups for the rungs whose number of groups does not follow the size; small ones, so that there are several.
# Without CLBlast, as some processes that ran it on Oclgrind abort when they end.
simulate() {
    case $1 in
    dot) set -- "$1" --set GROUPS=64 ;;
    sort) set -- "$1" --set GROUP=64 ;;
    esac
    kernel=$1
    if ! USKOR_CLBLAST=none oclgrind --data-races --check-api --local-mem-size 49152 --max-errors 20 \
        --log "$logs/$kernel.found" "$program" check "$@" --tiny --device opencl:0 >"$logs/$kernel.txt" 2>&1; then
        echo "$kernel: the check failed" >>"$logs/failed"
    fi
    [ ! -s "$logs/$kernel.found" ] || echo "$kernel: Oclgrind found errors" >>"$logs/failed"
}

running=0
for kernel; do
    simulate "$kernel" &
    running=$((running + 1))
    if [ "$running" -ge "$jobs" ]; then
        wait
        running=0
    fi
done
wait
for kernel; do
    echo "oclgrind: $kernel"
    cat "$logs/$kernel.txt"
    [ ! -s "$logs/$kernel.found" ] || cat "$logs/$kernel.found"
    grep -q opencl:0 "$logs/$kernel.txt" || echo "$kernel: nothing ran on the simulated device" >>"$logs/failed"
done
[ ! -e "$logs/failed" ] || {
    cat "$logs/failed" >&2
    exit 1
}
