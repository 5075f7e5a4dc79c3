#!/bin/sh
# No two files need each other. Headers: what includes what has no circle. Units: neither has what calls what, by the
# symbols of the objects; but what a table names (a kernel its ladder, a backend its functions, main its commands) is left
# out, as it is there to be named. $1: the repository; $2: the build folder.
set -eu
cd "$1"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0

# The order that tsort finds, or the circles.
check() {
    tsort "$work/edges" >/dev/null 2>"$work/said" || :
    if [ -s "$work/said" ]; then
        echo "$1 need each other:"
        sed 's/^tsort: //' "$work/said"
        wrong=1
    fi
}

find src -name '*.h' | xargs grep -H '^#include "' | sed 's,^src/\([^:]*\):#include "\([^"]*\)".*,\1 \2,' >"$work/edges"
check headers

objects=$2/CMakeFiles/uskor_objects.dir/src
[ -d "$objects" ] || exit 77
# Files of one unit, which the list of edges takes as one.
cat >"$work/one" <<'ONE'
base/translation base/language
backends/cpu/caches backends/cpu/machine
backends/cuda/properties backends/cuda/device
lab/verification/refresh lab/verification/workspace
lab/verification/poison lab/verification/workspace
explain/compiled/cuda_code explain/compiled/compiled
explain/compiled/host_code explain/compiled/compiled
explain/compiled/opencl_code explain/compiled/compiled
explain/compiled/sass explain/compiled/compiled
explain/compiled/x86_read explain/compiled/compiled
explain/compiled/x86_classes explain/compiled/x86
explain/memory/banks explain/memory/rules
ONE
{
    find "$objects" "$2/CMakeFiles/uskor_commands.dir/src" "$2/CMakeFiles/uskor.dir/src" -name '*.c.o' | sed "s,.*\.dir/src/,," | sort -u | while read -r object; do
        [ -f "src/${object%.o}" ] && echo "$object" # not of a file that is gone
    done
} >"$work/objects"
for folder in "$objects" "$2/CMakeFiles/uskor_commands.dir/src" "$2/CMakeFiles/uskor.dir/src"; do
    [ -d "$folder" ] && (cd "$folder" && sort "$work/objects" | while read -r object; do
        [ -f "$object" ] && echo "$object"
    done | xargs nm -A -P)
done >"$work/symbols"
awk -v one="$work/one" '
    function unit(name) {
        sub(/\.c\.o$/, "", name)
        return (name in same) ? same[name] : name
    }
    function is_table(name,    part, count) {
        count = split(name, part, "/")
        return ((part[1] == "kernels" || part[1] == "distributed") && count == 3 && part[2] == part[3]) || name == "kernels/kernel_list" ||
               name ~ /^backends\/[a-z]+\/backend(_[a-z]+)?$/ || name == "backends/backend" || name == "cli/main" ||
               name == "judge/main" || name == "distributed/ranks/methods" || name == "lab/ceilings/probes"
    }
    BEGIN { while ((getline line < one) > 0) { split(line, pair, " "); same[pair[1]] = pair[2] } }
    { file = $1; sub(/:$/, "", file); file = unit(file) }
    $3 == "U" { uses[++count] = file " " $2; next }
    $3 ~ /^[A-Z]$/ { defined[$2] = file }
    END {
        for (i = 1; i <= count; i++) {
            split(uses[i], use, " ")
            to = defined[use[2]]
            if (to != "" && to != use[1] && !is_table(use[1]) && !((use[1] " " to) in seen)) {
                seen[use[1] " " to]
                print use[1], to
            }
        }
    }' "$work/symbols" >"$work/edges"
[ "$(wc -l <"$work/edges")" -gt 500 ] || { echo 'hardly any object was found'; exit 1; }
check files
exit $wrong
