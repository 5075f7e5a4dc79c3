#!/bin/sh
# A C compiler that is not one program of the system's: scripts, links, wrappers, toolchains in a folder of the user's. What
# each starts and reads is found before the walls; where it cannot be, one line says why no file is compiled. As this user,
# and as an ordinary one where this is root. $1: the repository, $2: the build folder.
set -u
set -- "$(cd "$1" && pwd)" "$(cd "${2:-$1/build}" && pwd)"
. "$1/tests/cli/common"
without=$2/tests/without
chmod 755 .
cc=$(command -v "${CC:-cc}") || { echo 'SKIP: no C compiler'; exit 77; }
ordinary='setpriv --reuid=65534 --regid=65534 --clear-groups'
mkdir home && chmod 1777 home
users=self
[ "$(id -u)" != 0 ] || ! $ordinary test -x "$USKOR" -a -x "$without" || users='self ordinary'

# by USER COMMAND…
by() {
    user=$1
    shift
    case $user in
    self) "$@" ;;
    *) HOME=$folder/home XDG_CACHE_HOME=$folder/home XDG_DATA_HOME=$folder/home $ordinary "$@" ;;
    esac
}

# program FILE LINE…: a file that can be started, of these lines.
program() {
    mkdir -p "$(dirname "$1")"
    (
        name=$1
        shift
        printf '%s\n' "$@" >"$name" && chmod 755 "$name"
    )
}

