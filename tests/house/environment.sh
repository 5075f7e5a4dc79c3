#!/bin/sh
# Every environment variable that the sources and the tests' programs ask for is on its page, and the page names no other
# of ours. $1: the repository.
set -eu
cd "$1"
page=docs/environment.md
wrong=0
asked=$({
    grep -rhoE 'getenv\("[A-Z_]+"\)' src tests | sed 's/.*"\(.*\)".*/\1/'
    grep -rhoE 'environ\.get\("[A-Z_]+"\)' python/uskor | sed 's/.*"\(.*\)".*/\1/'
    grep -oE '"(LC_ALL|LC_MESSAGES|LANG)"' src/base/language.c | tr -d '"'
} | sort -u)
[ "$(echo "$asked" | wc -l)" -gt 30 ] || { echo 'hardly any variable was found'; exit 1; }
for name in $asked; do
    grep -qE "\`$name\`" "$page" || { echo "$page: $name is missing"; wrong=1; }
done
for name in $(grep -oE 'USKOR_[A-Z_]+' "$page" | sort -u); do
    echo "$asked" | grep -qx "$name" || { echo "$page: nothing asks for $name"; wrong=1; }
done
exit $wrong
