/* The plain signature of a dot product. */
#include "kernels/plain.h"
#include "base/size.h"
#include "kernels/dot/dot.h"

static const struct plain_argument arguments[] = {
    {"a", " x u first in1 d_a v1 ", "a", .is_array = true},
    {"b", " y v second in2 d_b v2 ", "b", .is_array = true},
    {"result", " c out output sum dst r d_c res partial ", "result", .is_array = true, .in_float = "narrow"},
    {"n", " size count length len num num_elements ", "n", .is_size = true},
    {"incx", " inc_x inca stride_x ", "1", .by_name = true},
    {"incy", " inc_y incb stride_y ", "1", .by_name = true},
};

static const char *refuses(const struct problem *problem)
{
    return dot_too_many_for_one(problem, 1);
}

static void call(struct run *run, void (*function)(void))
{
    ((void (*)(const void *, const void *, double *, long))function)(
        run->buffers[0].host, run->buffers[1].host, run->buffers[2].host, (long)problem_size(run->problem, "n"));
}

const struct plain_signature dot_plain = {
    .prototype = "void dot(const ELEMENT *a, const ELEMENT *b, double *result, long n)",
    .arguments = arguments,
    .count = COUNT_OF(arguments),
    .output = 2,
    .group = "256",
    .groups = "1",
    .bound = DOT_ONE_ACCUMULATOR,
    .refuses = refuses,
    .by_value = true,
    .call = call,
};