# It compiles, and has no function of the name that is asked for: so much is said only of what a compiler made.
echo 'int other(void) { return 1; }' >other.c
# compiles COMPILER [FILE] [SYSTEM…]
compiles() {
    compiler=$1 file=${2:-other.c}
    shift $(($# < 2 ? $# : 2))
    for user in $users; do
        expect 2 'exports no function' by $user env CC="$compiler" "$@" "$USKOR" try transpose "$file" transpose:60x50 --store none
    done
}

# fails WORDS COMPILER [SYSTEM…]: no file can be compiled, which one line says.
fails() {
    words=$1 compiler=$2
    shift 2
    for user in $users; do
        expect 3 "$words" by $user env CC="$compiler" "$@" "$USKOR" try transpose other.c transpose:60x50 --store none
        [ "$(wc -l <err)" = 1 ] || wrong "more than one line: $(cat err)"
        says 'the C compiler fails here whatever it compiles'
    done
}

# A script that starts the compiler by its path, by a name along PATH, by a link beside it; links to the script.
mkdir -p real && ln -s "$cc" real/gcc-real
program direct/gcc '#!/bin/sh' "exec '$folder/real/gcc-real' \"\$@\""
program named/gcc '#!/usr/bin/env sh' 'exec gcc-real "$@"'
program beside/gcc '#!/bin/sh' 'exec "$(dirname "$(readlink -f "$0")")/gcc-real" "$@"'
ln -s ../real/gcc-real beside/gcc-real
mkdir links && ln -s ../beside/gcc links/one && ln -s one links/two
compiles "$folder/direct/gcc"
compiles "$folder/direct/gcc -m64"
compiles gcc other.c PATH="$folder/named:$folder/real:$PATH"
compiles "$folder/links/two"
compiles "sh $folder/direct/gcc"

# It reads what lies beside it, by programs; its interpreter lies in a folder of its own, is a script, or both.
mkdir -p store/sh/bin store/cc/support && cp "$(readlink -f "$(command -v sh)")" store/sh/bin/sh
echo 'flags=-DBESIDE' >store/cc/support/flags
echo -O1 >store/cc/support/more
program store/cc/bin/cc "#!$folder/store/sh/bin/sh" ". '$folder/store/cc/support/flags'" "exec '$cc' \$flags \$(cat '$folder/store/cc/support/more') \"\$@\""
printf '#ifndef BESIDE\n#error its script has not read its flags\n#endif\nint other(void) { return 1; }\n' >beside.c
compiles "$folder/store/cc/bin/cc" beside.c
program nested/run "#!$folder/store/sh/bin/sh" shift "exec '$folder/links/two' \"\$@\""
program nested/cc "#!$folder/nested/run"
compiles "$folder/nested/cc"

# A toolchain of the user's: an assembler and a linker of its own, headers of its own, a driver that was copied.
mkdir -p tools/bin tools/include && cp "$(readlink -f "$(command -v as)")" tools/bin/as && cp "$(readlink -f "$(command -v ld)")" tools/bin/ld
echo '#define OWN_HEADER 1' >tools/include/own_header.h
program tools/bin/gcc '#!/bin/sh' "exec '$cc' -B'$folder/tools/bin/' -isystem '$folder/tools/include' \"\$@\""
printf '#include <own_header.h>\nint other[OWN_HEADER];\n' >header.c
compiles "$folder/tools/bin/gcc" header.c
driver=$(readlink -f "$cc")
case $(basename "$driver") in
*gcc*)
    mkdir -p copied/bin && cp "$driver" copied/bin/gcc
    for part in lib libexec; do
        [ ! -d /usr/$part/gcc ] || { mkdir -p copied/$part && ln -s /usr/$part/gcc copied/$part/gcc; }
    done
    compiles "$folder/copied/bin/gcc"
    ;;
esac

# What another compiler is put in front of: without its cache, without other machines.
program before/fronted '#!/bin/sh' 'exec "$@"'
compiles "$folder/before/fronted $folder/direct/gcc"
for front in ccache distcc; do
    command -v $front >/dev/null || continue
    mkdir -p masked-$front && ln -s "$(command -v $front)" "masked-$front/$(basename "$cc")"
    compiles "$front $cc"
    compiles "$folder/masked-$front/$(basename "$cc")" other.c PATH="$folder/masked-$front:$PATH"
done
! command -v clang >/dev/null || {
    program wrapped/clang '#!/bin/sh' "exec '$(command -v clang)' \"\$@\""
    compiles "$folder/wrapped/clang"
}

# On systems with fewer walls; and one that lets no process be traced: a compiler that is a program is not traced.
for lacks in landlock namespaces both mounts; do
    compiles "$folder/direct/gcc" other.c "$without" $lacks
done
file=$(readlink -f "$cc")
[ "$(head -c 2 "$file")" = '#!' ] || compiles "$file" other.c "$without" traces
fails '' "$folder/beside/gcc" "$without" traces

# What does not work is said in its own words.
program lost/gcc '#!/nowhere/sh' 'exec cc "$@"'
program served/gcc '#!/bin/sh' 'echo "no server answers" >&2' 'exit 2'
program gone/gcc '#!/bin/sh' 'exec /nowhere/gcc "$@"'
fails 'the interpreter that it names is in reach' "$folder/lost/gcc"
fails 'no server answers' "$folder/served/gcc"
fails '/nowhere/gcc' "$folder/gone/gcc"

# What it starts and reads is all: another student's file is not, nor what the user's own search path names.
mkdir -p all/anna all/bert
echo 'static int foreign;' >all/anna/answer.h
for include in '"../anna/answer.h"' '<answer.h>'; do
    printf '#include %s\nint other;\n' "$include" >all/bert/k.c
    for user in $users; do
        expect 2 'does not compile' by $user env CC="$folder/tools/bin/gcc" CPATH="$folder/all/anna:" "$USKOR" try transpose all/bert/k.c transpose:60x50 --store none
    done
done

# A trial from end to end, with likeness of files by the same means.
printf 'void transpose(const float *in, float *out, long rows, long cols)\n{\n    for (long i = 0; i < rows * cols; i++)\n        out[i %% cols * rows + i / cols] = in[i];\n}\n' >right.c
expect 0 'place' env CC="$folder/beside/gcc" "$USKOR" try transpose right.c transpose:60x50 --beside serial --verified --time 0.005 --kernel-only --store none
finish
