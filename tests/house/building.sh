#!/bin/sh
# docs/building.md names every option of the build, and the minimum versions that CMake asks for; THIRD-PARTY.md names every library
# that a build carries or is linked to; the CI of forks calls a target of the Makefile, warnings being errors. gcc 11 is refused with
# what to install, the default target has no test in it, and each system that long/systems.sh tries is in the page's table.
# $1: the repository, $2: the build folder.
set -u
cd "$1" || exit 1
wrong=0
refuse() {
    echo "$*"
    wrong=1
}
page=docs/building.md
for option in $(sed -nE 's/^(option|set)\((USKOR_[A-Z_]+) "[^"]*"( CACHE.*| [A-Z$].*)/\2/p' CMakeLists.txt cmake/*.cmake | sort -u) BUILD_TESTING; do
    grep -q "^|.*\`$option\`.*|" $page || refuse "$page has no row of $option"
done
grep -q '^option(USKOR_WERROR .* \$ENV{USKOR_WERROR})' CMakeLists.txt || refuse "only the environment may turn USKOR_WERROR on by default"

# minimum ROW WHAT FILE: the version that the pattern (its first group) finds in the file stands in the row's second column.
minimum() {
    version=$(sed -nE "s/.*$2.*/\1/p" "$3" | head -n 1)
    [ -n "$version" ] || refuse "$3 has no '$2'"
    grep "^| $1" $page | cut -d '|' -f 3 | grep -qF "$version" || refuse "$page: $1: not $version, which $3 asks for"
}
minimum CMake 'cmake_minimum_required\(VERSION ([0-9.]+)\)' CMakeLists.txt
minimum 'a C compiler' 'needs gcc ([0-9]+) or clang' CMakeLists.txt
minimum 'a C compiler' 'needs gcc [0-9]+ or clang ([0-9]+)' CMakeLists.txt
minimum SQLite 'sqlite3>=([0-9.]+)' cmake/dependencies.cmake
minimum libseccomp 'libseccomp>=([0-9.]+)' cmake/dependencies.cmake
minimum Zydis 'zydis ([0-9.]+) REQUIRED' cmake/dependencies.cmake

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cmake -S . -B "$folder" -DCMAKE_C_COMPILER_FORCED=1 -DCMAKE_C_COMPILER_ID=GNU -DCMAKE_C_COMPILER_VERSION=11.4 >"$folder/said" 2>&1 &&
    refuse 'gcc 11 is not refused'
grep -q 'needs gcc 12' "$folder/said" && grep -q 'install gcc-12' "$folder/said" || refuse "gcc 11: $(cat "$folder/said")"

# Tests are for who asks for them: neither `make` nor `make install` compiles one.
if command -v ninja >/dev/null && [ -f "$2/build.ninja" ]; then
    ninja -C "$2" -t commands tests | grep -q 'tests/unit/' || refuse 'the target tests has no unit test'
    ninja -C "$2" -t commands all | grep 'tests/unit/' && refuse 'the default target compiles tests'
fi

systems=$(sed -nE '/^table="/,/^"/s/^([a-z]+) *\| *([a-z0-9-]+).*/\1 \2/p' tests/long/systems.sh)
[ "$(echo "$systems" | wc -l)" -ge 8 ] || refuse "tests/long/systems.sh has hardly any system: $systems"
while read -r suite compiler; do
    case $suite in
    bookworm) name='Debian 12' ;; trixie) name='Debian 13' ;; noble) name='Ubuntu 24.04' ;; *) name="Debian $suite" ;;
    esac
    case $compiler in
    gcc-11) continue ;; # refused, as the first table has it
    gcc-* | clang-*) compiler="${compiler%-*} ${compiler#*-}" ;;
    dpkg-dev) compiler=packages ;;
    *) compiler= ;;
    esac
    grep "^| $name |" $page | grep -qF "$compiler" || refuse "$page: no word on $name with ${compiler:-its own compiler}"
done <<SYSTEMS
$systems
SYSTEMS

# The C library, its loader and the library itself are not third parties.
for library in $(for file in "$2"/uskor "$2"/libuskor*.so; do readelf -dW "$file"; done | sed -n 's/.*NEEDED.*\[lib\([^].]*\).*\]/\1/p' | sort -u) \
    $(sed -nE 's/^uskor_depend\((.*)\)/\1/p' cmake/dependencies.cmake | grep -oE 'lib[a-z0-9]+\.a' | sed 's/^lib//; s/\.a//' | sort -u) \
    $(sed -nE 's/^uskor_(cxx|cuda)_shim\(([a-z]+).*/\2/p' CMakeLists.txt); do
    case $library in c | m | dl | pthread | rt | uskor | std) continue ;; esac
    name=$library
    case $library in
    png* | png16) name=libpng ;; z) name=zlib ;; sqlite3) name=SQLite ;; seccomp) name=libseccomp ;; gomp | omp) name=libgomp ;;
    gcc_s) name=libgcc ;; hwy*) name=Highway ;; opencv*) name=OpenCV ;; mpi* | open_mpi) name=MPI ;; tbb) name=oneTBB ;;
    esac
    grep -qi "^|.*$name.*|" THIRD-PARTY.md || refuse "THIRD-PARTY.md has no row of $library"
done

for target in $(sed -nE 's/^ +run: make ([a-z-]+)$/\1/p' .github/workflows/ci.yml | grep . || echo none); do
    grep -q "^$target:.*##" Makefile || refuse ".github/workflows/ci.yml: no make $target"
done
grep -q 'USKOR_WERROR: "ON"' .github/workflows/ci.yml || refuse '.github/workflows/ci.yml: warnings are no errors'
exit $wrong
