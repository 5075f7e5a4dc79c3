#!/bin/sh
# What programs read: no name of tests/data/json goes from the JSON that a command writes; that would break its readers. Its
# first line is the schema that the command states: another version is another file.
# $1: the repository; USKOR: the program.
set -u
. "$1/tests/cli/common"
names=$1/tests/data/json

cat >names.py <<'PYTHON'
import json
import sys

found = set()

def walk(path, value):
    found.add(path or "(all)")
    for name, part in value.items() if isinstance(value, dict) else []:
        walk(f"{path}.{name}" if path else name, part)
    for part in value if isinstance(value, list) else []:
        walk(path + "[]", part)

for line in (sys.stdin if sys.argv[1:] == ["lines"] else [sys.stdin.read()]):
    walk("", json.loads(line))
print("\n".join(sorted(found)))
PYTHON

# has FILE COMMAND…: what the command writes has the names.
has() {
    file=$1
    shift
    undisturbed 0 '' "$USKOR" "$@"
    [ "$got" = 0 ] || wrong "$* left with $got: $(cat err)"
    schema=$(sed -n '1s/^# //p' "$names/$file")
    grep -q "\"schema\": \"$schema\"" out || [ "$1" = export ] || wrong "$*: does not state its schema $schema: $(head -c 300 out)"
    lines=
    [ "$1" != export ] || lines=lines
    python3 names.py $lines <out >found || wrong "$*: $(head -c 300 out)"
    LC_ALL=C sort found >sorted
    grep -v '^#' "$names/$file" | LC_ALL=C comm -23 - sorted >missing
    [ ! -s missing ] || wrong "$*: without the names of $file: $(cat missing)"
}

quick='-d cpu --time 0.001 --kernel-only'
store='--store history.db'
# shellcheck disable=SC2086 # several words
for run in 1 2; do
    "$USKOR" bench dot:n=1000..2000+1000 $quick -r serial $store --label "run $run" >/dev/null 2>err || wrong "$(cat err)"
done
python3 - <<'PYTHON'
header = "{'descr': '<f4', 'fortran_order': False, 'shape': (4,), }"
header += " " * (-(len(header) + 11) % 64) + "\n"
with open("vector.npy", "wb") as file:
    file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + bytes(16))
PYTHON
# tabulates COMMAND…: with --markdown it writes a table, whose rows have as many cells as its head.
tabulates() {
    undisturbed 0 '' "$USKOR" "$@" --markdown
    [ "$got" = 0 ] || wrong "$* --markdown left with $got: $(cat err)"
    awk '{ gsub(/\\\\[|]/, ""); cells = gsub(/[|]/, "") } /^---/ { rules++ } cells && head && cells != head { bad = 1 }
         { head = cells } END { exit !rules || bad }' out || wrong "$* --markdown: $(head -c 600 out)"
}
# shellcheck disable=SC2086
{
    tabulates bench dot:n=1000 $quick -r serial --store none
    tabulates check dot -d cpu -r serial --tiny
    tabulates sweep matmul:m=32,n=32,k=32 $quick -r packed -v ROWS=56,112 --store none
    tabulates effect stride --size 16k --for H200 --store none
    tabulates bandwidth -d cpu --sizes 1K..4Kx4 --time 0.001 --store none
    tabulates history $store
    tabulates history dot $store
    tabulates compare 1 2 $store
    tabulates architectures
    tabulates list dot
}
# shellcheck disable=SC2086
{
    has devices devices --json
    has list list --json
    has bench bench dot:n=1000 $quick -r serial $store --json
    has sweep sweep matmul:m=32,n=32,k=32 $quick -r packed -v ROWS=56,112 --store none --json
    has check check dot -d cpu -r serial --tiny --json
    has runs history $store --json
    has history history dot $store --json
    has compare compare 'run 1' 'run 2' $store --json
    has export export $store
    has tuned tuned sort:n=1000 -d cpu --json
    has architectures architectures --json
    has explain explain dot:n=1000 --for H200 -r tree --json
    [ "$(uname -m)" != x86_64 ] || has explain-cpu explain dot:n=1000 --for this-cpu -r serial --json
    has balance explain --balance --json
    has doctor doctor --json
    python3 "$1/tests/cli/made_ceilings.py" ceilings.db || wrong 'no ceilings of our own'
    has ceilings ceilings -d cpu --threads 1 --store ceilings.db --json
    has effects effect stride --size 16k --for H200 --store none --json
    has dot dot vector.npy vector.npy --json
    has bandwidth bandwidth -d cpu --sizes 1K..4K --time 0.001 --store none --json
}
finish
