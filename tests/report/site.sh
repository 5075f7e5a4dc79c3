#!/bin/sh
# uskor report --site: the site's links work and load nothing from a network, with mkdocs-material and without; every machine of the
# store has its report, every function of uskor.h its place; no other folder is replaced. $1: the repository.
set -u
cd "$1" || exit 1
command -v python3 >/dev/null || { echo 'SKIP: no python3'; exit 77; }
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
wrong=0
complain() {
    echo "FAIL: $*"
    wrong=1
}
store=$data/some.sqlite
"$MAKE_STORE" "$store" 90
"$USKOR" report --site "$data/first" --store "$store" >"$data/out" 2>&1
[ $? -ne 3 ] || { echo "SKIP: $(cat "$data/out")"; exit 77; }

# $1: the site; what every one must have.
examine() {
    python3 tests/report/site_links.py "$1" 1000 || complain "$1: its links"
    [ -s "$1/reports/machine-1.html" ] || complain "$1: no report"
    for page in index.html docs/library.html src/kernels/sort/index.html src/kernels/sort/NOTEBOOK.html results/index.html; do
        [ -s "$1/$page" ] || complain "$1: no page $page"
    done
    for name in $(sed -n 's/^USKOR_API .*\b\(uskor_[a-z0-9_]*\)(.*/\1/p' include/uskor.h); do
        grep -q "<h3 id=\"$name\">" "$1/api.html" || complain "$1: no place for $name"
    done
}

# Another folder is not replaced, and nothing is left of the attempt.
mkdir "$data/other" && : >"$data/other/file"
"$USKOR" report --site "$data/other" --store "$store" >"$data/out" 2>&1
case $? in
2) [ "$(ls "$data/other")" = file ] || complain 'a folder that is not a site is changed' ;;
*) complain "a folder that is not a site: $(cat "$data/out")" ;;
esac
"$USKOR" report --site "$data/x" --svg ladder >"$data/out" 2>&1
[ $? = 2 ] || complain "--site with --svg: $(cat "$data/out")"

for python in python3 /usr/bin/python3 build/site/bin/python3; do
    "$python" -c 'import markdown' 2>/dev/null || continue
    "$python" tools/site --plain --uskor "$USKOR" --store "$store" "$data/plain" || complain 'no plain site'
    examine "$data/plain"
    break
done
# A site is replaced.
for time in first second; do
    "$USKOR" report --site "$data/site" --store "$store" >"$data/out" || complain "the $time time: $(cat "$data/out")"
done
examine "$data/site"
if ! grep -q plain "$data/out" && command -v chromium >/dev/null; then
    chromium --headless --no-sandbox --disable-gpu --user-data-dir="$data/profile" --virtual-time-budget=20000 --dump-dom \
        "file://$data/site/docs/store.html?q=transpose" >"$data/dom" 2>/dev/null
    grep -qE 'md-search-result__meta">[0-9]+ matching' "$data/dom" || complain 'the search finds nothing without a server'
fi
[ -z "$(find "$data" -name '.uskor-site-*')" ] || complain 'temporary folders are left'
exit "$wrong"
