#!/bin/sh
# A program that does nothing, and one that refuses everything, pass no test of the command line: whatever a script looks at,
# it would see it missing.
# $1: the repository; $2: the build folder.
set -u
. "$1/tests/cli/common"
printf '#!/bin/sh\nexit 0\n' >idle
printf '#!/bin/sh\necho "uskor: error: no" >&2\nexit 2\n' >refusing
chmod +x idle refusing
tried=0
for program in idle refusing; do
    for script in "$1"/tests/cli/*.sh "$1"/tests/report/*.sh; do
        case $script in */library-openmp.sh | */blas-programs.sh) continue ;; esac # of the libraries alone
        tried=$((tried + 1))
        USKOR=$folder/$program timeout 60 sh "$script" "$1" "$2" >/dev/null 2>&1 </dev/null && wrong "$script passes with $program"
    done
done
[ $tried -gt 80 ] || wrong "only $tried scripts were tried"
finish
