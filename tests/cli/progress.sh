#!/bin/sh
# Lines of progress on a standard error that is no terminal, from each command that measures or explains; the interval is
# this test's. unit/test_progress has made-up times.
set -u
. "$1/tests/cli/common"
USKOR_PROGRESS_SECONDS=0.01
export USKOR_PROGRESS_SECONDS
quick='-d cpu --time 0.02'

# tells ARGUMENT…: the command writes such lines, and none of them to standard output.
tells() {
    "$USKOR" "$@" >out 2>err || wrong "$*: $(cat err)"
    grep -qE '^  (.*[░█].* %|at work for [0-9]+ s)' err || wrong "$* tells nothing: $(cat err)"
    ! grep -q '[░█].* %  \|at work for' out || wrong "$* tells it on standard output"
}

tells bench transpose:300 -r serial -r blocked $quick
tells check transpose -r blocked --tiny -d cpu
tells explain matmul:512 --rung tiled
tells reproduce transpose-2013 --quick $quick

# Every command of the table that measures begins a bar, or has a session, which begins one.
for command in bench sweep check ceilings roofline bandwidth overlap effect explain reproduce tune try lab grade; do
    grep -qE 'bench_session_start|progress_begin|bench_session_run' "$1/src/cli/commands/$command.c" ||
        wrong "$command begins no bar"
done

# On a terminal the bar is gone before any text: nothing but its end follows it in a line.
"$USKOR" try --new transpose -o mine.c >out 2>err || wrong "try --new: $(cat err)"
cat >terminal.py <<'PYTHON'
import os, pty, re, sys

said = bytearray()

def read(terminal):
    data = os.read(terminal, 4096)
    said.extend(data)
    return data

pty.spawn(sys.argv[1:], read)
bars = 0
for line in said.decode().split("\n"):
    parts = re.split("[█░]{24} +[0-9]+ %", line)
    bars += len(parts) - 1
    if len(parts) > 1 and "\r\x1b[K" not in parts[-1]:
        sys.exit("text behind a bar: " + ascii(line[-200:]).replace(chr(92), "/"))
sys.exit(0 if bars else "no bar")
PYTHON
for words in "bench transpose:300 -r serial -r blocked $quick" "try transpose mine.c transpose:64x48 --beside serial --store none"; do
    # shellcheck disable=SC2086 # several words
    python3 terminal.py "$USKOR" $words >out 2>err </dev/null || wrong "$words: $(cat err)"
done

# The usual interval is 20 s: a short command writes none, unless the machine kept it waiting.
unset USKOR_PROGRESS_SECONDS
begun=$(date +%s)
expect 0 '' "$USKOR" bench transpose:300 -r serial $quick
! grep -q '░' err || [ $(($(date +%s) - begun)) -gt 15 ] || wrong "a line of progress before its time: $(cat err)"
USKOR_PROGRESS_SECONDS=often expect 2 'a number of seconds above 0' "$USKOR" bench transpose:300 -r serial $quick
finish
