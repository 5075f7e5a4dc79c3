#!/bin/sh
# Kernels over MPI's ranks, on this machine's loopback: results, empty ranks, files, and ranks that fail.
# $1: the repository; $2: the build; USKOR: the program.
set -u
. "$1/tests/cli/common"
if ! command -v mpirun >/dev/null; then
    echo "no mpirun here (Debian: openmpi-bin)"
    exit 77
fi
if [ ! -e "$2/libuskor_mpi.so" ]; then
    echo "this build has no MPI shim (Debian: libopenmpi-dev; sanitized builds have none)"
    exit 77
fi

# Open MPI refuses to run as root, and more ranks than cores, unless it is told; MPICH knows none of this.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # Open MPI 5's name of it
export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_mpi_yield_when_idle=1 HYDRA_IFACE=lo

# over RANKS ARGUMENT…: standard output in `out`, standard error in `err`, the code in `code`.
over() {
    ranks=$1
    shift
    timeout 500 mpirun -n "$ranks" "$USKOR" "$@" >out 2>err
    code=$?
}

# both COMMAND COMMAND: rank 0 runs the first, rank 1 the second, each in a shell. Not `mpirun -n 1 … : -n 1 …`: the mpirun
# of Open MPI 5 in Debian 13 and Ubuntu 25.04 crashes of it (https://github.com/open-mpi/ompi/issues/13303).
both() {
    # shellcheck disable=SC2016
    timeout 500 mpirun -n 2 sh -c '[ "$OMPI_COMM_WORLD_RANK" = 0 ] || shift; eval "$1"' sh "$1" "$2" >out 2>err
    code=$?
}

# Parts, two side by side, as each of them mostly waits for mpirun.
results() {
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
    # What other programs disturb has no chart: the other half of this test runs beside this one.
    for attempt in 1 2 3 4 5; do
        expect 0 '' "$USKOR" report --store kept.sqlite -o report.html --force
        grep -q 'ranks/strong/' report.html && break
        over 2 bench matmul:200 --time 0.1 --store kept.sqlite
    done
    grep -q 'Over ranks' report.html && grep -q 'ranks/strong/' report.html || wrong 'the report has no chapter of ranks, or no chart'

    # Weak scaling: each rank makes and judges its own part.
    for ranks in 2 3; do
        over $ranks bench transpose:37x53 sort:n=1001,input=few dot:300007 matmul:50x70x60 \
            wave:nx=9,ny=7,nz=12,steps=3,input=random --weak --time 0.001 --store kept.sqlite
        [ "$code" -eq 0 ] && [ "$(grep -c ' PASS$' out)" -eq $((8 * ranks + 1)) ] || wrong "weak, $ranks ranks: exit code $code: $(cat out err)"
        grep -q 'for each rank' out || wrong "weak: $(cat out)"
    done
    expect 0 '' "$USKOR" report --store kept.sqlite -o report.html --force
    grep -q 'ranks/weak/' report.html || wrong 'the report has no chart of weak scaling'

    # Parts that stay in the devices' memory: through host memory here, where no rank has a GPU of its own. NCCL, which
    # carries nothing for other devices, is a skip that says so.
    if "$USKOR" devices | grep -q '^opencl:0'; then
        over 3 bench transpose:37x53 transpose:2x101,u8 matmul:m=50,n=7,k=31,beta=0.5 matmul:2x3x1 \
            sort:n=5003,input=few sort:n=2001,input=special,f64 sort:2 wave:nx=9,ny=7,nz=39,steps=3,input=random \
            dot:n=30007,input=integers --time 0.001 --device opencl:0 --rung resident --rung nccl
        [ "$code" -eq 0 ] || wrong "resident: exit code $code: $(cat out err)"
        [ "$(grep -c '^  resident .* PASS$' out)" -eq 27 ] || wrong "resident methods: $(cat out)"
        [ "$(grep -c '^  nccl *3  SKIP  NCCL works on CUDA devices only' out)" -eq 9 ] || wrong "NCCL without CUDA: $(cat out)"
    fi
    over 2 bench transpose:64 --rung resident --time 0.001
    [ "$code" -eq 3 ] && grep -q 'nothing is resident' out || wrong "resident on the cpu: exit code $code: $(cat out err)"
}

