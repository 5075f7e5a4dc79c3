#!/bin/sh
# Every test that takes less than a second, fifty times in a row, each time with empty caches, and the same beside load: a
# test that fails once in fifty runs fails some day on somebody's machine.
#   REPEAT_PASSES=50      so often, each of the two ways
#   REPEAT_TESTS=REGEX    these tests, however long they take
#   REPEAT_JOBS=N         so many at once (default: the processors)
#   REPEAT_SECONDS=3000   begins no further pass after that time; how many there were is said
# $1: the repository; $2: the build folder.
set -u
build=$(cd "${2:-$1/build}" && pwd)
passes=${REPEAT_PASSES:-50}
jobs=${REPEAT_JOBS:-$(nproc)}
folder=$(mktemp -d) || exit 1
load=
trap '[ -z "$load" ] || kill $load; rm -rf "$folder"' EXIT
trap 'exit 1' INT TERM

# The same tests with a home that is nobody else's: another run of ctest may go on in the build folder.
sed "s#$build/tests/home#$folder/home#g" "$build/tests/CTestTestfile.cmake" >"$folder/CTestTestfile.cmake"

# pass WORDS…: all of the chosen tests once, with empty caches.
pass() {
    rm -rf "$folder/home" && mkdir "$folder/home"
    ctest --test-dir "$folder" --output-on-failure --no-tests=error --timeout 600 -j "$jobs" "$@" >"$folder/out" 2>&1
}

# The names of the tests of the last pass that took less than a second, as a regular expression.
choose() {
    awk '/ Passed / { for (i = 1; i < NF; i++) if ($i == "Passed" && $(i + 1) < 1) print $4 }' "$folder/out" |
        sed 's/[.+]/\\&/g' | paste -sd '|'
}

if [ -n "${REPEAT_TESTS:-}" ]; then
    tests=$REPEAT_TESTS
else
    pass
    tests="^($(choose))\$"
fi
echo "$(ctest --test-dir "$folder" -N -R "$tests" | grep -c 'Test *#') tests, $passes times"

start=$(date +%s)
repeat() {
    failed=0 number=0
    while [ "$number" -lt "$passes" ] && [ $(($(date +%s) - start)) -lt "${REPEAT_SECONDS:-3000}" ]; do
        number=$((number + 1))
        pass -R "$tests" && continue
        failed=$((failed + 1))
        echo "pass $number $1:"
        sed -n '/\*\*\*/,/^ *Start \|^$/p' "$folder/out" | head -n 60
    done
    echo "$1: $failed of $number passes have a failure"
    failures=$((failures + failed))
}

failures=0
repeat 'without load'
start=$(date +%s)
for _ in $(seq "$(nproc)") more; do
    while :; do :; done &
    load="$load $!"
done
repeat 'beside load'
[ "$failures" = 0 ]
