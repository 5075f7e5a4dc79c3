#!/bin/sh
# tools/setup asks apt for the packages that apt knows, and for no other: one unknown name would keep it from installing any. An
# optional tool that no package has is a note; a required one ends with 2. With an apt and an empty system made up for it.
# $1: the repository.
set -u
grep -qsE '^ID(_LIKE)?=.*(debian|ubuntu)' /etc/os-release || { echo 'SKIP: no Debian'; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/bin" "$folder/tree/tools"
cp "$1/tools/setup" "$folder/tree/tools"
for tool in sh awk sed grep tr sort cksum dirname mkdir rm tail env id cat ls; do ln -s "$(command -v $tool)" "$folder/bin"; done
cat >"$folder/bin/apt-cache" <<'SH'
#!/bin/sh
case $2 in oclgrind) echo "E: No packages found" >&2; exit 100 ;; esac
echo "Package: $2"
SH
cat >"$folder/bin/apt-get" <<SH
#!/bin/sh
[ "\$1" = update ] || echo " \$* " >>"$folder/asked"
SH
cat >"$folder/bin/sudo" <<'SH'
#!/bin/sh
[ "$1" != -n ] || shift
exec "$@"
SH
chmod +x "$folder/bin"/*-* "$folder/bin/sudo"
failures=0
wrong() {
    echo "FAIL: $*: $(cat "$folder/said")"
    failures=$((failures + 1))
}
PATH=$folder/bin "$folder/tree/tools/setup" simulate develop >"$folder/said" 2>&1 </dev/null
[ $? = 2 ] || wrong 'what is required and not there does not end with 2'
for package in clang valgrind afl++ chromium; do grep -q " $package " "$folder/asked" || wrong "$package is not asked for"; done
grep -q oclgrind "$folder/asked" && wrong 'a package is asked for that apt does not know'
PATH=$folder/bin "$folder/tree/tools/setup" simulate >"$folder/said" 2>&1 </dev/null || wrong 'an optional tool is required'
grep -q 'note: .*oclgrind' "$folder/said" || wrong 'no note'
exit "$((failures != 0))"
