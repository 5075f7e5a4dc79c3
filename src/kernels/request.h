/* A parsed problem text, before ranges are unrolled: for problem_parse.c alone. */
#pragma once

#include "kernels/kernel.h"

/* The values of one size: low, then + step or × step while they are not above high. */
struct span {
    int64_t low, high, step;
    bool multiply;
};

struct request {
    struct problem problem;                /* defaults, and what was named, with each span's low value */
    struct span spans[PROBLEM_FIELDS_MAX]; /* of the fields that are sizes */
    bool given[PROBLEM_FIELDS_MAX];
    bool type_given, seed_given;
    bool has_range;
};

/* Reads the text; sizes are within their fields' limits at both ends of their spans. */
enum status request_read(const char *text, struct request *request, struct error *error);
