#!/bin/sh
# Ranks that Slurm starts: a Slurm of two nodes, which are namespaces. For root; the docs' batch script, srun with and
# without PMIx, both nodes, mpirun in an allocation, a rank that is killed, a shell by srun.
# $1: the repository; $2: the build; USKOR: the program.
set -u
if [ "${WITHIN:-}" != yes ]; then
    for program in munged slurmctld slurmd srun sbatch mpirun.openmpi; do
        if ! PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || [ ! -e "$2/libuskor_mpi.so" ]; then
            echo "no $program, or no MPI shim here (Debian: slurm-wlm munge openmpi-bin libopenmpi-dev)"
            exit 77
        fi
    done
    if ! unshare -n -m -u --kill-child -f true 2>/dev/null || ! command -v ip >/dev/null; then
        echo "no network namespace may be made here (root; Debian: iproute2)"
        exit 77
    fi
    PATH=$PATH:/usr/sbin WITHIN=yes exec unshare -n -m -u --kill-child -f sh "$0" "$@"
fi
. "$1/tests/cli/common"

# ---- the cluster ----

hostname node
printf '127.0.0.1 localhost\n10.77.0.1 node\n10.77.0.2 other\n' >hosts
mkdir state spool spool-other tmp tmp-other munge
mount --bind hosts /etc/hosts || { echo 'nothing may be mounted here'; exit 77; }
# Slurm's PMIx has folders of the same names on all nodes: each node sees its own there.
unshare -n -u -m sh -c 'hostname other; mount --bind spool-other spool; mount --bind tmp-other tmp; exec sleep 600' &
other=$!
trap 'kill "$other"' EXIT
sleep 1
# on_other COMMAND…: on the second node.
on_other() {
    nsenter -t "$other" -n -u -m --wd="$PWD" "$@"
}
# Addresses of a loopback alone are none for Slurm.
ip link set lo up && ip link add first type veth peer name second &&
    ip link set second netns "$other" && ip addr add 10.77.0.1/24 dev first && ip link set first up &&
    on_other ip link set lo up && on_other ip addr add 10.77.0.2/24 dev second && on_other ip link set second up ||
    { echo 'no hosts of its own may be made here'; exit 77; }
head -c 1024 /dev/urandom >munge/key
chmod 700 munge && chmod 400 munge/key
cat >slurm.conf <<END
ClusterName=test
SlurmctldHost=node(10.77.0.1)
SlurmUser=root
SlurmdUser=root
AuthInfo=socket=$PWD/munge/socket
StateSaveLocation=$PWD/state
SlurmdSpoolDir=$PWD/spool
TmpFS=$PWD/tmp
SlurmctldPidFile=$PWD/slurmctld.pid
SlurmdPidFile=$PWD/spool/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
JobAcctGatherType=jobacct_gather/none
MailProg=/bin/true
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
NodeName=node NodeAddr=10.77.0.1 CPUs=$(nproc) State=UNKNOWN
NodeName=other NodeAddr=10.77.0.2 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=node,other Default=YES MaxTime=INFINITE State=UP
END
echo 'CgroupAutomount=no' >cgroup.conf
export SLURM_CONF="$PWD/slurm.conf" XDG_DATA_HOME="$PWD/data"
munged --force --foreground --socket="$PWD/munge/socket" --key-file="$PWD/munge/key" --log-file="$PWD/munge/log" \
    --pid-file="$PWD/munge/pid" --seed-file="$PWD/munge/seed" >munged.log 2>&1 &
daemons=$!
sleep 1
slurmctld -D >slurmctld.log 2>&1 &
daemons="$daemons $!"
sleep 2
slurmd -D >slurmd.log 2>&1 &
daemons="$daemons $!"
on_other slurmd -D >slurmd-other.log 2>&1 &
daemons="$daemons $! $other"
# The words are process ids.
# shellcheck disable=SC2086
trap 'kill $daemons 2>/dev/null' EXIT
for try in 1 2 3 4 5 6; do
    [ "$(timeout 5 sinfo -h -o %t 2>/dev/null)" = idle ] && break
    sleep 1
done
[ "$(timeout 5 sinfo -h -o %t 2>/dev/null)" = idle ] ||
    { echo "this Slurm does not start here ($try tries): $(cat munged.log slurmctld.log slurmd.log slurmd-other.log)"; exit 77; }
if [ "$(nproc)" -lt 2 ] || ! srun --mpi=list 2>&1 | grep -q pmix; then
    echo 'one processor, or a Slurm without PMIx'
    exit 77
fi

# ---- ranks ----

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# by COMMAND…: standard output in `out`, standard error in `err`, the code in `code`.
by() {
    timeout 150 "$@" >out 2>err
    code=$?
}

