#!/bin/sh
# A sentence says one fact in at most 25 words: in docs, the READMEs, the stories, and every text that the program shows, in
# English and Russian. A code span is one word; a sign is none. Notebooks, the changelog, code blocks and generated parts
# are free. A few are allowed for quoted material. $1: the repository.
set -eu
cd "$1"
most=25
allowed=4 # of quoted material

# Reads lines "PLACE<tab>PARAGRAPH" and prints the sentences that are too long. Bytes, so that any awk reads Cyrillic.
judge() {
    LC_ALL=C awk -F '\t' -v most="$most" '
        function count(sentence,    words, number, i, all) {
            number = split(sentence, words, /[ ]+/)
            for (i = 1; i <= number; i++)
                all += words[i] ~ /[0-9A-Za-z]|[\320\321][\200-\277]/
            return all
        }
        {
            text = $2
            gsub(/`[^`]*`/, "Code", text)
            gsub(/\]\([^)]*\)/, "", text)
            gsub(/(e[.]g|i[.]e)[.]/, "&,", text)
            while (match(text, /; [a-z0-9, ×-]+( —|:) /)) # the next entry of a list of names and meanings
                text = substr(text, 1, RSTART - 1) ". A" substr(text, RSTART + 2)
            # An end: a stop, closing marks, a space, and no small letter behind it.
            while (text != "") {
                rest = text
                passed = ""
                while (match(rest, /[.!?](["*_)]|\302\273)*[ ]+/)) {
                    passed = passed substr(rest, 1, RSTART + RLENGTH - 1)
                    rest = substr(rest, RSTART + RLENGTH)
                    if (rest !~ /^([a-z]|\320[\260-\277]|\321[\200-\217\221])/)
                        break
                }
                if (passed == "" || rest ~ /^([a-z]|\320[\260-\277]|\321[\200-\217\221])/) {
                    passed = text
                    rest = ""
                }
                words = count(passed)
                sentences++
                if (words > most)
                    print $1 ": " words " words: " passed
                text = rest
            }
        }
        END { print sentences + 0 >"/dev/stderr" }'
}

# The paragraphs, list items and cells of pages.
paragraphs() {
    awk '
        function flush() { if (text != "") print place "\t" text; text = "" }
        FNR == 1 { flush(); code = made = 0 }
        /^<!-- (quote|counts|means|measured|trials|list|rungs) / { made = 1 }
        /^ *```/ { flush(); code = !code; next }
        /^<!-- end/ { flush(); made = 0; next }
        code || made { next }
        /^[ \t]*$/ || /^#/ || /^<!--/ || /^!\[/ { flush(); next }
        /^\|/ {
            flush()
            line = $0
            gsub(/\\\|/, "/", line)
            cells = split(line, cell, "|")
            for (i = 2; i < cells; i++) print FILENAME ":" FNR "\t" cell[i]
            next
        }
        /^ *([-*]|[0-9]+[.]) / { flush(); sub(/^ *([-*]|[0-9]+[.]) +/, "") }
        { if (text == "") place = FILENAME ":" FNR; gsub(/\t/, " "); text = text == "" ? $0 : text " " $0 }
        END { flush() }' "$@"
}

# The texts of a catalogue: $1 is msgid or msgstr, $2 the file.
texts() {
    msgcat --no-wrap "$2" | awk -v kind="$1" -v file="$2" '
        $1 == "#:" { from = $2 }
        /^(msgid|msgid_plural|msgstr)/ {
            if (index($1, kind) != 1) next
            text = $0
            sub(/^[^"]*"/, "", text)
            sub(/"$/, "", text)
            gsub(/\\"/, "\"", text)
            lines = split(text, line, /\\[ntv]/)
            for (i = 1; i <= lines; i++) if (line[i] != "") print file " (" from ")\t" line[i]
        }'
}

{
    paragraphs README.md CONTRIBUTING.md SECURITY.md docs/*.md results/README.md src/kernels/*/README.md \
        src/kernels/*/*-*.md
    grep -noE '"(en|ru)": "[^"]*"' src/publications/*.json | sed 's/:"..": "/\t/; s/"$//'
    texts msgid po/uskor.pot
    texts msgstr po/ru.po | sed '1,/Plural-Forms/d'
} >"${TMPDIR:-/tmp}/texts.$$"
judge <"${TMPDIR:-/tmp}/texts.$$" >"${TMPDIR:-/tmp}/long.$$" 2>"${TMPDIR:-/tmp}/count.$$"
long=$(wc -l <"${TMPDIR:-/tmp}/long.$$")
sentences=$(cat "${TMPDIR:-/tmp}/count.$$")
[ "$long" -le "$allowed" ] || cat "${TMPDIR:-/tmp}/long.$$"
rm -f "${TMPDIR:-/tmp}/texts.$$" "${TMPDIR:-/tmp}/long.$$" "${TMPDIR:-/tmp}/count.$$"
echo "$long of $sentences sentences have more than $most words; $allowed may"
[ "$sentences" -gt 5000 ] || { echo 'hardly any sentence was found'; exit 1; }
[ "$long" -le "$allowed" ]
