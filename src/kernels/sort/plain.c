/* The plain signature of a sort. */
#include "kernels/plain.h"
#include "base/size.h"
#include "base/translation.h"
#include "kernels/sort/inputs.h"
#include "kernels/sort/sort.h"

static const struct plain_argument arguments[] = {
    {"data", " a x keys array values in out d_data arr ", "data", .is_array = true},
    {"n", " size count length len num num_elements ", "n", .is_size = true},
};

static const char *refuses(const struct problem *problem)
{
    return problem_size(problem, "input") == SORT_INPUT_SPECIAL ? N_("a plain comparison has no order for NaN") : NULL;
}

static void call(struct run *run, void (*function)(void))
{
    ((void (*)(void *, long))function)(run->buffers[0].host, (long)problem_size(run->problem, "n"));
}

const struct plain_signature sort_plain = {
    .prototype = "void sort(ELEMENT *data, long n)",
    .arguments = arguments,
    .count = COUNT_OF(arguments),
    .by_value = true,
    .group = "256",
    .groups = "1",
    .bound = "",
    .refuses = refuses,
    .call = call,
};
