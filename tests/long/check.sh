#!/bin/sh
# Every rung of every kernel on every device that is here, over all of the kernel's awkward problems and types; `make test`
# has the small ones.
set -eu
exec "$USKOR" check
