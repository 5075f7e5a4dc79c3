#!/bin/sh
# Every file of tests/cheats is refused by 'uskor try' on every device that runs it, with a reason; what it cheats at
# stands in its first lines. "// on PROBLEM" there names what it is timed on, "// refused as TEXT" a part of the reason,
# "// within TIME" its --limit if it hangs, "// may be placed where noisy: WHY" that
# other programs keep it from its cheat, "// right on a GPU" that it is none there. What a GPU's compiler refuses counts
# as refused. One line for each: device, file, verdict, reason.
#   CHEATS='sort-*.cl …'     these files only
#   CHEATS_DEVICES='cpu …'   these devices only (default: cpu, and what there is of opencl:0, opencl:1, cuda:0)
#   CHEATS_JOBS=8            so many at once
#   CHEATS_LIMIT=20s         without a sign of life, each
#   CHEATS_SECONDS=50        for all of them; those that it cuts off are said to be missing
set -u
set -- "$(cd "$1" && pwd)" # scripts work in a folder of their own
. "$1/tests/cli/common"
cheats=$(cd "$1/tests/cheats" && pwd)
export cheats

devices=${CHEATS_DEVICES:-cpu $("$USKOR" devices | grep -oE '^(opencl:[0-9]+|cuda:0)' | sort -u)}

for device in $devices; do
    case $device in
    cpu) endings=c ;;
    opencl*) endings=cl ;;
    *) endings='cu cl' ;;
    esac
    for ending in $endings; do
        for pattern in ${CHEATS:-*.$ending}; do
            for file in "$cheats"/$pattern; do
                case $file in *."$ending") [ -e "$file" ] && echo "$device $(basename "$file")" ;; esac
            done
        done
    done
done >tasks

gpus=$("$USKOR" devices | awk '/^[a-z]/ { device = $1 } $1 == "vendor" && /NVIDIA/ { print device }' | tr '\n' ' ')
export gpus

cat >one <<'SH2'
# one DEVICE FILE: its line
device=$1 name=$2
mkdir -p "run/$device-$name" && cd "run/$device-$name" || exit 1
cp "$cheats/$name" .
case $device-${name%%-*} in # one rung beside it is enough to see whether it is refused
cpu-resize) beside=parallel ;;
cpu-sort) beside=qsort ;;
cpu-*) beside=serial ;;
*-dot) beside=tree ;;
*-sort) beside=bitonic-local ;;
*-resize) beside=fp32 ;;
*) beside=naive ;;
esac
problem=$(sed -n 's,^// on ,,p' "$name" | head -n 1) expected=$(sed -n 's,^// refused as ,,p' "$name" | head -n 1)
limit=$(sed -n 's,^// within ,,p' "$name" | head -n 1)
"$USKOR" try "${name%%-*}" "$name" $problem --beside "$beside" --device "$device" --limit "${limit:-${CHEATS_LIMIT:-20s}}" --time 0.05 --kernel-only --store none >out 2>err
got=$?
reason=$(grep -aE '(FAIL|ERROR)  ' out | head -n 1 | sed -E 's/^.*(FAIL|ERROR)  /\1  /')
[ -n "$reason" ] || reason=$(grep -v 'no header. Assumed' err | tail -n 1 | sed 's/^uskor: //')
[ "$got" = 2 ] && head -n 2 "$name" | grep -q 'does not compile' && got=1 reason="exit code 2: $({ grep -v -e -Werror err | grep -m 1 -E 'error|out of memory' || tail -n 1 err; } | sed 's/^uskor: //')"
[ "$got" = 0 ] && grep -q '^// may be placed: ' "$name" && got=1 reason="placed: $(sed -n 's,^// may be placed: ,,p' "$name")"
# A machine that others use may keep the judge from a verdict, and a file from its cheat: it says so.
grep -q 'noisy: ' out && expected="$expected\|disturbed"
[ "$got" = 0 ] && grep -q '^// may be placed where noisy: ' "$name" && grep -q "^ *$name .* !$\|all rungs: noisy" out &&
    got=1 reason="placed, noisy: $(sed -n 's,^// may be placed where noisy: ,,p' "$name")" expected=placed
case " $gpus" in
*" $device "*)
    case $reason-$expected in FAIL*-*race* | FAIL*-*'are lost'*) expected=FAIL ;; esac # a race that shows in the result
    [ "$got" = 0 ] && grep -q '^// right on a GPU' "$name" && got=1 reason="$expected: no, it is right on a GPU"
    [ "$got" = 2 ] && grep -q 'does not compile' err && got=1 reason="$(grep -m 1 'does not compile' err | sed 's/^uskor: //')" expected='does not compile'
    ;;
esac
[ "$got" = 1 ] || echo "$device $name left with $got, not 1: $(tail -n 4 out) $(tail -n 2 err)" >wrong
[ "$got" = 1 ] && ! echo "$reason" | grep -q -- "$expected" && echo "$device $name is not refused as '$expected': $reason" >wrong
printf '%-9s %-28s %s\n' "$device" "$name" "$(echo "$reason" | sed 's/  */ /g' | cut -c 1-200)" >line
SH2
timeout "${CHEATS_SECONDS:-36000}" xargs -L 1 -P "${CHEATS_JOBS:-1}" sh one <tasks
cat run/*/line 2>/dev/null | LC_ALL=C sort
while read -r device name; do
    [ -e "run/$device-$name/line" ] || wrong "$device $name was not judged in time"
done <tasks

for file in run/*/wrong; do
    [ ! -e "$file" ] || wrong "$(cat "$file")"
done
count=$(wc -l <tasks)
echo "$count trials of $(cut -d ' ' -f 2 tasks | sort -u | wc -l) files"
[ -n "${CHEATS:-}" ] || [ "$count" -ge 40 ] || wrong 'there are fewer than 40'
rm -f /tmp/uskor-cheat-* /dev/shm/uskor-cheat-*
finish
