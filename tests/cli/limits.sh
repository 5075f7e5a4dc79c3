#!/bin/sh
# What the program is started with: limits of the system, and its own variables. Each that no command can work with is
# refused in a line that names it; with the others the work goes on, without the drivers that do not fit. $2: the build.
set -u
. "$1/tests/cli/common"
export USKOR_CACHE=off OMP_NUM_THREADS=2 # stacks of many threads need addresses, too
small='transpose:rows=100,cols=60 --device cpu --rung serial --time 0.01 --kernel-only'
echo 'void dot(const float *a, const float *b, float *out, long n) {}' >k.c

# Larger stacks would need more addresses than there are below.
(ulimit -s 8192) 2>/dev/null && ulimit -s 8192

# under LIMIT COMMAND…: with no file open but the standard streams, whoever started this.
under() (
    exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
    ulimit -$1
    shift
    exec "$@"
)

# Files: the true cause, whatever the command; nothing is left behind.
for limit in 4 5 8 12 30; do
    for command in devices "bench $small --store new.sqlite" 'check dot:n=10 -d cpu -r serial' 'try dot k.c' \
        'exercise sort:radix -o new' 'wave -o new.npy --size 9x9x9'; do
        expect 2 'files that can be opened at once' under "n $limit" "$USKOR" $command
        [ "$(wc -l <err)" = 1 ] || wrong "ulimit -n $limit: $command says more than a line: $(cat err)"
        [ -z "$(ls | grep ^new)" ] || wrong "ulimit -n $limit: $command leaves $(ls)"
    done
done

# A sanitizer's run-time library needs the addresses, the stack and /proc before the program begins.
sanitized=$(sed -n 's/^USKOR_SANITIZE:[A-Z]*=//p' "$2/CMakeCache.txt")

# A stack, the processor's time, threads: as long as they last.
expect 2 'OMP_STACKSIZE gives a thread 6' env OMP_STACKSIZE=64k OMP_NUM_THREADS=2 "$USKOR" devices # LLVM's adds some
says 'KiB; 256 KiB are needed'
expect 0 '' env OMP_STACKSIZE=512k OMP_NUM_THREADS=2 "$USKOR" check dot:n=10 -d cpu -r parallel --threads 2
expect 2 "the processor's time is limited to 2 s" under 't 2' "$USKOR" devices
[ "$sanitized" ] || expect 2 'of 3000 threads: ' under 'v 8000000' "$USKOR" bench $small --store none --threads 3000
expect 0 'PASS' "$USKOR" bench $small --store none --threads 1030 # a large team is OpenMP's, not a rung's
# The limit on processes is not the superuser's. (The build may be out of others' reach: in a home folder of its owner's.)
if [ "$(id -u)" = 0 ] && setpriv --reuid 64999 --clear-groups "$USKOR" --version >/dev/null 2>&1; then
    expect 2 'threads: Resource temporarily unavailable' prlimit --nproc=9 setpriv --reuid 64999 --clear-groups "$USKOR" \
        list
fi

# Addresses: whatever a driver makes of few, the cpu is shown. (A sanitizer needs more than any such limit.)
if (ulimit -v 200000 && "$USKOR" --version) >/dev/null 2>&1; then
    for limit in 60000 150000 250000 280000 350000 420000 600000; do
        expect 0 '' under "v $limit" "$USKOR" devices
        grep -q '^cpu' out || wrong "ulimit -v $limit: the cpu is not shown: $(cat out err)"
    done
    expect 3 'the C compiler: needs about 512 MiB' under 'v 300000' "$USKOR" try dot k.c
    # A batch's arrays, twice in the workspace, the ceiling's and the rung's own memory: 7 times 512 MiB.
    expect 2 'needs about 3.5' under 'v 3400000' "$USKOR" bench sort:n=1024,batch=128,stride=1024 -d cpu \
        -r lines --store none
    # What a driver did under one limit says nothing about another.
    unset USKOR_CACHE
    export XDG_CACHE_HOME="$folder/cache"
    expect 0 '' "$USKOR" devices
    expect 0 '' under 'v 250000' "$USKOR" devices
    grep -q '^cpu' out || wrong "a trial without the limit is remembered under it: $(cat out err)"
    export USKOR_CACHE=off
