/* One device's roofline: ceilings of memory (slopes) and of arithmetic (level), and every rung that does arithmetic. */
#pragma once

#include "report/model/view.h"
#include "store/store.h"

#define ROOFS_MAX 12

struct roof {
    char name[64];
    double rate; /* of arithmetic GFLOP/s, of memory GB/s */
    bool is_arithmetic;
    bool is_probe; /* taken from a ceiling measured beside the rungs, as no ceiling was kept */
};

struct roofline_point {
    const struct entry *entry;
    size_t kernel;      /* of the view: its colour */
    double intensity;   /* operations per byte */
    double performance; /* GFLOP/s */
    bool is_fastest;    /* of its kernel here: it is named */
};

struct roofline {
    const struct view *view;
    const struct ladder *device; /* one of the device's */
    struct roof roofs[ROOFS_MAX];
    size_t roof_count;
    struct roofline_point *points;
    size_t point_count;
};

/* Of the device that `any` is a ladder of; `ceilings` may be NULL. point_count is 0 when no rung there does arithmetic.
 * STATUS_UNAVAILABLE: no memory. */
enum status roofline_make(const struct view *view, const struct ladder *any, const struct ceiling_list *ceilings,
                          struct roofline *roofline, struct error *error);
void roofline_free(struct roofline *roofline);

/* The highest and the lowest roof of a kind; 0 when there is none. */
double roofline_highest(const struct roofline *roofline, bool arithmetic);
double roofline_lowest(const struct roofline *roofline, bool arithmetic);
