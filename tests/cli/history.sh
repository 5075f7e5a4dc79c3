#!/bin/sh
# What the store remembers: history, compare with its gate, export and import.
set -u
. "$1/tests/cli/common"

small=transpose:rows=100,cols=60
fast="--device cpu --rung serial --rung blocked --time 0.05"

expect 3 'there is no store yet' "$USKOR" history
expect 3 'there is no store yet' "$USKOR" export
expect 0 '' "$USKOR" bench $small $fast --label before
expect 0 '' "$USKOR" bench $small $fast
expect 0 'before' "$USKOR" history
expect 0 'uskor bench transpose:rows=100,cols=60 --device cpu --rung serial' "$USKOR" history --csv
grep -q -e '--label' out && wrong 'the command line tells where the figures go'
expect 0 '"label": "before"' "$USKOR" history --json
expect 0 'serial' "$USKOR" history transpose
expect 0 'change' "$USKOR" history $small
expect 0 'median_ns' "$USKOR" history $small --rung serial --csv
[ "$(grep -c ',blocked,' out)" = 0 ] || wrong 'history --rung shows other rungs'
[ "$(wc -l <out)" = 3 ] || wrong 'history --csv has not a row for each run'
expect 0 '"rung": "blocked"' "$USKOR" history transpose --json --since 1h
expect 3 'nothing of sort' "$USKOR" history sort
expect 3 'nothing of' "$USKOR" history --since 2100-01-01
expect 3 'nothing of' "$USKOR" history --label nonesuch
expect 2 'not a date' "$USKOR" history --since yesterday
for date in 2025-02-30 2025-04-31 2025-02-29 '2025-06-31 12:00' 2025-13-01; do
    expect 2 'not a date' "$USKOR" history --since "$date"
done
expect 0 '' "$USKOR" history --since 2024-02-29
expect 2 'one kernel' "$USKOR" history a b

# A name that is neither this program's nor in the store is wrong use; one that is, with nothing of it kept, is not.
for command in history export; do
    refuses 2 "there is no rung 'serail'; did you mean 'serial'?" $command --rung serail
    refuses 2 "there is no rung 'zzzzzzzz'; 'uskor list" $command --rung zzzzzzzz
    refuses 2 "transpose has no rung 'seriall'; did you mean 'serial'?" $command transpose --rung seriall
    refuses 2 "transpose has no rung 'seriall'" $command $small --rung seriall
    refuses 2 "there is no kernel 'transpos'; did you mean 'transpose'?" $command transpos
    refuses 2 "sort has no 'foo'" $command sort:foo=1
    refuses 3 'nothing of what was chosen' $command transpose --rung simd
    refuses 3 'nothing of' $command sort
    refuses 3 'nothing of' $command overlap
done
refuses 2 "there is no rung 'serail'" roofline --device cpu --rung serail
refuses 2 "transpose has no rung 'seriall'" roofline transpose --device cpu --rung seriall

# Export, and what import makes of it.
expect 0 '' "$USKOR" export --label before -o before.jsonl
expect 2 'exists' "$USKOR" export -o before.jsonl
expect 2 'JSON lines' "$USKOR" export --csv
[ "$(wc -l <before.jsonl)" = 3 ] || wrong 'an export has not a line for each measurement'
grep -qwF "$(uname -n)" before.jsonl && wrong "the machine's name is in the export"
expect 0 '0 measurements added, 3 were there already' "$USKOR" import before.jsonl
expect 0 '3 measurements added' "$USKOR" import before.jsonl --store other.sqlite
(cat before.jsonl && echo '{"uskor":1}') >wrong.jsonl
expect 2 'wrong.jsonl, line 4' "$USKOR" import wrong.jsonl --store third.sqlite
[ -e third.sqlite ] && wrong 'an import that added nothing has left an empty store'

# The same as of an older version: then there is something to draw.
expect 3 'fewer than two versions' "$USKOR" history transpose --plot versions.svg
[ ! -e versions.svg ] || wrong 'history --plot has left a file of nothing'
sed 's/"code_version": *"[^"]*"/"code_version": "0.0.1"/g; s/"key": *"\(....\)/"key": "0000/' before.jsonl >older.jsonl
expect 0 '3 measurements added' "$USKOR" import older.jsonl --store both.sqlite
expect 0 '3 measurements added' "$USKOR" import before.jsonl --store both.sqlite
expect 0 'change' "$USKOR" history transpose --store both.sqlite --plot versions.svg
grep -q '>0.0.1</text>' versions.svg || wrong 'history --plot does not name the versions'
expect 2 'versions.svg' "$USKOR" history transpose --store both.sqlite --plot versions.svg
expect 2 'name it' "$USKOR" history --plot other.svg

# A byte order mark is skipped; a moment beyond the year 9999 is refused; a label that looks like a formula is not one.
(printf '\357\273\277' && cat before.jsonl) >marked.jsonl
expect 0 '0 measurements added, 3 were there already' "$USKOR" import marked.jsonl
for key in made_at started; do
    sed "s/\"$key\":[0-9]*/\"$key\":253402300800/" before.jsonl >late.jsonl
    expect 2 "'$key' is not an integer from 0 to 253402300799" "$USKOR" import late.jsonl --store late.sqlite
