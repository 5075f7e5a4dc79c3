#!/bin/sh
# The README's two commands on the systems that people have, and the compilers of a minimum and of the newest kind, each in a
# bare system of its own (long/bare.sh). A line each; what could not be tried is said. Hours, on two cores.
#   SYSTEMS='noble trixie:gcc-13 bookworm:-'  only these releases, or rows with this compiler (default: all below)
#   SYSTEMS_FOLDER=DIR      the systems are made below DIR and stay there (default: a temporary folder)
#   BARE_CCACHE=DIR         as long/bare.sh has it
#   SYSTEMS_JOBS=1          processes of each build and test (default: as many as processors)
#   SYSTEMS_TESTS=RE        `make test` runs these tests only (default: all)
# $1: the repository.
set -u
repository=$(cd "$1" && pwd)
jobs=${SYSTEMS_JOBS:+JOBS=$SYSTEMS_JOBS}
tests=${SYSTEMS_TESTS:+TESTS=\'$SYSTEMS_TESTS\'}
debian='DEBIAN_FRONTEND=noninteractive apt-get build-dep -y -q --no-install-recommends ./; USKOR_WERROR=ON dpkg-buildpackage -us -uc -b'

# release | compiler's package | commands | what one of them must have said. CI's setting makes every warning an error.
table="
bookworm | -                      | make test; make lab $jobs                             | -
bookworm | gcc-11                 | ! CC=gcc-11 make $jobs 2>refused; cat refused         | Uskor needs gcc 12
bookworm | clang-19 libomp-19-dev | CC=clang-19 USKOR_WERROR=ON make test                 | -
trixie   | -                      | USKOR_WERROR=ON make test; make lab $jobs; make tools | -
trixie   | gcc-13                 | CC=gcc-13 USKOR_WERROR=ON make test                   | -
trixie   | clang-19 libomp-19-dev | CC=clang-19 USKOR_WERROR=ON make test                 | -
trixie   | dpkg-dev               | $debian                                               | -
noble    | -                      | USKOR_WERROR=ON make test; make lab $jobs             | -
noble    | dpkg-dev               | $debian                                               | -
sid      | -                      | USKOR_WERROR=ON make test                             | -
"

folder=${SYSTEMS_FOLDER:-$(mktemp -d)}
[ -n "${SYSTEMS_FOLDER:-}" ] || trap 'rm -rf "$folder"' EXIT
rows=$folder/rows
mkdir -p "$folder" || exit 1
echo "$table" | sed 's/ *| */|/g; /^$/d' >"$rows"
failures=0 tried=0
while IFS='|' read -r suite packages commands expected; do
    case " ${SYSTEMS:-$suite} " in *" $suite "* | *" $suite:${packages%% *} "*) ;; *) continue ;; esac
    case $commands in *'make test'*) commands="${commands%%make test*}make test $jobs $tests${commands#*make test}" ;; esac
    name="$suite$([ "$packages" = - ] || echo " with ${packages%% *}")"
    [ "$packages" = - ] || commands="apt-get update -q; DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends $packages; $commands"
    mkdir -p "$folder/$suite"
    BARE_SUITE=$suite BARE_FOLDER=$folder/$suite BARE_COMMANDS=$commands sh "$repository/tests/long/bare.sh" "$repository" \
        >"$folder/said" 2>&1 </dev/null
    code=$?
    if [ "$code" = 77 ]; then
        echo "$name: not tried: $(tail -n 1 "$folder/said")"
        continue
    fi
    tried=$((tried + 1))
    if [ "$expected" != - ] && ! grep -qs "$expected" "$folder/$suite"/*; then
        echo "FAIL: nothing says '$expected'"
        code=1
    fi
    echo "$name: $([ "$code" = 0 ] && echo 'as expected' || echo FAIL)"
    sed 's/^/    /' "$folder/said"
    [ "$code" = 0 ] || failures=$((failures + 1))
done <"$rows"
[ "$tried" -gt 0 ] || { echo 'SKIP: no system could be tried'; exit 77; }
[ "$failures" = 0 ]
