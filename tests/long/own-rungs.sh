#!/bin/sh
# No false alarms: every rung of the ladders that is one file is placed when it is handed to 'uskor try' as a user's,
# and so are the honest files of tests/honest and the textbooks' of tests/textbook. Where other programs disturb the judge, it has
# no verdict, which is no alarm: run those files again. One line for each: device, kernel, file, verdict, place or reason.
#   OWN='transpose/* …'      these only (KERNEL/FILE)
#   OWN_DEVICES='cpu …'      these devices only (default: cpu, and what there is of opencl:0, opencl:1, cuda:0)
#   OWN_SIZE=large           problems of a GPU's size, no multiples of a tile
#   OWN_JOBS=4               so many at once
#   OWN_SECONDS=300          for all of them; those that it cuts off are said to be missing
set -u
set -- "$(cd "$1" && pwd)" # scripts work in a folder of their own
. "$1/tests/cli/common"
kernels=$(cd "$1/src/kernels" && pwd) honest=$(cd "$1/tests/honest" && pwd) books=$(cd "$1/tests/textbook" && pwd)

is_wanted() {
    wanted=1
    set -f # patterns stay patterns
    for pattern in ${OWN:-*}; do
        # shellcheck disable=SC2254 # a pattern
        case $1 in $pattern) wanted=0 ;; esac
    done
    set +f
    return "$wanted"
}

devices=${OWN_DEVICES:-cpu $("$USKOR" devices | grep -oE '^(opencl:[0-9]+|cuda:0)' | sort -u)}

for device in $devices; do
    case $device in
    cpu) endings='c' ;;
    opencl*) endings='cl' ;;
    *) endings='cl cu' ;;
    esac
    for kernel in transpose sort dot matmul resize wave; do
        for ending in $endings; do
            own=$(grep -lE '^// rung:' "$kernels/$kernel"/*."$ending" 2>/dev/null) # others are parts of the program
            [ "$ending" = c ] && own=$kernels/$kernel/skeleton.c.txt
            for file in $own "$honest/$kernel"-*."$ending" "$books/$kernel"[-.]*"$ending"; do
                [ -e "$file" ] || continue
                ! is_wanted "$kernel/$(basename "$file")" || echo "$device $kernel $file"
            done
        done
    done
done >tasks

cat >one <<'SH2'
# one DEVICE KERNEL FILE: its line
device=$1 kernel=$2 file=$3
name=$(basename "$file" .txt)
mkdir -p "run/$device-$kernel-$name" && cd "run/$device-$kernel-$name" || exit 1
cp "$file" "$name"
case $device-$kernel in # one rung beside it is enough
cpu-resize) beside=parallel ;;
cpu-*) beside=serial ;;
*-dot) beside=tree ;;
*-sort) beside=bitonic-local ;;
*-resize) beside=fp32 ;;
*) beside=naive ;;
esac
[ "$device-$kernel" = cpu-sort ] && beside=qsort
case $kernel in # small: it is the verdict that matters
transpose) problem=transpose:1024 ;;
sort) problem=sort:n=4096 ;;
dot) problem=dot:n=1000000 ;;
matmul) problem=matmul:256 ;;
resize) problem=resize:512 ;;
wave) problem=wave:nx=64,ny=64,nz=64,steps=4 ;;
esac
case ${OWN_SIZE:-}-$kernel in
large-transpose) problem=transpose:8191x8190 ;;
large-sort) problem=sort:n=16777217 ;;
large-dot) problem=dot:n=100000001 ;;
large-matmul) problem=matmul:m=2047,n=2049,k=2050 ;;
large-resize) problem=resize:2049x2047 ;;
large-wave) problem=wave:nx=255,ny=257,nz=258,steps=4 ;;
esac
[ "$name" != transpose-complex.c ] || problem=transpose:1024,c128 # its elements are of 16 bytes
[ "$name" != sort-short.c ] || problem=sort:n=4096,i16 beside=counting
[ "$name" != mirrored.cl ] || problem="transpose:1023,inplace=yes" beside=mirrored # in the matrix's own memory
[ "$name" != select.cl ] || problem=sort:n=4096,values=index64,top=100 beside=select # it makes the first indices of an order
[ "$name" != sort-program.cu ] || problem=sort:n=4096,i32 # its elements are integers
[ "$name" != tensor_shallow.cu ] || problem=matmul:m=256,n=256,k=64 # it takes a small depth
[ "$name" != matrix_vector.cu ] || problem=matmul:m=512,n=4,k=512 # it takes at most eight columns
"$USKOR" try "$kernel" "$name" "$problem" --beside "$beside" --device "$device" --limit 60s --time 0.05 --kernel-only --store none >out 2>err
got=$?
said=$(grep -E '(FAIL|ERROR)  ' out | head -n 1 | sed -E 's/^.*(FAIL|ERROR)  /\1  /')
[ -n "$said" ] || said=$(grep -oE 'place [0-9]+ of [0-9]+' out | head -n 1)
[ -n "$said" ] || said=$(grep -v 'no header. Assumed' err | tail -n 1 | sed 's/^uskor: //')
case $device-$name in # words of OpenCL C that the prelude does not give to CUDA
cuda*.cl) [ "$got" = 2 ] && grep -q 'does not compile for CUDA' err && said='is not for CUDA: it does not compile' ;;
esac
case $got-$said in
0-place*) verdict=placed ;;
*'refuses'* | *'needs CUDA'* | *'is not for'*) verdict=unserved ;;
*'disturbed: '*) verdict=noisy ;; # other programs kept the judge from a verdict: it says so
*) verdict=REFUSED && echo "$device $kernel $name left with $got: $said" >wrong ;;
esac
printf '%-9s %-9s %-26s %-8s %s\n' "$device" "$kernel" "$name" "$verdict" "$(echo "$said" | sed 's/  */ /g' | cut -c 1-160)" >line
SH2
timeout "${OWN_SECONDS:-36000}" xargs -L 1 -P "${OWN_JOBS:-1}" sh one <tasks
cat run/*/line 2>/dev/null | LC_ALL=C sort
while read -r device kernel file; do
    [ -e "run/$device-$kernel-$(basename "$file" .txt)/line" ] || wrong "$device $kernel $(basename "$file") was not judged in time"
done <tasks

for file in run/*/wrong; do
    [ ! -e "$file" ] || wrong "$(cat "$file")"
done
echo "$(wc -l <tasks) trials of $(cut -d ' ' -f 2- tasks | sort -u | wc -l) files, $(cat run/*/line 2>/dev/null | grep -c ' placed ') placed"
[ -n "${OWN:-}" ] || [ "$(wc -l <tasks)" -ge 20 ] || wrong 'there are fewer than 20'
finish
