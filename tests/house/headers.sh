#!/bin/sh
# Every header compiles on its own, so that no file depends on what another happened to include before it; the
# library's header is also C++. $1: the repository, $2: the build folder; CC: the compiler.
set -eu
cd "$1"
wrong=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Those that a file of the build includes before anything else: the build has compiled them so.
grep -o '"file": "[^"]*/src/[^"]*\.c"' "$2/compile_commands.json" | sed 's,.*/src/\(.*\)",src/\1,' | sort -u | while read -r file; do
    [ ! -f "$file" ] || sed -n '/^ *#/{ s,^#include "\([^"]*\)".*,src/\1,p; q; }' "$file"
done | sort -u >"$work/compiled"
[ "$(wc -l <"$work/compiled")" -gt 100 ] || { echo 'hardly any file was found that begins with its header'; exit 1; }
# A header that asks for definitions before it is included (#error "define …") is a template, not a header.
for header in $(find include src -name '*.h' -exec grep -L '#error "define' {} + | sort | comm -23 - "$work/compiled"); do
    echo "#include \"$header\"" |
        "${CC:-cc}" -std=gnu17 -D_GNU_SOURCE -Wall -Wextra -Werror -Wno-unused-function -fopenmp -fsyntax-only -I . -I src \
            -I include -I "$2/generated" -x c - || wrong=1
done
if [ -e include/uskor.h ] && command -v c++ >/dev/null; then
    c++ -std=c++11 -Wall -Wextra -Werror -fsyntax-only -I include -x c++ include/uskor.h || wrong=1
fi
exit $wrong
