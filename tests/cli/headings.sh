#!/bin/sh
# Headings name problems for people; programs and tools/ get their canonical text back. $1: the repository.
set -u
repository=$1
. "$1/tests/cli/common"

quick="--device cpu --time 0.001 --kernel-only --store none"

# canonical PROBLEM RUNG: tools/problems.awk makes of the table's heading what --json calls the problem.
canonical() {
    heading=$("$USKOR" bench "$1" --rung "$2" $quick 2>err | grep -m 1 '^[a-z]* [0-9]')
    [ -n "$heading" ] || wrong "bench $1 has no heading: $(cat err)"
    got=$(echo "$heading" | awk "$(cat "$repository/tools/problems.awk")"'{ print problem_of($0) }')
    "$USKOR" bench "$1" --rung "$2" $quick --json 2>err | grep -qF "\"$got\"" ||
        wrong "'$heading' became '$got', and the program calls $1 otherwise"
}
canonical transpose:rows=30,cols=20 serial
canonical transpose:rows=16,cols=65536,u8,seed=7 simd
canonical dot:n=100 serial
canonical dot:n=131072,input=signed,f64 simd
canonical sort:n=1000,input=sorted,i32 radix
canonical resize:width=20,height=10 parallel
canonical resize:width=20,height=10,out_width=31,out_height=17 simd
canonical wave:nx=16,ny=12,nz=10 serial
canonical wave:nx=16,ny=12,nz=10,steps=3,input=random,seed=3 simd
canonical matmul:m=20,n=30,k=40 serial
canonical matmul:m=20,n=30,k=40,beta=0.5,transa=t,ldb_pad=3,f64 packed
canonical pipeline:n=256 serial

# The report's headings are people's, and its commands a program's.
expect 0 '' "$USKOR" bench transpose:rows=30,cols=20 sort:n=1000 --device cpu --time 0.001
expect 0 '' "$USKOR" report -o report.html
grep -q '<p class="problem">transpose 30 × 20, f32 ' report.html || wrong 'the chapter does not name its problem'
grep -q '<td class="size">1000, f32' report.html || wrong 'the summary does not name its problem'
! grep -v 'data-copy\|class="note"\|<script' report.html | grep -q 'rows=30,cols=20' || wrong 'a canonical text stands in a heading'

finish
