#!/bin/sh
# uskor list and uskor devices: their forms say the same, and what the rungs' own files say.
set -u
root=$(cd "$1" && pwd)
. "$root/tests/cli/common"
command -v python3 >/dev/null || { echo 'SKIP: no python3 here to compare them with' && exit 77; }
"$USKOR" list >names && "$USKOR" list --json >json && "$USKOR" list --markdown >markdown || wrong 'no list'
for kernel in $(grep -oE '^[a-z]+' names); do
    COLUMNS=400 "$USKOR" list "$kernel" >"$kernel.lines"
    COLUMNS=400 "$USKOR" list "$kernel" --tunables >"$kernel.ideas"
    COLUMNS=60 "$USKOR" list "$kernel" >"$kernel.narrow"
    "$USKOR" list "$kernel" --markdown >one && grep -qF "$(sed -n 3p one)" markdown || wrong "$kernel alone is another table"
done
"$USKOR" devices --json >devices.json 2>/dev/null
"$USKOR" devices >devices 2>/dev/null
python3 "$root/tests/cli/list.py" "$root/src" || wrong 'the forms differ'
refuses 2 '--why takes one KERNEL, and prints for people only: uskor list transpose --why' list --why
refuses 2 'one kernel at a time' list sort dot
refuses 2 "did you mean 'sort'" list sord
finish
