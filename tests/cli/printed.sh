#!/bin/sh
# Whole outputs: over a store whose figures are known (tests/data/make_printed.py), and of wrong use. tests/data/printed/*.txt
# have the words of each command behind "$ uskor …", and its exit code in brackets where that is not 0.
set -u
data=$(cd "$1" && pwd)/tests/data/printed
. "$1/tests/cli/common"

export TZ=UTC
ln -s "$data/../npy" "$data/../png" .
expect 0 '18 measurements added, 0 were there already' "$USKOR" import "$data/store.jsonl" --store kept
for script in "$data"/*.txt; do
    sed -n 's/^\$ uskor //p' "$script" | while read -r words; do
        echo "\$ uskor $words"
        eval "\"\$USKOR\" $words" 2>&1
        code=$?
        [ $code = 0 ] || echo "[$code]"
    done >printed
    diff "$script" printed >differs || wrong "$script: $(cat differs)"
    [ "$(grep -c '^\$ uskor' printed)" -gt 5 ] || wrong "$script has too few commands"
done
finish
