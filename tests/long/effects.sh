#!/bin/sh
# Every effect on every device that is here, at its smallest size: each point is verified. USKOR: the program.
set -eu
"$USKOR" effect all --size 16k --time 0.001
