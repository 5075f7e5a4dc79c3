#!/bin/sh
# Every file of tests/attacks, judged, as it is loaded, and explained, reaches nothing; as an ordinary user, too, where
# this is root. $1: the repository, $2: the build folder.
set -u
set -- "$(cd "$1" && pwd)" "$(cd "${2:-$1/build}" && pwd)"
"$1/tests/attacks/run" "$1" "$2" || exit 1
# A trace may start processes, and not without end.
work=$(mktemp -d) || exit 1
cp "$1/tests/attacks/attack.h" "$1/tests/attacks/start-many.c" "$work"
made=$("${USKOR:-$2/uskor}" explain transpose:60x50 --file "$work/start-many.c" --store none 2>/dev/null | sed -n 's/ processes$//p')
# Nobody waits for one that waits without end.
echo 'int pause(void); void transpose(const ELEMENT *in, ELEMENT *out, long rows, long cols) { for (;;) pause(); }' >"$work/waits.c"
timeout 300 "${USKOR:-$2/uskor}" explain transpose:60x50 --file "$work/waits.c" --store none 2>&1 | grep -q 'waits without end' ||
    { echo 'FAIL: a trace that waits without end is waited for'; exit 1; }
rm -r "$work"
[ "${made:-0}" -lt 6000 ] || { echo "FAIL: a trace starts $made processes"; exit 1; }
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
    folder=$(mktemp -d) && chmod 777 "$folder" || exit 1
    trap 'rm -rf "$folder"' EXIT
    HOME=$folder TMPDIR=$folder setpriv --reuid=65534 --regid=65534 --clear-groups "$1/tests/attacks/run" "$1" "$2" || exit 1
    for what in landlock namespaces; do # where only namespaces, or only Landlock, keep paths
        HOME=$folder TMPDIR=$folder setpriv --reuid=65534 --regid=65534 --clear-groups \
            "$2/tests/without" "$what" "$1/tests/attacks/run" "$1" "$2" 'write-*' || exit 1
    done
fi
