#!/bin/sh
# Runs a test, and once more where PoCL 3.1 has aborted it: its cache of loaded kernels fails an assertion of its own
# (pocl_release_dlhandle_cache), seen in one of ten runs of programs on several devices. $1: the test.
said=$(mktemp) || exit 1
trap 'rm -f "$said"' EXIT
"$1" >"$said" 2>&1
code=$?
cat "$said"
if [ "$code" -ne 0 ] && grep -q 'pocl_release_dlhandle_cache: Assertion' "$said"; then
    "$1"
    code=$?
fi
exit "$code"
