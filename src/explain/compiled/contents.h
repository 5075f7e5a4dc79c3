/* What is in the arrays when a rung's launch begins, as far as that is known: the problem's inputs. */
#pragma once

#include "explain/compiled/recorder.h"
#include "explain/machine/memory.h"

struct launch_contents {
    const struct problem *problem;
    const struct recording *recording;
    bool is_tried;
    void *data[KERNEL_ARRAYS_MAX];
    struct machine_buffer buffers[KERNEL_ARRAYS_MAX + 1];
    size_t count;
};

/* Makes the inputs at the first call, whichever thread makes it; false where they are too large, or nothing is known.
 * Scratch memory of a rung that launches once counts as zeros. */
bool launch_contents_make(struct launch_contents *contents);
void launch_contents_free(struct launch_contents *contents);
