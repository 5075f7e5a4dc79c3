#!/bin/sh
# Every call that can fail for want of memory, files, room or processes fails, at each place of the program's code that
# makes one, from each of the first eight times on; and reads and writes do half. No command dies of a signal or hangs.
# One that gives up says why in one line, leaves no half-written file and frees what it frees otherwise; one that goes
# on gives the right answer.
#   FAILING_COMMANDS=REGEX   only these commands
#   FAILING_SECONDS=3000     begins no further call after that time; how many are left is said
#   FAILING_PART=K/N         only the K-th of N parts of the calls, from 0 on, for several runs side by side
#   FAILING_SAMPLE=N         only N calls: five of each of N / 5 commands, chosen by FAILING_SEED (42)
# $1: the repository; $2: the build folder.
set -u
. "$1/tests/cli/common"
source=$1
frozen=$folder/frozen # a build beside this changes nothing
mkdir frozen && cp "$USKOR" "$(dirname "$USKOR")"/libuskor_*.so frozen/
USKOR=$frozen/$(basename "$USKOR")
export OMP_NUM_THREADS=2 HOME="$folder/home" USKOR_TUNED=none
limit=${FAILING_SECONDS:-3000} part=${FAILING_PART:-0/1} sample=${FAILING_SAMPLE:-} seed=${FAILING_SEED:-42}
begun=$(date +%s)
if grep -q '^USKOR_SANITIZE:[A-Z]*=..*' "$2/CMakeCache.txt"; then
    echo "SKIP: the sanitizers have an allocator of their own"
    exit 77
fi
counted=$2/counters.options
[ -f "$counted" ] || counted=/dev/null
cc -shared -fPIC -O1 -o failing.so "$source/tests/long/failing_calls.c" &&
    cc -g -I"$source/include" -o frozen/library_calls "$source/tests/long/library_calls.c" "$2/libuskor.a" @"$counted" -lm -ldl -lpthread ||
    exit 1

