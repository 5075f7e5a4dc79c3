#!/bin/sh
# The counts that the stories quote are what `uskor explain` counts now. $1: the repository; USKOR: the program.
set -u
command -v c++ >/dev/null || { echo 'SKIP: no C++ compiler (Debian: g++)'; exit 77; }
"$USKOR" explain transpose:64 --rung naive --for sm_90 --json --store none 2>/dev/null | grep -q '"registers": [0-9]' ||
    { echo 'SKIP: no NVRTC'; exit 77; }
work=$(mktemp)
trap 'rm -f "$work"' EXIT
"$1/tools/counts" "$USKOR" >"$work"
# Registers are the compiler's, which is another one elsewhere.
clean() { sed 's/; [0-9]* registers//' "$1"; }
if [ "$(clean "$work")" != "$(clean "$1/results/counts.txt")" ]; then
    diff "$work" "$1/results/counts.txt"
    exit 1
fi
