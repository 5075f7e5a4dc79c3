#!/bin/sh
# tools/release refuses what is not ready, says why, and sets no tag; what is ready gets its tag after every target has passed. In a
# small repository of its own, with a `make` that writes down what it is asked. $1: the repository.
set -u
command -v git >/dev/null || { echo "SKIP: no git"; exit 77; }
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/bin" "$folder/tree/debian" "$folder/tree/tools"
cp "$1/tools/release" "$folder/tree/tools"
printf '#!/bin/sh\necho "$1" | tee -a "%s/asked"\n[ "$1" != "$(cat "%s/failing" 2>/dev/null)" ]\n' "$folder" "$folder" >"$folder/bin/make"
chmod +x "$folder/bin/make"
PATH=$folder/bin:$PATH
export PATH HOME="$folder" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
cd "$folder/tree" || exit 1
ready() {
    echo '## [1.2.3] - 2026-12-31' >CHANGELOG.md
    echo 'version: 1.2.3' >CITATION.cff
    echo 'uskor (1.2.3) unstable; urgency=medium' >debian/changelog
    echo 'Maintainer: Somebody <somebody@uskor.test>' >debian/control
}
failures=0
# refused WHY: a release of the files as they stand.
refused() {
    git add -A && git commit -q --allow-empty -m state
    if tools/release 1.2.3 >"$folder/said" 2>&1 || ! grep -q "$1" "$folder/said" || git tag | grep -q .; then
        echo "FAIL: expected a refusal with '$1', and no tag: $(cat "$folder/said")"
        failures=$((failures + 1))
    fi
}
git init -q .
ready && echo '## 1.2.2' >CHANGELOG.md && refused 'CHANGELOG.md has no section'
ready && echo '## [1.2.3] - not released yet' >CHANGELOG.md && refused 'the section of 1.2.3 has no day'
ready && echo 'version: 1.2.2' >CITATION.cff && refused 'CITATION.cff has another version'
ready && echo 'uskor (1.2.2) unstable' >debian/changelog && refused 'debian/changelog has another version'
ready && cp "$1/debian/control" debian && ! grep -q '@example\.' debian/control || refused 'placeholder for an address'
[ ! -e "$folder/asked" ] || { echo 'FAIL: it builds before it refuses'; failures=$((failures + 1)); }
# Everything that is undecided is listed at once, and a rehearsal runs all the same.
ready && echo '## [1.2.3] - not released yet' >CHANGELOG.md && echo 'Maintainer: <a@example.org>' >debian/control && refused 'has no day'
grep -q 'placeholder for an address' "$folder/said" || { echo 'FAIL: only the first undecided thing is named'; failures=$((failures + 1)); }
tools/release --rehearse 1.2.3 >"$folder/said" 2>&1 && grep -q 'has no day' "$folder/said" && grep -qx dist "$folder/asked" &&
    ! git tag | grep -q . || { echo "FAIL: a rehearsal: $(cat "$folder/said")"; failures=$((failures + 1)); }
ready && echo sanitize >"$folder/failing" && refused '^sanitize$'
rm "$folder/failing" "$folder/asked"
echo more >>CHANGELOG.md
tools/release 1.2.3 2>&1 | grep -q 'not committed' || { echo 'FAIL: changes that are not committed are released'; failures=$((failures + 1)); }
git commit -qam ready
tools/release 1.2.3 >"$folder/said" 2>&1 || { cat "$folder/said"; failures=$((failures + 1)); }
[ "$(git tag)" = v1.2.3 ] || { echo 'FAIL: no tag'; failures=$((failures + 1)); }
for target in test tidy sanitize clang test-all dist; do
    grep -qx "$target" "$folder/asked" || { echo "FAIL: a release does not ask for $target"; failures=$((failures + 1)); }
done
tools/release 1.2.3 2>&1 | grep -q 'there already' || { echo 'FAIL: a tag is set twice'; failures=$((failures + 1)); }
exit "$((failures != 0))"
