#!/bin/sh
# Ranks on two hosts: two network namespaces, joined by a link of 1 Gbit/s where the kernel can emulate one. For root.
# Open MPI, and MPICH where it is installed.
# $1: the repository; $2: the build; USKOR: the program; TABLE: a file for the table of predictions.
set -u
if [ "${WITHIN:-}" != yes ]; then
    if ! command -v mpirun.openmpi >/dev/null || [ ! -e "$2/libuskor_mpi.so" ]; then
        echo "no Open MPI here (Debian: openmpi-bin libopenmpi-dev)"
        exit 77
    fi
    if ! unshare -n -m -u -p --mount-proc --kill-child -f true 2>/dev/null || ! command -v ip >/dev/null; then
        echo "no network namespace may be made here (root; Debian: iproute2)"
        exit 77
    fi
    # Of its processes none outlives the script, which is the first of a namespace of its own.
    WITHIN=yes exec unshare -n -m -u -p --mount-proc --kill-child -f sh "$0" "$@" </dev/null
fi
. "$1/tests/cli/common"

# MPICH's transport looks for its interfaces in /sys.
hostname first
mount -t sysfs none /sys
unshare -n -m -u sh -c 'hostname second; mount -t sysfs none /sys; exec sleep 600' &
other=$!
trap 'kill "$other"; rm -rf "$folder"' EXIT
sleep 1
{ ip link set lo up && ip link add first type veth peer name second && ip link set second netns "$other" &&
    ip addr add 10.77.0.1/24 dev first && ip link set first up &&
    nsenter -t "$other" -n ip link set lo up && nsenter -t "$other" -n ip addr add 10.77.0.2/24 dev second &&
    nsenter -t "$other" -n ip link set second up; } || { echo 'no pair of interfaces may be made here'; exit 77; }
# Cubic fills the link; bbr, where it is the system's own, looks for the rate anew every few seconds, and runs differ.
for in in '' "nsenter -t $other -n"; do
    $in sh -c 'echo cubic >/proc/sys/net/ipv4/tcp_congestion_control' 2>/dev/null
done
# The burst is short: messages within it pass without a limit after a pause, and a model of the link cannot know of one.
link='without a limit'
if tc qdisc add dev first root tbf rate 1gbit burst 32kb latency 50ms 2>/dev/null &&
    nsenter -t "$other" -n tc qdisc add dev second root tbf rate 1gbit burst 32kb latency 50ms 2>/dev/null; then
    link='1 Gbit/s'
fi

# Each host has half of the processors: ranks of both on one of them would take turns, and the link looks half as fast.
half=$(($(nproc) / 2)) first='' second=''
if [ "$half" -gt 0 ] && taskset -c "0-$((2 * half - 1))" true; then
    first="taskset -c 0-$((half - 1))" second="taskset -c $half-$((2 * half - 1))"
fi

# What the launchers start the other host's daemon with, after options of ssh and its address.
cat >agent <<EOF
#!/bin/sh
while [ "\${1#-}" != "\$1" ]; do shift; done
shift
mkdir -p "$PWD/second"
exec nsenter -t $other -n -m -u env TMPDIR="$PWD/second" $second sh -c "\$*"
EOF
chmod +x agent

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # Open MPI 5's name of it
export OMPI_MCA_plm_rsh_agent="$PWD/agent" OMPI_MCA_btl_tcp_if_include=10.77.0.0/24 OMPI_MCA_oob_tcp_if_include=10.77.0.0/24
export OMPI_MCA_mpi_yield_when_idle=1 XDG_DATA_HOME="$PWD/data"

# hosts RANKS-ON-EACH ARGUMENT…
hosts() {
    each=$1
    shift
    # shellcheck disable=SC2086
    timeout 300 $first mpirun.openmpi -H "10.77.0.1:$each,10.77.0.2:$each" -n $((2 * each)) --map-by node --bind-to none \
        -x USKOR -x XDG_DATA_HOME "$USKOR" "$@" >out 2>err
    code=$?
}

# The same over MPICH, of which $PWD/mpich has the shim. Its transport takes memory that both hosts share, unless told.
mpich_hosts() {
    each=$1
    shift
    # shellcheck disable=SC2086
    UCX_TLS=tcp,self timeout 300 $first mpirun.mpich -launcher ssh -launcher-exec "$PWD/agent" -iface first \
        -hosts 10.77.0.1,10.77.0.2 -ppn "$each" -n $((2 * each)) "$PWD/mpich/uskor" "$@" >out 2>err
    code=$?
}

timing='--time 0.001'
problems='transpose:1023x1025 sort:n=100003,input=special dot:1000003 matmul:m=250,n=270,k=260 wave:nx=65,ny=33,nz=41,steps=5,input=random'
each_host='1 2 4'
if [ -n "${TABLE:-}" ]; then
    timing='--time 0.2 --samples 11 --threads 1'
    each_host='1 2'
    problems='transpose:2048 sort:4M dot:16M matmul:1024 wave:nx=128,ny=128,nz=128'
fi
for each in $each_host; do
    # shellcheck disable=SC2086
    hosts $each bench $problems $timing --store none
    [ "$code" -eq 0 ] && ! grep -q 'FAIL\|ERROR' out || wrong "two hosts, $each each: exit code $code: $(cat out err)"
    grep -q "at most $each on a" out || wrong "the model does not see two hosts: $(cat out)"
    if [ -n "${TABLE:-}" ]; then
        { echo "# two network namespaces, $link, $each ranks on each"; cat out; } >>"$TABLE"
    fi
done

# One file, both hosts; the answer is that of one process.
{ header '<i4' '(100003,)' && head -c 400012 /dev/urandom; } >s.npy
silent sort s.npy -o alone.npy
hosts 2 sort "$PWD/s.npy" -o "$PWD/out.npy"
[ "$code" -eq 0 ] || wrong "a file on two hosts: exit code $code: $(cat err)"
same out.npy alone.npy

if [ -z "${TABLE:-}" ] && command -v mpicxx.mpich >/dev/null; then
    mkdir mpich && cp "$USKOR" mpich/uskor
    mpicxx.mpich -std=c++17 -O1 -fPIC -shared -fvisibility=hidden -I"$1/src" "$1/src/vendor_shims/mpi/mpi.cpp" \
        -o mpich/libuskor_mpi.so || wrong "MPICH's shim is not built"
    # Ranks that wait in MPICH keep their processor: where two share one, the links alone take a minute.
    each_host=1
    [ "$half" -lt 2 ] || each_host='1 2'
    for each in $each_host; do
        # shellcheck disable=SC2086
        mpich_hosts $each bench $problems $timing --store none
        [ "$code" -eq 0 ] && ! grep -q 'FAIL\|ERROR' out || wrong "MPICH, $each each: exit code $code: $(cat out err)"
        grep -q MPICH out && grep -q "at most $each on a" out || wrong "MPICH does not see two hosts: $(cat out)"
    done
    for each in 1 2; do
        mpich_hosts $each sort "$PWD/s.npy" -o "$PWD/out-mpich.npy"
        [ "$code" -eq 0 ] || wrong "MPICH, a file on two hosts, $each each: exit code $code: $(cat err)"
        same out-mpich.npy alone.npy
        rm -f out-mpich.npy
    done
fi
finish
