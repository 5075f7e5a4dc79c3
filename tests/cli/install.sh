#!/bin/sh
# An installation works from wherever it is put, also below names with blanks and quotes: the program, its manual and completion,
# and the library, shared and static, through pkg-config. It can be removed.
# $1: the repository, $2: the build folder; CC: the compiler that built it.
set -u
# What uses a sanitized library is sanitized, too.
sanitize=$(sed -n 's/^USKOR_SANITIZE:[A-Z]*=\(..*\)/-fsanitize=\1/p' "$2/CMakeCache.txt")
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
prefix="/a first, user's" stage="$folder/its stage"
DESTDIR=$stage cmake --install "$2" --prefix "$prefix" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
cp -r "$stage$prefix" "$folder/moved"
if [ "$2" -ef "$1/build" ]; then
    make -s -C "$1" uninstall DESTDIR="$stage"
else
    "$1/tools/uninstall" "$2" "$stage"
fi || exit 1
find "$stage" ! -type d | grep . && { echo 'FAIL: these are left behind'; exit 1; }

# `make` hands both on as they are.
mkdir "$folder/bin"
cat >"$folder/bin/cmake" <<SH
#!/bin/sh
printf '%s\n' "DESTDIR=\$DESTDIR" "\$@" >>"$folder/asked"
SH
chmod +x "$folder/bin/cmake"
PATH=$folder/bin:$PATH make -s -C "$1" install PREFIX="$prefix" DESTDIR="$stage" || exit 1
for words in "DESTDIR=$stage" "-DCMAKE_INSTALL_PREFIX=$prefix"; do
    grep -qxF -e "$words" "$folder/asked" || { echo "FAIL: make install does not say $words"; exit 1; }
done
cd "$folder" || exit 1
PKG_CONFIG_PATH=$(dirname "$(find "$folder/moved" -name uskor.pc)")
export PKG_CONFIG_PATH
libraries=$(dirname "$PKG_CONFIG_PATH")

# Names of its own that the library's inside has too, and must not meet.
cat >user.c <<'C'
#include <stdio.h>
#include <uskor.h>

int fail(void);
int fail(void)
{
    return 1;
}
const char *const kernels = "mine";

int main(void)
{
    struct uskor *uskor;
    const int a[2][3] = {{1, 2, 3}, {4, 5, 6}};
    int b[3][2];
    if (uskor_open(&uskor, NULL) != USKOR_OK || uskor_transpose(uskor, b, a, 2, 3, sizeof a[0][0]) != USKOR_OK) {
        puts(uskor_message(NULL));
        return fail();
    }
    uskor_close(uskor);
    printf("%s %d %d %d %d %d %d\n", uskor_version(), b[0][0], b[0][1], b[1][0], b[1][1], b[2][0], b[2][1]);
    return 0;
}
C
expected="$(pkg-config --modversion uskor) 1 4 2 5 3 6"
failures=0
# A source archive has the version in its name.
make -n -C "$1" dist | grep -qF "uskor-${expected%% *}.tar.gz" || { echo 'FAIL: make dist has no version'; failures=$((failures + 1)); }

check() {
    if [ "$2" != "$expected" ]; then
        echo "FAIL: $1 says '$2', not '$expected'"
        failures=$((failures + 1))
    fi
}

# pkg-config writes a path's blanks as a shell reads them.
eval "set -- $(pkg-config --cflags --libs uskor)"
# shellcheck disable=SC2086 # a list of words
${CC:-cc} -Wall -Werror $sanitize user.c -o with_shared "$@" || failures=$((failures + 1))
check 'the shared library' "$(LD_LIBRARY_PATH=$libraries ./with_shared 2>&1)"
eval "set -- $(pkg-config --cflags uskor) user.c -o with_static \"\$libraries/libuskor.a\" \
    $(pkg-config --static --libs-only-L --libs-only-l uskor | sed 's/-luskor//')"
# shellcheck disable=SC2086
${CC:-cc} -Wall -Werror $sanitize "$@" || failures=$((failures + 1))
check 'the static library' "$(./with_static 2>&1)"
moved/bin/uskor --version >/dev/null || failures=$((failures + 1))

for notice in LICENSE THIRD-PARTY.md; do
    [ -s "$(find moved -path "*/doc/*" -name $notice)" ] || { echo "FAIL: $notice is not installed"; failures=$((failures + 1)); }
done

# Every command has its page, in two languages, with all of its options; and completion knows them, in three shells.
manual=$(dirname "$(find moved -name uskor.1 -not -path '*/ru/*')") completion=$(find moved -path '*bash-completion*' -name uskor)
zsh=$(find moved -name _uskor) fish=$(find moved -name uskor.fish)
for command in $(moved/bin/uskor --lang en help | sed -n '/^$/,/^More help/s/^  \([a-z][a-z]*\) .*/\1/p'); do
    [ -s "${manual%/man1}/ru/man1/uskor-$command.1" ] || { echo "FAIL: no Russian page of $command"; failures=$((failures + 1)); }
    for option in $(moved/bin/uskor --lang en help "$command" | sed -nE 's/^ +(-., )?--([a-z-]+).*/\2/p'); do
        for page in "$manual/uskor-$command.1" "${manual%/man1}/ru/man1/uskor-$command.1"; do
            grep -q -- "$(echo "--$option" | sed 's/-/\\\\-/g')" "$page" || { echo "FAIL: $page lacks --$option"; failures=$((failures + 1)); }
        done
        sed -n "/^$command) /,/;;/p" "$zsh" | grep -q -- "'--$option[=[]" && grep -q "from $command' -l $option " "$fish" ||
            { echo "FAIL: zsh or fish does not complete --$option of $command"; failures=$((failures + 1)); }
        grep -qE "^ +$command\) options='.*--$option[ =]" "$completion" ||
            { echo "FAIL: completion of $command lacks --$option"; failures=$((failures + 1)); }
    done
done
grep -qF "'Colours (default: auto, on a terminal unless NO_COLOR is set)'" "$fish" || { echo 'FAIL: a text of two lines is cut'; failures=$((failures + 1)); }
[ "$(grep -c ') options=' "$completion")" -ge 25 ] || { echo 'FAIL: completion has hardly any command'; failures=$((failures + 1)); }
[ "$failures" = 0 ] && echo 'all as expected'
exit "$((failures != 0))"
