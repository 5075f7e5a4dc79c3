#!/bin/sh
# The report in a headless Chromium, at a desk's width and a phone's, in both languages: no error on the console, every
# chart drawn with its marks, no text cut or on another, nothing wider than the window; pointing, clicking, choosing a
# device and the theme. With KEEP=FOLDER, screenshots (light and dark) are left there to be looked at.
set -eu
cd "$1"
browser=
for name in chromium chromium-browser google-chrome; do
    if command -v "$name" >/dev/null; then
        browser=$name
        break
    fi
done
if [ -z "$browser" ]; then
    echo "SKIP: no Chromium here (make test-report installs it)"
    exit 77
fi
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
wrong=0

# A sandbox of its own is not to be had in containers; the page is our own.
chrome() {
    "$browser" --headless --no-sandbox --disable-gpu --hide-scrollbars --no-first-run --disable-background-networking \
        --user-data-dir="$data/profile" --virtual-time-budget=10000 "$@"
}

probe() { # NAME FILE.html WIDTH
    {
        # The page's policy stands, and takes the probe's script beside the page's own.
        own=$(python3 -c "import base64, hashlib, sys
print(base64.b64encode(hashlib.sha256(b'\\n' + open('tests/report/probe.js', 'rb').read()).digest()).decode())")
        sed "s|script-src |script-src 'sha256-$own' |
s|<head>|<head><script>window.probeErrors=[];window.onerror=function(m){probeErrors.push(m)}</script>|" "$2"
        echo '<script>'
        cat tests/report/probe.js
        echo '</script>'
    } >"$data/probed.html"
    sed "s|PROBE_WIDTH|$3|; s|PROBE_FILE|probed.html|" tests/report/probe.html >"$data/probe.html"
    chrome --enable-logging=stderr --window-size=1500,1000 --dump-dom "file://$data/probe.html" >"$data/dom" 2>"$data/log" ||
        { echo "$1: the browser failed"; tail -n 5 "$data/log"; wrong=1; return; }
    grep 'CONSOLE' "$data/log" && { echo "$1: words on the console"; wrong=1; }
    grep -o 'PROBED charts=[1-9][0-9]* marks=[1-9][0-9]* errors=0' "$data/dom" | sed "s|^|$1: |" || {
        echo "$1: was not looked at"
        tail -n 5 "$data/log"
        wrong=1
    }
    ! grep 'WRONG' "$data/dom" || wrong=1
}

"$MAKE_STORE" "$data/store.sqlite" 1000
"$USKOR" report --store "$data/store.sqlite" -o "$data/en.html" >/dev/null
"$USKOR" report --store "$data/store.sqlite" -o "$data/ru.html" --lang ru >/dev/null
grep -q 'href="#source/kernels/' "$data/en.html" || { echo 'no rung leads to its source'; wrong=1; }
cp "$data/store.sqlite" "$data/two.sqlite"
python3 tests/report/second_machine.py "$data/two.sqlite"
"$USKOR" report --store "$data/two.sqlite" --machine all -o "$data/two.html" >/dev/null
"$MAKE_STORE" "$data/hostile.sqlite" 300 hostile
"$USKOR" report --store "$data/hostile.sqlite" -o "$data/hostile.html" >/dev/null
probe desk "$data/en.html" 1280
probe phone "$data/ru.html" 390
probe desk-ru "$data/ru.html" 1280
probe hostile "$data/hostile.html" 1280
probe two-machines "$data/two.html" 800
if [ -n "${KEEP:-}" ]; then
    for theme in 0 1; do
        chrome --blink-settings=preferredColorScheme=$theme --window-size=1280,3000 \
            --screenshot="$KEEP/desk-$theme.png" "file://$data/en.html" 2>"$data/log"
        sed 's|PROBE_WIDTH|390|; s|PROBE_FILE|ru.html|' tests/report/probe.html >"$data/phone.html"
        chrome --blink-settings=preferredColorScheme=$theme --window-size=390,3000 \
            --screenshot="$KEEP/phone-$theme.png" "file://$data/phone.html" 2>"$data/log"
    done
fi
exit $wrong
