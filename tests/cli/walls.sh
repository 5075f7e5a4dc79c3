#!/bin/sh
# A stranger's file reaches nothing but what is named: one attack of each class here, all of tests/attacks in
# tests/long/attacks.sh. $1: the repository, $2: the build folder.
set -u
set -- "$(cd "$1" && pwd)" "$(cd "${2:-$1/build}" && pwd)"
. "$1/tests/cli/common"
build=$2 without=$2/tests/without

for name in write-open mode-chmod process-prlimit start-system socket-agent; do
    ATTACKS_AS=judged "$1/tests/attacks/run" "$1" "$2" "$name" >said 2>&1 || wrong "$(cat said)"
done
for name in start-system write-open; do
    ATTACKS_AS=explained "$1/tests/attacks/run" "$1" "$2" "$name" >said 2>&1 || wrong "$(cat said)"
done

# Memory that no process has as its own: shared, and let go of.
cp "$1/tests/attacks/memory-shared.c" "$1/tests/attacks/attack.h" .
expect 1 'of memory, more than there is for it' "$USKOR" try transpose memory-shared.c transpose:60x50 --beside serial --verified --store none --limit 100s

# A file that is under way in a message is no process's: a trace sends none, and goes on.
cp "$1/tests/attacks/memory-message.c" .
expect 0 'bound by' "$USKOR" explain transpose:60x50 --file memory-message.c --store none

# A folder that a trace may write to is not filled.
cp "$1/tests/attacks/write-fill.c" .
expect 1 'ended the process' "$USKOR" explain transpose:60x50 --file write-fill.c --store none

# What the loader calls before any constructor, also where the section headers do not show it. One of the latter's three
# forms fits what this linker makes: without walls it runs.
if [ "$(uname -m)" = x86_64 ]; then
    for name in load-ifunc load-rela-0 load-rela-1 load-rela-2; do
        cc -w -O3 -march=native -fopenmp -fno-semantic-interposition -Wl,-Bsymbolic -DELEMENT=float -DATTACK_FOLDER="\"$folder\"" \
            -shared -fPIC -o loaded.so "$1/tests/attacks/$name.c" -lm 2>err || wrong "$name does not compile: $(cat err)"
        python3 -c 'import ctypes; ctypes.CDLL("./loaded.so")' 2>err
        [ ! -e made ] || echo "$name" >>ran
        rm -f made
    done
    [ "$(cut -c 1-9 ran | sort -u | wc -l)" = 2 ] || wrong "without walls these run as they are loaded: $(cat ran), and no other"
    for how in judged explained; do
        ATTACKS_AS=$how "$1/tests/attacks/run" "$1" "$2" 'load-*' >said 2>&1 || wrong "$(cat said)"
    done
fi

