#include "explain/memory/sample.h"

#include <stdlib.h>

enum { CLASSES = 3 };

/* The start of a class of a dimension and its number of groups. */
struct span {
    size_t begin, count;
};

static void cut(size_t groups, struct span spans[CLASSES])
{
    spans[0] = (struct span){0, groups > 0};
    spans[1] = (struct span){1, groups > 2 ? groups - 2 : 0};
    spans[2] = (struct span){groups - 1, groups > 1};
}

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

static void take(const struct span *box, size_t wanted, uint32_t *state, struct sampled_group *list)
{
    size_t population = box[0].count * box[1].count * box[2].count;
    for (size_t i = 0; i < wanted; i++) {
        size_t from = population / wanted * i + population % wanted * i / wanted;
        size_t to = population / wanted * (i + 1) + population % wanted * (i + 1) / wanted;
        size_t at = from + (to - from > 1 ? next_random(state) % (to - from) : 0);
        list[i].group[0] = box[0].begin + at % box[0].count;
        list[i].group[1] = box[1].begin + at / box[0].count % box[1].count;
        list[i].group[2] = box[2].begin + at / (box[0].count * box[1].count);
        list[i].weight = (double)population / (double)wanted;
    }
}

static struct sampled_group *take_all(const size_t groups[3], size_t total)
{
    struct sampled_group *list = calloc(total, sizeof *list);
    for (size_t i = 0; list && i < total; i++)
        list[i] = sample_group(groups, i, 1);
    return list;
}

struct sampled_group *sample_groups(const size_t groups[3], size_t wanted, uint32_t seed, size_t *count)
{
    size_t total = groups[0] * groups[1] * groups[2];
    *count = total;
    if (wanted >= total)
        return take_all(groups, total);
    struct sampled_group *list = calloc(wanted + 27, sizeof *list);
    struct span spans[3][CLASSES];
    for (int d = 0; d < 3; d++)
        cut(groups[d], spans[d]);
    size_t taken = 0;
    for (int stratum = 0; list && stratum < 27; stratum++) {
        const struct span box[3] = {spans[0][stratum % 3], spans[1][stratum / 3 % 3], spans[2][stratum / 9]};
        size_t population = box[0].count * box[1].count * box[2].count;
        if (population == 0)
            continue;
        size_t share = (size_t)((double)population / (double)total * (double)wanted);
        share = share < 1 ? 1 : share > population ? population : share;
        take(box, share, &seed, list + taken);
        taken += share;
    }
    *count = taken;
    return list;
}
