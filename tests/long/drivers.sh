#!/bin/sh
# Faults of drivers at work: every function of OpenCL, of OpenGL and of CUDA's stand-in that the program calls, with every act of harm
# and every answer that is none. The program ends by itself, with one of its own exit codes, and the cpu keeps its verdict
# unless the device that was asked for is not there. One line for each that does not.
#   DRIVERS_FAULTS='abort …'   these faults only
#   DRIVERS_FUNCTIONS='Finish …'   of these functions only
#   DRIVERS_CALLS='1 7'            from the first call on, and from the seventh (default: 1 2 5)
#   DRIVERS_PART=2/4               every fourth of them, from the second on: four of these run side by side
set -u
set -- "$(cd "$1" && pwd)" "$(cd "$2" && pwd)" # scripts work in a folder of their own
. "$1/tests/cli/common"
faults=${DRIVERS_FAULTS:-abort segv exit0 exit3 stack hang spin ignore block mute close flush round trap fork folder locale
    print code-m5 code-m12345 code-7 null zero most wild long open odd}
later=${DRIVERS_FAULTS:-abort exit0 hang code-m5 null} # of later calls fewer
export USKOR_CACHE=off USKOR_DRIVER_SECONDS=10 OMP_NUM_THREADS=2

part=${DRIVERS_PART:-1/1}
count=0 tried=0 longest=0 slowest=

# one COMMAND…: its exit code is the program's own.
one() {
    count=$((count + 1))
    [ $((count % ${part#*/})) = $((${part%/*} % ${part#*/})) ] || return
    tried=$((tried + 1))
    begin=$(date +%s)
    timeout -s KILL 300 "$@" >out 2>err
    got=$?
    took=$(($(date +%s) - begin))
    if [ "$took" -gt "$longest" ]; then longest=$took slowest="$FAULT, call ${call:-1}"; fi
    case $got in
    0 | 1) grep -qE '^(PASS +cpu|  serial .*PASS)' out || wrong "$FAULT: the cpu has no verdict: $(tail -n 3 out err)" ;;
    3) grep -q '^uskor: ' err || wrong "$FAULT: nothing is said: $(cat out)" ;;
    *) wrong "$FAULT: exit code $got: $(tail -n 3 out err)" ;;
    esac
}

real=$(ldconfig -p 2>/dev/null | sed -n 's/.*libOpenCL\.so\.1 .*=> //p' | head -n 1)
if [ -n "$real" ] && "$USKOR" devices | grep -q '^opencl:0'; then
    mkdir first
    ln -s "$2/tests/libfaulty_opencl.so" first/libOpenCL.so.1
    functions=${DRIVERS_FUNCTIONS:-$(sed -nE 's/^(DOES|ASKS)\(([A-Za-z]+),.*/\2/p; s/^MAKES\([^,]+, ([A-Za-z]+),.*/\1/p' \
        "$1/tests/faulty/opencl_functions.def")}
    for call in ${DRIVERS_CALLS:-1 2 5}; do
        [ "$call" = 1 ] || faults=$later
        for function in $functions; do
            for fault in $faults; do
                FAULT=$function-$fault
                export FAULT
                one env FAULT_CALL="$call" LD_LIBRARY_PATH="$folder/first" REAL_OPENCL="$real" "$USKOR" check \
                    transpose:rows=5,cols=3 -d cpu -d opencl:0 -r serial -r naive --tiny --limit 10s
            done
        done
    done
fi
call=1

real=$(ldconfig -p 2>/dev/null | sed -n 's/.*libEGL\.so\.1 .*=> //p' | head -n 1)
if [ -n "$real" ] && "$USKOR" devices | grep -q '^opengl:0'; then
    mkdir first_egl
    ln -s "$2/tests/libfaulty_egl.so" first_egl/libEGL.so.1
    functions=${DRIVERS_FUNCTIONS:-load $(sed -nE '/define EGL_FUNCTIONS/,/^$/s/^ *X\([^,]*, ([A-Za-z0-9_]+),.*/egl\1/p
        /define EGL_LATER/,/^$/s/^ *X\([^,]*, ([A-Za-z0-9_]+),.*/egl\1/p
        /define GL_FUNCTIONS/,/^$/s/^ *X\([^,]*, ([A-Za-z0-9_]+),.*/gl\1/p' "$1/src/backends/opengl/library.h")}
    for function in $functions; do
        for fault in ${DRIVERS_FAULTS:-abort exit0 exit3 hang fork close null ones}; do
            FAULT=$function-$fault
            export FAULT
            one env LD_LIBRARY_PATH="$folder/first_egl" REAL_EGL="$real" "$USKOR" check matmul:m=5,n=3,k=4 -d cpu -d opengl:0 \
                -r serial -r naive --tiny --limit 10s
        done
    done
fi

# CUDA's stand-in in a child, as in the program a crash is the program's end.
for function in ${DRIVERS_FUNCTIONS:-$(sed -nE 's/^(CUresult|nvrtcResult) ((cu|nvrtc)[A-Za-z0-9_]+)\(.*/\2/p' \
    "$1"/tests/fake_cuda/driver.c "$1"/tests/fake_cuda/memory.c "$1"/tests/fake_cuda/program.c)}; do
    for fault in abort exit0 hang close flush trap fork code-1 code-700 code-999; do
        FAULT=$function-$fault
        export FAULT
        one env USKOR_LIBCUDA="$2/tests/libfake_cuda.so" USKOR_NVRTC="$2/tests/libfake_cuda.so" "$USKOR" check \
            transpose:rows=5,cols=3 -d cpu -d cuda:0 -r serial -r naive --tiny --limit 10s
    done
done
echo "$tried faults; the longest took $longest s: $slowest"
finish
