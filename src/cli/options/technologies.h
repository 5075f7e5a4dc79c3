/* bench --technologies: which devices and rungs are set side by side. */
#pragma once

#include "cli/options/bench_session.h"

/* Of each technology its first GPU, or its first device where it has no GPU; and the processor. Does nothing when
 * devices are named. */
enum status technologies_choose(struct bench_session *session, struct error *error);

/* For a kernel that is named without sizes: the sizes of the publications, or small ones where no device is a GPU.
 * After the devices are open. */
void technologies_sizes(struct bench_session *session);

/* Keeps the candidates that are compared, in their order, and returns how many: the rungs that are named, or every
 * device rung that several technologies have and the processor's first rung. */
size_t technologies_filter(const struct selection *selection, struct candidate *candidates, size_t count);

/* Prints why a technology is absent, a line for each. */
void technologies_absent(FILE *out, const struct selection *selection);