mkdir home in out work
(
    cd in || exit 1
    # vector.npy 300, matrix.npy 12 x 10, square.npy 10 x 10: text taken for floats is as good as any.
    for file in 'vector (300,) 1200' 'matrix (12,10) 480' 'square (10,10) 400'; do
        # shellcheck disable=SC2086 # three words
        set -- $file
        { header '<f4' "$2" && seq 100000 | head -c "$3"; } >"$1.npy"
    done
    "$USKOR" wave -o picture.png --size 16 --steps 1 -q
    "$USKOR" exercise sort:radix -o homework >/dev/null
    mkdir students && cp homework/sort.c students/anna.c
    "$USKOR" exercise transpose:tiled -o device >/dev/null && cp device/*.cl kernel.cl
    USKOR_STORE=$PWD/history.db "$USKOR" bench dot:n=1000 sort:n=1000 -d cpu --time 0.01 --store history.db >/dev/null 2>&1
    "$USKOR" export --store history.db -o one.json >/dev/null 2>&1
) || exit 1

# A name, and what is run in a folder with copies of those inputs. A file that it writes is called new….
commands() {
    cat <<'CASES'
library	
transpose	transpose matrix.npy -o new.npy -d cpu
sort	sort vector.npy -o new.npy -d cpu
dot	dot vector.npy vector.npy -d cpu
matmul	matmul matrix.npy square.npy -o new.npy -d cpu
resize	resize picture.png --size 7x9 -o new.png -d cpu
wave	wave -o new.npy --size 8 --steps 2 -d cpu
list	list
devices	devices
history	history --store history.db
compare	compare one.json one.json
export	export --store history.db -o new.json
import	import one.json --store history.db
report	report --store history.db -o new.html
tuned	tuned sort:n=1000 -d cpu
bench	bench sort:n=1000 -d cpu -r qsort --time 0.001 --kernel-only --store history.db
bench-json	bench dot:n=1000 -d cpu -r serial --time 0.001 --kernel-only --store none --json -o new.json
check	check dot -d cpu -r serial --tiny
sweep	sweep matmul:m=32,n=32,k=32 -d cpu -r packed -v ROWS=56,112 --time 0.001 --store none
effect	effect --list
bandwidth	bandwidth -d cpu --sizes 1K..4K --time 0.001 --store none
explain	explain dot:n=1000 --for H200 -r tree
explain-cpu	explain dot:n=1000 --for this-cpu -r serial
publications	reproduce --list
architectures	architectures
exercise	exercise sort:radix -o new
try	try sort homework/sort.c sort:n=300 --verified --kernel-only --beside qsort --time 0.01 --store none
try-device	try transpose kernel.cl transpose:rows=64,cols=64 --verified --kernel-only --beside naive --time 0.01 --store none
doctor	doctor
show	show sort:radix
overlap	overlap transpose:rows=64,cols=64 -d opencl:0 -r naive --chunks 2 --queues 1 --time 0.001 --store none
roofline	roofline dot --store history.db -d cpu
tune	tune dot:n=1000 -d cpu -f new.jsonl --time 1
effect-run	effect branches -d cpu --measured-only --time 0.001 --size 16384
help	help tune
grade	grade homework --students students --problem sort:n=300 --wait 0 -o new.csv
CASES
}

# run WORDS…: in a folder with the inputs as they were. What was freed has other bytes at once. Longer than $patience seconds
# it hangs: some commands try again what failed, and other programs may be at work beside it.
run() {
    rm -rf work && cp -r in work
    (cd work && ulimit -c 0 && MALLOC_PERTURB_=165 timeout -s KILL "$patience" "$FAILING_PROGRAM" "$@") >out/stdout 2>out/stderr
}

digest() {
    (cd work && find . -name 'new*' -type f | sort | xargs -r cat | sha256sum)
}

# Files whose content depends on the clock cannot be compared.
is_steady() {
    case $1 in transpose | turn-picture | sort | matmul | resize | wave | exercise) ;; *) false ;; esac
}

# Lines on the error stream that the command does not print otherwise, without its bar and where grade keeps its grades.
lines() {
    grep -vxFf stderr.usual out/stderr | grep . | grep -v '[█░]\|are judged\. The same command\|the grades are kept in\|the grading goes on'
}

# The exit code is the usual one, or there is one line that says why; of the library one for each of its calls. That a
# submission was not judged is grade's answer, too; its row has the reason.
says_why() {
    [ "$1" -le "$usual" ] || grep -q 'ERROR\|SKIP\|FAIL' out/stdout || [ "$(lines | wc -l)" = 1 ] ||
        { [ "$name" = library ] && lines >/dev/null; } || { [ "$name" = grade ] && lines | grep -q 'was not judged'; }
}

where() {
    addr2line -s -i -e "$FAILING_PROGRAM" "0x$(printf %x $((0x$1 - 1)))" | grep -vE '^(fcntl2|unistd|stdio2?)\.h' | head -n 1
}

# Places with more blocks at the end than usually. Texts that were translated are kept.
leaks() {
    touch live
    sort live | uniq -c | awk 'NR == FNR { usual[$2] = $1; next } $1 > usual[$2] { print $2 }' live.usual - |
        while read -r place_of_block; do where "$place_of_block"; done | grep -v '^message\.c' | tr '\n' ' '
}

# judge CODE: what is wrong with the run, if anything.
judge() {
    case $1 in
    0 | 1 | 2 | 3) ;; # 3: the machine lacks what it takes
    137) echo "hangs" && return ;;
    *) echo "exit code $1" && return ;;
    esac
    grep -q 'is wrong' out/stderr && echo "blames the answer" && return
    says_why "$1" || { echo "exit code $1, and $(lines | wc -l) lines" && return; }
    [ "${call#half-}" = "$call" ] || [ "$1" = "$usual" ] || { echo "exit code $1" && return; }
    leaked=$(leaks)
    [ -z "$leaked" ] || { echo "leaks $leaked" && return; }
    is_steady "$name" || return
    [ "$1" = 0 ] && [ "$(digest)" != "$right" ] && echo "another answer"
    [ "$1" != 0 ] && [ -n "$(find work -name 'new*' -type f)" ] && [ "$(digest)" != "$right" ] && echo "exit code $1, and a file is left"
}

# places.now: CALL PLACE PROGRAM TIME for each visit of a place by this command that no command before has made.
choose() {
    sed "s/\$/ $(basename "$FAILING_PROGRAM")/" places.new | sort | uniq -c |
        awk '{ for (time = 1; time <= $1 && time <= 8; time++) {
            print $2, $3, $4, time
            if ($2 ~ /^(read|pread|write)$/) print "half-" $2, $3, $4, time
        } }' | sort >places.all
    sort places.done | comm -13 - places.all | awk -v part="${part%/*}" -v parts="${part#*/}" '{
        digits = "0123456789abcdef"
        number = 16 * index(digits, substr($2, length($2) - 1, 1)) + index(digits, substr($2, length($2), 1))
        if (number % parts == part) print
    }' | shuf --random-source=numbers | sort -s -n -k 4 >places.now
    [ -z "$sample" ] || { shuf --random-source=numbers places.now | head -n 5 >places.few && mv places.few places.now; }
    cat places.now >>places.done
    [ -s places.all ] || wrong "$name: makes no call that can fail"
    echo "$name: $(wc -l <places.all) calls, $(wc -l <places.now) of them tried"
}

