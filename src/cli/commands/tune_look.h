/* uskor tune: the times of all rungs for one problem. */
#pragma once

#include "choice/tuned.h"
#include "cli/options/bench_session.h"

/* Times the candidates for 10 ms each, then those that are near the fastest again, longer and interleaved. Adds the
 * medians to the entry, which has none. Nothing is verified. */
enum status tune_look(const struct bench_session *session, const struct problem *problem,
                      const struct candidate *candidates, size_t count, struct tuned_entry *entry, struct error *error);