by srun --mpi=pmix -N 1 -n 2 "$USKOR" bench transpose:37x53 sort:1001 dot:300007 matmul:50x70x60 wave:nx=33,ny=17,nz=5 --time 0.001 --store none
[ "$code" -eq 0 ] && [ "$(grep -c ' 2 .* PASS$' out)" -eq 8 ] || wrong "srun, PMIx: exit code $code: $(cat out err)"

by srun --mpi=pmix -N 2 -n 2 "$USKOR" bench transpose:37x53 sort:1001 dot:300007 --time 0.001 --store none
[ "$code" -eq 0 ] && [ "$(grep -c ' 2 .* PASS$' out)" -eq 3 ] && grep -q 'at most 1 on a host' out || wrong "two nodes: exit code $code: $(cat out err)"

# Without PMIx one line names the remedy, whatever Open MPI has printed before.
by srun --mpi=none -N 1 -n 2 "$USKOR" bench sort:100 --time 0.001 --store none
[ "$code" -ne 0 ] && grep -q '^uskor: .*srun --mpi=pmix' err || wrong "srun without PMIx: exit code $code: $(cat out err)"

{ header '<i4' '(10007,)' && head -c 40028 /dev/urandom; } >s.npy
silent sort s.npy -o alone.npy
by srun --mpi=pmix -N 1 -n 2 "$USKOR" sort s.npy -o out.npy
[ "$code" -eq 0 ] || wrong "srun, a file: exit code $code: $(cat err)"
same out.npy alone.npy
by srun --mpi=pmix -N 2 -n 2 "$USKOR" sort s.npy -o out.npy --force
[ "$code" -eq 0 ] || wrong "two nodes, a file: exit code $code: $(cat err)"
same out.npy alone.npy

by srun --mpi=pmix -N 1 -n 2 "$USKOR" check sort:100
[ "$code" -eq 2 ] && [ "$(grep -c '^uskor: check is not for several ranks' err)" -eq 1 ] || wrong "srun, a refusal: exit code $code: $(cat err)"

# A rank that is killed ends all; a shell's programs run alone.
# shellcheck disable=SC2016
by srun --mpi=pmix -N 1 -n 2 sh -c 'if [ "$SLURM_PROCID" = 0 ]; then exec "$USKOR" bench transpose:4096 --time 60 --samples 1001 --store none; fi
    "$USKOR" bench transpose:4096 --time 60 --samples 1001 --store none & sleep 3; kill -9 $!; wait $!'
[ "$code" -ne 0 ] && [ "$code" -ne 124 ] || wrong "srun, a rank is killed, and all goes on: exit code $code: $(cat out err)"
by srun -n 1 sh -c '"$USKOR" bench dot:1000 -d cpu -r serial --time 0.001 --store none'
[ "$code" -eq 0 ] && grep -q 'serial .* PASS' out || wrong "a shell by srun: exit code $code: $(cat out err)"

# Ranks have processors of their own, where they are bound.
by srun --mpi=pmix -N 1 -n 2 --cpu-bind=cores --cpus-per-task=1 "$USKOR" bench dot:300007 --time 0.001 --store none
[ "$code" -eq 0 ] && grep -q '2 ranks, 1 threads each' out && ! grep -q 'take turns' err || wrong "bound ranks: exit code $code: $(cat out err)"

# The batch script of the docs, on two nodes and with small problems; and mpirun in the same allocation.
mkdir bin
ln -s "$USKOR" bin/uskor
awk '/^#!\/bin\/bash/ { is_in = 1 } /^```/ { is_in = 0 } is_in' "$1/docs/many-machines.md" |
    sed 's/--nodes=4/--nodes=2/; s/--ntasks-per-node=2/--ntasks-per-node=1/; s/--cpus-per-task=16/--cpus-per-task=1/; s/sort:256M transpose:32768/sort:10007 transpose:37x53 --time 0.001/' >job.sh
# shellcheck disable=SC2016
echo 'mpirun --map-by ppr:1:node:pe=1 --bind-to core uskor bench dot:300007 --time 0.001 --store none' >>job.sh
PATH="$PWD/bin:$PATH" by sbatch --wait -o job.out job.sh
[ "$code" -eq 0 ] && [ "$(grep -c '"verdict": "PASS"' ranks-*.json)" -eq 4 ] || wrong "the batch script: exit code $code: $(cat job.out err)"
grep -q 'blocks *2 .* PASS$' job.out || wrong "mpirun in an allocation: $(cat job.out)"
"$USKOR" history ranks 2>&1 | grep -q 'sort' || wrong "the batch script's measurements are not in the store: $("$USKOR" history ranks)"
finish