# The wave in a grid of 2 × 2 × 2 ranks, and in slabs: the same bits, and the bytes that a rank sends: three times two
# planes of each face of the largest block. More ranks than blocks of two points are refused.
wave_in_blocks() {
    over 8 bench wave:nx=7,ny=6,nz=7,steps=3,input=random sort:8192 dot:2097152 --rung halo --rung halo-3d --rung overlap-3d \
        --rung splitters --rung blocks --time 0.001 --samples 5 --json
    [ "$code" -eq 0 ] && [ "$(grep -c '"verdict": "PASS"' out)" -eq 20 ] || wrong "the wave in blocks: exit code $code: $(cat out err)"
    awk '/"method": "halo"/ { slabs = 1 } /"method": ".*-3d"/ { slabs = 0 }
        /"method": / { waves = /halo|overlap/ }
        /"ranks": / { ranks = $2 + 0 } /"digest": / && ranks > 1 && waves { bits[$2]++ }
        /"bytes_sent": / && ranks == 8 && waves { wrong += $2 + 0 != 3 * 2 * 2 * 4 * (slabs ? 7 * 6 : 4 * 3 + 4 * 3 + 4 * 4) }
        END { for (each in bits) kinds++; exit wrong || kinds != 1 }' out || wrong "slabs and blocks, their bits and bytes: $(cat out)"
    # Splitters: beside 7/8 of the keys, 33 sums of 7 counters; the counters of all ranks would be seven times as much. Dot:
    # some nodes of a tree.
    awk '/"method": / { sorts = /splitters/; adds = /blocks/ } /"ranks": / { ranks = $2 + 0 }
        /"bytes_sent": / && ranks == 8 { if (sorts) keys = $2 + 0; if (adds) sums = $2 + 0 }
        END { exit !(keys >= 3584 && keys < 3584 + 6000 && sums > 0 && sums < 300) }' out || wrong "bytes that ranks send: $(cat out)"
    over 3 bench wave:nx=5,ny=5,nz=3 --rung halo-3d --time 0.001
    [ "$code" -eq 0 ] && grep -q 'halo-3d *3  SKIP  no grid of 3 ranks leaves each 2 points.*; 2 ranks can' out ||
        wrong "blocks that are too thin: exit code $code: $(cat out err)"
}

files_and_failures() {
    # ---- files ----

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
    for option in --cold --kernel-only --show --technologies --accuracy --why --fastest --no-isolate '--precision 5' '--repeat 3' \
        '--set TILE=32' '--memory all' '--devices cpu'; do
        # shellcheck disable=SC2086
        over_refuses 2 'is not for several ranks; these are: --device' 1 bench transpose:64 $option
    done
    over_refuses 2 'at most 1001' 2 bench transpose:64 --samples 1002
    over_refuses 2 'is for one process' 2 transpose a.npy -o new.npy --memory 4m
    over_refuses 2 'is not for several ranks' 2 check sort:100
    over_refuses 2 'is not for several ranks' 3 wave -o new.npy

    # ---- ranks that fail: everyone stops, with the reason ----

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

    # A rank that never answers ends all where there is a limit, and its number is named.
    works='"$USKOR" bench transpose:2048 --time 30 --samples 1001 --limit 3s'
    both "exec $works" "$works &"'
        while [ "$(cut -d " " -f 14 /proc/$!/stat)" -lt 150 ]; do sleep 0.2; done # it computes
        kill -STOP $!; sleep 30; kill -9 $!'
    [ "$code" -ne 124 ] && [ "$code" -ne 0 ] && grep -q 'no answer for 3 s.* rank 0 of 2, in MPI' err || wrong "a rank that is stopped: exit code $code: $(cat out err)"

    # The same by a variable, where a rank never comes.
    both 'USKOR_RANKS_SECONDS=2 exec "$USKOR" sort s.npy -o new.npy' 'sleep 60'
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
}

# alone HALF: it works in a folder and a store of its own, and leaves the number of its failures there.
alone() {
    mkdir "$1" && cd "$1" || exit 1
    export XDG_DATA_HOME="$PWD/data"
    "$1"
    echo "$failures" >failures
}
(alone results) &
(alone files_and_failures)
(alone wave_in_blocks)
wait
for half in results files_and_failures wave_in_blocks; do
    count=$(cat "$half/failures") || wrong "$half did not end"
    failures=$((failures + ${count:-0}))
done
finish
