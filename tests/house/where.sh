#!/bin/sh
# CONTRIBUTING.md answers where things are: what it names is there, and each folder of src/ has its line. $1: the repository.
set -eu
cd "$1"
wrong=0
named=$(awk '/^\| Where is/ { inside = 1 } !/^\|/ { inside = 0 } inside' CONTRIBUTING.md |
    grep -oE '`[a-z]+(/[a-z_*.<>]+)+`' | tr -d '\140' | grep -v '<')
[ "$(echo "$named" | wc -l)" -ge 12 ] || { echo 'CONTRIBUTING.md: the table of places is not found'; exit 1; }
for path in $named; do
    ls $path >/dev/null 2>&1 || { echo "CONTRIBUTING.md names $path, which is not there"; wrong=1; }
done
for folder in src/* src/lab/* src/report/* src/cli/*; do
    [ -d "$folder" ] || continue
    [ -n "$(find "$folder" -mindepth 1 -maxdepth 1 -type d)" ] && [ "$folder" != src/kernels ] &&
        [ "$folder" != src/backends ] && [ "$folder" != src/vendor_shims ] && continue
    grep -qE "^$folder/? " CONTRIBUTING.md || { echo "CONTRIBUTING.md does not say what $folder is for"; wrong=1; }
done
exit $wrong
