/* One kernel on one device over sizes: a line of rates for each rung. */
#pragma once

#include "report/model/view.h"

struct size_point {
    double x;
    const struct entry *entry;
};

struct size_line {
    const char *rung;        /* or the ceiling's name */
    enum measured_kind kind; /* MEASURED_PROBE: a ceiling at each size */
    size_t first, count;     /* its points */
    int series;              /* its colour, the most interesting ones first; -1: none of its own */
};

#define SIZE_NAME_MAX 96

struct sizes {
    char axis[96];              /* "rows = cols", or what is counted instead */
    bool of_bytes;              /* x is bytes moved */
    const char *const *x_names; /* NULL; or x is 1 … x_name_count, and these are the places' names */
    size_t x_name_count;
    const char *unit;
    const struct ladder *ladder; /* one of the device */
    struct size_line *lines;
    size_t line_count;
    struct size_point *points;
    size_t point_count;
    char (*names)[SIZE_NAME_MAX]; /* room for as many names as lines, for lines that are not rungs */
    double least, most;           /* of x */
    double highest_rate;          /* of rungs */
};

/* The lines of the device that `any` is a ladder of: of all problems that differ from the kernel's representative in
 * sizes only. Measurements beside a ceiling are not mixed with those of a publication's protocol. line_count is
 * 0 when there are fewer than two sizes. STATUS_UNAVAILABLE: no memory. */
enum status sizes_make(const struct kernel_view *kernel, const struct ladder *any, struct sizes *sizes,
                       struct error *error);

/* The two halves of that, for lines of another making: room for `most` lines and points; and, when they are in, each
 * line's points in order and its colour. */
enum status sizes_begin(const struct ladder *ladder, size_t most, struct sizes *sizes, struct error *error);
void sizes_end(struct sizes *sizes);

/* Adds a point to `line`, which is the newest one. */
void sizes_add_point(struct sizes *sizes, struct size_line *line, double x, const struct entry *entry);

void sizes_free(struct sizes *sizes);

/* The line's name: "simd", "ceiling copy". */
const char *sizes_line_name(const struct size_line *line, char *text, size_t size);
