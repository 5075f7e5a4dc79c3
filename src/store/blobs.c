#include "store/database.h"

#include <endian.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TIME_BYTES 8
#define ROUND_BYTES 4

unsigned char *blob_of_times(const struct samples *samples, size_t *bytes)
{
    unsigned char *blob = malloc(samples->count * TIME_BYTES + 1);
    *bytes = samples->count * TIME_BYTES;
    for (size_t i = 0; blob && i < samples->count; i++) {
        uint64_t word;
        memcpy(&word, &samples->items[i].nanoseconds, sizeof word);
        word = htole64(word);
        memcpy(blob + i * TIME_BYTES, &word, sizeof word);
    }
    return blob;
}

unsigned char *blob_of_rounds(const struct samples *samples, size_t *bytes)
{
    unsigned char *blob = malloc(samples->count * ROUND_BYTES + 1);
    *bytes = samples->count * ROUND_BYTES;
    for (size_t i = 0; blob && i < samples->count; i++) {
        uint32_t word = htole32(samples->items[i].round);
        memcpy(blob + i * ROUND_BYTES, &word, sizeof word);
    }
    return blob;
}

bool samples_of_blobs(const unsigned char *times, size_t times_bytes, const unsigned char *rounds, size_t rounds_bytes,
                      struct samples *samples)
{
    size_t count = times_bytes / TIME_BYTES;
    if (times_bytes % TIME_BYTES != 0 || rounds_bytes != count * ROUND_BYTES)
        return false;
    struct sample *items = count ? malloc(count * sizeof *items) : NULL;
    if (count && !items)
        return false;
    for (size_t i = 0; i < count; i++) {
        uint64_t time;
        uint32_t round;
        memcpy(&time, times + i * TIME_BYTES, sizeof time);
        memcpy(&round, rounds + i * ROUND_BYTES, sizeof round);
        time = le64toh(time);
        memcpy(&items[i].nanoseconds, &time, sizeof time);
        items[i].round = le32toh(round);
        if (!isfinite(items[i].nanoseconds) || items[i].nanoseconds < 0) {
            free(items);
            return false;
        }
    }
    *samples = (struct samples){.items = items, .count = count, .capacity = count};
    return true;
}
