/* uskor tune --contribute: what was measured here, in one file to send. */
#pragma once

#include "cli/options/bench_session.h"

/* Writes to `contribution` the lines of the tuned file at `path` about the session's devices that are not stale, of the
 * kernels that are its targets, or of all, and those about copies. Says how many. STATUS_UNAVAILABLE where there is
 * none. */
enum status tune_contribute(const struct bench_session *session, const char *path, const char *contribution,
                            struct error *error);
