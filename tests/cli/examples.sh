#!/bin/sh
# The examples are built against an installation, by pkg-config and by CMake, and say what they should; and a Python program
# that forks (multiprocessing) uses the library through ctypes. $1: the repository, $2: the build folder, or `installed`: the
# system's packages are used (long/packages.sh); CC: the compiler.
set -u
if [ "$2" != installed ] && grep -q '^USKOR_SANITIZE:[A-Z]*=..*' "$2/CMakeCache.txt"; then
    echo 'SKIP: what uses a sanitized library is sanitized, too'
    exit 77
fi
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
prefix=/usr
if [ "$2" != installed ]; then
    prefix=$folder/installed
    cmake --install "$2" --prefix "$prefix" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
fi
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name uskor.pc)")
LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH")
export PKG_CONFIG_PATH LD_LIBRARY_PATH
cd "$folder" || exit 1
failures=0

# check WHAT EXPECTED COMMAND…
check() {
    what=$1 expected=$2
    shift 2
    said=$("$@" 2>&1 | tr -s ' \n' ' ')
    if [ "$said" != "$expected" ]; then
        echo "FAIL: $what says '$said', not '$expected'"
        failures=$((failures + 1))
    fi
}

turned='1 4 1 4 2 5 2 5 3 6 3 6 '
sorted='1 2 3 -1 0.5 2 7 '
resized='10 20 30 127 '
flags=$(pkg-config --cflags --libs uskor)
# shellcheck disable=SC2086 # a list of words
{
    ${CC:-cc} -Wall -Wextra -Werror -std=c99 "$1/examples/transpose.c" -o transpose $flags &&
        check 'C' "$turned" ./transpose || failures=$((failures + 1))
    if command -v c++ >/dev/null; then
        c++ -Wall -Wextra -Werror -std=c++11 -pthread "$1/examples/sort.cpp" -o sort $flags &&
            check 'C++' "$sorted" ./sort || failures=$((failures + 1))
    fi
    if command -v gfortran >/dev/null; then
        gfortran -Wall "$1/examples/resize.f90" -o resize $(pkg-config --libs uskor) &&
            check 'Fortran' "$resized" ./resize || failures=$((failures + 1))
    fi
}
if command -v c++ >/dev/null; then
    if cmake -S "$1/examples" -B built -DCMAKE_PREFIX_PATH="$prefix" >log 2>&1 && cmake --build built >>log 2>&1; then
        check 'C, by CMake' "$turned" built/transpose
        check 'C, static' "$turned" built/transpose_static
        check 'C++, by CMake' "$sorted" built/sort
    else
        cat log
        failures=$((failures + 1))
    fi
fi
# manners EXAMPLE [ARGUMENT]: it does its work, or says in one line what it needs (2).
manners() {
    said=$(timeout 100 python3 "$@" 2>&1)
    code=$?
    if [ "$code" != 0 ] && ! { [ "$code" = 2 ] && [ "$(printf '%s\n' "$said" | wc -l)" = 1 ]; }; then
        echo "FAIL: $* ends with $code and says '$said'"
        failures=$((failures + 1))
    fi
}

if command -v python3 >/dev/null; then
    export PYTHONPATH="$1/python:$1/build/python" USKOR_LIBRARY="$LD_LIBRARY_PATH/libuskor.so"
    for example in "$1"/examples/*.py; do
        if [ "${example##*/}" = forks.py ] || python3 -c 'import uskor' 2>/dev/null; then
            manners "$example"
            manners "$example" nowhere
        fi
    done
    check 'Python, forking' 'right ' timeout 100 python3 "$1/examples/forks.py" "$LD_LIBRARY_PATH/libuskor.so"
fi
[ "$failures" = 0 ] && echo 'all as expected'
exit "$((failures != 0))"
