#include "explain/compiled/contents.h"

#include <stdlib.h>

#define BYTES_MOST ((size_t)1 << 30) /* of inputs that are made: more take seconds */

/* What an earlier launch of the rung may have written is not known. */
static bool is_known(const struct launch_contents *contents, enum direction direction)
{
    const struct recording *recording = contents->recording;
    bool is_alone = recording->launch_count == 1 && recording->launches[0].count == 1;
    return direction == ARRAY_IN || (direction == ARRAY_INOUT && is_alone);
}

static bool fill(struct launch_contents *contents)
{
    struct array arrays[KERNEL_ARRAYS_MAX];
    struct host_arrays host = {{NULL}};
    struct error error;
    size_t bytes = 0;
    int count = 0;
    if (kernel_describe(contents->problem, arrays, &count, &error) != STATUS_OK)
        return false;
    for (int i = 0; i < count; i++)
        bytes += arrays[i].bytes;
    if (bytes > BYTES_MOST)
        return false;
    for (int i = 0; i < count; i++) {
        contents->data[i] = host.data[i] = calloc(1, arrays[i].bytes + 1);
        if (!host.data[i])
            return false;
    }
    contents->problem->kernel->fill(contents->problem, arrays, host);
    for (int i = 0; i < count; i++)
        if (is_known(contents, arrays[i].direction))
            contents->buffers[contents->count++] =
                (struct machine_buffer){.address = contents->recording->array_addresses[i],
                                        .bytes = arrays[i].bytes,
                                        .contents = contents->data[i]};
    if (is_known(contents, ARRAY_INOUT) && contents->recording->scratch_bytes > 0)
        contents->buffers[contents->count++] = (struct machine_buffer){.address = contents->recording->scratch_address,
                                                                       .bytes = contents->recording->scratch_bytes,
                                                                       .is_zero = true};
    return contents->count > 0;
}

bool launch_contents_make(struct launch_contents *contents)
{
    bool is_made;
#pragma omp critical(explain_contents)
    {
        if (!contents->is_tried && !fill(contents))
            contents->count = 0;
        contents->is_tried = true;
        is_made = contents->count > 0;
    }
    return is_made;
}

void launch_contents_free(struct launch_contents *contents)
{
    for (int i = 0; i < KERNEL_ARRAYS_MAX; i++)
        free(contents->data[i]);
}
