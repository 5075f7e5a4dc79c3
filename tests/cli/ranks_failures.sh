#!/bin/sh
# MPI's ranks that fail: everyone stops, with the reason. By TCP, as between hosts: what is killed leaves no shared memory.
# $1: the repository; $2: the build; USKOR: the program.
set -u
. "$1/tests/cli/over_ranks"

export OMPI_MCA_btl=self,tcp

{ header '<f4' '(101, 53)' && head -c 21412 /dev/urandom; } >a.npy
{ header '<f4' '(10007,)' && head -c 40028 /dev/urandom; } >s.npy

# both COMMAND COMMAND: rank 0 runs the first, rank 1 the second, each in a shell. Not `mpirun -n 1 … : -n 1 …`: the mpirun
# of Open MPI 5 in Debian 13 and Ubuntu 25.04 crashes of it (https://github.com/open-mpi/ompi/issues/13303).
both() {
    # shellcheck disable=SC2016
    preload libfaulty_yield.so timeout 500 mpirun -n 2 sh -c '[ "$OMPI_COMM_WORLD_RANK" = 0 ] || shift; eval "$1"' sh "$1" "$2" >out 2>err
    code=$?
}

# apart WORDS COMMAND: rank 0 is `uskor bench transpose:512 --time 0.001`, rank 1 the command of a shell.
apart() {
    both 'exec "$USKOR" bench transpose:512 --time 0.001' "$2"
    [ "$code" -ne 0 ] && [ "$code" -ne 124 ] || wrong "rank 1 fails ($2), and all goes on: exit code $code: $(cat out err)"
    [ -z "$1" ] || grep -qF -e "$1" err || wrong "rank 1 fails ($2), and nobody says '$1': $(cat err)"
}
apart 'rank 1: is told to do something else' "exec \"\$USKOR\" bench transpose:512 --time 0.001 --device cuda:99"
apart 'rank 1: is told to do something else' "exec \"\$USKOR\" bench transpose:512 --time 0.001 --threads 3"
apart 'rank 1: is told to do something else' "exec \"\$USKOR\" bench transpose:511 --time 0.001"
apart '' "\"\$USKOR\" bench transpose:512 --time 30 & sleep 1; kill -9 \$!; wait \$!"

# The mpirun of another MPI starts processes that know nothing of each other; a variable alone starts nothing.
for command in 'bench transpose:64 --time 0.001' 'sort s.npy -o raced.npy'; do
    # shellcheck disable=SC2086
    expect 3 'has started 3 ranks (PMI_SIZE), and this program' env PMI_SIZE=3 "$USKOR" $command
done
[ ! -e raced.npy ] || wrong 'one of several that race has written a file'
expect 0 'serial' env PMIX_RANK=0 SLURM_STEP_NUM_TASKS=1 SLURM_NTASKS=4 "$USKOR" bench dot:1000 -d cpu -r serial --time 0.001 --store none

# Ranks divide a control group's quota, here of one processor; where no group may be made, the processors of a mask.
within="taskset -c $(taskset -cp $$ | sed 's/.*: *//; s/[-,].*//')"
echo 'echo $$ >"$1/cgroup.procs" && shift && exec "$@"' >within
for group in /sys/fs/cgroup/cpu/uskor-$$ /sys/fs/cgroup/uskor-$$; do
    mkdir "$group" 2>/dev/null || continue
    if [ -e "$group/cpu.max" ] && echo '100000 100000' >"$group/cpu.max" ||
        [ -e "$group/cpu.cfs_quota_us" ] && echo 100000 >"$group/cpu.cfs_quota_us"; then
        within="sh within $group"
        break
    fi
    rmdir "$group"
done
# shellcheck disable=SC2086
OMPI_MCA_hwloc_base_binding_policy=none $within timeout 500 mpirun -n 2 "$USKOR" bench dot:1000 --time 0.001 --store none >out 2>err
code=$?
[ ! -d "$group" ] || rmdir "$group" || wrong "left behind: $group"
[ "$code" -eq 0 ] && grep -q '2 ranks, 1 threads each' out && grep -q '2 ranks of 1 threads on 1 cores take turns' err ||
    wrong "ranks that share a processor: exit code $code: $(cat out err)"

# A rank that does not see the output's folder (a local disk) ends all, with the reason.
mkdir local
if unshare -m mount -t tmpfs none local 2>/dev/null; then
    moves='exec "$USKOR" transpose a.npy -o local/new.npy'
    both "$moves" "exec unshare -m sh -c 'mount -t tmpfs none local && $moves'"
    [ "$code" = 2 ] && grep -q 'rank 1: .*local.*every rank must see this folder' err || wrong "a folder that one rank lacks: exit code $code: $(cat err)"
    [ -z "$(ls -A local)" ] || wrong "left behind: $(ls -A local)"
