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
export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_mpi_yield_when_idle=1 HYDRA_IFACE=lo

# over RANKS ARGUMENT…: standard output in `out`, standard error in `err`, the code in `code`.
over() {
    ranks=$1
    shift
    timeout 150 mpirun -n "$ranks" "$USKOR" "$@" >out 2>err
    code=$?
}

# Two halves, side by side, as each of them mostly waits for mpirun.
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
    grep -q 'summa-2.5d *4 .* PASS$' out || wrong "four ranks make two layers: $(cat out)"
    awk '/^dot/ { dot = 1 } dot && /the same bits/ { same++ } /^[a-z]+ / && !/^dot/ { dot = 0 } END { exit same < 2 }' out ||
        wrong "a dot product has the same bits on any number of ranks: $(cat out)"
    grep -q '4096 .*predicted only' out || wrong "there is no prediction for 4096 ranks: $(cat out)"

    over 2 bench sort:1000 --time 0.001 --json
    grep -q '"verdict": "PASS"' out && grep -q '"predicted_ns": [0-9]' out || wrong "JSON: $(cat out err)"

    # Parts that stay in the devices' memory: through host memory here, where no rank has a GPU of its own. NCCL, which
    # carries nothing for other devices, is a skip that says so.
    if "$USKOR" devices | grep -q '^opencl:0'; then
        over 3 bench transpose:37x53 transpose:2x101,u8 matmul:m=50,n=7,k=31,beta=0.5 matmul:2x3x1 \
            sort:n=5003,input=few sort:n=2001,input=special,f64 sort:2 wave:nx=9,ny=7,nz=39,steps=3,input=random \
            dot:n=30007,input=integers --time 0.001 --device opencl:0 --rung resident --rung nccl
        [ "$code" -eq 0 ] || wrong "resident: exit code $code: $(cat out err)"
        [ "$(grep -c '^  resident .* PASS$' out)" -eq 27 ] || wrong "resident methods: $(cat out)"
        [ "$(grep -c '^  nccl *3  SKIP  NCCL works on CUDA devices only' out)" -eq 9 ] || wrong "NCCL without CUDA: $(cat out)"
        grep -q 'predicted only' out && wrong "the model knows nothing of devices' links: $(cat out)"
    fi
    over 2 bench transpose:64 --rung resident --time 0.001
    [ "$code" -eq 3 ] && grep -q 'nothing is resident' out || wrong "resident on the cpu: exit code $code: $(cat out err)"
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
    over_refuses 2 'have no product' 2 matmul a.npy a.npy -o new.npy
    over_refuses 2 'one axis' 2 sort a.npy -o new.npy

    # ---- ranks that fail: everyone stops, with the reason ----

    # apart WORDS COMMAND: rank 0 is `uskor bench transpose:512 --time 0.001`, rank 1 the command of a shell.
    apart() {
        timeout 150 mpirun -n 1 "$USKOR" bench transpose:512 --time 0.001 : -n 1 sh -c "$2" >out 2>err
        code=$?
        [ "$code" -ne 0 ] && [ "$code" -ne 124 ] || wrong "rank 1 fails ($2), and all goes on: exit code $code: $(cat out err)"
        [ -z "$1" ] || grep -qF -e "$1" err || wrong "rank 1 fails ($2), and nobody says '$1': $(cat err)"
    }
    apart 'rank 1: ' "exec \"\$USKOR\" bench transpose:512 --time 0.001 --device cuda:99"
    apart 'rank 1: is told to do something else' "exec \"\$USKOR\" bench transpose:511 --time 0.001"
    apart '' "\"\$USKOR\" bench transpose:512 --time 30 & sleep 1; kill -9 \$!; wait \$!"

    # The mpirun of another MPI starts processes that know nothing of each other; a variable alone starts nothing.
    for command in 'bench transpose:64 --time 0.001' 'sort s.npy -o raced.npy'; do
        # shellcheck disable=SC2086
        expect 3 'has started 3 ranks (PMI_SIZE), and this program' env PMI_SIZE=3 "$USKOR" $command
    done
    [ ! -e raced.npy ] || wrong 'one of several that race has written a file'
    expect 0 'serial' env PMIX_RANK=0 SLURM_STEP_NUM_TASKS=1 SLURM_NTASKS=4 "$USKOR" bench dot:1000 -d cpu -r serial --time 0.001 --store none

    # A rank that does not see the output's folder (a local disk) ends all, with the reason.
    mkdir local
    if unshare -m mount -t tmpfs none local 2>/dev/null; then
        timeout 150 mpirun -n 1 "$USKOR" transpose a.npy -o local/new.npy : \
            -n 1 unshare -m sh -c 'mount -t tmpfs none local && exec "$USKOR" transpose a.npy -o local/new.npy' >out 2>err
        code=$?
        [ "$code" = 2 ] && grep -q 'rank 1: .*local.*every rank must see this folder' err || wrong "a folder that one rank lacks: exit code $code: $(cat err)"
        [ -z "$(ls -A local)" ] || wrong "left behind: $(ls -A local)"
    fi

    # Ranks with devices: one has none of this number, one computes in host memory, one is killed at work.
    if "$USKOR" devices | grep -q '^opencl:0'; then
        bench="bench sort:50000 --rung resident"
        # mixed DEVICE SECONDS: rank 0 has opencl:0, rank 1 that device.
        mixed() {
            # shellcheck disable=SC2086
            timeout 150 mpirun -n 1 "$USKOR" $bench --time "$2" --device opencl:0 : -n 1 sh -c "$3" >out 2>err
            code=$?
            [ "$code" -eq 124 ] && wrong "a rank with $1, and all goes on: $(cat out err)"
        }
        mixed 'no such device' 0.001 "exec \"\$USKOR\" $bench --time 0.001 --device opencl:99"
        grep -q 'rank 1: .*opencl:99' err || wrong "nobody says which rank has no device: $(cat err)"
        mixed 'the cpu' 0.001 "exec \"\$USKOR\" $bench --time 0.001 --device cpu"
        grep -q 'SKIP  rank 1: .*nothing is resident' out || wrong "nobody says which rank has the cpu: $(cat out err)"
        mixed 'an end at work' 30 "\"\$USKOR\" $bench --time 30 --device opencl:0 & sleep 2; kill -9 \$!; wait \$!"
        [ "$code" -ne 0 ] || wrong "a rank was killed, and nobody says so: $(cat out err)"
    fi

    # A program without its shim says what to install.
    cp "$USKOR" bare
    message=$(OMPI_COMM_WORLD_SIZE=2 ./bare bench transpose 2>&1)
    [ $? -eq 3 ] || wrong "without the shim: $message"
    case $message in *libopenmpi-dev*) ;; *) wrong "without the shim: $message" ;; esac
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
wait
for half in results files_and_failures; do
    count=$(cat "$half/failures") || wrong "$half did not end"
    failures=$((failures + ${count:-0}))
done
finish
