#!/bin/sh
# What a command is started in: limits of the system, variables of others, standard streams that are closed, file systems
# that are absent or full. Whatever it is, the command ends by itself, with one of its own exit codes; where that is 2 or 3
# it says why, and no result, store or part of one is left. One line for each that does otherwise. $2: the build folder.
set -u
. "$1/tests/cli/common"
[ -z "${ASAN_OPTIONS-}" ] || exit 77 # a sanitizer needs memory and files of its own
command -v bash >/dev/null && command -v python3 >/dev/null || exit 77
export OMP_NUM_THREADS=2
fast='-d cpu -r serial --time 0.01 --kernel-only'

mkdir begin
cd begin || exit 1
python3 - <<'PYTHON'
import struct
def npy(path, shape, values):
    head = "{'descr': '<f4', 'fortran_order': False, 'shape': %s}" % shape
    head = head.ljust(117).encode() + b"\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + struct.pack("<%df" % len(values), *values))
npy("v.npy", "(5000,)", [i * 7919 % 1000 for i in range(5000)])
npy("m.npy", "(100, 60)", list(range(6000)))
PYTHON
echo 'void dot(const float *a, const float *b, double *out, long n) { *out = 0; }' >k.c
"$USKOR" bench dot:n=100 $fast --store s.sqlite >/dev/null || exit 1
"$USKOR" export --store s.sqlite -o s.jsonl || exit 1
cd ..

commands="devices
bench dot:n=1000 $fast --store new.sqlite
bench dot:n=1000 $fast --isolate --store none
bench dot:n=1000 $fast --store none --json -o new.json
check transpose:rows=5,cols=3 -r serial -r naive --tiny
try dot k.c dot:n=100 --time 0.001 --kernel-only --beside serial --store none --limit 60s
sort v.npy -o new.npy
transpose m.npy -o new.npy
wave -o new.npy --size 20x20x20 --steps 3
history --store s.sqlite
export --store s.sqlite -o new.jsonl
import --store new.sqlite s.jsonl
report --store s.sqlite -o new.html
explain transpose:rows=64,cols=48 -r serial --for this-cpu
exercise sort:radix -o new"

# within NAME COMMAND…: each command, started by COMMAND. What it and the shell ("Aborted") say goes through a pipe: a
# limit of a file's size does not hold there. It is shown in one line.
within() {
    name=$1
    shift
    echo "$commands" | while read -r line; do
        rm -rf work
        cp -r begin work
        said=$({ cd work && timeout -s KILL 200 "$@" "$USKOR" $line <&- >../out; } 2>&1)
        got=$?
        case $got in
        0 | 1) ;;
        2 | 3)
            [ -n "$said" ] || [ "$name" = 'no standard error' ] || echo "FAIL: $name: $line: nothing is said with $got"
            [ -z "$(ls work | grep -E '^new|part$|-wal$|-shm$|-journal$')" ] ||
                echo "FAIL: $name: $line: $got, and left is $(ls work | grep -E '^new|part$|-wal$|-shm$|-journal$')"
            ;;
        *) echo "FAIL: $name: $line: exit code $got: $(echo "$said" | tail -n 4 | tr '\n' ' ')" ;;
        esac
    done >>failed
}

: >failed
for limit in 'n 4' 'n 9' 'n 30' 'n 52' 'n 60' 'f 0' 'f 8' 'f 60' 's 16' 's 64' 's 600' 't 1' 't 2' 'l 0' 'd 20000' 'd 200000' \
    'v 60000' 'v 150000' 'v 250000' 'v 300000' 'v 400000' 'v 500000' 'v 700000' 'v 1000000'; do
    within "ulimit -$limit" bash -c "ulimit -$limit && exec \"\$@\"" x
done
while read -r setting; do
    within "$setting" env USKOR_CACHE=off "$setting"
done <<CASES
PATH=
PATH=bin:.
HOME=/etc/passwd
XDG_CACHE_HOME=/proc
TMPDIR=/proc
TMPDIR=relative
COLUMNS=-1
LC_ALL=de_DE.UTF-8
LC_ALL=../../x
TZ=garbage
OMP_NUM_THREADS=garbage
OMP_NUM_THREADS=0
OMP_STACKSIZE=1k
OMP_STACKSIZE=100G
OMP_THREAD_LIMIT=1
OMP_DYNAMIC=true
POSIXLY_CORRECT=1
GOMP_CPU_AFFINITY=0-1000
POCL_CACHE_DIR=/dev/null/x
POCL_MAX_PTHREAD_COUNT=-1
OCL_ICD_VENDORS=/dev/zero
EGL_PLATFORM=garbage
GALLIUM_DRIVER=garbage
MESA_GL_VERSION_OVERRIDE=1.0
USKOR_ISA=garbage
USKOR_LIBCUDA=/dev/zero
USKOR_NVRTC=/etc/passwd
CASES
within 'umask 777' sh -c 'umask 777 && exec "$@"' x
within 'umask 0' sh -c 'umask 0 && exec "$@"' x
mkdir 'two words'
within 'TMPDIR with a blank' env TMPDIR="$folder/two words"
if env --ignore-signal=CHLD true 2>/dev/null; then # GNU's
    within 'signals ignored' env --ignore-signal=CHLD,PIPE,INT,HUP,TERM,ALRM
    within 'signals blocked' env --block-signal
fi
within 'no standard error' sh -c 'exec "$@" 2>/dev/full' x
if unshare -m true 2>/dev/null; then
    within 'no /proc' unshare -m sh -c 'mount -t tmpfs none /proc && exec "$@"' x
    within 'no /sys' unshare -m sh -c 'mount -t tmpfs none /sys && exec "$@"' x
    within 'a namespace of processes' unshare -pf --mount-proc
    within 'no network' unshare -n
    mkdir full
    within 'a full TMPDIR' unshare -m sh -c "mount -t tmpfs -o size=8k none '$folder/full' &&
        { head -c 8192 /dev/zero >'$folder/full/x' || :; } 2>/dev/null && TMPDIR='$folder/full' exec \"\$@\"" x
fi
cat failed
failures=$(grep -c '^FAIL' failed)
finish
