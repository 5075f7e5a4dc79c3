#!/bin/sh
# What the shared library shows begins with uskor_: it shares its names with the whole of its user's program.
# $2: the build folder.
set -eu
library=$(find "$2" -maxdepth 2 -name 'libuskor.so*' -type f | head -n 1)
if [ -z "$library" ]; then
    echo "SKIP: no shared library in $2"
    exit 77
fi
nm -D --defined-only "$library" |
    awk '$2 != "A" && $3 !~ /^uskor_/ { print "exported: " $3; wrong = 1 }
         $3 ~ /^uskor_/ { found = 1 }
         END { if (!found) print "nothing is exported"; exit wrong || !found }'
