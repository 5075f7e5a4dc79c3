#!/bin/sh
# The same program over another MPI: a shim built against MPICH beside a copy of the program, and MPICH's mpirun.
# $1: the repository; USKOR: the program.
set -u
. "$1/tests/cli/common"
if ! command -v mpirun.mpich >/dev/null || ! command -v mpicxx.mpich >/dev/null; then
    echo "no MPICH here (Debian: mpich libmpich-dev)"
    exit 77
fi
if ! mpicxx.mpich -std=c++17 -O1 -fPIC -shared -fvisibility=hidden -I"$1/src" "$1/src/vendor_shims/mpi/mpi.cpp" \
    -o libuskor_mpi.so 2>build.log; then
    cat build.log
    exit 1
fi
cp "$USKOR" uskor
export HYDRA_IFACE=lo XDG_DATA_HOME="$PWD/data"

# over RANKS ARGUMENT…: standard output in `out`, standard error in `err`, the code in `code`.
over() {
    ranks=$1
    shift
    timeout 500 mpirun.mpich -n "$ranks" ./uskor "$@" >out 2>err
    code=$?
}

# Ranks that wait in MPICH keep their processor: more than there are would take seconds.
over 2 bench transpose:37x53 sort:n=5003,input=special dot:300007 matmul:m=50,n=70,k=60,beta=0.5 \
    wave:nx=9,ny=9,nz=12,steps=2,input=random --time 0.001 --store none
[ "$code" -eq 0 ] && [ "$(grep -c ' PASS$' out)" -eq 17 ] && grep -q 'MPICH' out || wrong "MPICH: exit code $code: $(cat out err)"
over 2 bench sort:1001 dot:5003 --weak --time 0.001 --json --store none
[ "$code" -eq 0 ] && [ "$(grep -c '"verdict": "PASS"' out)" -eq 4 ] || wrong "MPICH, weak: exit code $code: $(cat out err)"

{ header '<i4' '(1001,)' && head -c 4004 /dev/urandom; } >s.npy
silent sort s.npy -o alone.npy
over 3 sort s.npy -o out.npy
[ "$code" -eq 0 ] || wrong "MPICH, sort: exit code $code: $(cat err)"
same out.npy alone.npy

# Errors are told once, with the rank that has them.
over 2 bench sort:100 --cold
[ "$code" -eq 2 ] && [ "$(grep -c '^uskor: .*--cold is not for several ranks' err)" -eq 1 ] || wrong "MPICH, refusals: $(cat err)"
timeout 500 mpirun.mpich -n 1 ./uskor bench sort:100 --time 0.001 --threads 1 : \
    -n 1 ./uskor bench sort:100 --time 0.001 --threads 2 >out 2>err
grep -q 'rank 1: is told to do something else' err || wrong "MPICH, other threads on rank 1: $(cat out err)"

# A rank that does not see the output's folder ends all, with its number, which MPICH's own message lacks.
mkdir local
if unshare -m mount -t tmpfs none local 2>/dev/null; then
    moves='exec ./uskor sort s.npy -o local/new.npy'
    timeout 500 mpirun.mpich -n 1 sh -c "$moves" : -n 1 unshare -m sh -c "mount -t tmpfs none local && $moves" >out 2>err
    code=$?
    [ "$code" = 2 ] && grep -q 'rank 1: .*local.*every rank must see this folder' err || wrong "MPICH, a folder that one rank lacks: exit code $code: $(cat out err)"
    [ -z "$(ls -A local)" ] || wrong "MPICH, left behind: $(ls -A local)"
fi

# A rank that never comes ends all where there is a limit.
USKOR_RANKS_SECONDS=1 timeout 500 mpirun.mpich -n 1 ./uskor sort s.npy -o new.npy : -n 1 sleep 60 >out 2>err
code=$?
[ "$code" -ne 124 ] && [ "$code" -ne 0 ] && grep -q 'no answer for 1 s' err || wrong "MPICH, a rank that never comes: exit code $code: $(cat out err)"

# MPICH's own fault: a rank that comes late to MPI_Finalize may wait for ever, over TCP. All ends, with
# the output whole; the launcher's own code depends on which rank it sees leave first.
cat >late.c <<'EOF'
#include <mpi.h>

int MPI_Finalize(void)
{
    int rank, any;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (double end = PMPI_Wtime() + 0.5; rank == 0 && PMPI_Wtime() < end;)
        PMPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &any, MPI_STATUS_IGNORE);
    return PMPI_Finalize();
}
EOF
mpicc.mpich -O1 -fPIC -shared late.c -o liblate.so || wrong 'a late MPI_Finalize is not built'
for input in s.npy none.npy; do
    rm -f late.npy
    LD_LIBRARY_PATH=$PWD LD_PRELOAD=liblate.so UCX_TLS=tcp,self USKOR_RANKS_SECONDS=2 \
        timeout 100 mpirun.mpich -n 2 ./uskor sort "$input" -o late.npy >out 2>err
    code=$?
    [ "$code" -ne 124 ] && { [ "$input" = s.npy ] || [ "$code" -ne 0 ]; } || wrong "MPICH, a late end: exit code $code: $(cat out err)"
    ! grep -q MPI_Finalize err || grep -q '^uskor: no answer for 2 s .*MPI_Finalize, after all output$' err || wrong "MPICH, a late end: $(cat err)"
    [ "$input" != s.npy ] || same late.npy alone.npy
done

# This mpirun with a program of Open MPI, and the reverse: nothing runs or is written, and one line says so.
# other LAUNCHER PROGRAM
other() {
    for task in 'bench sort:100 --time 0.001' 'sort s.npy -o raced.npy'; do
        # shellcheck disable=SC2086
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 500 "$1" -n 2 "$2" $task >out 2>err
        code=$?
        [ "$code" -eq 3 ] && [ "$(grep -c 'the launcher has started 2 ranks' err)" -eq 1 ] || wrong "$1 $2 $task: exit code $code: $(cat out err)"
        [ ! -e raced.npy ] || wrong "$1 $2: ranks that know nothing of each other have raced for a file"
    done
}
if command -v mpirun.openmpi >/dev/null && [ -e "$2/libuskor_mpi.so" ]; then
    other mpirun.mpich "$USKOR"
    other mpirun.openmpi ./uskor
fi
finish