fi

# Ranks with devices: one has none of this number, one computes in host memory, one is killed at work.
if "$USKOR" devices | grep -q '^opencl:0'; then
    bench="bench sort:50000 --rung resident"
    # mixed DEVICE SECONDS: rank 0 has opencl:0, rank 1 that device.
    mixed() {
        both "exec \"\$USKOR\" $bench --time $2 --device opencl:0" "$3"
        [ "$code" -eq 124 ] && wrong "a rank with $1, and all goes on: $(cat out err)"
    }
    mixed 'no such device' 0.001 "OCL_ICD_VENDORS=/nowhere exec \"\$USKOR\" $bench --time 0.001 --device opencl:0"
    grep -q 'rank 1: .*OpenCL' err || wrong "nobody says which rank has no device: $(cat err)"
    mixed 'the cpu' 0.001 "exec \"\$USKOR\" $bench --time 0.001 --device cpu"
    grep -q 'rank 1: is told to do something else' err || wrong "nobody says which rank has the cpu: $(cat out err)"
    mixed 'an end at work' 30 "\"\$USKOR\" $bench --time 30 --device opencl:0 & sleep 2; kill -9 \$!; wait \$!"
    [ "$code" -ne 0 ] || wrong "a rank was killed, and nobody says so: $(cat out err)"
fi

# A rank that never answers ends all where there is a limit, and its number is named. Time that others had the processor does
# not count: beside load seconds are minutes.
works='"$USKOR" bench transpose:2048 --time 30 --samples 1001 --limit 3s'
both "exec $works" "$works &"'
    while [ "$(cut -d " " -f 14 /proc/$!/stat)" -lt 50 ]; do sleep 0.2; done # it computes
    kill -STOP $!; sleep 300; kill -9 $!'
[ "$code" -ne 124 ] && [ "$code" -ne 0 ] && grep -q 'no answer for 3 s.* rank 0 of 2, in MPI' err || wrong "a rank that is stopped: exit code $code: $(cat out err)"

# The same by a variable, where a rank never comes.
both 'USKOR_RANKS_SECONDS=2 exec "$USKOR" sort s.npy -o new.npy' 'sleep 300'
[ "$code" -ne 124 ] && [ "$code" -ne 0 ] && grep -q 'no answer for 2 s' err || wrong "a rank that never comes: exit code $code: $(cat out err)"

# A system error of one rank is told by rank 0, once, while MPI still works: nobody aborts before. Here its file may have
# 24,576 bytes.
both 'exec "$USKOR" sort s.npy -o new.npy' 'ulimit -f 48; exec "$USKOR" sort s.npy -o new.npy'
[ "$code" -eq 2 ] && [ "$(grep -c '^uskor: rank 1: MPI: new.npy: ' err)" -eq 1 ] && ! grep -q MPI_Abort err && [ ! -e new.npy ] ||
    wrong "a rank that cannot write: exit code $code: $(cat out err)"

# A program without its shim says once what to install.
cp "$USKOR" bare
timeout 500 mpirun -n 3 ./bare bench transpose >out 2>err
code=$?
[ "$code" -eq 3 ] && [ "$(grep -c libopenmpi-dev err)" -eq 1 ] || wrong "without the shim: exit code $code: $(cat err)"

# Times on one rank that noise voids take no prediction away: here the clock leaps.
noisy="LD_PRELOAD=$tests_built/libfaulty_clock.so FAULT=noise exec \"\$USKOR\" bench dot:1000 transpose:64 --time 0.001 --json --store none"
both "$noisy" "$noisy"
[ "$code" -eq 0 ] && grep -q '"too_noisy": true' out && [ "$(grep -c '"predicted_ns": [0-9]*[1-9]' out)" -eq 2 ] ||
    wrong "noise: exit code $code: $(cat out err)"

# A full disk has its reason.
if unshare -m mount -t tmpfs -o size=8k none local 2>/dev/null; then
    writes='exec "$USKOR" bench sort:100 --time 0.001 --samples 300 --json -o local/full.json --store none'
    both "exec unshare -m sh -c 'mount -t tmpfs -o size=8k none local && $writes'" "$writes"
    [ "$code" = 2 ] && grep -q 'full.json: .*No space left' err || wrong "a full disk: exit code $code: $(cat out err)"
fi
finish