done
for label in '=1+1' '+1' '-1' '@a' '=a,b'; do
    sed "s/\"label\":\"before\"/\"label\":\"$label\"/" before.jsonl >formula.jsonl
    rm -f formula.sqlite
    expect 0 '3 measurements added' "$USKOR" import formula.jsonl --store formula.sqlite
    expect 0 "'$label" "$USKOR" history --csv --store formula.sqlite
done

# What another version of the program measured stays to be found: its rungs, fields and kernels.
sed 's/"rung":"serial"/"rung":"older"/; s/rows=100,/rows=100,older=1,/g' before.jsonl >older.jsonl
sed 's/"kernel":"[a-z]*"/"kernel":"elder"/; s/transpose:rows=100/elder:rows=100/g' before.jsonl >elder.jsonl
expect 0 'measurements added' "$USKOR" import older.jsonl --store older.sqlite
sed -i 's/"key":"[0-9a-f]*"/"key":"000000000000000000000000000000e1"/' elder.jsonl
expect 0 'measurements added' "$USKOR" import elder.jsonl --store older.sqlite
expect 0 'older' "$USKOR" history --rung older --store older.sqlite
expect 0 'older' "$USKOR" history transpose:rows=100,older=1,cols=60,f32 --rung older --store older.sqlite
expect 0 '"rung":"older"' "$USKOR" export transpose --rung older --store older.sqlite
expect 0 'serial' "$USKOR" history elder --rung serial --store older.sqlite
expect 2 "no rung 'serail'" "$USKOR" roofline transpose --device cpu --rung older --rung serail --store older.sqlite
expect 2 'missing.jsonl' "$USKOR" import missing.jsonl
expect 2 'which files' "$USKOR" import
expect 0 '3 measurements added' sh -c '"$USKOR" import - --store fourth.sqlite <before.jsonl'

# Twelve rounds of the same, and of the same slowed down: as if it had been measured so.
scale() { # FACTOR KEY LABEL [DISTANCE]: slowed down so much, with the cores so many ns apart
    awk -v factor="$1" -v key="$2" -v label="$3" -v distance="${4:-25}" '
        {
            gsub(/"core_latency[^,]*,/, "")
            sub(/"threads":[0-9]+/, "\"threads\":2")
            sub(/"uskor":1,/, "&\"core_latency\":" distance ",")
            sub(/"key":"[0-9a-f]*"/, "\"key\":\"" key "\"")
            sub(/"label":"before"/, "\"label\":\"" label "\"")
            times = rounds = ""
            for (i = 0; i < 12; i++) {
                time = 1000 * (1 + (i * 7 % 12) / 1000)
                times = times (i ? "," : "") (/"rung":"serial"/ ? factor * time : time)
                rounds = rounds (i ? "," : "") i
            }
            sub(/"ns":\[[^]]*\]/, "\"ns\":[" times "]")
            sub(/"rounds":\[[^]]*\]/, "\"rounds\":[" rounds "]")
            print
        }' before.jsonl
}
scale 1 00000000000000000000000000000001 first >first.jsonl
scale 1.2 00000000000000000000000000000002 second >second.jsonl
expect 0 'slower' "$USKOR" compare first.jsonl second.jsonl
expect 0 'faster' "$USKOR" compare second.jsonl first.jsonl
expect 0 'within the noise' "$USKOR" compare first.jsonl second.jsonl
expect 0 'uskor help compare' "$USKOR" compare first.jsonl second.jsonl
expect 0 '0 faster, 0 slower' "$USKOR" compare first.jsonl first.jsonl
expect 1 'slower by 20.0 %' "$USKOR" compare first.jsonl second.jsonl --fail-on slower=5%
expect 0 '' "$USKOR" compare first.jsonl second.jsonl --fail-on slower=25%
expect 0 '' "$USKOR" compare second.jsonl first.jsonl --fail-on slower=5%
expect 0 '"verdict": "slower"' "$USKOR" compare first.jsonl second.jsonl --json
expect 0 ',slower,' "$USKOR" compare first.jsonl second.jsonl --csv
expect 0 '' "$USKOR" compare first.jsonl second.jsonl --csv -o compared.csv
grep -q ',slower,' compared.csv || wrong 'compare -o writes nothing'
expect 0 '4 measurements' sh -c 'echo 4 measurements; "$USKOR" import first.jsonl second.jsonl'
scale 1.2 00000000000000000000000000000003 third 160 >elsewhere.jsonl
expect 0 'cannot tell: the cores were elsewhere: 25 ns apart in A, 160 in B' "$USKOR" compare first.jsonl elsewhere.jsonl
expect 0 '' "$USKOR" compare first.jsonl elsewhere.jsonl --fail-on slower=5%
expect 0 'slower' "$USKOR" compare first.jsonl elsewhere.jsonl --any-cores
expect 1 'slower by 20.0 %' "$USKOR" compare first.jsonl elsewhere.jsonl --any-cores --fail-on slower=5%
expect 0 'compute,25,160' "$USKOR" compare first.jsonl elsewhere.jsonl --csv

