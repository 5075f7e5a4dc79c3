#!/bin/sh
# The translations: every catalogue compiles and its formats agree with the program's, the report's formats are no
# markup, and the Russian that a reader sees is whole. What a kernel's own folder says may lack its Russian: it is listed,
# and nothing fails, so that a rung is one file and one row. $1: the repository; USKOR: the program.
set -u
cd "$1" || exit 1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0
complain() {
    echo "$*"
    wrong=1
}

# Formats: msgfmt compares the conversions of each pair, their kinds and their order.
for catalogue in po/*.po; do
    msgfmt --check --output-file=/dev/null "$catalogue" || complain "$catalogue is wrong"
done
sed 's/^msgstr "нет памяти для %zu байт"$/msgstr "нет памяти для %s байт"/' po/ru.po >"$work/wrong.po"
msgfmt --check --output-file=/dev/null "$work/wrong.po" 2>/dev/null && complain 'this test finds no wrong format'

# How many texts outside of the kernels' folders have no Russian; more than that is a reader's loss.
untranslated_most=0
tools/messages --list >"$work/list" || complain 'tools/messages fails'
grep '^src/kernels/[^/]*/' "$work/list" | sed 's/^/not translated (a report, not a failure): /'
grep -v '^src/kernels/[^/]*/' "$work/list" >"$work/own"
[ "$(wc -l <"$work/own")" -le "$untranslated_most" ] || {
    cat "$work/own"
    complain "more than $untranslated_most texts have no translation: make messages, then write them in po/ru.po"
}

# What to install where a library is missing is an argument of a message, so it needs a mark of its own.
grep -rnE '(\.advice = |[(,] ?)"(install|it is built) ' src --include='*.c' | grep -v 'N_(' &&
    complain 'an advice without N_()'

# The report writes formats as markup: only what is put into them is escaped.
msggrep --location='src/report/*' --no-wrap po/ru.po | grep -E '^(msg|")' | grep -vE '^(msgid|msgstr) ""$' | grep -vE '^"[A-Z][A-Za-z-]*: ' |
    sed 's/\\n//g' | grep -E '[<>&]|\\"' && complain 'markup in a text of the report'

# A new rung: its idea and its reasons are found without a mark, and listed when they have no translation.
mkdir -p "$work/tree/tools" "$work/tree/po" "$work/tree/src/kernels/sort"
cp tools/messages "$work/tree/tools/" && cp po/ru.po "$work/tree/po/"
cat >"$work/tree/src/kernels/sort/new.cl" <<'RUNG'
// rung:    new
// idea:    an idea that says "new" of itself
// require: min(n, 4) % 4 == 0, the elements come in fours, or so
// group:   64
RUNG
cat >"$work/tree/src/kernels/sort/newer.c" <<'RUNG'
const struct rung sort_newer = {
    .name = "newer",
    .idea =
        "a newer idea, "
        "in two pieces",
};
static int refuse(void) { return fail(error, STATUS_INVALID, "newer refuses %s", name); }
RUNG
"$work/tree/tools/messages" --list >"$work/new" 2>"$work/errors" || complain "tools/messages fails: $(cat "$work/errors")"
for text in 'an idea that says \\"new\\" of itself' 'the elements come in fours, or so' 'a newer idea, in two pieces' \
    'newer refuses %s'; do
    grep -q ": $text\$" "$work/new" || complain "tools/messages does not list: $text"
done
[ "$(wc -l <"$work/new")" -eq 4 ] || complain "tools/messages lists: $(cat "$work/new")"
exit $wrong
