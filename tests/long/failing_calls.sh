#!/bin/sh
# Every call that can fail for want of memory, files, room or processes fails once, at each place of the program's code
# that makes one: no command dies of a signal or hangs; each that gives up says why in a line of its own and leaves no
# half-written file; each that goes on gives the right answer.
#   FAILING_COMMANDS=REGEX   only these commands
#   FAILING_SECONDS=3000     begins no further place after that time; how many are left is said
# $1: the repository; $2: the build folder.
set -u
. "$1/tests/cli/common"
source=$1
frozen=$folder/frozen # a build beside this changes nothing
mkdir frozen && cp "$USKOR" "$(dirname "$USKOR")"/libuskor_*.so frozen/
USKOR=$frozen/$(basename "$USKOR")
export OMP_NUM_THREADS=2 HOME="$folder/home" USKOR_TUNED=none
limit=${FAILING_SECONDS:-3000}
begun=$(date +%s)
cc -shared -fPIC -O1 -o failing.so "$source/tests/long/failing_calls.c" &&
    cc -g -I"$source/include" -o frozen/library_calls "$source/tests/long/library_calls.c" "$2/libuskor.a" -lm -ldl -lpthread ||
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
    USKOR_STORE=$PWD/history.db "$USKOR" bench dot:n=1000 sort:n=1000 -d cpu --time 0.01 --store history.db >/dev/null 2>&1
    "$USKOR" export --store history.db -o one.json >/dev/null 2>&1
) || exit 1

# A name, and what is run in a folder with copies of those inputs. A file that it writes is called new….
commands() {
    cat <<'CASES'
library	
transpose	transpose matrix.npy -o new.npy -d cpu
turn-picture	transpose picture.png -o new.png -d cpu
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
try	try sort homework/sort.c sort:n=300 --kernel-only --beside qsort --time 0.01 --store none
grade	grade homework --students students --problem sort:n=300 --wait 0 -o new.csv
CASES
}

# run WORDS…: in a folder with the inputs as they were.
run() {
    rm -rf work && cp -r in work
    (cd work && ulimit -c 0 && timeout -s KILL 120 "$FAILING_PROGRAM" "$@") >out/stdout 2>out/stderr
}

digest() {
    (cd work && find . -name 'new*' -type f | sort | xargs -r cat | sha256sum)
}

# Files whose content depends on the clock cannot be compared.
is_steady() {
    case $1 in transpose | turn-picture | sort | matmul | resize | wave | exercise) ;; *) false ;; esac
}

total=0 bad=0 left=0
commands >table
while IFS='	' read -r name words; do
    echo "$name" | grep -qE "${FAILING_COMMANDS:-.}" || continue
    FAILING_PROGRAM=$USKOR
    [ "$name" != library ] || FAILING_PROGRAM=$frozen/library_calls
    export FAILING_PROGRAM
    : >places.new
    # shellcheck disable=SC2086 # words of a command
    FAILING_RECORD=$folder/places.new LD_PRELOAD=$folder/failing.so run $words
    usual=$?
    right=$(digest)
    [ "$usual" -le 1 ] || wrong "$name: exit code $usual without any failure: $(cat out/stderr)"
    sed "s/\$/ $(basename "$FAILING_PROGRAM")/" places.new | sort -u >places.all
    touch places.done
    sort -u places.done | comm -13 - places.all | { cat; grep -E '^(read|pread|write) ' places.all | sed 's/^/half-/' |
        grep -vxFf places.done; } | shuf --random-source="$source/LICENSE" >places.now
    echo "$name: $(wc -l <places.all) places, $(wc -l <places.now) of them new"
    while read -r call place _; do
        if [ $(($(date +%s) - begun)) -gt "$limit" ]; then
            left=$((left + 1))
            continue
        fi
        total=$((total + 1))
        # shellcheck disable=SC2086
        FAILING_CALL="$call $place" LD_PRELOAD=$folder/failing.so run $words
        code=$?
        problem=
        case $code in
        0 | 1 | 2 | 3) ;; # 3: the machine lacks what it takes
        137) problem="hangs" ;;
        *) problem="exit code $code" ;;
        esac
        [ -n "$problem" ] || [ "$code" -le "$usual" ] || [ -s out/stderr ] || grep -q "ERROR\|SKIP\|FAIL" out/stdout || problem="exit code $code without a word"
        [ -n "$problem" ] || [ "${call#half-}" = "$call" ] || [ "$code" = "$usual" ] || problem="exit code $code"
        [ -n "$problem" ] || [ "$code" != 0 ] || ! is_steady "$name" || [ "$(digest)" = "$right" ] || problem="another answer"
        [ -n "$problem" ] || [ "$code" = 0 ] || ! is_steady "$name" || [ -z "$(find work -name 'new*' -type f)" ] ||
            [ "$(digest)" = "$right" ] || problem="exit code $code, and a file is left"
        if [ -n "$problem" ]; then
            bad=$((bad + 1))
            echo "  $call at $(addr2line -s -e "$FAILING_PROGRAM" "0x$(printf %x $((0x$place - 1)))"): $problem: $(tail -n 1 out/stderr | cut -c 1-200)"
        fi
    done <places.now
    cat places.now >>places.done
done <table
echo "$total places, $bad wrong, $left left"
[ "$bad" = 0 ] && [ "$left" = 0 ] || failures=$((failures + 1))
finish
