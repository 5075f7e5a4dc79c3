#!/bin/sh
# The program for 64-bit ARM: linked by a cross compiler with that machine's libraries, warnings being errors. Then its unit tests, and
# every rung of the processor over small awkward sizes, by qemu's user mode, which a user namespace of its own starts for that
# machine's programs: nothing is installed, and nothing outside learns of it. What the emulator has not is named below and left out.
# The libraries come from the archive that this machine's apt uses.
#   ARM64_FOLDER=DIR  everything is made below DIR and stays there (default: a temporary folder); a second call with it goes on
#                     where the first one ended: what has passed with the same program is not run again
#   ARM64_TESTS=RE    these tests (default: all)
#   ARM64_JOBS=1      so many at a time (default: as many as processors)
#   ARM64_SECONDS=N   a test that takes longer fails (default: 3600)
# $1: the repository, $2: the build folder, whose tests' times give the order: what takes least comes first.
set -u
repository=$(cd "$1" && pwd)
folder=${ARM64_FOLDER:-$(mktemp -d)}
[ -n "${ARM64_FOLDER:-}" ] || trap 'rm -rf "$folder"' EXIT
skip() {
    echo "SKIP: $*"
    exit 77
}
for tool in aarch64-linux-gnu-gcc qemu-aarch64-static apt-get dpkg-deb; do
    command -v "$tool" >/dev/null || skip "no $tool; install gcc-aarch64-linux-gnu, qemu-user-static"
done

# A kernel from 6.7 on has a binfmt_misc of each user namespace.
cat >"$folder/emulated" <<'END'
file=/proc/sys/fs/binfmt_misc
mount -t binfmt_misc binfmt_misc $file || exit 1
number='\\x7fELF\\x02\\x01\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x02\\x00\\xb7\\x00'
mask='\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\x00\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xff\\xfe\\xff\\xff\\xff'
printf ":aarch64:M::$number:$mask:$(command -v qemu-aarch64-static):POF\n" >$file/register && exec "$@"
END
emulated() {
    QEMU_LD_PREFIX=$folder/root unshare --user --map-root-user --mount sh "$folder/emulated" "$@"
}
emulated true || skip 'no binfmt_misc of a user namespace'"'"'s own (Linux 6.7)'

# ---- that machine's libraries, below $root ----
root=$folder/root archives=$folder/cache/archives
mkdir -p "$root" "$archives/partial" "$folder/state/lists/partial"
: >"$folder/status"
arm_apt() {
    apt-get -q -y -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User=root -o Dir::State="$folder/state" \
        -o Dir::State::status="$folder/status" -o Dir::Cache="$folder/cache" "$@" >"$folder/log" 2>&1
}
if [ ! -e "$root/usr" ]; then
    arm_apt update && arm_apt install --download-only --no-install-recommends libc6-dev libjansson-dev libpng-dev libsqlite3-dev \
        libseccomp-dev libzydis-dev opencl-c-headers libcmocka-dev libgomp1 libhwy-dev libstb-dev ||
        { tail -n 3 "$folder/log"; skip 'that machine'"'"'s libraries are not in reach'; }
    for package in "$archives"/*.deb; do dpkg-deb -x "$package" "$root" || exit 1; done
fi

# ---- the program ----
cxx=$(command -v aarch64-linux-gnu-g++)
cat >"$folder/toolchain.cmake" <<END
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
${cxx:+set(CMAKE_CXX_COMPILER $cxx)}
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_SYSROOT "$root")
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
END
command -v ninja >/dev/null && generator=Ninja || generator='Unix Makefiles'
PKG_CONFIG_SYSROOT_DIR=$root PKG_CONFIG_LIBDIR=$root/usr/lib/aarch64-linux-gnu/pkgconfig cmake -G "$generator" -S "$repository" \
    -B "$folder/build" -DCMAKE_TOOLCHAIN_FILE="$folder/toolchain.cmake" -DUSKOR_WERROR=ON -DUSKOR_NVCC=OFF \
    -DUSKOR_SHIMS="$([ -n "$cxx" ] && echo ON || echo OFF)" >"$folder/log" 2>&1 &&
    cmake --build "$folder/build" -j "$(nproc)" --target all tests >"$folder/log" 2>&1 || {
    grep -m5 -A5 -E 'error|FAILED' "$folder/log"
    echo 'FAIL: it does not build'
    exit 1
}
echo 'built and linked'

# ---- its tests ----
# Every rung of the processor over few sizes, and those whose vectors are this architecture's own over all small ones; then the
# unit tests, save for what the emulator has not: whether a fault was a write (before qemu 8.1), last words without its own, other
# processes' memory under /proc, filters of system calls, other users, room for stacks (it takes 11 to 24 GB), what vfork's child tells its
# parent (it is a fork there); and what measures times has no meaning there.
faults='blame|guard_pages|judge' processes='family_memory|process_state' stacks='traced_module|trace_strides' filters='cheats|walls_calls|user_tokens' users='store_hostile' spawns='own_process' times='ceilings|effects|machine|rest'
own='sort --rung simd
transpose --rung simd
dot --rung simd --rung exact --rung parallel-simd
matmul --rung packed
resize --rung simd --rung precise
wave --rung simd --rung fused'
{
    sed -n 's/^KERNEL(\(.*\))/\1 --tiny/p' "$repository/src/kernels/kernel_list.def"
    echo "$own" | sed 's/$/ --small/'
    find "$folder/build/tests" -maxdepth 1 -name 'test_*' -type f | sed 's,.*/,,' | grep -vE "^test_($faults|$processes|$stacks|$filters|$users|$spawns|$times)\$" |
        awk -v costs="${2:-}/Testing/Temporary/CTestCostData.txt" '
            BEGIN { while ((getline line <costs) > 0) { split(line, word); cost[word[1]] = word[3] } }
            { print cost["unit/" $0] + 0, $0 }' | sort -n | cut -d ' ' -f 2
} | grep -E "${ARM64_TESTS:-.}" >"$folder/tests"

