#!/bin/sh
# Files over MPI's ranks, and what is refused.
# $1: the repository; $2: the build; USKOR: the program.
set -u
. "$1/tests/cli/over_ranks"

# letters BYTES: so many of the bytes ? and @, four of which are a float between 0.7 and 3.1.
letters() {
    head -c "$(($1 * 300))" /dev/urandom | LC_ALL=C tr -dc '?@' | head -c "$1"
}
{ header '<f4' '(101, 53)' && letters 21412; } >a.npy
{ header '<f4' '(53, 67)' && letters 14204; } >b.npy
{ header '<f4' '(10007,)' && head -c 40028 /dev/urandom; } >s.npy

# The files of four ranks are those of one process.
for what in 'transpose a.npy' 'sort s.npy'; do
    # shellcheck disable=SC2086
    silent $what -o alone.npy --force
    # shellcheck disable=SC2086
    over 4 $what -o out.npy --force
    [ "$code" -eq 0 ] || wrong "$what over four ranks: exit code $code: $(cat err)"
    same out.npy alone.npy
done
over 4 matmul a.npy b.npy -o c.npy
[ "$code" -eq 0 ] && [ "$(wc -c <c.npy)" -eq $((128 + 4 * 101 * 67)) ] || wrong "matmul over four ranks: $(cat err)"

# Fortran order, either byte order, factors, transposed and added matrices: as from one process. Of ones and twos
# no order of additions rounds anything. ones SEED COUNT ONE TWO: their bytes.
ones() {
    # shellcheck disable=SC2059
    printf "$(one=$3 two=$4 awk -v seed="$1" -v n="$2" \
        'BEGIN { srand(seed); for (; n > 0; n--) printf "%s", ENVIRON[rand() < .5 ? "one" : "two"] }')"
}
little='\000\000\200\077 \000\000\000\100' big='\077\200\000\000 \100\000\000\000'
# shellcheck disable=SC2086
{
    { header '<f4' '(31, 23)' && ones 1 713 $little; } >one.npy
    { header '<f4' '(23, 31)' True && ones 1 713 $little; } >one-t.npy
    { header '>f4' '(31, 23)' && ones 1 713 $big; } >one-big.npy
    { header '>f4' '(23, 31)' True && ones 1 713 $big; } >one-big-t.npy
    { header '<f4' '(23, 17)' && ones 2 391 $little; } >two.npy
    { header '>f4' '(17, 31)' True && ones 3 527 $big; } >three-t.npy
    { header '>f4' '(713,)' && ones 1 713 $big; } >vector.npy
}
for what in 'transpose one-t.npy' 'transpose one-big-t.npy' 'sort vector.npy' 'matmul one.npy two.npy' \
    'matmul one-t.npy two.npy --transa' 'matmul one-big.npy two.npy --alpha -0.5' 'matmul one-big-t.npy two.npy --transa' \
    'matmul two.npy one.npy --transa --transb' 'matmul one-t.npy two.npy --transa --alpha 2 --add one-two.npy --beta 3' \
    'matmul two.npy one.npy --transa --transb --add three-t.npy'; do
    # shellcheck disable=SC2086
    silent $what -o alone.npy --force
    # shellcheck disable=SC2086
    over 3 $what -o out.npy --force
    [ "$code" -eq 0 ] || wrong "$what over three ranks: exit code $code: $(cat err)"
    same out.npy alone.npy
    [ -e one-two.npy ] || silent matmul one.npy two.npy -o one-two.npy
done
over 3 dot vector.npy vector.npy
[ "$code" = 0 ] && [ "$(cat out)" = "$("$USKOR" dot vector.npy vector.npy)" ] || wrong "one answer of dot over ranks: $(cat out err)"

# ---- refusals, the same for all ranks, and nothing left behind ----

# over_refuses CODE WORDS RANKS ARGUMENT…
over_refuses() {
    wanted=$1 words=$2
    shift 2
    before=$(ls -A)
    over "$@"
    [ "$code" -eq "$wanted" ] || wrong "$*: exit code $code: $(cat err)"
    [ "$(grep -c '^uskor: ' err)" -eq 1 ] && grep -qF -e "$words" err || wrong "$* does not say '$words' once: $(cat err)"
    [ "$(ls -A)" = "$before" ] || wrong "$* left a file behind"
}
over_refuses 2 'no such method' 2 bench matmul:64 --rung tiled
over_refuses 2 'not solved over several ranks' 2 bench resize
over_refuses 2 'exists' 2 transpose a.npy -o b.npy
over_refuses 2 'must be the rows of the second' 2 matmul a.npy a.npy -o new.npy
over_refuses 2 'one axis' 2 sort a.npy -o new.npy
# option_refused OPTION…: the same of `bench` on one rank, beside what follows.
option_refused() {
    timeout 500 mpirun -n 1 "$USKOR" bench transpose:64 "$@" 2>"$said_in/told"
    told=$?
    cat "$said_in/told"
    [ "$told" -eq 2 ] && [ "$(grep -c '^uskor: ' "$said_in/told")" -eq 1 ]
}
for option in --cold --kernel-only --show --technologies --accuracy --why --fastest --no-isolate '--precision 5' '--repeat 3' \
    '--set TILE=32' '--memory all' '--devices cpu'; do
    # shellcheck disable=SC2086
    aside 0 'is not for several ranks; these are: --device' option_refused $option
done
over_refuses 2 'at most 1001' 2 bench transpose:64 --samples 1002
over_refuses 2 'is for one process' 2 transpose a.npy -o new.npy --memory 4m
over_refuses 2 'is not for several ranks' 2 check sort:100
over_refuses 2 'is not for several ranks' 3 wave -o new.npy
finish
