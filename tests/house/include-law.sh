#!/bin/sh
# The include law: each folder of src/ includes only from the folders that its row names, and from each of them. $1: the
# repository.
set -eu
cd "$1/src"
find . -name '*.[ch]' | sort | xargs awk '
BEGIN {
    law["base"]     = ""
    law["architectures"] = "base"
    law["walls"]    = "base"
    law["backends"] = "base"
    law["files"]    = "base"
    law["store"]    = "base"
    law["publications"] = "architectures store base"
    law["vendor_shims"] = ""
    law["kernels"]  = "backends base vendor_shims"
    law["choice"]   = "kernels base"
    law["explain"]  = "kernels backends architectures walls base"
    law["lab"]      = "choice kernels backends architectures publications store base"
    law["exercises"] = "base"
    law["judge"]    = "lab kernels backends store walls base"
    law["report"]   = "architectures publications store base"
    law["library"]  = "choice kernels backends base"
    law["blas"]     = "choice kernels backends base"
    law["file_jobs"] = "files kernels base"
    law["distributed"] = "library lab choice kernels backends store vendor_shims base"
    law["cli"]      = "*"
}
/^[ \t]*#[ \t]*include[ \t]*<seccomp.h>/ && FILENAME !~ /^\.\/walls\// { complain("seccomp.h is the walls\047 alone") }
/^[ \t]*#[ \t]*include[ \t]*<sqlite3.h>/ && FILENAME !~ /^\.\/store\// { complain("sqlite3.h is the store\047s alone") }
FNR == 1 {
    split(FILENAME, path, "/")
    folder = path[2]
    if (!(folder in law) && !(folder in strange)) {
        strange[folder]
        complain("the folder src/" folder " has no row in the include law (tests/house/include-law.sh)")
    }
}
/^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, quoted, "\"")
    if (split(quoted[2], target, "/") < 2) {
        if (quoted[2] !~ /^(version|uskor|embedded)\.h$/)
            complain("includes are written from src/: \"" quoted[2] "\"")
        next
    }
    used[folder " " target[1]]
    if (target[1] != folder && law[folder] != "*" && index(" " law[folder] " ", " " target[1] " ") == 0)
        complain(folder " may not include from " target[1] ": \"" quoted[2] "\"")
}
function complain(message) {
    printf "src/%s:%d: %s\n", substr(FILENAME, 3), FNR, message
    wrong = 1
}
END {
    for (folder in law) {
        if (law[folder] == "" || law[folder] == "*") continue
        count = split(law[folder], allowed, " ")
        for (i = 1; i <= count; i++)
            if (!((folder " " allowed[i]) in used)) {
                print "tests/house/include-law.sh: " folder " may include from " allowed[i] ", and does not"
                wrong = 1
            }
    }
    exit wrong
}'
