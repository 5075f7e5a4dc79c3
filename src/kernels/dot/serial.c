#include "base/translation.h"
#include "kernels/dot/dot.h"

/* Beyond this, the drift of a sum of one sign exceeds a quarter of it (check.c); at 2^24 times a term the sum no longer
 * grows. */
#define FLOATS_MOST ((size_t)1 << 26)

const char *dot_too_many_for_one(const struct problem *problem, size_t accumulators)
{
    enum dot_input input = (enum dot_input)problem_size(problem, "input");
    bool one_sign = input == INPUT_UNIT || input == INPUT_TINY || input == INPUT_HUGE;
    size_t count = (size_t)problem_size(problem, "n");
    return one_sign && dot_sum_type(problem->type) == ELEMENT_F32 && count / accumulators > FLOATS_MOST
               ? N_("a float that adds up so many terms of one sign stops growing")
               : NULL;
}

double dot_half_sum(const struct dot_product *dot, size_t from, size_t to)
{
    float sum = 0;
    for (size_t i = from; i < to; i++)
        sum += (float)dot_element(dot->type, dot->a, i) * (float)dot_element(dot->type, dot->b, i);
    return (double)sum;
}

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct dot_product dot = dot_of(run);
    if (dot.type == ELEMENT_F32) {
        const float *a = dot.a, *b = dot.b;
        /* begin sum */
        float sum = 0;
        for (size_t i = 0; i < dot.count; i++)
            sum += a[i] * b[i];
        /* end sum */
        *dot.result = (double)sum;
    } else if (element_is_half(dot.type)) {
        *dot.result = dot_half_sum(&dot, 0, dot.count);
    } else {
        const double *a = dot.a, *b = dot.b;
        double sum = 0;
        for (size_t i = 0; i < dot.count; i++)
            sum += a[i] * b[i];
        *dot.result = sum;
    }
    return STATUS_OK;
}

static const char *supports(const struct problem *problem, const struct device *device,
                            const struct parameters *parameters, char *reason, size_t size)
{
    (void)device, (void)parameters, (void)reason, (void)size;
    return dot_too_many_for_one(problem, 1);
}

static double load(const struct problem *problem, const struct parameters *parameters, int threads)
{
    (void)parameters, (void)threads;
    return dot_load(problem, 10, 1);
}

const struct rung dot_serial = {
    .name = "serial",
    .takes = "f16 bf16",
    .idea = "one accumulator of the elements' type: each addition waits for the one before",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .bound = DOT_ONE_ACCUMULATOR,
    .supports = supports,
    .load = load,
    .enqueue = enqueue,
};
