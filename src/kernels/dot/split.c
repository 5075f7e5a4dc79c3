/* Parts are stretches of both vectors, and the whole result is the sum of theirs. */
#include <string.h>

#include "base/translation.h"
#include "kernels/dot/dot.h"
#include "kernels/part.h"

const char *dot_split(const struct problem *problem, size_t index, size_t count, struct job_part *part, char *reason,
                      size_t size)
{
    size_t n = (size_t)problem_size(problem, "n"), bytes = element_info(problem->type)->bytes;
    if (part_refuses(n, N_("%zu elements make no %zu parts"), count, reason, size))
        return reason;
    size_t from = part_begin(n, count, index), length = part_begin(n, count, index + 1) - from;
    problem_set_size(&part->problem, "n", (int64_t)length);
    for (int vector = 0; vector < 2; vector++)
        part_add_bytes(part, vector, from * bytes, 0, length * bytes);
    return NULL;
}

/* In double, whatever the elements are, and with what rounding loses. */
void dot_join(const struct problem *problem, const struct host_arrays *parts, size_t count, struct host_arrays whole)
{
    struct dot_twofold sum = {0};
    for (size_t i = 0; i < count; i++)
        sum = dot_twofold_add(sum, dot_result(problem->type, parts[i]));
    double result = dot_twofold_value(sum);
    memcpy(whole.data[2], &result, sizeof result);
}
