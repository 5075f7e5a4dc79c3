/* A rung over values of its parameters, found among a ladder's measurements. */
#pragma once

#include "report/model/view.h"

#define SWEEP_VALUES_MAX 64

struct sweep_axis {
    char name[48]; /* empty: one axis only */
    double values[SWEEP_VALUES_MAX];
    size_t count;
};

struct sweep_map {
    const struct ladder *ladder;
    const char *rung;
    struct sweep_axis columns, rows;
    const struct entry **cells; /* rows × columns: the fastest that passed there, else any; NULL: not measured */
    const struct entry *best;   /* NULL when nothing passed */
    double fastest, slowest;    /* median ns */
    size_t others;              /* parameters beside the axes that vary too: each cell is the best over them */
};

/* The ladder's sweeps: rungs that one run measured with at least SWEEP_LEAST different parameters. The largest sweep of
 * each rung; `index` counts from 0. False when there is none of that index, or no memory. The caller frees the map. */
#define SWEEP_LEAST 6
bool sweep_map_make(const struct ladder *ladder, size_t index, struct sweep_map *map);
void sweep_map_free(struct sweep_map *map);
