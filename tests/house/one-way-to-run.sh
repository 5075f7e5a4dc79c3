#!/bin/sh
# A rung is prepared, run and finished in one place, src/kernels/prepared_run: nobody else calls a rung's own
# functions. A rung over several devices has its one place too, src/distributed/bench.c. $1: the repository.
set -eu
cd "$1"
files=$(find src -name '*.[ch]' ! -path 'src/kernels/prepared_run.*' ! -path src/distributed/bench.c | sort)
[ "$(echo "$files" | wc -l)" -gt 50 ] || { echo 'hardly any file was found'; exit 1; }
! echo "$files" | xargs grep -nE '(->|\.)(prepare|enqueue|finish)[[:blank:]]*\('
