/* How far a rung's answer is from the exact one: for kernels whose rungs differ in accuracy. */
#pragma once

#include "kernels/kernel.h"

/* Errors of the elements that were compared. Infinite where an answer is not finite and the exact one is. */
struct accuracy_errors {
    double relative;      /* Frobenius: root of the sum of squared errors over the root of the sum of squared answers */
    double componentwise; /* the largest |error| over the sum of the magnitudes of the element's own terms */
    double largest;       /* |error| */
    size_t rows, all_rows; /* the rows that were compared, of so many */
};

/* Exact answers of one problem; the kernel's own. */
struct exact_answers;

struct accuracy_view {
    const char *field;               /* of the problem: its values are kinds of inputs */
    const char *const *inputs;       /* those that the view goes through; NULL-terminated */
    const char *const *sizes_gpu;    /* problems for a kernel that is named alone; NULL-terminated */
    const char *const *sizes_cpu;    /* … where no device is a GPU */
    const struct rung *const *extra; /* rungs of this view only: they do not promise the type's accuracy, so that
                                        nothing is checked but their error measured; NULL-terminated */
    /* Computes exact answers for the inputs in `input`. STATUS_UNAVAILABLE: no memory; STATUS_INVALID: not for such a
     * problem. The caller frees them. */
    enum status (*exact)(const struct problem *problem, struct host_arrays input, struct exact_answers **answers,
                         struct error *error);
    void (*compare)(const struct exact_answers *answers, struct host_arrays output, struct accuracy_errors *errors);
    void (*free)(struct exact_answers *answers);
};
