/* The rate of double precision. */
#include "explain/effects/effect_kernel.h"

#include <string.h>

#define STEPS (16 * 64) /* must match double-precision.cl */
#define ADDEND 3

static const struct ladder_row rows[] = {{NULL, "explain/effects/double-precision.cl", ""}};

/* Integers below 2^24 are exact in float, too. */
static uint64_t expected(const void *context, size_t index)
{
    float sum = ((const float *)context)[index] + (float)(STEPS * ADDEND);
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits;
}

EFFECT_CHECK(1, expected)
EFFECT_COST(2 * STEPS)

const struct effect effect_double_precision = {
    .name = "double-precision",
    .title = N_("the rate of double precision"),
    .lesson = N_("Data-centre GPUs do a double-precision multiply-add in twice the time of a float, others in 16 to 64 "
                 "times. A constant written without its f makes the whole expression double."),
    .axis = N_("multiply-adds of 64 that are done in double precision"),
    .parameter = "DOUBLES",
    .kernel = &(const struct kernel){EFFECT_KERNEL_OF("double_precision", effect_floats, rows),
                                     .describe = effect_describe_two, .check = check, .cost = cost},
    .size = 1 << 20,
    .size_cpu = 1 << 16,
};
