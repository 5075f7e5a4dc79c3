#!/bin/sh
# Tables of several GPUs of one host, as in results/h200-x4: exchanges between them, every kernel on 1, 2, 4 … of them
# (the same problem, and a problem that grows with them), and over MPI's ranks with a GPU each.
#
#     tests/hardware/several-devices.sh PROGRAM FOLDER [SECONDS]
#
# PROGRAM: build/uskor, or a copy of it with its modules beside it. FOLDER: receives eight files. SECONDS: 520 unless
# given; no table is begun after that, and one that is under way then is ended. Exit code 1 when a table is missing or
# an answer is wrong.
set -u
program=$1
folder=$2
limit=${3:-520}
begun=$(date +%s)
code=0
mkdir -p "$folder" || exit 2
count=$(nvidia-smi -L | grep -c '^GPU')
[ "$count" -ge 2 ] || {
    echo "several-devices.sh: $count GPUs; two or more are needed" >&2
    exit 2
}
group=cuda:0..$((count - 1))
# Ranks sleep while others compute; rank 0 fills and judges with every core.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMP_WAIT_POLICY=passive
cores=$(nproc)

elapsed() {
    echo $(($(date +%s) - begun))
}

# table FILE COMMAND…: appends the command and what it prints. A table takes half of the remaining time at most.
table() {
    file=$folder/$1
    shift
    left=$((limit - $(elapsed)))
    if [ "$left" -lt 10 ]; then
        echo "$(elapsed) s: no time for: $*" >&2
        code=1
        return
    fi
    echo "\$ $*" | sed "s|$program|uskor|" >>"$file"
    timeout "$((left / 2 + 5))" "$@" >>"$file" 2>"$folder/errors"
    ended=$?
    echo >>"$file"
    [ "$ended" -eq 0 ] || {
        code=1
        echo "exit code $ended: $(cat "$folder/errors")" | tee -a "$file" >&2
    }
    grep -n 'FAIL\|ERROR' "$file" >&2 && code=1
    echo "$(elapsed) s: $*" >&2
}

# strong FILE PROBLEM ARGUMENT…, weak FILE PROBLEM ARGUMENT…, ranks PROBLEM ARGUMENT…
strong() {
    file=$1
    shift
    table "$file" "$program" bench "$@" --devices "$group" --store none
}
weak() {
    file=$1
    shift
    table "$file" "$program" bench "$@" --devices "$group" --weak --store none
}
ranks() {
    table ranks.txt mpirun -n "$count" --bind-to none "$program" bench "$@" --device cuda \
        --threads "$cores" --time 0.1 --store none
}

{
    nvidia-smi --query-gpu=name,memory.total,driver_version --format=csv,noheader
    nvidia-smi topo -m | sed 's/\x1b\[[0-9;]*m//g' | head -n $((count + 1)) | cut -f 1-$((count + 1))
    echo "$cores cores: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
    mpirun --version 2>&1 | head -n 1
    find / -name 'libnccl.so.2.*' -type f 2>/dev/null | sed 's|.*/||' | sort -u
    "$program" --version
    date -u +%Y-%m-%d
} >"$folder/machine.txt" 2>&1

strong wave.txt wave:nx=256,ny=256,nz=2048,steps=4 --time 0.1
weak wave.txt wave:nx=256,ny=256,nz=2048,steps=4 wave:nx=256,ny=256,nz=4096,steps=4 --time 0.1
strong dot.txt dot:n=2^30 --time 0.1
strong sort.txt sort:n=2^30 --time 0.2
strong transpose.txt transpose:rows=32768,cols=32768 --time 0.1
strong matmul.txt matmul:16384x16384x16384 --time 0.2
# The same problems by ranks and by devices, one after another.
for problem in wave:nx=256,ny=256,nz=2048,steps=4 dot:n=2^28 sort:n=2^28 transpose:16384 matmul:8192; do
    ranks "$problem" --rung nccl
    strong ranks.txt "$problem" --rung nccl --time 0.1
done
# Every method that runs where nobody names one: without `resident`, as there is NCCL.
ranks dot:n=2^20
table peers.txt "$program" bandwidth --peers --devices "$group" --store none
weak sort.txt sort:n=2^28 --rung merged --rung nccl --time 0.1
weak matmul.txt matmul:m=4096,n=16384,k=16384 --rung peer-copies --rung overlapped --time 0.1
weak transpose.txt transpose:rows=8192,cols=32768 --rung pipelined --rung nccl --time 0.1
weak dot.txt dot:n=2^28 --rung peer-copies --rung peer-stores --time 0.1
rm -f "$folder/errors"
exit $code
