#!/bin/sh
# Both languages at the command line: help of every command has no English left in Russian and fits 80 columns, wrong use
# is told in both, and what programs read is English. $1: the repository; USKOR: the program.
set -u
. "$1/tests/cli/common"

commands=$("$USKOR" --help | sed -n '/TOPIC/q; s/^  \([a-z][a-z]*\)  .*/\1/p')
[ "$(echo "$commands" | wc -w)" -ge 20 ] || wrong "--help lists few commands: $commands"

# english FILE: its lines that are words of English: two or more, and no Cyrillic letter beside them. Examples and what
# has neither letter are left out.
english() {
    grep -v '^  uskor ' "$1" | grep -v -e "$cyrillic" -e 'pageable, pinned' | grep -E '[[:alpha:]]{2,}[ ,]+[[:alpha:]]{2,}[ ,]+[[:alpha:]]{2,}'
}

cyrillic=$(printf '[\320\321]') # the first bytes of its letters
printf 'Show what runs here\n' >words
[ -n "$(english words)" ] || wrong 'this test finds no English'
for command in $commands; do
    "$USKOR" "$command" --help --lang en >en 2>err || wrong "$command --help: $(cat err)"
    "$USKOR" "$command" --help --lang ru >ru 2>err || wrong "$command --help --lang ru: $(cat err)"
    head -n 1 en | grep -q "^Usage: uskor $command" || wrong "$command --help has no usage"
    [ -z "$(english ru)" ] || wrong "$command --help is not all in Russian: $(english ru)"
    for language in en ru; do
        wide=$(grep -v '^  uskor ' "$language" | tr -d '\200-\277' | awk 'length($0) > 80') # letters, not bytes
        [ -z "$wide" ] || wrong "$command --help is wider than 80 columns: $wide"
    done
    [ "$(grep -c -- '--' en)" -le "$(grep -c -- '--' ru)" ] || wrong "$command --help has fewer options in Russian"
done
"$USKOR" --help --lang ru >ru
[ -z "$(english ru)" ] || wrong "--help is not all in Russian: $(english ru)"

# What does not exist is told with the nearest that does, in either language; wrong use leaves with 2.
expect 2 'there is no option --devise; did you mean --device?' "$USKOR" sort --devise cpu
says 'For details: uskor sort --help'
expect 2 'ключа --devise нет; может быть, --device?' "$USKOR" sort --devise cpu --lang ru
says 'Подробнее: uskor sort --help'
expect 2 'there is no option -x' "$USKOR" bench -x
expect 2 'there is no option -ж' "$USKOR" sort -qж
expect 2 '--s may be --show or --set' "$USKOR" bench --s
expect 2 '--json takes no value' "$USKOR" bench --json=3
expect 2 '--rung needs a value: --rung=RUNG' "$USKOR" bench --rung
expect 2 'ключу --rung нужно значение: --rung=СТУПЕНЬ' "$USKOR" bench --rung --lang ru
expect 2 'no-such: cannot be opened' "$USKOR" sort -o b.npy -- --no-such
expect 2 'не открывается: такого файла' "$USKOR" --lang ru sort no.npy -o b.npy
expect 2 'команды «snort» нет' "$USKOR" snort --lang=ru
expect 2 'is not a language' "$USKOR" list --lang tlh
expect 2 'задачи «transpoze» нет; может быть, «transpose»?' env LC_ALL=ru_RU.UTF-8 "$USKOR" bench transpoze

# Reasons are Russian for people; the store and programs have them in English.
small='transpose:rows=9,cols=7 --device cpu --rung naive --store s.sqlite'
expect 3 'работает на opencl и cuda, а это cpu' "$USKOR" bench $small --lang ru
expect 3 'runs on opencl and cuda, this is cpu' "$USKOR" bench $small --lang ru --json
expect 3 'runs on opencl and cuda, this is cpu' "$USKOR" bench $small --lang ru --csv
grep -q "$cyrillic" out && wrong 'Russian in CSV'

# … from a process of their own, too.
expect 3 'работает на opencl и cuda, а это cpu' "$USKOR" check transpose:rows=9,cols=7 --rung naive --device cpu --lang ru

# What was measured in English is told in Russian on another day, from the store and from an export of it.
expect 3 'runs on opencl and cuda, this is cpu' "$USKOR" bench $small --lang en
"$USKOR" bench transpose:rows=9,cols=7 --rung serial --device cpu --time 0.01 --store s.sqlite >out 2>err # so that a ladder is drawn
"$USKOR" export --store s.sqlite -o s.jsonl 2>err || wrong "export: $(cat err)"
grep -q "$cyrillic" s.jsonl && wrong 'Russian in an export'
"$USKOR" import s.jsonl --store t.sqlite >out 2>err || wrong "import: $(cat err)"
for store in s t; do
    "$USKOR" report --store $store.sqlite -o $store.html --lang ru >out 2>err || wrong "report: $(cat err)"
    grep -q 'работает на opencl и cuda, а это cpu' $store.html || wrong "$store.sqlite: the reason is not told in Russian"
    grep -q 'runs on opencl' $store.html && wrong "$store.sqlite: the reason is told in English"
done
# Help on one thing.
refuses 2 "help on one thing at a time; 'try' is another" help bench try
expect 0 'Usage: uskor bench' "$USKOR" help bench
finish
