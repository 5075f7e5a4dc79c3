#!/bin/sh
# Every rung of every kernel on every device that is here, over all of the kernel's awkward problems and types, with the
# tunables drawn from another seed every day; then one problem of 2^31 elements for each kernel, where memory suffices.
set -eu
"$USKOR" check --sample-seed "$(date +%j)"
exec "$USKOR" check --large
