#!/bin/sh
# Every ladder over devices under each tool of NVIDIA's compute-sanitizer, at small sizes. One GPU is enough: it is in
# the group three times, so that each share, piece and rim has neighbours on both sides.
#
#     tests/hardware/sanitized-devices.sh PROGRAM FOLDER [SECONDS [GROUP]]
#
# PROGRAM: build/uskor, or a copy of it with its modules beside it. FOLDER: receives summary.txt, a line for each problem
# and tool, and a log for each that found something. SECONDS: for each of them, 300 unless given. Exit code 1 when a
# tool found something, an answer is wrong, or a process did not end.
set -u
if [ "$1" = one ]; then # as called by xargs below: one PROGRAM FOLDER SECONDS GROUP TOOL PROBLEM ARGUMENT…
    program=$2 folder=$3 seconds=$4 group=$5 tool=$6
    shift 6
    log=$folder/$tool-$(echo "$*" | tr -c 'a-z0-9\n' -).log
    begun=$(date +%s)
    # Without canaries, so that the tool itself sees accesses beyond an array.
    case $tool in memcheck) only='--report-api-errors no' ;; *) only= ;; esac
    # shellcheck disable=SC2086
    USKOR_CANARIES=none timeout "$seconds" compute-sanitizer --tool "$tool" $only --error-exitcode 9 \
        "$program" bench "$@" --devices "$group" --time 0.001 --store none >"$log" 2>&1
    code=$?
    right=$(grep -c ' PASS' "$log")
    found=$(sed -n 's/^=* *\([A-Z]* SUMMARY.*\)/\1/p' "$log" | tail -n 1)
    echo "$tool $*: exit code $code, $right rows right, $(grep -c FAIL "$log") wrong, ${found:-no summary}," \
        "$(($(date +%s) - begun)) s" >>"$folder/summary.txt"
    [ "$code" -eq 0 ] && [ "$right" -gt 1 ] && rm "$log"
    exit 0
fi
program=$1 folder=$2 seconds=${3:-300} group=${4:-cuda:0,cuda:0,cuda:0}
mkdir -p "$folder" || exit 2
: >"$folder/summary.txt"
# racecheck takes minutes for what the others do in seconds.
{
    for rung in peer-loads hidden; do
        echo "racecheck wave:nx=8,ny=8,nz=24,steps=2 --rung $rung"
    done
    for problem in sort:n=2003 matmul:130x40x70 transpose:rows=1000,cols=776 dot:n=100003; do
        echo "racecheck $problem"
    done
    for tool in memcheck initcheck synccheck; do
        for problem in sort:n=20003 sort:n=5003,u64 transpose:rows=1000,cols=776 transpose:rows=136,cols=72,f64 \
            wave:nx=36,ny=17,nz=128,steps=4 wave:nx=16,ny=8,nz=1100,steps=4 dot:n=100003 matmul:520x264x390; do
            echo "$tool $problem"
        done
    done
} | xargs -P "$(nproc)" -L 1 "$0" one "$program" "$folder" "$seconds" "$group"
sort -o "$folder/summary.txt" "$folder/summary.txt"
cat "$folder/summary.txt"
[ -z "$(ls "$folder" | grep '\.log$')" ]
