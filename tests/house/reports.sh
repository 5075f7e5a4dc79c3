#!/bin/sh
# The reports that are committed, README's picture is of one, show rungs that exist: each command in them that benches a
# rung names one of today's, or a ceiling's probe. $1: the repository; USKOR: the program.
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
{
    "$USKOR" list --json | sed -n 's/^ *"rung": "\(.*\)",*$/\1/p'
    sed -n 's/^ *\.name = "\([a-z0-9-]*\)".*/\1/p' src/lab/ceilings/probe_*.c
    printf 'tensor-%s\n' 1 2 3 6
} | LC_ALL=C sort -u >"$work/rungs"
wrong=0
for report in results/*/report.html; do
    grep -v 'uskor bench bandwidth:' "$report" | grep -o 'uskor bench [^"<]*--rung [a-z0-9-]*' | sed 's/.* //' | LC_ALL=C sort -u >"$work/shown"
    [ "$(wc -l <"$work/shown")" -ge 20 ] || { echo "$report: benches few rungs"; wrong=1; }
    LC_ALL=C comm -23 "$work/shown" "$work/rungs" >"$work/gone"
    [ ! -s "$work/gone" ] || { echo "$report: rungs that are no more: $(tr '\n' ' ' <"$work/gone")"; wrong=1; }
done
exit $wrong
