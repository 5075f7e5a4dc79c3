#!/bin/sh
# uskor report: what it writes, what it refuses, hostile names, both languages, and its size with thousands of measurements.
set -eu
cd "$1"
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
wrong=0
complain() {
    echo "$*"
    wrong=1
}
if ! command -v python3 >/dev/null; then
    echo "SKIP: no python3 here to read the reports with"
    exit 77
fi
well_formed() {
    python3 tests/report/well_formed.py "$@" || wrong=1
}
refused() { # CODE WORDS COMMAND…: one line on stderr with these words
    code=$1 words=$2
    shift 2
    got=0
    "$@" >"$data/out" 2>"$data/err" || got=$?
    [ "$got" = "$code" ] || complain "exit $got, not $code: $*"
    [ "$(wc -l <"$data/err")" = 1 ] || complain "not one line: $*: $(cat "$data/err")"
    grep -q -- "$words" "$data/err" || complain "no '$words' in: $(cat "$data/err")"
}

# Nothing measured: one line, and nothing written.
refused 3 . "$USKOR" report --store "$data/none.sqlite" -o "$data/none.html"
[ ! -e "$data/none.html" ] || complain "a report of nothing"

store=$data/some.sqlite
"$MAKE_STORE" "$store" 1000
"$USKOR" report --store "$store" -o "$data/en.html" >/dev/null
grep -q '<html lang="en">' "$data/en.html" || complain "not in English"
grep -q 'What is fast here' "$data/en.html" || complain "no English heading"

# A report may be replaced, another file may not.
"$USKOR" report --store "$store" -o "$data/en.html" >/dev/null || complain "a report is not replaced"
echo mine >"$data/mine.html"
refused 2 exists "$USKOR" report --store "$store" -o "$data/mine.html"
[ "$(cat "$data/mine.html")" = mine ] || complain "a file was overwritten"
"$USKOR" report --store "$store" -o "$data/mine.html" --force >/dev/null || complain "--force does not overwrite"

# Russian by locale, by option, before the command and behind it; the option goes before the locale.
LC_ALL=ru_RU.UTF-8 "$USKOR" report --store "$store" -o "$data/ru.html" >/dev/null
well_formed "$data/en.html" "$data/ru.html" 3000000
grep -q '<html lang="ru">' "$data/ru.html" || complain "the locale does not choose"
grep -q 'Почему этому можно верить' "$data/ru.html" || complain "no Russian text"
grep -q 'ГБ/с' "$data/ru.html" || complain "no Russian units"
LC_ALL=ru_RU.UTF-8 "$USKOR" --lang en report --store "$store" -o "$data/a.html" >/dev/null
"$USKOR" report --store "$store" -o "$data/b.html" --lang=ru >/dev/null
cmp -s "$data/a.html" "$data/en.html" || complain "--lang en differs from English by locale"
cmp -s "$data/b.html" "$data/ru.html" || complain "--lang ru differs from Russian by locale"
refused 2 language "$USKOR" report --lang xx --store "$store"

# Every figure anew from the samples, and every mark where its chart's axes say.
"$USKOR" export --store "$store" -o "$data/samples.json"
python3 tests/report/figures.py "$data/en.html" "$data/samples.json" || wrong=1
for kernel in transpose matmul; do
    for form in '' --csv --json; do # shellcheck disable=SC2086 # no word, or one
        "$USKOR" history $kernel --store "$store" $form >"$data/history$form"
    done
    python3 tests/report/history.py "$data/samples.json" "$data/history" "$data/history--csv" "$data/history--json" || wrong=1
done

# Two machines: each has its chapters and charts; one alone is as before.
cp "$store" "$data/two.sqlite"
python3 tests/report/second_machine.py "$data/two.sqlite"
"$USKOR" report --store "$data/two.sqlite" --machine all -o "$data/two.html" >/dev/null
well_formed "$data/two.html" 4000000
[ "$(grep -o 'data-machine="[0-9]"' "$data/two.html" | sort -u | wc -l)" = 2 ] || complain "not two machines"
grep -q 'id="m2-transpose"' "$data/two.html" || complain "the second machine has no chapters"
"$USKOR" report --store "$data/two.sqlite" --machine all --svg m2-transpose/ladder/cpu >"$data/m2.svg"
"$USKOR" report --store "$data/two.sqlite" --machine 2 --svg transpose/ladder/cpu | cmp - "$data/m2.svg" ||
    complain "a machine's chart is another one when it is alone"
