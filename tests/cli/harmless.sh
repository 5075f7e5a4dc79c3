#!/bin/sh
# What the user may lose or wait for: a store that is overwritten, a pipe that nobody writes to, the tables of the problems
# before a crash, the lab's work after a problem that is too large. $2: the build folder.
set -u
. "$1/tests/cli/common"

small=transpose:rows=100,cols=60
fast="--device cpu --rung serial --time 0.01 --kernel-only"
expect 0 '' "$USKOR" bench $small $fast --store t.sqlite
expect 0 '' "$USKOR" export --store t.sqlite -o t.jsonl

# No result is put in a store's place, whatever the force, nor in that of its log.
for command in export 'report --lang en' 'history --json' 'compare 1 1' 'roofline --json' "bench $small $fast"; do
    for name in t.sqlite t.sqlite-wal; do
        [ -e $name ] || : >$name
        expect 2 'a store, or part of one, is not overwritten' "$USKOR" $command --store t.sqlite -o $name --force
    done
    rm -f t.sqlite-wal
done
expect 2 'a store, or part of one, is not overwritten' "$USKOR" bench $small $fast --store new.sqlite -o new.sqlite --force
[ ! -e new.sqlite ] || wrong 'a store without a measurement stays'
expect 0 '' "$USKOR" history --store t.sqlite

# Nobody writes to these pipes: they are refused, not waited for.
mkfifo pipe
for command in 'report --store t.sqlite -o pipe' 'report --store pipe -o r2.html' 'compare --store t.sqlite pipe 1' \
    'import --store new.sqlite pipe' 'export --store t.sqlite -o pipe --force' 'transpose pipe -o x.npy' \
    'resize pipe -o x.png --size 10x'; do
    expect 2 'not a regular file' timeout 60 "$USKOR" $command
    [ ! -e new.sqlite ] || wrong "$command leaves an empty store"
done

# Nor does a reader of the output that is gone leave a part of a store. (The program is to find SIGPIPE as a shell leaves it.)
if env --default-signal=PIPE true 2>/dev/null; then
    for command in history 'history --json' export 'compare 1 1'; do
        env --default-signal=PIPE "$USKOR" $command --store t.sqlite 2>err | true
        [ -z "$(ls | grep -e '-wal$' -e '-shm$')" ] || wrong "$command | true leaves $(ls): $(cat err)"
        [ ! -s err ] || wrong "$command | true is not silent: $(cat err)"
    done
fi

# Names of files are shown as escapes.
mkdir "$(printf 'a\033[31m')"
odd=$(printf 'a\033[31m/b\342\200\256')
cp t.jsonl "$odd.jsonl"
for command in "import --store new.sqlite $odd.jsonl" "compare $odd.jsonl t.jsonl" "report --store t.sqlite -o $odd.html" \
    "export --store t.sqlite -o $odd.jsonl" "history --store $odd.jsonl"; do
    "$USKOR" $command >out 2>err
    LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" out err && wrong "$command shows control characters"
    cat out err | grep -q "$(printf '\342\200\256')" && wrong "$command turns letters round"
done
rm -f new.sqlite

# A file that changes while it is imported adds nothing: its time moves on all the while.
python3 - <<'PYTHON' &
import os, time
with open("t.jsonl") as one, open("many.part", "w") as many:
    many.write(one.read() * 200)
os.rename("many.part", "many.jsonl")
end = time.monotonic() + 60
while not os.path.exists("over") and time.monotonic() < end:
    os.utime("many.jsonl")
PYTHON
while [ ! -e many.jsonl ] && kill -0 $!; do sleep 0.1; done
expect 2 'was changed while it was in use' "$USKOR" import --store new.sqlite many.jsonl
: >over
wait
[ ! -e new.sqlite ] || wrong 'a file that changed left an empty store'
expect 0 '' "$USKOR" import --store new.sqlite many.jsonl

# An import that is interrupted adds nothing, and leaves nothing; one that was faster is whole.
"$USKOR" import --store half.sqlite many.jsonl >out 2>err &
wait_until sh -c '[ -e half.sqlite-journal ] || [ -e half.sqlite ]'
kill -TERM $! 2>/dev/null
wait $!
case $? in
0) ;;
130) [ -z "$(ls | grep '^half')" ] || wrong "an import that was interrupted leaves $(ls | grep '^half'): $(cat err)" ;;
*) wrong "an interrupted import: $(cat err)" ;;
esac

# A rung that ends the process in which it runs is named, and the problems before it have their tables.
if [ -e "$2/tests/libfaulty_qsort.so" ]; then
    # harmed FAULT ARGUMENT…: the program, whose qsort does harm. (A sanitizer shall leave it that.)
    harmed() {
        fault=$1
        shift
        preload libfaulty_qsort.so env FAULT="$fault" \
            ASAN_OPTIONS="${ASAN_OPTIONS-}:verify_asan_link_order=0:handle_segv=0:handle_abort=0" "$USKOR" "$@"
    }
    while read -r fault code words; do
        expect "$code" "$words in rung 'qsort' of sort:n=5000,input=uniform,f32 on cpu" harmed "$fault" \
            bench sort:n=100 sort:n=5000 -d cpu -r qsort --time 0.01 --no-isolate --store none
        grep -q '^sort 100,' out || wrong "$fault: the first problem's table is lost"
        [ "$(grep -c '^uskor: ' err)" = 1 ] || wrong "$fault: more than one line: $(cat err)"
    done <<CASES
abort 134 SIGABRT
segv 139 SIGSEGV
exit0 1 exit() was called
exit3 1 exit() was called
CASES
    # One that closes the channel to its judge is the one that is named, and the others have their figures.
    expect 1 'qsort       ERROR  closed files that are not its own' harmed close bench sort:n=5000 \
        -d cpu -r qsort -r radix --threads 1 --time 0.01 --isolate --store none
    grep -q 'radix .*PASS' out || wrong "closed files cost others their figures: $(cat out err)"
fi

# A problem without enough memory is a SKIP of the lab, not its end. (A sanitizer needs more than any such limit.)
if (ulimit -v 700000 && OMP_NUM_THREADS=1 "$USKOR" --version) >/dev/null 2>&1; then
    (
        ulimit -v 700000
        OMP_NUM_THREADS=1 exec "$USKOR" lab -d null -r naive --time 0.001 --store none
    ) >out 2>err
    [ $? = 1 ] || wrong "the lab stopped: $(cat err)" # 1: what the null device answers is wrong
    says 'could not run here'
    grep -q 'SKIP.*wave.*needs about' out || wrong "the lab does not skip what has no memory: $(cat out)"
    grep -q '^transpose' out || wrong 'the lab leaves out what has memory'
fi

finish
