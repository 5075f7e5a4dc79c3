/* Parts are bands of rows. Where heights are g · p and g · q (g their greatest common divisor) the weights repeat after
 * p rows of the source and q of the target, so that bands of such units are resizings of the same kind: with one unit
 * more on either side for the neighbouring rows, whose own rows of the target are thrown away. */
#include "base/translation.h"
#include "kernels/part.h"
#include "kernels/resize/resize.h"

static size_t common_divisor(size_t a, size_t b)
{
    while (b) {
        size_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

const char *resize_split(const struct problem *problem, size_t index, size_t count, struct job_part *part, char *reason,
                         size_t size)
{
    size_t height = (size_t)problem_size(problem, "height"), out_height = (size_t)problem_size(problem, "out_height");
    const struct resizing r = resizing_of_problem(problem, NULL, NULL);
    const size_t row = (size_t)r.in_pitch, out_row = (size_t)r.out_pitch;
    size_t units = common_divisor(height, out_height);
    size_t unit = height / units, out_unit = out_height / units;
    if (part_refuses(units, N_("%zu units of rows, after which the weights repeat, make no %zu parts"), count, reason,
                     size))
        return reason;
    size_t from = part_begin(units, count, index), to = part_begin(units, count, index + 1);
    size_t above = from > 0 ? 1 : 0, below = to < units ? 1 : 0, taken = to - from + above + below;
    problem_set_size(&part->problem, "height", (int64_t)(taken * unit));
    problem_set_size(&part->problem, "out_height", (int64_t)(taken * out_unit));
    part_add_bytes(part, 0, (from - above) * unit * row, 0, taken * unit * row);
    part->arrays[0].shared = 2 * above * unit * row; /* its margin, and the one of the part before */
    part_add_bytes(part, 1, from * out_unit * out_row, above * out_unit * out_row, (to - from) * out_unit * out_row);
    return NULL;
}
