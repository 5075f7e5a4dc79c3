/* How far a measured rung's answer was from the exact one (kernels/accuracy.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* INFINITY where an answer was not finite. */
struct accuracy {
    size_t measurement;    /* its index in the list */
    double relative;       /* Frobenius */
    double componentwise;  /* the largest, over the sum of the magnitudes of an element's own terms */
    double largest;        /* |error| */
    size_t rows, all_rows; /* the rows that were compared, of so many */
};

struct accuracy_list {
    struct accuracy *items;
    size_t count;
};

/* False when memory is out. */
bool accuracy_list_add(struct accuracy_list *list, const struct accuracy *accuracy);
void accuracy_list_free(struct accuracy_list *list);

/* {"relative": 2.1e-07, "componentwise": 3e-08, "largest": 1e-05, "rows": 64, "all_rows": 4096}, for the store's
 * attachment "accuracy"; an infinite error is the word "infinite". Returns `text`. */
#define ACCURACY_JSON_BYTES 256
const char *accuracy_json(const struct accuracy *accuracy, char text[ACCURACY_JSON_BYTES]);

/* The reverse, but for `measurement`, which is 0; false when the text is not one. */
bool accuracy_read(const char *text, struct accuracy *accuracy);
