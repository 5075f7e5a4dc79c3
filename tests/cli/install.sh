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
        short=$(moved/bin/uskor --lang en help "$command" | sed -nE "s/^ +-(.), --$option(=.*| .*|$)/\1/p")
        for language in en ru; do
            for name in "--$option" ${short:+"-$short"}; do
                sed -n "/^$language:$command) /,/;;/p" "$zsh" | grep -qE -e "^ +'$name[+=[]" ||
                    { echo "FAIL: zsh does not complete $name of $command ($language)"; failures=$((failures + 1)); }
            done
        done
        [ "$(grep -c "from $command' -l $option " "$fish")" = 2 ] ||
            { echo "FAIL: fish does not complete --$option of $command in two languages"; failures=$((failures + 1)); }
        grep -qE "^ +$command\) options='.*--$option[ =]" "$completion" ||
            { echo "FAIL: completion of $command lacks --$option"; failures=$((failures + 1)); }
    done
done
# … and its title, which has two lines in one of the languages.
title='проверить каждую ступень на размерах, где обычны ошибки, без измерения времени'
grep -qF "$title" "${manual%/man1}/ru/man1/uskor-check.1" || { echo 'FAIL: a title of two lines is cut'; failures=$((failures + 1)); }

# completes SHELL EXPECTED COMMAND…: what a shell that is here makes of them, in the language of the second variable that decides.
completes() {
    shell=$1 expected=$2
    shift 2
    command -v "$shell" >/dev/null || return 0
    LC_ALL='' LC_CTYPE=C.UTF-8 LC_MESSAGES=$locale "$shell" "$@" >said 2>&1 && grep -qF -e "$expected" said ||
        { echo "FAIL: $shell ($locale): not '$expected': $(head -n 5 said)"; failures=$((failures + 1)); }
}
english='Colours (default: auto, on a terminal unless NO_COLOR is set)' # of two lines
russian='Цвета (по умолчанию auto: на терминале, если не задана NO_COLOR)'
for locale in C.UTF-8 ru_RU.UTF-8; do
    [ "$locale" = C.UTF-8 ] && text=$english || text=$russian
    grep -qF "'$text'" "$fish" || { echo "FAIL: fish has no '$text'"; failures=$((failures + 1)); }
    completes bash --color= -c '. "$0"; COMP_WORDS=(uskor bench --col) COMP_CWORD=2; _uskor; echo "${COMPREPLY[@]}"' "$completion"
    completes zsh "--color=[$text]" -fc '_arguments() { print -rl -- "$@" }; complete_it() { . "$1" }
        words=(uskor bench --col) CURRENT=3; complete_it "$0"' "$zsh"
    completes fish "$text" -c 'source $argv[1]; complete -C "uskor bench --col"' "$fish"
done
[ "$(grep -c ') options=' "$completion")" -ge 25 ] || { echo 'FAIL: completion has hardly any command'; failures=$((failures + 1)); }
[ "$failures" = 0 ] && echo 'all as expected'
exit "$((failures != 0))"
