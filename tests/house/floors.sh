#!/bin/sh
# A law that finds nothing to look at does not hold: each of the others fails for a repository and a build that are empty.
# $1: the repository.
set -u
cd "$1" || exit 1
empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
wrong=0 laws=0
for law in tests/house/*.sh; do
    [ "$law" != tests/house/floors.sh ] || continue
    laws=$((laws + 1))
    if timeout 60 sh "$law" "$empty" "$empty" >/dev/null 2>&1 </dev/null; then
        echo "$law passes where nothing is"
        wrong=1
    fi
done
[ $laws -gt 25 ] || { echo "only $laws laws were found"; wrong=1; }
exit $wrong
