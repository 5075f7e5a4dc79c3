#!/bin/sh
# What a terminal shows: no line passes its edge, at 80 and 60 columns, in both languages; the list is one screen; no more
# than two lines of explanation follow a table, and `uskor help` has the rest. $1: the repository; USKOR: the program.
set -u
. "$1/tests/cli/common"

# fits WIDTH WORDS…: runs the program and looks for lines with more letters (not bytes) than that.
fits() {
    width=$1
    shift
    COLUMNS=$width "$USKOR" "$@" >out 2>err
    [ -s out ] || wrong "$* prints nothing: $(cat err)"
    wide=$(LC_ALL=C tr -d '\200-\277' <out | awk -v width="$width" 'length($0) > width')
    [ -z "$wide" ] || wrong "$* is wider than $width columns: $wide"
}

# Something of every kind in the store, so that its tables have rows.
python3 "$1/tests/cli/made_ceilings.py" s.sqlite || wrong 'no ceilings of our own'
quick='--store s.sqlite --time 0.001'
for label in a b; do
    "$USKOR" bench transpose:64 dot:300 -d cpu --threads 1 --label $label $quick >out 2>err || wrong "bench: $(cat err)"
done
"$USKOR" reproduce transpose-2013 -d cpu --quick $quick >out 2>err || wrong "reproduce: $(cat err)"

