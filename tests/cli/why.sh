#!/bin/sh
# --why: a line for each device rung below bench's tables, and the report's chapter. $1: the repository; USKOR: the program.
set -u
. "$1/tests/cli/common"
small=transpose:rows=64,cols=64

refuses 2 "--why prints for people only" bench $small --why --json
refuses 2 "leave out --repeat" bench $small --why --repeat 2
refuses 2 "--why takes one KERNEL" list --why
refuses 2 "--why takes one KERNEL" list transpose --why --json
"$USKOR" devices 2>/dev/null | grep -q '^opencl' || { echo 'SKIP: no OpenCL device'; exit 77; }

# The second line says what changed from the first rung; a machine without a GPU explains for sm_90.
export COLUMNS=80
expect 0 "transactions a request → 4" "$USKOR" bench $small --device opencl:0 --rung naive --rung tiled --kernel-only \
    --time 0.001 --store s.sqlite --why
says "bound by"
[ "$(grep -cE '^  (naive|tiled) +.*(reads|bound)' out)" = 2 ] || wrong "a line for each rung: $(cat out)"
long=$(python3 -c 'print(*(line for line in open("out", encoding="utf-8") if len(line) > 81), sep="", end="")')
[ -z "$long" ] || wrong "wider than 80 letters: $long"

# A chart of each part, and a picture whose lanes are all there.
"$USKOR" report --why --store s.sqlite --charts >charts || wrong "report --charts"
for name in times naive/resources naive/memory-1 tiled/memory-4; do
    grep -qx "explained/transpose/$name" charts || wrong "no chart explained/transpose/$name: $(cat charts)"
done
"$USKOR" report --why --store s.sqlite --svg explained/transpose/naive/memory-1 -o lanes.svg || wrong "report --svg"
python3 - <<'PY' || wrong "lanes.svg"
import sys, xml.etree.ElementTree as tree
lines = [item for item in tree.parse("lanes.svg").iter() if item.tag.endswith("line") and "whisker" in item.get("class", "")]
sys.exit(len(lines) != 32)
PY
"$USKOR" report --store s.sqlite --charts | grep -q explained && wrong "explained without --why"
finish