# A gate that compared nothing is not green: no problem in common, or no times on both sides. Without a gate that is an
# answer like another.
sed 's/rows=100/rows=101/g' second.jsonl >other-problem.jsonl
sed 's/"compute":{"ns":[^}]*}//; s/"verdict":"[A-Z]*"/"verdict":"SKIP"/' second.jsonl >skipped.jsonl
for other in other-problem.jsonl skipped.jsonl; do
    expect 0 '0 faster, 0 slower' "$USKOR" compare first.jsonl $other
    refuses 3 '--fail-on: nothing was compared' compare first.jsonl $other --fail-on slower=5%
    refuses 3 '--fail-on: nothing was compared' compare first.jsonl $other --fail-on slower=5% --json
done
sed 's/"compute":/"upload":/' first.jsonl >uploads.jsonl
sed 's/"compute":/"upload":/' second.jsonl >uploads-slower.jsonl
expect 0 'slower' "$USKOR" compare uploads.jsonl uploads-slower.jsonl
expect 0 '"phase": "upload"' "$USKOR" compare uploads.jsonl uploads-slower.jsonl --json
expect 0 'slower' "$USKOR" compare first second
expect 0 'slower' "$USKOR" compare 'fir*' second --problem transpose --rung serial
expect 0 'cannot' "$USKOR" compare 1 2
expect 0 'A: run' "$USKOR" compare last~1 last
expect 0 'A: run 1' "$USKOR" compare 1 data/uskor/store.sqlite
expect 2 "no run 'last~9'" "$USKOR" compare last~9 last
expect 2 "no run '77'" "$USKOR" compare 77 last
expect 2 'not a run, label or file' "$USKOR" compare nonesuch last
expect 2 'line 4' "$USKOR" compare wrong.jsonl last

# Where the choice is what nothing is there of, the choice is named, and not the run's name blamed.
refuses 2 "label 'first': nothing of --problem sort is in it" compare first second --problem sort
refuses 2 "run 1: nothing of --problem sort is in it" compare 1 2 --problem sort
refuses 2 "first.jsonl: nothing of --rung simd is in it" compare first.jsonl second.jsonl --rung simd
refuses 2 "--problem transpose --rung simd --device cuda:0" compare 1 2 --problem transpose --rung simd --device cuda:0
refuses 2 "there is no rung 'serail'; did you mean 'serial'?" compare first second --rung serail --fail-on slower=5%
refuses 2 "there is no kernel 'transpos'" compare first second --problem transpos
expect 0 'not compared: no end-to-end times in A and B' "$USKOR" compare first second --end-to-end
says '0 faster'
refuses 3 '--fail-on: nothing was compared' compare first second --end-to-end --fail-on slower=5%
expect 2 'which two' "$USKOR" compare last
refuses 2 "--fail-on takes slower=PERCENT; this is 'faster=3'" compare 1 2 --fail-on faster=3
refuses 2 "--fail-on slower takes a percentage from 0 to 10000; this is 'much'" compare 1 2 --fail-on slower=much
refuses 2 "--min-change takes a percentage from 0 to 10000; this is '-1'" compare 1 2 --min-change=-1

# Of one rung with several parameters each pair says which; what was measured once has not changed.
sweep="sweep matmul:m=32,n=32,k=32 --device cpu --rung packed --over ROWS=56,112 --time 0.01 --store swept.sqlite"
expect 0 '' "$USKOR" $sweep
expect 0 '' "$USKOR" $sweep
expect 0 'ROWS=112' "$USKOR" compare last~1 last --store swept.sqlite
expect 0 '' "$USKOR" bench $small --device cpu --rung serial --time 0.01 --store swept.sqlite
expect 0 '' "$USKOR" bench $small $fast --store swept.sqlite
expect 0 'blocked' "$USKOR" history transpose --store swept.sqlite
grep -q -E 'serial.*(%|noisy)' out || wrong "history tells no change of what was measured twice: $(cat out)"
grep -q 'blocked.*%' out && wrong 'history tells a change of what was measured once'

# A text that is no text in an otherwise whole file.
cp swept.sqlite letters.sqlite
python3 -c "import sqlite3; c = sqlite3.connect('letters.sqlite')
c.execute(\"UPDATE measurements SET idea = CAST(x'41ff42' AS TEXT)\"); c.commit()"
expect 0 '"idea":"A\\xffB"' "$USKOR" export --store letters.sqlite
expect 2 "'cold' is not true or false" sh -c 'sed "s/\"cold\":false/\"cold\":3/" before.jsonl | "$USKOR" import - --store x.sqlite'

# The report of runs that are not there.
expect 3 'no run with measurements is chosen' "$USKOR" report --store swept.sqlite --run 77 -o none.html
expect 3 'no run with measurements is chosen' "$USKOR" report --store swept.sqlite --label none -o none.html
[ ! -e none.html ] || wrong 'a report of nothing was written'

# A file that only reads.
chmod 400 data/uskor/store.sqlite
expect 0 'first' "$USKOR" history

finish
