#!/bin/sh
# Drivers and libraries that do harm take nothing down; what they did is named; nothing is opened from the current
# folder. $2: the build folder.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
driver=$2/tests/libfaulty_driver.so
export XDG_CACHE_HOME="$folder/cache" USKOR_DRIVER_SECONDS=60
# A sanitized program shall die of its signals as any other does.
export ASAN_OPTIONS="${ASAN_OPTIONS-}:handle_segv=0:handle_abort=0"
cd "$folder"

wrong() {
    echo "$1"
    cat "$folder/out" "$folder/err"
    exit 1
}

# expect WORDS COMMAND…: it succeeds, shows the cpu, and says WORDS.
expect() {
    words=$1
    shift
    "$@" >out 2>err || wrong "exit code $?: $words"
    grep -q '^cpu' out || wrong "the cpu is not shown: $words"
    cat out err | grep -qF "$words" || wrong "not said: $words"
}

while read -r fault words; do
    export FAULT="$fault"
    expect "cuda: none: its driver, asked for devices: $words" env USKOR_LIBCUDA="$driver" "$USKOR" devices
done <<CASES
load-abort crashed with SIGABRT
load-exit0 ended the process with exit code 0
init-segv crashed with SIGSEGV
init-exit3 ended the process with exit code 3
CASES
USKOR_DRIVER_SECONDS=0.3 FAULT=init-hang expect 'no answer for 0.3 s' env USKOR_LIBCUDA="$driver" "$USKOR" devices

# … and the work goes on without it.
FAULT=init-exit0 USKOR_LIBCUDA="$driver" "$USKOR" bench dot:n=1000 -d cpu -r serial --time 0.01 --store none >out 2>err ||
    wrong 'bench'
grep -q serial out || wrong 'bench shows nothing'

