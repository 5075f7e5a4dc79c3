#!/bin/sh
# Weak scaling over ranks: no rank holds the whole. Each rank's peak of memory is as large on four ranks as on two; the
# whole has two parts more then. The same problem without --weak shows that rank 0's peak would tell.
# $1: the repository; $2: the build; USKOR: the program.
set -u
if ! command -v mpirun >/dev/null || [ ! -e "$2/libuskor_mpi.so" ]; then
    echo "no MPI here (Debian: openmpi-bin libopenmpi-dev)"
    exit 77
fi
. "$1/tests/cli/common"
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe # Open MPI 5's name of it
export OMPI_MCA_btl=self,tcp OMPI_MCA_btl_tcp_if_include=lo OMPI_MCA_mpi_yield_when_idle=1 HYDRA_IFACE=lo

# Of one rank: `uskor bench ARGUMENT…`, and its peak in MB.
cat >rank <<'RANK'
"$USKOR" bench "$@" --time 0.001 --samples 1 --threads 1 --store none >"out.$$" 2>&1 &
peak=0
while now=$(sed -n 's/^VmHWM:[^0-9]*\([0-9]*\).*/\1/p' "/proc/$!/status" 2>/dev/null) && [ -n "$now" ]; do
    peak=$now
    sleep 0.05
done
wait $! && echo $((peak / 1024)) || { cat "out.$$" >&2; echo 0; }
RANK

# peaks RANKS ARGUMENT…: the least and the largest of the ranks' peaks, in `least` and `most`.
peaks() {
    ranks=$1
    shift
    timeout 500 mpirun -n "$ranks" sh "$PWD/rank" "$@" >peaks 2>err
    sort -n peaks >sorted
    least=$(head -n 1 sorted) most=$(tail -n 1 sorted)
    [ "$(wc -l <sorted)" -eq "$ranks" ] && [ "$least" -gt 0 ] || wrong "$ranks ranks, $*: $(cat peaks err)"
    echo "$*, $ranks ranks: $least ... $most MB"
}

# Parts of 64 MB; the program itself takes up to 142 MB while it measures caches.
# summa-2.5d would have larger parts on four ranks, in two layers.
for problem in dot:8M sort:16M transpose:4096 'matmul:m=4096,n=4096,k=256 --rung summa' \
    'wave:nx=256,ny=256,nz=256,steps=1 --rung halo-3d'; do
    # shellcheck disable=SC2086
    peaks 2 $problem --weak
    two=$most
    # shellcheck disable=SC2086
    peaks 4 $problem --weak
    [ "$most" -le $((two + 64)) ] || wrong "$problem: four ranks need $most MB, two $two: some rank holds more than parts"
done
peaks 2 dot:8M --weak
weak=$most
peaks 2 dot:32M
[ "$most" -gt $((weak + 128)) ] || wrong "the whole of four parts in $most MB, a part in $weak: peaks do not tell them apart"
finish
