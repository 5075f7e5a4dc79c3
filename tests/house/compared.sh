#!/bin/sh
# docs/compared.md has every tool, a reason with each "no" and "partly", and no command or option that the program lacks.
# $1: the repository; USKOR: the program.
set -u
cd "$1" || exit 1
page=docs/compared.md wrong=0
refuse() {
    echo "$page: $*"
    wrong=1
}
for tool in hyperfine nvbench 'Google Benchmark' 'Kernel Tuner' "CLBlast's tuner" likwid 'Nsight Compute'; do
    grep '^|' "$page" | cut -d '|' -f 3 | grep -qF "$tool" || refuse "no feature of $tool"
done
grep -nE '\| (no|partly) *\|' "$page" && refuse 'these say no without a reason'
options=$(mktemp) || exit 1
trap 'rm -f "$options"' EXIT
commands=$("$USKOR" --lang en help | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p')
for command in $commands; do "$USKOR" --lang en help "$command"; done | grep -oE -- '--[a-z][a-z-]*' | sort -u >"$options"
for words in $(cut -d '|' -f 4 "$page" | grep -oE '`[a-z-][a-z -]*`' | tr -d '`' | tr ' ' '\n' | sort -u); do
    case $words in
    --*) grep -qxF -e "$words" "$options" || refuse "no command knows $words" ;;
    taskset | numactl) ;; # other programs, which it names as the answer
    *) echo "$commands" | grep -qxF "$words" || refuse "there is no command $words" ;;
    esac
done
exit "$wrong"
