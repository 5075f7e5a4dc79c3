#!/bin/sh
# uskor explain --advice: of kernels with one known fault the cause stands first, with its line and array, and its remedy
# is predicted to be faster. Without NVRTC or nvdisasm nothing is known of the code. $1: the repository; USKOR: the program.
set -u
kernels=$(cd "$1" && pwd)/tests/hardware/kernels
. "$1/tests/cli/common"

python3 - "$USKOR" "$kernels" <<'EOF' || wrong "a cause that is plain to see does not stand first"
import json
import subprocess
import sys

program, folder = sys.argv[1:]
failed = False
for name, problem, cause, array in [
        ("bank_columns.cu", "transpose:1024", "bank-conflicts", "shared memory"),
        ("transpose_stores.cu", "transpose:1024", "uncoalesced", "out"),
        ("double_constants.cu", "dot:2^20", "double-precision", ""),
        ("dot_atomic_group.cu", "dot:2^22", "atomics", None),
        ("local_rotate.cu", "dot:2^20", "local-array", "")]:
    run = subprocess.run([program, "explain", problem, "--file", folder + "/" + name, "--for", "H200", "--store", "none", "--json"],
                         stdout=subprocess.PIPE, check=True)
    rung = json.loads(run.stdout)["rungs"][0]
    if rung["not_compiled"] or rung["no_code"] or not rung["work"]:
        continue
    named = rung["advice"]
    good = named and named[0]["cause"] == cause and (array is None or named[0]["array"] == array)
    good = good and named[0]["line"] > 0 and named[0]["predicted_ns"] < rung["predicted_ns"] and len(named) <= 3
    if array == "out" or name == "local_rotate.cu":  # the text: of a cause with an array, and of one without
        said = subprocess.run([program, "--lang", "en", "explain", problem, "--file", folder + "/" + name, "--for", "H200", "--store", "none", "--advice"],
                              stdout=subprocess.PIPE, check=True).stdout.decode()
        good = good and "\nline %d: " % named[0]["line"] in said and "→" in said
    if not good:
        print("%s: %s" % (name, named))
        failed = True
sys.exit(failed)
EOF
finish
