/* When the parts of a job that went through several queues were copied and computed. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* When one part's three phases began and ended, in nanoseconds after the job's beginning, by the device's clock. The
 * device reports when a phase ended. It began when its queue had reached it and the last phase of the same kind was
 * over: that copies of one direction, and kernels, follow each other is taken for granted. */
struct timeline_part {
    unsigned queue;
    double in[2], compute[2], out[2];
};

/* Of one form: of the fastest of three runs after its samples, whose marks have timestamps, which cost a little time.
 */
struct timeline {
    size_t measurement; /* its index in the list */
    unsigned queues;
    bool by_phase; /* three queues: copies in, computing, copies out; a part's `queue` is 0 */
    size_t count;
    struct timeline_part *parts;
};

struct timeline_list {
    struct timeline *items;
    size_t count;
};

void timeline_list_free(struct timeline_list *timelines);

/* {"queues": 4, "by_phase": false, "unit": "ns", "parts": [{"queue": 0, "in": [0, 5], "compute": [5, 6], "out": [6,
 * 9]}, …]}, for the store's attachment "timeline". The caller frees it; NULL when memory is out. */
char *timeline_json(const struct timeline *timeline);
