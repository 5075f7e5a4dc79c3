/* How the elements of a sort are dealt out over ranks, and which of one rank's sorted elements go to another. */
#pragma once

#include "distributed/ranks/method.h"
#include "distributed/ranks/splitters.h"
#include "kernels/part.h"

/* The first element of a rank's part of n. */
static inline size_t sort_part_begin(size_t n, int rank, int count)
{
    return part_begin(n, (size_t)count, (size_t)rank);
}

static inline size_t sort_part(size_t n, int rank, int count)
{
    return sort_part_begin(n, rank + 1, count) - sort_part_begin(n, rank, count);
}

static inline struct place sort_place(const struct problem *problem, const struct array *array, int index, int rank,
                                      int count)
{
    (void)problem, (void)index;
    return (struct place){
        .rows = 1, .col = sort_part_begin(array->cols, rank, count), .cols = sort_part(array->cols, rank, count)};
}

struct sort_range {
    size_t begin, end;
};

/* This rank's sorted elements, `own` of them, that are piece `piece` of rank `to`'s result, whose `pieces` pieces
 * follow each other; a splitter lies between each two pieces of all ranks. */
static inline struct sort_range sort_range(const struct splitters *splitters, size_t own, int to, size_t pieces,
                                           size_t piece)
{
    size_t index = (size_t)to * pieces + piece;
    return (struct sort_range){
        .begin = index == 0 ? 0 : splitters->cuts[index - 1],
        .end = index == splitters->count ? own : splitters->cuts[index],
    };
}
