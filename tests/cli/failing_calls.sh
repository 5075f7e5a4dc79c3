#!/bin/sh
# A sample of tests/long/failing_calls.sh: four quick commands and five failing calls of each, by FAILING_SEED (42).
quick='^(library|transpose|sort|dot|matmul|resize|wave|list|history|compare|export|import|show|help|publications)$'
FAILING_COMMANDS=$quick FAILING_SAMPLE=20 exec sh "$1/tests/long/failing_calls.sh" "$@"
