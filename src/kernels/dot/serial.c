#include "kernels/dot/dot.h"

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct dot_product dot = dot_of(run);
    if (dot.type == ELEMENT_F32) {
        const float *a = dot.a, *b = dot.b;
        float sum = 0;
        for (size_t i = 0; i < dot.count; i++)
            sum += a[i] * b[i];
        *dot.result = (double)sum;
    } else {
        const double *a = dot.a, *b = dot.b;
        double sum = 0;
        for (size_t i = 0; i < dot.count; i++)
            sum += a[i] * b[i];
        *dot.result = sum;
    }
    return STATUS_OK;
}

const struct rung dot_serial = {
    .name = "serial",
    .idea = "one accumulator of the elements' type: each addition waits for the one before",
    .kind = RUNG_HOST,
    .backends = BACKEND_CPU,
    .bound = "n * epsilon / (1 - min(n * epsilon, 0.5))",
    .enqueue = enqueue,
};
