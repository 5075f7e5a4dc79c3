#!/bin/sh
# Every device rung, at tiny sizes, on Oclgrind: a simulated OpenCL device that runs work-items in turn and finds races,
# missing barriers, accesses out of bounds and wrong calls, which PoCL hides. Before them wrong kernels, which must be found.
# $1: the program, $2: the build folder, where logs are left, $3: how many ladders at a time, then the kernels.
set -u
if ! command -v oclgrind >/dev/null; then
    echo 'oclgrind: not here, so no device rung is simulated (Debian 12: oclgrind; Debian 13 has none)'
    exit 0
fi
program=$1 build=$2 logs=$2/oclgrind jobs=$3
shift 3

# LOG COMMAND…: the command on the simulated device; what was found is in LOG. Arrays have no canaries: reads beyond them
# are to be found, too.
simulated() {
    log=$1
    shift
    USKOR_CLBLAST=none USKOR_CANARIES=none oclgrind --data-races --check-api --local-mem-size 49152 --max-errors 20 --log "$log" "$@"
}

# KERNEL: fewer groups for the rungs whose number of groups does not follow the size; small ones, so that there are several.
# Without CLBlast, as some processes that ran it on Oclgrind abort when they end. In one process: a child opens LOG anew.
check_ladder() {
    kernel=$1
    case $kernel in
    dot) set -- "$kernel" --set GROUPS=64 ;;
    sort) set -- "$kernel" --set GROUP=64 ;;
    matmul) set -- "$kernel" --set GROUP=32 ;; # several pieces and blocks
    esac
    simulated "$logs/$kernel.found" "$program" check "$@" --tiny --no-isolate --device opencl:0 >"$logs/$kernel.txt" 2>&1 ||
        echo "$kernel: the check failed" >>"$logs/failed"
    # More counts than one group of the radix sort adds up at once: its loop runs twice.
    [ "$kernel" != sort ] ||
        simulated "$logs/sums.found" "$program" check sort:n=17000,u32 --rung radix-local --set GROUP=64 --set ITEMS=4 \
            --sample-seed 0 --tiny --no-isolate --device opencl:0 >"$logs/sums.txt" 2>&1 ||
        echo 'sort of 17000: the check failed' >>"$logs/failed"
    # The first indices of an order: keys that differ in their lowest digit alone, and equal ones.
    [ "$kernel" != sort ] ||
        simulated "$logs/first.found" "$program" check sort:n=3003,values=index32,top=700,input=few,f32 \
            sort:n=1500,values=index64,top=9,input=special,i64 --rung select --set GROUP=64 --set ITEMS=8 --sample-seed 0 --no-isolate \
            --device opencl:0 >"$logs/first.txt" 2>&1 || echo 'first of 3003: the check failed' >>"$logs/failed"
    [ ! -s "$logs/first.found" ] || [ "$kernel" != sort ] || echo 'first of 3003: Oclgrind found errors' >>"$logs/failed"
    [ ! -s "$logs/sums.found" ] || [ "$kernel" != sort ] || echo 'sort of 17000: Oclgrind found errors' >>"$logs/failed"
    [ ! -s "$logs/$kernel.found" ] || echo "$kernel: Oclgrind found errors" >>"$logs/failed"
    grep -q opencl:0 "$logs/$kernel.txt" || echo "$kernel: nothing ran on the simulated device" >>"$logs/failed"
}

# ENTRY WORDS: Oclgrind must say the words of this wrong kernel; no words: it must say nothing.
finds() {
    simulated "$logs/planted-$1.found" "$build/tests/planted" "$1" >"$logs/planted-$1.txt" 2>&1
    if [ $? != 0 ]; then
        cat "$logs/planted-$1.txt"
    elif [ -n "$2" ]; then
        grep -qF "$2" "$logs/planted-$1.found" && return
        echo "Oclgrind did not find the planted kernel '$1' ($2)"
    else
        [ ! -s "$logs/planted-$1.found" ] && return
        cat "$logs/planted-$1.found"
    fi >&2
    exit 1
}

if [ "$jobs" = one ]; then # as called by xargs below
    check_ladder "$1"
    exit 0
fi
if ! command -v oclgrind >/dev/null; then
    echo 'oclgrind is not installed (Debian: oclgrind), so no OpenCL rung can be tried on a simulated device' >&2
    exit 1
fi
rm -rf "$logs"
mkdir -p "$logs/home" || exit 1
# As in CTest's runs: caches that begin empty.
HOME=$(cd "$logs/home" && pwd)
XDG_CACHE_HOME=$HOME/.cache
export HOME XDG_CACHE_HOME
unset POCL_CACHE_DIR MESA_SHADER_CACHE_DIR
finds race 'Read-write data race'
finds bounds 'Invalid write of size 4'
finds reads 'Invalid read of size 4'
finds barrier 'divergence detected (barrier)'
finds nothing ''
echo 'oclgrind: a planted race, planted accesses out of bounds and a planted barrier in a branch were found'

printf '%s\n' "$@" | xargs -P "$jobs" -I '{}' sh "$0" "$program" "$build" one '{}'
for kernel; do
    echo "oclgrind: $kernel"
    cat "$logs/$kernel.txt"
    [ ! -s "$logs/$kernel.found" ] || cat "$logs/$kernel.found"
done
[ ! -e "$logs/failed" ] || {
    cat "$logs/failed" >&2
    exit 1
}