# Another student's file: included by its path, by .., by /proc, by a link; in C and for a device.
mkdir -p all/anna all/bert
echo 'static int foreign;' >all/anna/answer.h
ln -s ../anna/answer.h all/bert/link.h
function='void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols) { for (long r = 0; r < rows; r++) for (long c = 0; c < cols; c++) out[c * rows + r] = foreign ? 0 : in[r * cols + c]; }'
for include in "$folder/all/anna/answer.h" ../anna/answer.h link.h "/proc/self/cwd/all/anna/answer.h"; do
    printf '#include "%s"\n%s\n' "$include" "$function" >all/bert/k.c
    case $include in /proc/*) words='k.c:1: it includes' ;; *) words='does not compile' ;; esac
    expect 2 "$words" "$USKOR" try transpose all/bert/k.c transpose:60x50 --store none
done
printf '__asm__(".incbin \\"%s\\"");\n%s\n' "$folder/all/anna/answer.h" "$(echo "$function" | sed 's/foreign ? 0 : //')" >all/bert/k.c
expect 2 'does not compile' "$USKOR" try transpose all/bert/k.c transpose:60x50 --store none
echo 'static int foreign;' >all/bert/own.h
printf '#include "own.h"\n%s\n' "$function" >all/bert/k.c
expect 0 'right on' "$USKOR" try transpose all/bert/k.c transpose:60x50 --beside serial --time 0.005 --kernel-only --store none

# What has no end, or is no source, is refused at once; so is a file where the system lacks what it needs.
mkfifo all/bert/pipe
for include in pipe "$folder/all/bert/pipe" /proc/kmsg /dev/zero /proc/self/fd/1; do
    printf '#include "%s"\n__kernel void transpose(__global float *in, __global float *out, int rows, int cols) { }\n' "$include" >all/bert/k.cl
    expect 2 'k.cl:1: it includes' timeout 300 "$USKOR" try transpose all/bert/k.cl transpose:60x50 --store none
    printf '#include "%s"\n%s\n' "$include" "$function" >all/bert/k.c
    for system in env "$without namespaces" "$without both"; do
        # shellcheck disable=SC2086 # words
        expect 2 'k.c:1: it includes' timeout 300 $system "$USKOR" try transpose all/bert/k.c transpose:60x50 --store none
    done
done

printf '#define F "%s"\n#include F\n__kernel void transpose(__global float *in, __global float *out, int rows, int cols) { }\n' "$folder/all/bert/pipe" >all/bert/k.cl
expect 2 'from a macro' timeout 300 "$USKOR" try transpose all/bert/k.cl transpose:60x50 --store none

# Where the name is hidden from who reads the source, the compiler opens the pipe, and waits.
i=0
for line in '#define F "pipe"|#include F' '#if __has_include("pipe")|#endif' '%:include "pipe"' '__asm__(".incbin \"all/bert/pipe\"");'; do
    i=$((i + 1))
    echo "$line" | tr '|' '\n' >all/bert/hidden$i.c
    echo "$function" | sed 's/foreign ? 0 : //' >>all/bert/hidden$i.c
    expect 2 'includes what has no end' timeout 300 "$without" both "$USKOR" try transpose all/bert/hidden$i.c transpose:60x50 --store none
done

if unshare -m true 2>/dev/null; then
    for lacks in proc dev; do
        expect 3 "needs /$lacks/" unshare -m sh -c "mount -t tmpfs none /$lacks && exec \"\$@\"" x "$USKOR" try transpose all/bert/k.c
    done
fi
mkdir own
if "$USKOR" devices 2>/dev/null | grep -q '^opencl:0'; then
    echo '__kernel void transpose(__global const float *in, __global float *out, int rows, int cols) { nonsense }' >k.cl
    expect 2 'does not compile' env TMPDIR="$folder/own" "$USKOR" try transpose k.cl transpose:60x50 --store none
    [ -z "$(ls own)" ] || wrong "a trial of a kernel leaves $(ls own)"
fi

# What was compiled leaves nothing behind: no folder that nobody holds. One of another test's is not held while it is made
# and while it is removed.
abandoned() {
    for left in "$@"; do
        [ ! -d "$left" ] || flock -n "$left" echo "$left"
    done
}
# shellcheck disable=SC2046 # no name has a blank
set -- "$1" $(abandoned /tmp/uskor-module-*)
[ $# = 1 ] || sleep 2
[ -z "$(shift && abandoned "$@")" ] || wrong 'a folder of a compiler is left'

# What a file sees of the rest, on this system and on lesser ones, is what grade --check says.
secret="$folder/all/anna/answer.h"
cat >sees.c <<C
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols)
{
    FILE *file = fopen("$secret", "r");
    printf("names %d, reads %d, processes %d, own user %d\\n", access("$secret", F_OK) == 0, file != NULL,
           access("/proc/$$/cmdline", R_OK) == 0, $(id -u) == 0 && getuid() != 0);
    fflush(stdout);
    abort();
}
C
sees() {
    "$@" "$USKOR" grade --check >check 2>&1 || [ $? = 1 ] || wrong "$*: grade --check fails: $(cat check)"
    grep -q '^stands .* seccomp$' check || wrong "$*: grade --check: $(cat check)"
    "$@" "$USKOR" try transpose sees.c transpose:60x50 --beside serial --time 0.005 --kernel-only --store none >out 2>&1
    stands() { if grep -q "^stands  *$1" check; then echo 1; else echo 0; fi; }
    room=$(stands 'no folder') paths=$(stands 'paths') processes=$(stands 'no process') user=$(stands 'a user')
    says "names $((1 - room)), reads $(((1 - room) * (1 - paths))), processes $((1 - processes)), own user $user"
}
sees env
sees "$without" landlock
[ "$room" = 0 ] || says 'reads 0' # which namespaces hold
grep -q '^missing .* Landlock$' check || wrong 'without Landlock it is said to stand'
sees "$without" namespaces
[ "$paths" = 0 ] || says 'names 1, reads 0'
grep -q '^missing .* namespaces$' check || wrong 'without namespaces they are said to stand'
sees "$without" mounts # as AppArmor restricts them
[ "$paths" = 0 ] || says 'names 1, reads 0'
grep -q '^missing .* namespaces$' check || wrong 'namespaces without mounts are said to stand'
sees "$without" both
for name in mode-chmod start-system process-kill; do # the filter stands alone
    ATTACKS_AS=judged "$without" both "$1/tests/attacks/run" "$1" "$build" "$name" >said 2>&1 || wrong "$(cat said)"
done

# A trial that is stopped from outside is waited for; one that nobody continues is not judged.
below() {
    ps -o pid= --ppid "$1" | while read -r process; do
        echo "$process"
        below "$process"
    done
}
cat >slow.c <<'C'
#include <unistd.h>
void transpose(const float *in, float *out, long rows, long cols)
{
    usleep(300000);
    for (long row = 0; row < rows; row++)
        for (long col = 0; col < cols; col++)
            out[col * rows + row] = in[row * cols + col];
}
C
# stop_trial SECONDS COMMAND…: stops the processes that run its file for so long ("": for ever, and each that follows one that was
# stopped at its very end).
stop_trial() {
    seconds=$1
    shift
    "$@" >out 2>err &
    trial=$!
    stopped=
    while { [ -z "$stopped" ] || [ -z "$seconds" ]; } && kill -0 $trial 2>/dev/null; do
        sleep 0.2
        # Not one that has just begun: it may be about to end, and then nothing is stopped.
        for process in $(below $trial | while read -r one; do ps -o pid=,etimes=,args= -p "$one"; done |
            awk '/user-rung/ && $2 >= 1 { print $1 }'); do
            kill -STOP "$process" 2>/dev/null
            case $(ps -o stat= -p "$process") in T*) stopped="$stopped $process" ;; esac
        done
    done
    # shellcheck disable=SC2086 # words
    [ -z "$seconds" ] || { sleep "$seconds"; kill -CONT $stopped; }
    wait $trial
    got=$?
}
stop_trial 3 "$USKOR" try transpose slow.c transpose:60x50 --beside serial --verified --time 0.005 --kernel-only --store none --limit 2s
[ $got = 0 ] || wrong "a trial that was stopped and continued leaves with $got"
says place
if "$USKOR" exercise dot:parallel-simd -o hw >out 2>err; then
    mkdir hand
    cat >hand/anna.c <<'C'
#include <unistd.h>
void dot(const float *a, const float *b, double *result, long n)
{
    double sum = 0;
    usleep(20000);
    for (long i = 0; i < n; i++)
        sum += (double)a[i] * b[i];
    *result = sum;
}
C
    stop_trial '' "$USKOR" grade hw --students hand -o grades.csv --limit 1s --wait 0 --problem dot:1000
    [ $got = 1 ] || wrong "a grading whose trial was stopped for ever leaves with $got: $(cat err)"
    grep -q 'not_judged,.*disturbed: stopped from outside' grades.csv || wrong "it was stopped from outside: $(cat grades.csv)"
else
    wrong "no exercise: $(cat err)"
fi
finish
