#!/bin/sh
# A portable program carries the small libraries: it needs nothing but the C library and gcc's OpenMP where it runs. Where
# Zydis has no archive, the program opens it, and works without it: only `explain` on the processor then says what to install.
# $1: the repository, $2: the build folder, by whose compiler it is built. PORTABLE_FOLDER=DIR: the build is made there and stays.
set -u
folder=${PORTABLE_FOLDER:-$(mktemp -d)}
[ -n "${PORTABLE_FOLDER:-}" ] || trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder" || exit 1
command -v ninja >/dev/null && generator=Ninja || generator='Unix Makefiles'
{ cmake -G "$generator" -S "$1" -B "$folder" ${CC:+-DCMAKE_C_COMPILER="$CC"} -DUSKOR_PORTABLE=ON -DUSKOR_SHIMS=OFF -DBUILD_TESTING=OFF &&
    cmake --build "$folder" -j "$(nproc)"; } >"$folder/log" 2>&1 || {
    grep -q 'Could not find.*\.a' "$folder/log" && { echo "SKIP: $(grep -m1 'Could not find' "$folder/log")"; exit 77; }
    tail -n 20 "$folder/log"
    echo 'FAIL: it does not build'
    exit 1
}
failures=0
wrong() {
    echo "FAIL: $*"
    failures=$((failures + 1))
}
for library in $(readelf -d "$folder/uskor" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p'); do
    case $library in
    libc.so.* | libm.so.* | libgomp.so.* | libomp.so.* | ld-linux-*) ;;
    *) wrong "the program needs $library" ;;
    esac
done

XDG_CACHE_HOME=$folder/cache XDG_DATA_HOME=$folder/data
export XDG_CACHE_HOME XDG_DATA_HOME
explain() {
    "$folder/uskor" --lang en explain transpose:64x64 --for this-cpu -r serial 2>&1
}
"$folder/uskor" check transpose --small --device cpu --rung serial >"$folder/said" 2>&1 || wrong "check: $(cat "$folder/said")"
[ "$(uname -m)" != x86_64 ] || explain | grep -q 'inner loop' || wrong "nothing is explained: $(explain)"
if ! nm "$folder/uskor" | grep -q ' [tT] ZydisDecoderDecodeBuffer' && [ "$(uname -m)" = x86_64 ]; then
    mkdir -p "$folder/broken"
    : >"$folder/broken/$(strings "$folder/uskor" | grep -m1 '^libZydis\.so')"
    LD_LIBRARY_PATH=$folder/broken
    export LD_LIBRARY_PATH
    explain | grep -q 'install Zydis' || wrong "without Zydis: $(explain)"
    "$folder/uskor" check transpose --small --device cpu --rung serial >"$folder/said" 2>&1 || wrong "check without Zydis: $(cat "$folder/said")"
fi
# … and their licences' texts go with them.
DESTDIR=$folder/stage cmake --install "$folder" >"$folder/said" 2>&1 || wrong "it is not installed: $(tail -n 3 "$folder/said")"
for package in libjansson-dev libpng-dev zlib1g-dev libsqlite3-dev libseccomp-dev; do
    [ ! -s "/usr/share/doc/$package/copyright" ] || [ -s "$(find "$folder/stage" -path "*/licences/$package.txt")" ] ||
        wrong "no licence of $package is installed"
done
[ "$failures" = 0 ] && echo 'all as expected'
exit "$((failures != 0))"
