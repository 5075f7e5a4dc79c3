/* Samples as the file has them: times as IEEE doubles of 8 bytes, rounds as integers of 4 bytes, both little-endian
 * whatever the machine, so that a file may travel. */
#pragma once

#include "store/measurement.h"

/* New memory of *bytes (never of 0), to be freed by the caller; NULL when there is none. */
unsigned char *blob_of_times(const struct samples *samples, size_t *bytes);
unsigned char *blob_of_rounds(const struct samples *samples, size_t *bytes);

/* Samples (an empty list) from both; false when they do not fit together, a time is not a finite number of at least 0,
 * or memory is out. */
bool samples_of_blobs(const unsigned char *times, size_t times_bytes, const unsigned char *rounds, size_t rounds_bytes,
                      struct samples *samples);
