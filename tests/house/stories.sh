#!/bin/sh
# The stories' generated parts (quoted lines, measured figures, drawings) are what their sources say (`make stories`
# writes them anew), and a story is read in one sitting: at most 1200 words without its counts and drawings. $1: the repository.
set -eu
cd "$1"
wrong=0 stories=0
for page in src/kernels/*/*.md docs/*.md; do
    grep -qE '^<!-- (quote|means|measured|trials) ' "$page" || continue
    if ! tools/stories "$page" | cmp -s - "$page"; then
        echo "$page: its generated parts are not what their sources say: run make stories"
        wrong=1
    fi
    grep -q '^<!-- quote ' "$page" || continue # no story
    stories=$((stories + 1))
    # A quotation is 12 lines at most; one line may say all.
    awk -v page="$page" '/^<!-- quote/ { name = $3 " " $4; lines = 0; quoting = 1; next } /^<!-- end/ && quoting {
        quoting = 0
        if (lines < 1 || lines > 12) { print page ": " name " quotes " lines " lines, at most 12"; wrong = 1 }
    } quoting && !/^```/ { lines++ } END { exit wrong }' "$page" || wrong=1
    # Quoted lines are whole statements, and a block that quotes has a drawing.
    awk -v page="$page" '
        function finish() { if (asks && quotes && !draws) { print page ": " block " has no drawing"; wrong = 1 } asks = quotes = draws = 0 }
        /^```/ { code = !code }
        code { text = $0; braces += gsub(/{/, "", text) - gsub(/}/, "", text) }
        !code && /^<!-- end/ && braces { print page ": " name " quotes half a block"; wrong = 1; braces = 0 }
        !code && /^### / { finish(); block = substr($0, 5) }
        /^<!-- quote / { name = $3 " " $4; quotes = 1 }
        /^\*\*Question/ { asks = 1 }
        /^!\[/ { draws = 1 }
        END { finish(); exit wrong }' "$page" || wrong=1
    words=$(awk '/^```/ { code = !code; next } /^<!--/ || /^!\[/ || /^\|/ || /^\*\*Counted/ { next } !code' "$page" | LC_ALL=C.UTF-8 wc -w)
    if [ "$words" -gt 1200 ]; then
        echo "$page: $words words, at most 1200: trials and dead ends belong into NOTEBOOK.md"
        wrong=1
    fi
    for drawing in "$(dirname "$page")"/figures/*.draw; do
        [ -e "$drawing" ] || continue
        if ! tools/draw "$drawing" | cmp -s - "${drawing%.draw}.svg"; then
            echo "${drawing%.draw}.svg: not what its drawing says: run make stories"
            wrong=1
        fi
    done
done
[ $stories -ge 6 ] || { echo "only $stories stories were found"; wrong=1; }
exit $wrong