# A driver that OpenCL's loader opens.
if "$USKOR" devices | grep -q '^opencl:0'; then
    mkdir vendors
    echo "$driver" >vendors/faulty.icd
    export OCL_ICD_VENDORS="$folder/vendors"
    FAULT=load-abort expect 'opencl: none: its driver, asked for devices: crashed with SIGABRT' "$USKOR" devices
    FAULT=init-exit3 expect 'opencl: none: its driver, asked for devices: ended the process with exit code 3' \
        "$USKOR" devices
    # What is wrong is said, not that there is nothing.
    echo /nowhere/libmissing.so >vendors/faulty.icd
    expect "faulty.icd names '/nowhere/libmissing.so', which does not load" "$USKOR" devices
    rm vendors/faulty.icd
    expect "$folder/vendors has no .icd file" "$USKOR" devices
    # A platform that refuses is named, and by a command that was to use every device; one that is busy is asked again.
    echo "$driver" >vendors/faulty.icd
    cp /etc/OpenCL/vendors/*.icd vendors/
    refusal='the platform Faulty does not list its devices: CL_OUT_OF_HOST_MEMORY'
    FAULT=list-refuse expect "opencl: without a device: $refusal" "$USKOR" devices
    FAULT=list-refuse "$USKOR" check dot:n=10 -r serial >out 2>err || wrong 'check beside a platform that refuses'
    grep -qF "uskor: opencl is left out: $refusal" err || wrong 'check does not name the platform that refuses'
    FAULT=list-refuse "$USKOR" check dot:n=10 -d opencl:7 >out 2>err && wrong 'a device that is not there'
    grep -qF "; $refusal" err || wrong 'what is missing is not named'
    FAULT=list-busy expect 'opencl: without a device: the platform Faulty has no device' "$USKOR" devices
    FAULT=list-busy "$USKOR" check dot:n=10 -r serial >out 2>err || wrong 'check beside a platform without a device'
    test ! -s err || wrong 'a platform without a device is no fault'
    # What one prints is not in the program's output, which it does not close; what it does at the end changes nothing.
    FAULT=load-print expect 'opencl:0' "$USKOR" devices
    ! grep -q PRINTED out || wrong "a driver's words are in the output"
    grep -q PRINTED err || wrong "a driver's words are lost"
    FAULT=load-mute expect 'opencl:0' "$USKOR" devices
    FAULT=unload-abort expect 'opencl:0' "$USKOR" devices
    unset OCL_ICD_VENDORS
    if "$USKOR" devices | grep -q 'Portable Computing'; then
        POCL_CACHE_DIR=/dev/null/x expect 'PoCL has no device, as it cannot write /dev/null/x: Not a directory' \
            "$USKOR" devices
    fi
fi

# Faults of a driver at work: CODE FAULT WORDS of each. Those of CUDA's stand-in, whose kernels do nothing, come in the
# program itself; those of OpenCL's, which hands all else on to the real one, in a child, and the cpu keeps its verdict.
try_at_work() {
    while IFS=: read -r code FAULT words; do
        got=0
        env FAULT="$FAULT" "$@" >out 2>err || got=$?
        [ $got = "$code" ] || wrong "$FAULT: exit code $got, not $code"
        cat out err | grep -qF "$words" || wrong "$FAULT: not said: $words"
    done
}
export USKOR_CACHE=off # as far as trials go, no driver is known
export STAND_IN="$2/tests/libfake_cuda.so"
echo 'USKOR_LIBCUDA=$STAND_IN USKOR_NVRTC=$STAND_IN exec "$@"' >stand_in
stand_in='sh stand_in'
try_at_work $stand_in "$USKOR" bench transpose:rows=5,cols=3 -d cuda:0 -r naive --limit 1s --store none <<CASES
1:nvrtcCompileProgram-spin:no answer for 1 s in
1:cuLaunchKernel-hang:no answer for 1 s in
CASES
try_at_work $stand_in "$USKOR" bench transpose:rows=5,cols=3 -d cuda:0 -r naive --store none <<CASES
1:none-none:the output was never written
3:cuInit-code-999:cuda
3:cuCtxSetCurrent-abort:cuda:0: its driver, asked for devices: crashed with SIGABRT
CASES
try_at_work $stand_in "$USKOR" bandwidth -d cuda:0 --sizes 1K..2Kx2 --time 0.001 --store none <<CASES
1:time-nan:its driver's clock is wrong: nan s between two marks
1:time--5:its driver's clock is wrong: -0.005 s between two marks
CASES
# A job on files, and a command whose launches no rung has: each call of a driver is named, and watched.
printf '\223NUMPY\001\000v\000%-117s\n' "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }" >m.npy
head -c 24 /dev/zero >>m.npy
try_at_work env USKOR_DRIVER_SECONDS=1 $stand_in "$USKOR" transpose m.npy -o t.npy -d cuda:0 <<CASES
134:cuLaunchKernel-abort:uskor: SIGABRT in the library of cuda:0
1:cuLaunchKernel-exit0:uskor: exit() was called in the library of cuda:0
1:cuMemcpyDtoHAsync_v2-hang:uskor: no answer for 5 s in the library of cuda:0
CASES
test ! -e t.npy || wrong 'a result of a driver that ended the process'
try_at_work $stand_in "$USKOR" bench transpose:rows=5,cols=3 -d cuda:0 -r naive --memory pageable --time 0.001 --store none <<CASES
1:cuLaunchKernel-exit0:uskor: exit() was called in the library of cuda:0
134:cuMemAlloc_v2-abort:uskor: SIGABRT in the library of cuda:0
CASES
# _exit() and abort(), also behind a handler of the driver's own. (A sanitizer has functions of its own in their place.)
if grep -q '^USKOR_SANITIZE:[A-Z]*=$' "$2/CMakeCache.txt"; then
    try_at_work $stand_in "$USKOR" transpose m.npy -o t.npy -d cuda:0 <<CASES
1:cuMemAlloc_v2-exit3:uskor: exit() was called in the library of cuda:0
134:cuLaunchKernel-handler:uskor: SIGABRT in the library of cuda:0
CASES
    # One that had done well before is tried anew after it.
    USKOR_CACHE= FAULT=none-none expect 'cuda:0' $stand_in "$USKOR" devices
    try_at_work env USKOR_CACHE= $stand_in "$USKOR" devices <<CASES
134:cuInit-handler:uskor: SIGABRT in the library of cuda
0:cuInit-handler:its driver, asked for devices: ended the process with exit code 0
CASES
fi
# A process that a driver leaves behind as it closes does not outlive the program, nor keep its output open.
timeout 60 sh -c "FAULT=cuDevicePrimaryCtxRelease_v2-fork $stand_in \"\$USKOR\" bench \
    transpose:rows=5,cols=3 -d cuda:0 -r naive --kernel-only --no-isolate --store none | cat" >out 2>err ||
    wrong "a driver's process outlives the program"
real=$(ldconfig -p 2>/dev/null | sed -n 's/.*libOpenCL\.so\.1 .*=> //p' | head -n 1)
if [ -n "$real" ] && "$USKOR" devices | grep -q '^opencl:0'; then
    mkdir first
    ln -s "$2/tests/libfaulty_opencl.so" first/libOpenCL.so.1
    try_at_work env LD_LIBRARY_PATH="$folder/first" REAL_OPENCL="$real" "$USKOR" check transpose:rows=5,cols=3 \
        -d opencl:0 -r naive --tiny <<CASES
0:CreateContext-trap:PASS
1:EnqueueReadBuffer-code-m5:: opencl:0: reading a buffer: CL_OUT_OF_RESOURCES
1:CreateKernel-null:no error and no result
1:CreateBuffer-null:ERROR transpose:rows=5,cols=3,f32 BX=4 BY=64: opencl:0: allocating 128 KiB: no error and no result
1:EnqueueWriteBuffer-code-m5:: opencl:0: writing a buffer: CL_OUT_OF_RESOURCES
3:CreateContext-null:opencl:0: making a context: no error and no result
3:CreateCommandQueue-code-7:opencl:0: making a queue: unknown code 7
CASES
    try_at_work env LD_LIBRARY_PATH="$folder/first" REAL_OPENCL="$real" "$USKOR" bench transpose:rows=5,cols=3 \
        -d opencl:0 -r naive --time 0.001 --kernel-only --store none <<CASES
1:GetEventProfilingInfo-wild:its driver's clock is wrong
1:GetEventProfilingInfo-zero:its driver's clock stands still
CASES
fi
unset USKOR_CACHE

# A child has the environment of the start, whatever a library that was loaded did to it.
if "$USKOR" devices | grep -q '^opencl:0'; then
    # The loader takes a folder's files as the file system lists them: this one last, else it cuts what finds the others.
    for name in a b c d e f g h i j k l; do
        for is_first in yes no; do
            rm -rf cut && mkdir -p cut/all
            [ $is_first = no ] || echo "$driver" >cut/all/$name.icd
            cp /etc/OpenCL/vendors/*.icd cut/all/
            echo "$driver" >cut/all/$name.icd
            [ "$(ls -U cut/all | tail -n 1)" != $name.icd ] || break 2
        done
    done
    OCL_ICD_VENDORS="$folder/cut/all" FAULT=load-cut CUT=OCL_ICD_VENDORS "$USKOR" check transpose:rows=3,cols=5 -d opencl:0 -r naive --tiny \
        >out 2>err || wrong 'a child whose parent loaded a library that cuts the environment'
    grep -q '^PASS' out || wrong 'no verdict behind a library that cuts the environment'
fi

# A driver that did well is tried again where the system shows it something else: without /sys PoCL aborts.
if unshare -m true 2>/dev/null; then
    "$USKOR" devices >out 2>err
    expect 'cpu' unshare -m sh -c 'mount -t tmpfs none /sys && exec "$@"' x "$USKOR" devices
fi

# The first SIGTERM while a driver hangs ends the program.
FAULT=init-hang USKOR_LIBCUDA="$driver" "$USKOR" check dot:n=10 -d cuda >out 2>err &
program=$!
sleep 0.5
kill -TERM $program
code=0
wait $program || code=$?
test $code -eq 143 || wrong "SIGTERM while a driver hangs: $code"

# What a shell had started before it became the program goes on.
if command -v bash >/dev/null; then
    bash -c "exec \"\$USKOR\" check dot:n=10 -d cpu -r serial --threads 1 > >(sleep 1; cat >kept; echo over >over)" 2>err
    for i in $(seq 120); do [ -e over ] || sleep 0.5; done
    grep -q '^PASS' kept || wrong 'a process of the shell before is ended'
fi

# Shims: none from the current folder, however the program was found.
for shim in cub opencv stb hwy std; do
    cp "$driver" "libuskor_$shim.so"
done
cp "$driver" libopenblas.so.0 # the loader takes an empty entry of its path for the current folder
mkdir bin
ln -s "$USKOR" bin/uskor
export FAULT=load-mark MARK="$folder/planted"
PATH="$folder/bin:$PATH" LD_LIBRARY_PATH=: uskor check --tiny -d cpu --no-isolate >out 2>err || wrong 'check through PATH'
test ! -e planted || wrong 'a planted shim was opened'

# A relative path depends on where one stands.
cp "$driver" libcublas.so
USKOR_LIBCUDA=./libcublas.so "$USKOR" devices >out 2>err
test ! -e planted || wrong 'a relative path was opened'
grep -q 'give the whole path' out || wrong 'a relative path is not refused'
