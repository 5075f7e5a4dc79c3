#!/bin/sh
# A rung is prepared, run and finished in one place, src/kernels/prepared_run: nobody outside src/kernels calls a rung's own
# functions, or asks for its scratch memory. $1: the repository.
set -eu
cd "$1"
! find src -name '*.[ch]' ! -path 'src/kernels/*' | sort |
    xargs grep -nE '(->|\.)(prepare|enqueue|finish)[[:blank:]]*\(|\brung_scratch[[:blank:]]*\('