for how in '80 ru' '60 en'; do
    while read -r words; do
        case "$how $words" in 60*opencl*) continue ;; esac # PoCL compiles for seconds
        fits ${how% *} $words --lang ${how#* }
    done <<END
help
help counting
help problems
help bench
list
list transpose
list matmul
list resize
devices
doctor
list sort --tunables
architectures
architectures --cc 9.0
bench transpose:64 sort:300 matmul:16 -d cpu $quick
bench dot:300 transpose:9x7 -d cpu --repeat 2 $quick
bench transpose:64 -r naive -d opencl:0 --memory all $quick
bench transpose:8 -d cpu -r serial --show $quick
bench matmul:m=9,n=8,k=7,input=unit -d cpu -r serial -r openblas --accuracy $quick
check dot:300 transpose:9x7 -d cpu
ceilings -d cpu --threads 1 --store s.sqlite
roofline -d cpu --threads 1 --store s.sqlite
sweep transpose:64 -r naive -d opencl:0 --over BX=1..4 $quick
bandwidth -d cpu --sizes 1k $quick
overlap dot:1000 -d cpu $quick
history --store s.sqlite
history transpose --store s.sqlite
compare a b --store s.sqlite
reproduce transpose-2013 -d cpu --store s.sqlite --stored
END
done
for language in en ru; do
    for words in 'help sweep' 'help explain' 'help reproduce' 'bandwidth --buses' 'effect --list' 'exercise --list' \
        'reproduce --list' 'explain --balance' 'exercise transpose:tiled' 'explain sort:64 -r std-sort -r vqsort --advice'; do
        # shellcheck disable=SC2086 # several words
        fits 80 $words --lang $language
    done
done

# Advice for several rungs names each.
for rung in std-sort vqsort; do
    grep -q "^$rung\$" out || wrong "advice without its rung, $rung: $(cat out)"
done

lines=$(COLUMNS=80 "$USKOR" list | wc -l)
[ "$lines" -le 24 ] || wrong "uskor list has $lines lines"

# Below a ladder: what the figures mean, in two lines, once.
for language in en ru; do
    COLUMNS=80 "$USKOR" bench transpose:64 dot:300 -d cpu $quick --lang $language >out 2>err
    [ "$(tail -n +2 out | awk '/^$/ { n = 0; next } { n++ } END { print n }')" -le 2 ] ||
        wrong "more than two lines follow the tables: $(tail -n 4 out)"
    [ "$(grep -c 'uskor help\|help counting' out)" = 1 ] || wrong "the footer is not there once: $(tail -n 4 out)"
done

# Headings name what is not default; programs read the canonical text.
grep -q '^transpose 64 × 64, f32$' out || wrong "no heading as people write it: $(head -n 3 out)"
"$USKOR" bench transpose:64 -d cpu -r serial $quick --json >out 2>err
grep -q '"transpose:rows=64,cols=64,f32"' out || wrong 'JSON has no canonical problem'

# Help is there by either way, and a slip has its closest match.
for command in bench list; do
    "$USKOR" help $command >a && "$USKOR" $command --help >b && cmp -s a b || wrong "help $command is not $command --help"
done
expect 2 "no help on 'benhc'; did you mean 'bench'" "$USKOR" help benhc
expect 2 "no help on 'countng'; did you mean 'counting'" "$USKOR" help countng
expect 2 "no help on 'xyzzy'" "$USKOR" help xyzzy

# The lab ends with a line for each kernel and device, and explains its figures once. The store has the ceilings of one
# thread, which cli/ceilings measures, too.
COLUMNS=80 "$USKOR" lab -d cpu -r radix --threads 1 --report none $quick >out 2>err
[ "$(grep -c 'help counting' out)" = 1 ] || wrong 'the lab does not explain itself once'
grep -q '^  kernel  *device .*fastest .*rate .*of ceiling .*vs library' out || wrong "the lab has no summary: $(tail -n 5 out)"

# Without a GPU the quick lab's problems are smaller, and larger than most caches still.
"$USKOR" lab -d cpu -r fused --threads 1 --report none $quick >out 2>err
grep -q '^wave 128 × 128 × 128, f32$' out || wrong "the lab's wave without a GPU: $(cat out err)"

# A second OpenCL on the same CPU (here PoCL's two devices) is one line, unless it is named.
devices() { sed -n 's/^ *"device": "\(.*\)",*$/\1/p' out | sort -u | tr '\n' ' '; }
if POCL_DEVICES='pthread basic' "$USKOR" devices 2>/dev/null | grep -q '^opencl:1$'; then
    POCL_DEVICES='pthread basic' "$USKOR" bench dot:1000 -r serial -r tree $quick --json >out 2>err
    [ "$(devices)" = 'cpu opencl:0 ' ] || wrong "devices measured: $(devices)"
    [ "$(grep -c '^uskor: opencl:1 is left out, another OpenCL on the same CPU .*--device opencl:1 measures it' err)" = 1 ] ||
        wrong "a second OpenCL on the CPU is not told of once: $(cat err)"
    POCL_DEVICES='pthread basic' "$USKOR" bench dot:1000 -d opencl:1 -r tree $quick --json >out 2>err
    [ "$(devices)" = 'opencl:1 ' ] && ! grep -q 'another OpenCL' err || wrong "named, opencl:1 is not measured: $(cat err)"
fi

# A ladder's list: a line a rung, each with a file that is there, and 'show' prints it.
COLUMNS=80 "$USKOR" list matmul >out
sed -n 's/^  [A-Z][0-9]* *[a-z0-9-]* *src\/\([^ ]*\) .*/\1/p' out >files
[ "$(wc -l <files)" -ge 30 ] || wrong "list matmul names too few files: $(cat out)"
while read -r file; do [ -f "$1/src/$file" ] || wrong "list: no such file: $file"; done <files
"$USKOR" show matmul:tiled | tail -n +2 | cmp -s - "$1/src/kernels/matmul/tiled.cl" || wrong 'show does not print tiled.cl'
"$USKOR" show openblas >out 2>err && wrong 'openblas is of several kernels'
grep -q 'transpose:openblas, dot:openblas, matmul:openblas' err || wrong "the kernels of openblas: $(cat err)"
expect 2 "no kernel has a rung 'zzz'" "$USKOR" show zzz
for rung in $("$USKOR" list --json | sed -n 's/^ *"rung": "\(.*\)",*$/\1/p' | sort | uniq -u); do
    "$USKOR" show "$rung" | grep -q . || wrong "show $rung prints nothing"
done

# Rungs by a regular expression; a table in Markdown; a chart in a file, which nothing but --force replaces.
"$USKOR" bench transpose:64 -d cpu --filter '^ser|^blo' --markdown --plot p.svg $quick >out 2>err || wrong "--plot: $(cat err)"
# Noise may void the ceiling, which then has no row.
[ "$(grep -cE '^[|] (serial|blocked) [|].*PASS' out)" = 2 ] || wrong "not two rungs: $(cat out)"
[ "$(sed -n 's/|.*/|/p; s/[^|]//gp' out | grep -v '^|$' | sort -u | wc -l)" = 1 ] || wrong "rows of different lengths: $(cat out)"
grep -q '<svg class="chart wide" xmlns=' p.svg && grep -q '>blocked<' p.svg && ! grep -q '>simd<' p.svg || wrong 'no chart of the rungs'
expect 2 'p.svg' "$USKOR" bench transpose:64 -d cpu -r serial --plot p.svg $quick
expect 2 'matches' "$USKOR" bench transpose:64 -d cpu --filter 'zzz' $quick
expect 2 'not a regular expression' "$USKOR" bench transpose:64 -d cpu --filter '(' $quick

# As many samples as are asked for; numbers as people write them.
"$USKOR" bench dot:1e3 -d cpu -r serial --samples 40 $quick --json >out 2>err || wrong "--samples: $(cat err)"
grep -q '"problem": "dot:n=1000,' out || wrong "dot:1e3 is another problem: $(grep '"problem"' out)"
[ "$(sed -n 's/^ *"count": \([0-9]*\),*$/\1/p' out | sort -n | head -n 1)" -ge 40 ] || wrong 'fewer samples than 40'

# Devices by the names that people know.
"$USKOR" devices >out 2>/dev/null
! grep -q 'Portable Computing Language' out || grep -q '^  name  *PoCL on ' out || wrong "PoCL has no name: $(cat out)"

# Colours when they are asked for, wherever the output goes.
"$USKOR" bench transpose:64 -d cpu -r serial $quick --color=always | grep -q "$(printf '\033')" || wrong 'no colours'
"$USKOR" bench transpose:64 -d cpu -r serial $quick | grep -q "$(printf '\033')" && wrong 'colours in a pipe'
expect 2 'auto, always or never' "$USKOR" list --color=red

# The doctor says all that a bug report needs; for programs, too.
OMP_PLACES=cores "$USKOR" doctor >doctor.text
OMP_PLACES=cores "$USKOR" doctor --json >doctor.json || wrong 'no JSON from the doctor'
! command -v python3 >/dev/null || python3 "$1/tests/cli/doctor.py" doctor.text doctor.json "$USKOR" || wrong 'the doctor and the system differ'
finish
