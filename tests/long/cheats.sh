#!/bin/sh
# Every file of tests/cheats is refused by 'uskor try', with a reason; what it cheats at stands in its first lines.
set -u
. "$1/tests/cli/common"

count=0
has_opencl=$("$USKOR" devices | grep -c '^opencl:0')
for file in "$1"/tests/cheats/${CHEATS:-*}; do
    name=$(basename "$file")
    case $name in
    *.cl) [ "$has_opencl" = 1 ] || continue; device=opencl:0 ;;
    *) device=cpu ;;
    esac
    cp "$file" .
    "$USKOR" try "${name%%-*}" "$name" --device "$device" --limit 10s --time 0.05 --kernel-only --store none >out 2>err
    got=$?
    [ $got = 1 ] || wrong "$name left with $got, not 1: $(tail -n 4 out) $(tail -n 2 err)"
    count=$((count + 1))
    reason=$(grep -E 'FAIL|ERROR' out | head -n 1 | sed 's/  */ /g')
    [ -n "$reason" ] || reason=$(tail -n 1 err)
    echo "$name: $reason"
done
echo "$count cheats"
[ -n "${CHEATS:-}" ] || [ "$count" -ge 40 ] || wrong 'there are fewer than 40'
rm -f /tmp/uskor-cheat-*
finish
