#!/bin/sh
# Two builds of what is committed, in different folders, at different times, in other locales and time zones, install the same
# bytes.
# $1: the repository; CC: the compiler. REPRODUCIBLE_FOLDER=DIR: the builds are made below DIR and stay there.
set -u
repository=$(cd "$1" && pwd)
folder=${REPRODUCIBLE_FOLDER:-$(mktemp -d)}
[ -n "${REPRODUCIBLE_FOLDER:-}" ] || trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder" || exit 1
unset CFLAGS CXXFLAGS LDFLAGS
export CCACHE_DISABLE=1 # which would give the second build the first one's objects, or others with other paths in them
command -v ninja >/dev/null && generator=Ninja || generator='Unix Makefiles'

# $1: the folder of the sources; $2: of the build; $3: of the installation.
build() {
    mkdir -p "$1" &&
        git -C "$repository" archive HEAD | tar x -m -C "$1" &&
        cmake -G "$generator" -S "$1" -B "$2" -DCMAKE_INSTALL_PREFIX=/usr -DBUILD_TESTING=OFF &&
        cmake --build "$2" -j "$(nproc)" &&
        DESTDIR=$3 cmake --install "$2"
}

(umask 022 && LC_ALL=C TZ=UTC0 && export LC_ALL TZ && build "$folder/one" "$folder/one/build" "$folder/first") >"$folder/log" 2>&1 ||
    { tail -n 20 "$folder/log"; echo 'FAIL: it does not build'; exit 1; }
(umask 077 && LC_ALL=C.UTF-8 TZ=Pacific/Kiritimati HOME=$folder && export LC_ALL TZ HOME &&
    build "$folder/another, with a longer name" "$folder/elsewhere" "$folder/second") >"$folder/log" 2>&1 ||
    { tail -n 20 "$folder/log"; echo 'FAIL: it does not build a second time'; exit 1; }

[ "$(find "$folder/first" -type f | wc -l)" -gt 20 ] || { echo 'FAIL: hardly anything was installed'; exit 1; }
if diff -rq --no-dereference "$folder/first" "$folder/second"; then
    echo "$(find "$folder/first" -type f | wc -l) installed files are equal"
else
    echo 'FAIL: these differ'
    exit 1
fi
