#include "explain/memory/revisits.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHARED_LEAST 1.05 /* touches of a sector: fewer come from the ends of rows */
#define COVERED 0.95      /* of a sector's bytes: it is written whole */

enum { LOADED, STORED, LINES };

void revisits_free(struct revisits *revisits)
{
    for (int i = 0; i < 3; i++) {
        footprint_free(&revisits->group[i]);
        footprint_free(&revisits->run[i]);
    }
    free(revisits->launches);
    *revisits = (struct revisits){.count = 0};
}

const struct revisit_launch *revisits_of(const struct revisits *revisits, const char *entry)
{
    for (size_t i = 0; i < revisits->count; i++)
        if (strcmp(revisits->launches[i].entry, entry) == 0)
            return &revisits->launches[i];
    return NULL;
}

/* ---- recording -------------------------------------------------------------------------------------------------- */

bool revisits_begin_launch(struct revisits *revisits, const char *entry, const size_t groups[3])
{
    if (!revisits->launches)
        revisits->launches = calloc(REVISIT_LAUNCHES, sizeof *revisits->launches);
    if (!revisits->launches || revisits->count == REVISIT_LAUNCHES || revisits_of(revisits, entry))
        return false;
    struct revisit_launch *launch = &revisits->launches[revisits->count++];
    snprintf(launch->entry, sizeof launch->entry, "%s", entry);
    memcpy(launch->groups, groups, sizeof launch->groups);
    return true;
}

void revisits_begin_run(struct revisits *revisits, int dimension, size_t run)
{
    revisits->dimension = dimension;
    revisits->launches[revisits->count - 1].run[dimension] = run;
    for (int i = 0; i < 3; i++)
        footprint_begin_group(&revisits->run[i]);
}

void revisits_begin_group(struct revisits *revisits)
{
    for (int i = 0; i < 3; i++)
        footprint_begin_group(&revisits->group[i]);
}

/* The access's lines, as a footprint of sectors. */
static struct warp_access lines_of(const struct warp_access *access)
{
    struct warp_access lines = *access;
    lines.bytes = 1;
    for (int i = 0; i < WARP_LANES; i++)
        lines.at[i] = access->at[i] / (REVISIT_LINE / FOOTPRINT_SECTOR);
    return lines;
}

bool revisits_add(struct revisits *revisits, const struct warp_access *access, int argument, bool is_store)
{
    struct revisit_launch *launch = &revisits->launches[revisits->count - 1];
    const struct warp_access lines = lines_of(access);
    int kind = is_store ? STORED : LOADED, d = revisits->dimension;
    unsigned touched, different, touched_lines, different_lines;
    if (argument < 0 || argument >= REVISIT_ARGUMENTS)
        return true;
    if (!footprint_add(&revisits->group[kind], access, &touched) ||
        !footprint_add(&revisits->run[kind], access, &different) ||
        !footprint_add(&revisits->group[LINES], &lines, &touched_lines) ||
        !footprint_add(&revisits->run[LINES], &lines, &different_lines))
        return false;
    struct revisit_counts *counts = &launch->counts[argument][is_store];
    counts->touched[d] += touched;
    counts->different[d] += different;
    counts->stored[d] += is_store ? access->bytes * (double)__builtin_popcount(access->mask) : 0;
    launch->lines[d] += touched_lines;
    launch->different_lines[d] += different_lines;
    return true;
}

/* ---- what a cache makes of it ----------------------------------------------------------------------------------- */

/* Groups along a dimension that touch the same: all of them where all of the run do. */
static double groups_that_share(const struct revisit_launch *launch, int d, double touched, double different)
{
    double each = different > 0 ? touched / different : 1, run = (double)launch->run[d];
    return run > 1 && each > 0.95 * run ? each / run * (double)launch->groups[d] : each;
}

/* Bytes of the lines that are touched between a group and its neighbour along the dimension. */
static double distance(const struct revisit_launch *launch, int dimension)
{
    double bytes = 0;
    for (int d = 0; d < 3 && bytes == 0; d++)
        if (launch->run[d] > 0)
            bytes = launch->lines[d] / (double)launch->run[d] * REVISIT_LINE;
    for (int d = 0; d < dimension; d++) {
        double share = groups_that_share(launch, d, launch->lines[d], launch->different_lines[d]);
        bytes *= fmax(1, (double)launch->groups[d] / share);
    }
    return bytes;
}

double revisits_from_memory(const struct revisit_launch *launch, int argument, bool is_store, double cache,
                            bool *is_partial)
{
    double times = 1, covered = 0;
    bool is_throughout = false; /* all groups of a row touch it, so no row is far from the next one */
    *is_partial = false;
    if (argument < 0 || argument >= REVISIT_ARGUMENTS)
        return 1;
    const struct revisit_counts *counts = &launch->counts[argument][is_store];
    for (int d = 0; d < 3; d++) {
        double share = groups_that_share(launch, d, counts->touched[d], counts->different[d]);
        bool is_caught = is_throughout || distance(launch, d) <= cache;
        is_throughout = is_throughout || (is_caught && launch->groups[d] > 1 && share >= (double)launch->groups[d]);
        if (counts->different[d] <= 0)
            continue;
        if (is_caught || share < SHARED_LEAST)
            covered = fmax(covered, counts->stored[d] / (FOOTPRINT_SECTOR * counts->different[d]));
        else
            times *= share;
    }
    *is_partial = is_store && times > 1 && covered < COVERED;
    return times;
}
