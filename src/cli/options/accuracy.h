/* bench --accuracy: which problems and candidates are set side by side. */
#pragma once

#include "cli/options/bench_session.h"

/* For a kernel that is named without sizes: the view's own sizes, small ones where no device is a GPU. After the
 * devices are open. */
void accuracy_sizes(struct bench_session *session);

/* The selection's candidates, and the view's own rungs on every device that they belong to. The caller frees
 * *candidates. */
enum status accuracy_candidates(const struct bench_session *session, const struct problem *problem,
                                struct candidate **candidates, size_t *count, struct error *error);

/* Calls `measure` for every kind of inputs that the view goes through; for a problem that names its inputs, once. */
enum status accuracy_each_input(struct bench_session *session, const struct problem *problem,
                                enum status (*measure)(struct bench_session *, const struct problem *, struct error *),
                                struct error *error);
