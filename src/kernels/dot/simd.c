#include "kernels/dot/dot.h"

static enum status enqueue(struct run *run, struct error *error)
{
    (void)error;
    struct dot_product dot = dot_of(run);
    *dot.result = dot_vector_part(dot.type, dot.a, dot.b, 0, dot.count);
    return STATUS_OK;
}

static double load(const struct problem *problem, const struct parameters *parameters, int threads)
{
    (void)parameters, (void)threads;
    return dot_load(problem, 400, 1);
}

const struct rung dot_simd = {
    .name = "simd",
    .idea = "vectors of double accumulators: additions overlap, and products of floats are exact",
    .kind = RUNG_HOST,
    .takes = "f16 bf16",
    .backends = BACKEND_CPU,
    .bound = "(n / 8 + 64) * 0.00000000000000011102230246251565",
    .load = load,
    .enqueue = enqueue,
};
