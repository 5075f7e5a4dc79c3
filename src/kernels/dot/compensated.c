#include "kernels/dot/dot.h"

#include <math.h>

#include "base/message.h"

/* Several sums side by side, so that the chain of dependent additions is not the limit. */
#define LANES 8

struct dot_twofold dot_twofold_add(struct dot_twofold sum, double value)
{
    /* begin add */
    double total = sum.high + value;
    double part = total - sum.high;
    sum.low += (sum.high - (total - part)) + (value - part);
    sum.high = total;
    /* end add */
    return sum;
}

double dot_twofold_value(struct dot_twofold sum)
{
    return isfinite(sum.low) ? sum.high + sum.low : sum.high;
}

static struct dot_twofold add_product(struct dot_twofold sum, double a, double b)
{
    double product = a * b;
    sum = dot_twofold_add(sum, product);
    sum.low += fma(a, b, -product);
    return sum;
}

struct dot_twofold dot_compensated_part(enum element_type type, const void *a, const void *b, size_t from, size_t to)
{
    struct dot_twofold lanes[LANES] = {0};
    size_t i = from;
    for (; i + LANES <= to; i += LANES)
        for (size_t lane = 0; lane < LANES; lane++)
            lanes[lane] = add_product(lanes[lane], dot_element(type, a, i + lane), dot_element(type, b, i + lane));
    for (; i < to; i++)
        lanes[0] = add_product(lanes[0], dot_element(type, a, i), dot_element(type, b, i));
    struct dot_twofold sum = lanes[0];
    for (size_t lane = 1; lane < LANES; lane++) {
        sum = dot_twofold_add(sum, lanes[lane].high);
        sum.low += lanes[lane].low;
    }
    return sum;
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct dot_product dot = dot_of(run);
    struct dot_twofold sum = dot_compensated_part(dot.type, dot.a, dot.b, 0, dot.count);
    *dot.result = dot_twofold_value(sum);
    return STATUS_OK;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters;
    return problem_size(problem, "precision") == DOT_SUM_EXACT
               ? explain(reason, size, "rounds its sum once more than the exact one")
               : NULL;
}

const struct rung dot_compensated = {
    .name = "compensated",
    .idea = "each product's and each sum's rounding error is caught and added too: twice the precision",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .takes = "precision f16 bf16",
    .bound = "0.00000000000000011102230246251565",
    .supports = supports,
    .enqueue = enqueue,
};
