/* One problem on one device over versions of the program: a line of rates for each rung, and for each ceiling. */
#pragma once

#include "report/model/sizes.h"

#define VERSIONS_MOST 12

struct versions {
    struct sizes sizes;               /* x: 1 for the oldest version; 0 lines with fewer than two versions */
    const char *names[VERSIONS_MOST]; /* of the measurements; sizes.x_names refers to them */
    size_t count;
};

/* The newest VERSIONS_MOST versions that measured something of the ladder, in the order in which they first did. A
 * rung's figure of a version is from the newest run of that version, there the best. The versions must stay where they
 * are, as `sizes` refers to them. STATUS_UNAVAILABLE: no memory. */
enum status versions_make(const struct ladder *ladder, struct versions *versions, struct error *error);
void versions_free(struct versions *versions);
