/* The reference of the dot product, and the judgement of a result: of this kernel's rungs and of the pipeline's. */
#pragma once

#include "base/exact_sum.h"
#include "kernels/dot/dot.h"

/* The terms a[i] * b[i]: their sum without any rounding, and what decides how far off it a right
 * result may be. */
struct dot_reference {
    enum element_type type; /* of sums: ELEMENT_F32 or ELEMENT_F64 */
    size_t count;
    struct exact_sum plus, minus; /* the finite terms above 0, and the magnitudes of those below */
    int largest;                  /* every finite term's magnitude is below 2^largest; meaningless when all are 0 */
    int unit;                     /* every finite term is a multiple of 2^unit; meaningless when all are 0 */
    bool has_nan, has_infinity, has_minus_infinity; /* terms */
};

/* Looks at all terms. */
void dot_refer(enum element_type type, const void *a, const void *b, size_t count, struct dot_reference *reference);

/* Adds the terms of another reference of the same type. */
void dot_reference_add(struct dot_reference *all, struct dot_reference *part);

/* Judges a rung's output arrays of the problem (dot.h) by its reference, as the kernel's check does. */
void dot_judge_output(const struct problem *problem, struct dot_reference *reference, struct host_arrays output,
                      struct check_result *result);

/* The sum, rounded once to a double; NaN and infinity where IEEE 754 sends them. */
double dot_reference_value(struct dot_reference *reference);

/* Whether the terms' partial sums are all exact in the elements' type, in every order: then there is one right result.
 */
bool dot_is_exact(struct dot_reference *reference);

/* Judges `actual`: result->bound, own_data and is_users are given (kernel.h), the rest is written. dot/README.md has
 * the formula. */
void dot_judge(struct dot_reference *reference, double actual, struct check_result *result);

/* The same for a way to add (the problem's field "precision"). Compensated: within half of a double's last place, and
 * 2 (n u)² times the terms' magnitudes, u = 2^-53 (Ogita, Rump and Oishi's bound). Exact: the reference's value, bit
 * for bit; one last place of a subnormal one, which the reference rounds twice. */
void dot_judge_sum(struct dot_reference *reference, double actual, enum dot_sum sum, struct check_result *result);
