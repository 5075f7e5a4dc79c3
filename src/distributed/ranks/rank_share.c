/* How ranks of one host divide its processors. */
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/processors.h"
#include "base/sha256.h"
#include "distributed/ranks/ranks.h"

struct own {
    uint8_t mask[SHA256_BYTES], group[SHA256_BYTES];
};

/* Of the mask; returns how many processors it has. */
static int read_mask(uint8_t hash[SHA256_BYTES])
{
    int width, count = 1;
    cpu_set_t *mask = processors_mask(&width);
    memset(hash, 0, SHA256_BYTES);
    if (!mask)
        return count;
    count = CPU_COUNT_S(CPU_ALLOC_SIZE((size_t)width), mask);
    sha256(mask, CPU_ALLOC_SIZE((size_t)width), hash);
    CPU_FREE(mask);
    return count > 0 ? count : 1;
}

static void read_group(uint8_t hash[SHA256_BYTES])
{
    char text[4096];
    FILE *file = fopen("/proc/self/cgroup", "re");
    const size_t length = file ? fread(text, 1, sizeof text, file) : 0;
    if (file)
        fclose(file);
    sha256(text, length, hash);
}

enum status ranks_share(const struct ranks *host, struct rank_share *share, struct error *error)
{
    struct own own, *all = calloc((size_t)host->count, sizeof *all);
    const double quota = processors_quota("");
    int same_mask = 0, same_group = 0;
    const int processors = read_mask(own.mask);
    read_group(own.group);
    enum status status = ranks_agree(
        host, all ? STATUS_OK : fail(error, STATUS_UNAVAILABLE, "no memory for %d ranks", host->count), error);
    if (status == STATUS_OK)
        status = ranks_gather_to_all(host, &own, sizeof own, all, error);
    for (int i = 0; status == STATUS_OK && i < host->count; i++) {
        same_mask += memcmp(all[i].mask, own.mask, sizeof own.mask) == 0;
        same_group += memcmp(all[i].group, own.group, sizeof own.group) == 0;
    }
    free(all);
    *share = (struct rank_share){.cores = processors, .sharers = same_mask > 0 ? same_mask : 1};
    if (same_group > 0 && quota / same_group < (double)processors / share->sharers)
        *share = (struct rank_share){.cores = (int)fmax(ceil(quota), 1), .sharers = same_group};
    return status;
}

int rank_share_threads(const struct rank_share *share)
{
    return share->cores > share->sharers ? share->cores / share->sharers : 1;
}
