#!/bin/sh
# uskor wave: results, exit codes, messages of one line, and nothing left behind.
# USKOR: the program.
set -u
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
failures=0

wrong() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}

# makes OUT BYTES ARGUMENT…: done, silent as standard error is no terminal; BYTES: of the file, or empty.
makes() {
    output=$1 bytes=$2
    shift 2
    message=$("$USKOR" wave -o "$output" "$@" 2>&1) || wrong "wave -o $output $*: $message"
    [ -z "$message" ] || wrong "wave -o $output $* is not silent: $message"
    [ -z "$bytes" ] || [ "$(wc -c <"$output")" = "$bytes" ] || wrong "wave -o $output $*: not $bytes bytes"
}

# refuses WORDS ARGUMENT…: exit code 2, the words on standard error, and no new file.
refuses() {
    words=$1
    shift
    before=$(ls -A)
    message=$("$USKOR" wave "$@" 2>&1 >/dev/null)
    got=$?
    [ "$got" = 2 ] || wrong "wave $* left with $got, not 2: $message"
    case $message in
    "uskor"*"$words"*) ;;
    *) wrong "wave $* does not say '$words': $message" ;;
    esac
    [ "$(ls -A)" = "$before" ] || wrong "wave $* left a file behind"
}

makes field.npy $((128 + 4 * 20 * 16 * 12)) --size 20x16x12 --steps 9
head -c 128 field.npy | grep -q "'shape': (12, 16, 20)" || wrong "the axes are not z, y, x"
makes plane.npy $((128 + 4 * 4096)) --size 16 --steps 3 --input plane --courant 0.5
makes random.npy $((128 + 4)) --size 1 --steps 2 --input random
makes slice.png "" --size 24x18x10 --steps 6
head -c 8 slice.png | od -An -tx1 | grep -q "89 50 4e 47" || wrong "slice.png is no PNG"
makes field.npy $((128 + 4 * 512)) --size 8 --steps 1 --force
refuses "exists" -o field.npy --size 8
refuses "a result is needed"
refuses "ends in .npy or .png" -o field.txt
refuses "--size takes" -o a.npy --size 8x8
refuses "--size takes" -o a.npy --size 0
refuses "--steps takes" -o a.npy --steps 0
refuses "--courant takes" -o a.npy --courant 0.6
refuses "--input takes" -o a.npy --input square
refuses "no input file" in.npy -o a.npy
[ "$failures" = 0 ]
