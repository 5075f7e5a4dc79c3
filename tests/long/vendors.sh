#!/bin/sh
# uskor lab runs libraries of others in a child: one that exits ends its own rung, and nothing else.
set -- "$(cd "$1" && pwd)" # scripts work in a folder of their own
. "$1/tests/cli/common"
command -v "${CC:-cc}" >/dev/null || exit 77

mkdir harmful
cat >harmful/openblas.c <<'C'
#include <stdlib.h>
float cblas_sdot(int n, const float *x, int x_step, const float *y, int y_step) { exit(n < 0 ? 1 : 0); }
double cblas_ddot(int n, const double *x, int x_step, const double *y, int y_step) { exit(n < 0 ? 1 : 0); }
C
"${CC:-cc}" -shared -fPIC -Wl,-soname,libopenblas.so.0 -o harmful/libopenblas.so.0 harmful/openblas.c || exit 77
lab() {
    (
        ulimit -t 60
        LD_LIBRARY_PATH=$folder/harmful OMP_NUM_THREADS=1 XDG_CACHE_HOME=$folder/cache \
            "$USKOR" lab --quick -d cpu -r openblas -r serial --time 0.001 --store none "$@"
    ) >out 2>err
}
lab -o none.json --json
grep -q 'ended the process with exit code 0' none.json || wrong "the library's exit is not its rung's end: $(cat out err)"
python3 - none.json <<'PY' || wrong 'the rungs beside it have no figures'
import json, sys
rows = [row for row in json.load(open(sys.argv[1])) if row["kernel"] == "dot" and row["rung"] == "serial"]
sys.exit(0 if rows and all(row["verdict"] == "PASS" for row in rows) else 1)
PY
finish