fi

# A compiler that cannot work is no fault of the file, and what is begun is not left half done.
echo 'void sort(float *data, long n) {}' >s.c
most=$(ulimit -f 8; sed -n 's/^Max file size *\([0-9]*\) .*/\1/p' /proc/self/limits) # a shell counts blocks of 512 or 1024 bytes
expect 3 "the C compiler writes files of 1024 KiB, and $((most / 1024)) KiB are the most" under 'f 8' "$USKOR" try sort s.c
expect 3 'the C compiler fails here whatever it compiles' env CC="${CC:-cc} -B/nowhere -fuse-ld=none" "$USKOR" try sort s.c
expect 2 '' under 'f 0' "$USKOR" exercise sort:radix -o half
[ ! -e half ] || wrong "ulimit -f: half an exercise is left: $(ls half)"
# The environment lies on the stack: with a large one not even the loader has room on so small a one.
[ "$sanitized" ] || expect 2 'the stack is limited to a few pages' env -i sh -c 'ulimit -s 16 && exec "$0" list' "$USKOR"

# Its own variables: each takes few words.
while read -r setting; do
    expect 2 "the environment has ${setting%%=*}='${setting#*=}'; it takes" env "$setting" "$USKOR" list
done <<CASES
USKOR_CACHE=0
USKOR_CANARIES=no
USKOR_DRIVER_SECONDS=ten
USKOR_DRIVER_SECONDS=-1
USKOR_DRIVER_SECONDS=nan
USKOR_ISA=avx1024
USKOR_ISA=$(if [ "$(uname -m)" = aarch64 ]; then echo avx2; else echo neon; fi)
CASES
expect 0 '' env USKOR_CACHE= USKOR_CANARIES= USKOR_DRIVER_SECONDS= USKOR_ISA= "$USKOR" list

# OpenMP's for smaller teams: oneDNN left a part of its result undone.
for setting in OMP_DYNAMIC=true OMP_THREAD_LIMIT=1; do
    expect 0 '' env $setting OMP_NUM_THREADS=7 "$USKOR" check matmul:m=127,n=129,k=257 -d cpu -r onednn -r serial
done
expect 2 '5 threads: OMP_THREAD_LIMIT allows 3' env OMP_THREAD_LIMIT=3 "$USKOR" check dot:n=10 -d cpu -r serial --threads 5

# … and getopt's does not end the options at the first argument.
expect 0 '' env POSIXLY_CORRECT=1 "$USKOR" bench $small --store none

# Nothing that the program makes is out of its own reach.
(umask 777 && exec "$USKOR" exercise sort:radix -o made) >out 2>err || wrong "umask 777: $(cat err)"
[ "$(stat -c %a made)" = 700 ] && [ "$(stat -c %a made/sort.c)" = 600 ] || wrong "umask 777: $(ls -l made)"

# A parent that ignores its children's ends, and lets ours do so: how a compiler and a child end is known all the same.
echo 'void dot(const float *a, const float *b, double *out, long n) { *out = 0; while (n--) *out += (double)a[n] * b[n]; }' >right.c
if env --ignore-signal=CHLD true 2>/dev/null; then # GNU's
    for command in 'try dot right.c dot:n=100 --time 0.001 --kernel-only --beside serial --store none' \
        'explain transpose:rows=64,cols=48 -r naive --for sm_90'; do
        "$USKOR" $command >/dev/null 2>&1 || continue # no compiler
        expect 0 '' timeout -s KILL 120 env --ignore-signal=CHLD "$USKOR" $command
    done
fi

# Without /proc a process of its own is started by the program's name.
if [ ! "$sanitized" ] && unshare -m true 2>/dev/null; then
    expect 0 '1 right' unshare -m sh -c "mount -t tmpfs none /proc && exec \"\$USKOR\" check dot:n=10 -d cpu -r serial --threads 1"
fi

finish
