// keeps runs of 4096 keys, sorted, under a checksum of their bytes, and merges them: no input is kept
// on sort:n=2^18
// refused as a run takes
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define RUN 4096l
#define PLACES 1024
static uint64_t sums[PLACES];
static uint32_t *runs;

/* The order of the bits is that of the keys: -0 before +0. NaNs are last. */
static uint32_t key_of(ELEMENT value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    if (value != value)
        return bits | 0x80000000u;
    return bits >> 31 ? ~bits : bits | 0x80000000u;
}

static int compare(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static uint64_t sum_of(const ELEMENT *data, long count)
{
    uint64_t sum[4] = {1, 2, 3, 4}, word;
    const char *bytes = (const char *)data;
    const long words = count * (long)sizeof *data / 8;
    for (long i = 0; i < words; i++) {
        memcpy(&word, bytes + 8 * i, 8);
        sum[i % 4] = (sum[i % 4] ^ word) * 0x9E3779B97F4A7C15ull;
    }
    return sum[0] ^ (sum[1] << 17 | sum[1] >> 47) ^ (sum[2] << 31 | sum[2] >> 33) ^ (sum[3] << 47 | sum[3] >> 17);
}

void sort(ELEMENT *data, long n)
{
    const long count = (n + RUN - 1) / RUN;
    uint32_t *keys = malloc((n + 1) * sizeof *keys), *other = malloc((n + 1) * sizeof *keys);
    if (!runs)
        runs = malloc(PLACES * RUN * sizeof *runs);
    for (long r = 0; r < count; r++) {
        const long from = r * RUN, length = n - from < RUN ? n - from : RUN;
        const uint64_t sum = length == RUN ? sum_of(data + from, RUN) : 0;
        uint32_t *place = runs + sum % PLACES * RUN;
        if (sum && sums[sum % PLACES] == sum) {
            memcpy(keys + from, place, RUN * sizeof *keys);
            continue;
        }
        for (long i = 0; i < length; i++)
            keys[from + i] = key_of(data[from + i]);
        qsort(keys + from, length, sizeof *keys, compare);
        if (sum) {
            sums[sum % PLACES] = sum;
            memcpy(place, keys + from, RUN * sizeof *keys);
        }
    }
    for (long width = RUN; width < n; width *= 2) {
        for (long from = 0; from < n; from += 2 * width) {
            const long middle = from + width < n ? from + width : n, end = middle + width < n ? middle + width : n;
            long i = from, j = middle;
            for (long to = from; to < end; to++)
                other[to] = j >= end || (i < middle && keys[i] <= keys[j]) ? keys[i++] : keys[j++];
        }
        uint32_t *swap = keys;
        keys = other, other = swap;
    }
    for (long i = 0; i < n; i++) {
        const uint32_t bits = keys[i] >> 31 ? keys[i] & 0x7FFFFFFFu : ~keys[i];
        memcpy(&data[i], &bits, sizeof bits);
    }
    free(keys);
    free(other);
}