# Endless numbers of the seed.
awk -v seed="$seed" 'BEGIN { srand(seed); for (i = 0; i < 100000; i++) printf "%08d", 100000000 * rand() }' >numbers
total=0 bad=0 left=0
touch places.done
commands | while IFS='	' read -r name words; do
    echo "$name" | grep -qE "${FAILING_COMMANDS:-.}" && printf '%s\t%s\n' "$name" "$words"
done >table
[ -z "$sample" ] || { shuf --random-source=numbers table | head -n $((sample / 5)) >few && mv few table; }
while IFS='	' read -r name words; do
    FAILING_PROGRAM=$USKOR
    [ "$name" != library ] || FAILING_PROGRAM=$frozen/library_calls
    export FAILING_PROGRAM
    : >places.new
    rm -f live
    patience=600 started=$(date +%s)
    # shellcheck disable=SC2086 # words of a command
    FAILING_RECORD=$folder/places.new FAILING_LIVE=$folder/live LD_PRELOAD=$folder/failing.so run $words
    usual=$? patience=$((120 + 20 * ($(date +%s) - started)))
    right=$(digest)
    cp out/stderr stderr.usual
    touch live
    sort live | uniq -c >live.usual
    [ "$usual" != 3 ] || { echo "$name: nothing here runs it" && continue; }
    [ "$usual" -le 1 ] || wrong "$name: exit code $usual without any failure: $(cat out/stderr)"
    choose
    while read -r call place _ time; do
        if [ $(($(date +%s) - begun)) -gt "$limit" ]; then
            left=$((left + 1))
            continue
        fi
        total=$((total + 1))
        rm -f live
        # shellcheck disable=SC2086
        FAILING_CALL="$call $place" FAILING_FROM=$time FAILING_LIVE=$folder/live LD_PRELOAD=$folder/failing.so run $words
        problem=$(judge $?)
        if [ -n "$problem" ]; then
            bad=$((bad + 1))
            echo "  $call at $(where "$place"), time $time: $problem: $(lines | cut -c 1-200 | tr '\n' '|')"
        fi
    done <places.now
done <table
echo "$total calls, $bad wrong, $left left"
[ "$bad" = 0 ] && [ "$left" = 0 ] || failures=$((failures + 1))
finish
