#!/bin/sh
# Kernels over MPI's ranks: results, empty ranks, the store and the report.
# $1: the repository; $2: the build; USKOR: the program.
set -u
. "$1/tests/cli/over_ranks"

# ---- every kernel: odd sizes, more ranks than elements, planes or rows, all data the same ----

problems='transpose:37x53 transpose:3x1001 sort:n=10007,input=special sort:n=5000,input=equal sort:3 dot:1000003 dot:5
    matmul:m=50,n=70,k=2100,beta=0.5,alpha=-2 matmul:3x2x1 wave:nx=33,ny=17,nz=21,steps=5,input=random
    wave:nx=9,ny=9,nz=3,steps=2,input=random'
for ranks in 2 4; do
    # The problems are words of our own list: they are meant to be split.
    # shellcheck disable=SC2086
    over $ranks bench $problems --time 0.001
    [ "$code" -eq 0 ] || wrong "$ranks ranks: exit code $code: $(cat out err)"
    [ "$(grep -c ' PASS$' out)" -ge $((13 * ranks / 2 + 13)) ] || wrong "$ranks ranks: $(grep -c ' PASS$' out) lines pass: $(cat out)"
    ! grep -q "$(printf '\033')" out err || wrong "$ranks ranks colour what no terminal shows: $(cat -v out err)"
    grep -q 'FAIL\|ERROR' out && wrong "$ranks ranks: $(grep 'FAIL\|ERROR' out)"
done
# In two layers: with its own time on one rank, and a prediction.
awk '/^  summa-2.5d +1 .* PASS$/ { alone++ } /^  summa-2.5d +4 .* [0-9.]+ (s|ms|µs|ns) +[^ ]+ +PASS$/ { four++ }
    /summa-2.5d +4096 .*predicted/ { many++ } END { exit !(alone == 2 && four == 2 && many == 2) }' out || wrong "four ranks make two layers: $(cat out)"
awk '/^dot/ { dot = 1 } dot && /the same bits/ { same++ } /^[a-z]+ / && !/^dot/ { dot = 0 } END { exit same < 2 }' out ||
    wrong "a dot product has the same bits on any number of ranks: $(cat out)"
grep -q '4096 .*predicted only' out || wrong "there is no prediction for 4096 ranks: $(cat out)"

# One document for all problems; the store, history, comparison, CSV and the report have what was measured.
over 2 bench sort:1000 dot:5000 --time 0.001 --json --store kept.sqlite --label one --seed 5
[ "$(grep -c '"verdict": "PASS"' out)" -eq 4 ] && grep -q '"predicted_ns": [0-9]' out || wrong "JSON: $(cat out err)"
[ "$(grep -c '^}' out)" -eq 1 ] && grep -q '"problem": "dot:.*seed=5' out || wrong "one document, the seed in it: $(cat out)"
over 2 bench sort:1000 transpose:20x30 --time 0.001 --samples 7 --csv -o rows.csv --store kept.sqlite --label two
[ "$(grep -c ',ranks=[12],PASS,,hot,' rows.csv)" -eq 4 ] || wrong "CSV: $(cat rows.csv err)"
expect 0 'ranks: sort 1000, f32' "$USKOR" history ranks --store kept.sqlite
expect 0 'splitters ranks=2' "$USKOR" compare one two --store kept.sqlite
expect 0 '"kernel":"ranks"' "$USKOR" export --store kept.sqlite
# What other programs disturb has no chart: other tests run beside this one.
for attempt in 1 2 3 4 5; do
    expect 0 '' "$USKOR" report --store kept.sqlite -o report.html --force
    grep -q 'ranks/strong/' report.html && break
    over 2 bench matmul:200 --time 0.1 --store kept.sqlite
done
grep -q 'Over ranks' report.html && grep -q 'ranks/strong/' report.html || wrong 'the report has no chapter of ranks, or no chart'
finish