"$USKOR" report --store "$store" --machine all -o "$data/one.html" >/dev/null
cmp "$data/one.html" "$data/en.html" || complain "all of one machine is not that machine"
! "$USKOR" report --store "$store" --machine some 2>"$data/err" && grep -q "nor 'all'" "$data/err" || complain "--machine some"

# A bar beyond 100 % passes the ceiling's mark, and says why.
grep -q '<rect class="part over" .*<title>More than the ceiling: several passes done in one' "$data/en.html" ||
    complain 'no bar beyond the ceiling'

# What --counters counted has a table in each ladder of the device that counts, and no other.
[ "$(grep -c '<table class="counters' "$data/en.html")" -ge 7 ] || complain 'counters have no tables'
grep -q '1.98 GHz' "$data/en.html" && grep -q 'energy of a run' "$data/en.html" || complain 'no clock, no energy'
grep -q 'энергия запуска' "$data/ru.html" || complain 'no energy in Russian'

# Charts: every one is listed once, and can be had alone.
"$USKOR" report --store "$store" --charts >"$data/charts"
"$USKOR" report --store "$store" --charts -o "$data/charts.txt" || complain "--charts -o"
cmp "$data/charts" "$data/charts.txt" || complain "--charts -o is not what --charts prints"
refused 2 '--force' "$USKOR" report --store "$store" --charts -o "$data/charts.txt"
[ "$(sort -u "$data/charts" | wc -l)" = "$(wc -l <"$data/charts")" ] || complain "a chart's name twice"
[ "$(grep -o 'data-chart="' "$data/en.html" | wc -l)" = "$(wc -l <"$data/charts")" ] || complain "--charts is not the report's"
for chart in $(grep -E '^(transpose/(ladder|size|versions)/cpu|transpose/panels|transpose/sweep/.*|roofline/cpu|bandwidth/.*|overlap/.*)$' "$data/charts"); do
    "$USKOR" report --store "$store" --svg "$chart" -o "$data/$(echo "$chart" | tr / -).svg" --force
done
[ "$(grep -cE '^(transpose/(ladder|size|versions)/cpu|transpose/panels|transpose/sweep/.*|roofline/cpu|bandwidth/.*|overlap/.*)$' "$data/charts")" = 8 ] ||
    complain "a kind of chart is missing: $(cat "$data/charts")"
"$USKOR" report --store "$store" --svg roofline/cpu >"$data/stdout.svg"
cmp "$data/stdout.svg" "$data/roofline-cpu.svg" || complain "--svg without -o is another chart"
refused 2 "transpose/ladder/cpu" "$USKOR" report --store "$store" --svg transpose/lader/cpu
refused 2 "-o FILE" "$USKOR" report --store "$store" --png roofline/cpu
if "$USKOR" report --store "$store" --png roofline/cpu -o "$data/chart.png" 2>"$data/err"; then
    head -c 8 "$data/chart.png" | grep -q PNG || complain "not a PNG"
else
    grep -q 'install' "$data/err" || complain "no advice: $(cat "$data/err")"
fi

# Names, reasons and parameters that try to get out of their place.
"$MAKE_STORE" "$data/hostile.sqlite" 300 hostile
"$USKOR" report --store "$data/hostile.sqlite" -o "$data/hostile.html" >/dev/null
grep -q '<script>alert' "$data/hostile.html" && complain "a script got in"
grep -q 'onerror=alert(2)&gt;' "$data/hostile.html" || complain "the hostile names are not shown"
"$USKOR" report --store "$data/hostile.sqlite" --svg transpose/ladder/cpu >"$data/hostile.svg"
well_formed "$data"/*.svg "$data/hostile.html"

# Many: 4000 stay below 3 MB.
"$MAKE_STORE" "$data/many.sqlite" 4000
"$USKOR" report --store "$data/many.sqlite" -o "$data/many.html" >/dev/null
well_formed "$data/many.html" 3000000
exit $wrong
