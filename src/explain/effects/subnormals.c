/* Subnormal numbers on a CPU. */
#include "explain/effects/effect_kernel.h"

#include <string.h>

#define STEPS 32

static uint64_t expected(const void *context, size_t index)
{
    float sum = ((const float *)context)[index] + STEPS;
    uint32_t bits;
    memcpy(&bits, &sum, sizeof bits);
    return bits;
}

EFFECT_CHECK(1, expected)
EFFECT_COST(3 * STEPS)

/* Adds STEPS to each number, in units of 2^-40 or of 2^-149. A multiple k * 2^-149 with k < 2^23 is subnormal. All
 * results are exact: the doubled sum is even. */
static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    const float *in = run->buffers[0].host;
    float *out = run->buffers[1].host;
    size_t share = (size_t)run_parameter(run, "SUBNORMAL"), count = (size_t)problem_size(run->problem, "n");
    const volatile float two = 2, half = 0.5F;
    const float twice = two, halved = half;
    for (size_t i = 0; i < count; i++) {
        const float unit = i % 16 < share ? 0x1p-149F : 0x1p-40F, back = i % 16 < share ? 0x1p75F : 0x1p20F;
        float x = in[i] * unit;
        for (int k = 0; k < STEPS; k++)
            x = (x * twice + unit * twice) * halved;
        out[i] = x * back * (i % 16 < share ? 0x1p74F : 0x1p20F);
    }
    return STATUS_OK;
}

static const struct rung chain = {
    .name = "chain",
    .idea = N_("one thread multiplies and adds numbers, SUBNORMAL of each 16 of which are subnormal"),
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .tunables = {{.name = "SUBNORMAL", .initial = "0", .values = {0, 1, 2, 4, 8, 16}, .value_count = 6}},
    .tunable_count = 1,
    .enqueue = enqueue,
};

static const struct ladder_row rows[] = {{&chain, NULL, ""}};

const struct effect effect_subnormals = {
    .name = "subnormals",
    .title = N_("subnormal numbers on a CPU"),
    .lesson =
        N_("Some processors need more than a hundred clocks for a product that is subnormal, below 1.2e-38 in float; "
           "others a few, or none. Where such numbers do not matter, flush them to zero."),
    .axis = N_("subnormal numbers of 16"),
    .parameter = "SUBNORMAL",
    .kernel = &(const struct kernel){EFFECT_KERNEL_OF("subnormals", effect_floats, rows),
                                     .describe = effect_describe_two, .check = check, .cost = cost},
    .size = 1 << 16,
};
