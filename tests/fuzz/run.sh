#!/bin/sh
# Fuzzes with libFuzzer: each target that was built in $1/tests, for $2 seconds, from the seeds in tests/data/<format>.
# New inputs gather in $1/corpus/<format>, so that the next run goes on from there. A crash ends it, and its input is
# named by libFuzzer.
set -eu
for target in "$1"/tests/fuzz_*; do
    format=${target##*/fuzz_}
    mkdir -p "$1/corpus/$format"
    echo "fuzzing $format for $2 seconds"
    "$target" -max_total_time="$2" -timeout=10 -rss_limit_mb=4096 -print_final_stats=1 -verbosity=0 \
        -artifact_prefix="$1/" "$1/corpus/$format" "tests/data/$format"
done
