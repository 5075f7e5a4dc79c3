#!/bin/sh
# The program for 64-bit ARM: linked by a cross compiler with that machine's libraries, warnings being errors. Then its unit tests, and
# every rung of the processor over small awkward sizes, by qemu's user mode, which a user namespace of its own starts for that
# machine's programs: nothing is installed, and nothing outside learns of it. What the emulator has not is named below and left out.
# The libraries come from the archive that this machine's apt uses.
#   ARM64_FOLDER=DIR  everything is made below DIR and stays there (default: a temporary folder)
#   ARM64_TESTS=RE    these of ctest's tests (default: unit tests and rungs)
# $1: the repository.
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
printf ":aarch64:M::$number:$mask:$(command -v qemu-aarch64-static):OF\n" >$file/register && exec "$@"
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
# What the emulator has not: whether a fault was a write (before qemu 8.1), last words without its own, other processes' memory under
# /proc, filters of system calls, other users; and what measures times has no meaning there.
faults='blame|guard_pages|judge' processes='family_memory' filters='cheats|walls_calls|user_tokens' users='store_hostile' times='ceilings|effects|machine|rest'
emulated ctest --test-dir "$folder/build" -j "$(nproc)" --timeout 1800 --no-tests=error -R "${ARM64_TESTS:-^(unit|rungs)/}" \
    -E "test_($faults|$processes|$filters|$users|$times)\$" >"$folder/log" 2>&1
code=$?
grep -E 'tests passed|tests failed out of|\((Failed|Timeout|SEGFAULT|Skipped|Subprocess aborted)\)' "$folder/log"
exit "$((code != 0))"