# Runs test $2 in a home of its own, unless the file of what is settled has it with the same program.
cat >"$folder/one" <<'END'
folder=$1 name=$2
said=$folder/said/$(echo "$name" | tr ' ' _)
case $name in
test_*) program=$folder/build/tests/$name && set -- "$program" ;;
*) program=$folder/build/uskor && set -- "$program" check $name --device cpu --limit ${ARM64_SECONDS:-3600}s ;;
esac
key="$name, program $(cksum <"$program")"
grep -qsxF "$key" "$folder/settled" && exit 0
home=$folder/homes/${said##*/}
export HOME="$home" XDG_CACHE_HOME="$home/.cache" XDG_DATA_HOME="$home/.local/share"
mkdir -p "$HOME" && timeout "${ARM64_SECONDS:-3600}" "$@" >"$said" 2>&1
code=$?
rm -rf "$HOME"
case $code in
0) ;;
77) echo "$name: skipped" ;;
*)
    echo "FAIL: $name: exit code $code"
    tail -n 20 "$said"
    exit 1
    ;;
esac
echo "$key" >>"$folder/settled"
END
mkdir -p "$folder/said" "$folder/bin"
for tool in cc=gcc gcc=gcc ${cxx:+c++=g++ g++=g++}; do # what the program compiles and loads is that machine's, too
    printf '#!/bin/sh\nexec aarch64-linux-gnu-%s --sysroot="%s" "$@"\n' "${tool#*=}" "$root" >"$folder/bin/${tool%=*}"
done
chmod +x "$folder"/bin/*
emulated env -u LANGUAGE PATH="$folder/bin:$PATH" LC_ALL=C OMP_WAIT_POLICY=passive xargs -d '\n' -n 1 -P "${ARM64_JOBS:-$(nproc)}" sh "$folder/one" "$folder" <"$folder/tests"
code=$?
cat "$folder"/said/*--* | awk '{ for (i = 2; i <= NF; i++) { if ($i == "right,") right += $(i - 1); if ($i == "wrong,") wrong += $(i - 1) } }
    END { printf "%d right, %d wrong\n", right, wrong }'
echo "$(grep -c . "$folder/settled") of $(grep -c . "$folder/tests") passed or were skipped"
exit "$((code != 0))"
