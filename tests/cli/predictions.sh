#!/bin/sh
# The predictions that stand beside the publications' tables are what the model says now, from code for the oldest
# architecture that NVRTC knows. $1: the repository; USKOR: the program.
set -u
. "$1/tests/cli/common"
[ -z "$("$USKOR" explain transpose:64 --rung naive --for sm_90 --store none --json | grep -E '"(not_compiled|no_code|no_accesses)": "')" ] || {
    echo 'NVRTC, nvdisasm or a C++ compiler is not here'
    exit 77
}
[ -n "${USKOR_LONG:-}" ] && some='' || some=--some
python3 "$1/tools/explain-publications" --check $some "$USKOR" >stale || wrong "stale predictions, run tools/explain-publications --write: $(cat stale)"
expect 0 "limited by registers of the code for" "$USKOR" explain transpose:1024 --rung naive --for 1.1 --store none
finish
