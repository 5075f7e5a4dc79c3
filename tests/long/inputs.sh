#!/bin/sh
# Hostile inputs, one command each (inputs/*.py): files, places for a result, stores, arguments, variables, standard streams
# and signals. About 2,700 commands; one line for each that does not end as the trial allows.
#   INPUTS='npy png'   these groups only: npy places png stores arguments variables streams signals
#   INPUTS_TIMES=20    signals for each command and signal (default: 5); INPUTS_SEED=7: at other times
set -u
set -- "$(cd "$1" && pwd)" # scripts work in a folder of their own
. "$1/tests/cli/common"
[ -z "${ASAN_OPTIONS-}" ] || exit 77 # a sanitizer needs memory and files of its own
command -v bash >/dev/null && command -v python3 >/dev/null || exit 77
for run in 1 2; do
    "$USKOR" bench dot:n=100 sort:n=500 -d cpu --time 0.01 --store s.sqlite >out 2>&1 || wrong "run $run: $(cat out)"
done
"$USKOR" export --store s.sqlite -o s.jsonl || wrong export
PYTHONDONTWRITEBYTECODE=1 python3 "$1/tests/long/inputs/run.py" "$USKOR" "$folder" || failures=1
finish
