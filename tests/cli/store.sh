#!/bin/sh
# The store behind the commands that measure: what they keep, what they say when they cannot, and what killing leaves.
set -u
. "$1/tests/cli/common"

small=transpose:rows=100,cols=60
fast="--device cpu --rung serial --rung blocked --time 0.01"

# By default into the user's data folder; --store none and check keep nothing.
expect 0 '' "$USKOR" bench $small $fast --store none
expect 0 '' "$USKOR" check $small --device cpu
[ ! -e data/uskor ] || wrong 'something was kept that should not have been'
expect 0 '' "$USKOR" bench $small $fast
[ -e data/uskor/store.sqlite ] || wrong 'no store in the data folder'
expect 0 '' "$USKOR" bench $small $fast --store own.sqlite --label 'before the change'
expect 2 'not a label' "$USKOR" bench $small $fast --label 12
[ -e own.sqlite ] || wrong 'no store where --store says'

# A store that cannot be: a warning where it is the default, the end where the user named it; nothing is measured then.
echo 'this is not a database, but it is long enough to be taken for one' >text
expect 2 'not an SQLite file' "$USKOR" bench $small $fast --store text
[ -s out ] && wrong 'it measured, though the store could not be opened'
expect 2 'missing/a.sqlite' "$USKOR" bench $small $fast --store missing/a.sqlite
expect 2 'missing/a.sqlite: cannot be opened: No such file' "$USKOR" bench $small $fast --store missing/a.sqlite
mkdir folder
expect 2 'folder: this is a folder' "$USKOR" bench $small $fast --store folder
expect 2 'folder: this is a folder' "$USKOR" history --store folder
mkfifo pipe
expect 2 'pipe: this is not a regular file' "$USKOR" history --store pipe
if [ "$(id -u)" != 0 ]; then # who is root writes anywhere
    mkdir locked && chmod 500 locked
    expect 2 'locked/a.sqlite: cannot be opened: Permission denied' "$USKOR" bench $small $fast --store locked/a.sqlite
    chmod 700 locked
fi
cp text data/uskor/store.sqlite
expect 0 'warning: measurements are not stored' "$USKOR" bench $small $fast
[ "$(wc -l <err)" = 1 ] || wrong 'the warning is more than a line'
cmp -s text data/uskor/store.sqlite || wrong 'a file that is no store was written to'
rm -r data
echo >data # where a folder should be
expect 0 'warning: measurements are not stored' "$USKOR" bench $small $fast
rm data
expect 0 'warning: measurements are not stored' env -u XDG_DATA_HOME -u HOME "$USKOR" bench $small $fast

# A disk that is full (files may not grow past 160 KiB): said once, measured on, and the file stays whole.
(
    ulimit -f 320 # of 512 bytes
    "$USKOR" bench transpose:rows=100,cols=100..300+4 --device cpu --time 0.001 --rung serial --csv \
        --store full.sqlite >out 2>err
)
got=$?
[ "$got" = 2 ] || wrong "a full disk left with $got: $(cat err)"
[ "$(grep -c 'are not stored' err)" = 1 ] || wrong "a full disk is not said once: $(cat err)"
[ "$(grep -c ',serial,' out)" -gt 40 ] || wrong 'a full disk ended the measuring'
expect 0 '' "$USKOR" bench $small $fast --store full.sqlite

# Killed in the middle: what was finished is there, and the file is whole.
"$USKOR" bench transpose:rows=32..4096x2 --device cpu --rung serial --time 0.3 --store killed.sqlite >out 2>err &
killed=$!
finished() {
    "$USKOR" history transpose --rung serial --store killed.sqlite --csv 2>/dev/null | grep -c ',serial,'
}
two_are_finished() {
    [ "$(finished)" -ge 2 ]
}
wait_until two_are_finished
kill -9 $killed
wait $killed 2>/dev/null
two_are_finished || wrong 'a killed run has lost what was finished'
# A store is looked through before it is written to.
expect 0 '' "$USKOR" bench $small $fast --store killed.sqlite

# Killed while rungs are timed side by side: they are kept as they stand, and the store says so.
"$USKOR" bench transpose:rows=500,cols=500 --device cpu --rung serial --rung blocked --time 60 --precision 0.01 \
    --store side.sqlite >out 2>err &
killed=$!
side_by_side() {
    "$USKOR" history --rung blocked --store side.sqlite --csv 2>/dev/null | grep -q ',blocked,'
}
wait_until side_by_side
kill -9 $killed
wait $killed 2>/dev/null
expect 0 '"warnings":"the run was cut short' "$USKOR" export --store side.sqlite

# Two at once.
for i in 1 2; do
    "$USKOR" bench transpose:rows=100,cols=100..164+4 --device cpu --time 0.001 --rung serial --store both.sqlite \
        >"out$i" 2>"err$i" &
done
wait
[ -s err1 ] || [ -s err2 ] && wrong "two at once: $(cat err1 err2)"
[ "$("$USKOR" history --rung serial --store both.sqlite --csv | grep -c ',serial,')" = 34 ] ||
    wrong 'two at once lose measurements'

# To read a store leaves nothing beside it.
for i in 1 2; do # the second keeps the log that the first has made
    expect 0 '' "$USKOR" bench transpose:rows=10,cols=6 --device cpu --rung serial --time 0.01 --kernel-only \
        --store alone.sqlite
done
[ "$(od -An -tx1 -j18 -N2 alone.sqlite)" = ' 02 02' ] || wrong 'the store has no write-ahead log, so this shows nothing'
expect 0 '' "$USKOR" history --store alone.sqlite
[ "$(ls alone.sqlite*)" = alone.sqlite ] || wrong "reading leaves $(ls alone.sqlite*)"

# On a full disk: what cannot be filled leaves nothing, and what is there is read.
if unshare -m true 2>/dev/null; then
    mkdir small
    "$USKOR" bench $small $fast --store room.sqlite >out 2>&1 && "$USKOR" export --store room.sqlite -o room.jsonl
    expect 2 'n.sqlite: cannot be written' unshare -m sh -c "mount -t tmpfs -o size=120k none small && cd small &&
        { \"\$USKOR\" import --store n.sqlite ../room.jsonl; code=\$?; [ -z \"\$(ls)\" ] || ls; exit \$code; }"
    [ ! -s out ] || wrong "an import on a full disk leaves $(cat out)"
    expect 0 'bench transpose' unshare -m sh -c "mount -t tmpfs -o size=1m none small && cd small && cp ../room.sqlite . &&
        { head -c 2m /dev/zero >fill 2>/dev/null; \"\$USKOR\" history --store room.sqlite && [ \"\$(ls | wc -l)\" = 2 ]; }"
fi
finish
