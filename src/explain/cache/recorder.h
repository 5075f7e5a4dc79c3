/* Records of copied code on their way into the simulation: a thread's area, its number, the places that it touches. */
#pragma once

#include "explain/cache/recording.h"

/* Of memory that has a name: an array, or the rung's scratch memory. */
struct recorder_place {
    uintptr_t start;
    size_t bytes, page_bytes;
};

/* Begins: from now on a thread that executes copied code gets an area. One at a time in a process. `places` must
 * outlive the recorder. False when memory is out. */
bool recorder_begin(const struct recording_request *request, struct recording *recording,
                    const struct recorder_place places[PLACES_MOST]);

/* Takes what is left in the threads' areas. While `is_counted` is false the caches learn, and nothing is counted. */
void recorder_drain(void);
void recorder_count_from_here(void);

/* Drains, and writes counts, traffic and executed blocks into the recording. */
void recorder_end(void);
