#!/bin/sh
# The shared library shows what src/library/symbols.map lists, all of it with its version, and include/uskor.h declares:
# it shares its names with the whole of its user's program. It needs libc and libm alone, and stays loaded. $1: the
# repository, $2: the build folder.
set -eu
library=$(find "$2" -maxdepth 1 -name 'libuskor.so.*.*' -type f ! -name '*.debug' | head -n 1)
if [ -z "$library" ]; then
    echo "SKIP: no shared library in $2"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
sed -n 's/^ *\(uskor_[a-z_]*\);$/\1@@USKOR_0/p' "$1/src/library/symbols.map" | sort >"$folder/listed"
nm -D --defined-only --with-symbol-versions "$library" | awk '$2 != "A" { print $3 }' | sort >"$folder/shown"
diff "$folder/listed" "$folder/shown" || { echo "listed (<) and shown (>) symbols differ"; exit 1; }
grep -o '\buskor_[a-z_]*(' "$1/include/uskor.h" | tr -d '(' | sort -u >"$folder/declared"
sed 's/@.*//' "$folder/listed" | comm -23 - "$folder/declared" >"$folder/undeclared"
[ ! -s "$folder/undeclared" ] || { echo "not declared in uskor.h:"; cat "$folder/undeclared"; exit 1; }
dynamic=$(readelf -dW "$library")
echo "$dynamic" | grep -q 'SONAME.*libuskor\.so\.[0-9]*\]' || { echo "no soname"; exit 1; }
echo "$dynamic" | grep -q NODELETE || { echo "dlclose would unload it under its workers"; exit 1; }
# The wheel runs with glibc 2.28. These names are older than the versions they have today; headers of glibc 2.38 rename strtol's kin.
older='__isoc23_(strto(l|ul|ll|ull)|s?scanf|fscanf)|fmod|exp|exp2|log|log2|pow|pthread_.*|sem_.*|[fl]?stat|fstatat|fcntl|dl[a-z]*|__libc_.*'
nm -D --undefined-only "$library" | sed -nE 's/.* (.*)@GLIBC_2\.(29|[3-9][0-9])$/\1/p' | grep -vxE "$older" >"$folder/newer" || :
[ ! -s "$folder/newer" ] || { echo "glibc 2.28 has no:"; cat "$folder/newer"; exit 1; }
if grep -q '^USKOR_SANITIZE:[A-Z]*=..*' "$2/CMakeCache.txt"; then exit 0; fi
! echo "$dynamic" | grep NEEDED | grep -vE '\[(libc|libm|libpthread|libdl|ld-linux[a-z0-9-]*)\.so' || exit 1
# A masked extraction to memory faults on lanes that its mask leaves out, unlike a masked store (Intel's manual: exceptions of
# type E6NF). gcc 12 makes one of the two.
masked=$(objdump -d --no-show-raw-insn "$library" | grep -E 'vextract[a-z0-9]* .*\).*\{%k' | head -n 3)
[ -z "$masked" ] || { echo "masked extractions to memory, which fault where memory ends:"; echo "$masked"; exit 1; }
# What only some programs have, OpenMP, is called through a pointer that is there (base/processors.h). clang 19 moved such calls.
calls=$(objdump -d --no-show-raw-insn "$library" | grep -E '(call|jmp|bl?) .*<omp_[a-z_]*@plt>' | head -n 3)
[ -z "$calls" ] || { echo "called whether they are there or not:"; echo "$calls"; exit 1; }
# Its sections have at most 1.5 MB beside the texts that they carry, as listed in the generated table: device sources and
# tuned lines. What fills the pages between segments is not counted. Releases are built by gcc 12 to 14; gcc 16 makes 1 % more than that,
# clang 19 7 %.
texts=0
for path in $(sed -n 's/^    {"\([^"]*\)", file_.*/\1/p' "$2/generated/embedded_library.c"); do
    texts=$((texts + $(wc -c <"$1/src/$path")))
done
[ "$texts" -gt 100000 ] || { echo "hardly any text was found: $texts bytes"; exit 1; }
sections=0
for bytes in $(readelf -SW "$library" | tr -d '[]' | awk '$1 ~ /^[0-9]+$/ && $3 != "NULL" && $3 != "NOBITS" { print "0x" $6 }'); do
    sections=$((sections + bytes))
done
[ "$sections" -gt "$texts" ] || { echo "no sections were found"; exit 1; }
own=$((sections - texts))
case $(readelf -p .comment "$library") in
*clang*) most=1700000 ;;
*'GCC: ('*') '1[2-4].*) most=1500000 ;;
*) most=1700000 ;;
esac
[ "$own" -le $most ] || { echo "$own bytes beside the texts; at most $most"; exit 1; }
