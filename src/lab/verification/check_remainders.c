#include "lab/verification/check_remainders.h"

#include "lab/verification/check_draws.h"
#include "lab/verification/check_fields.h"

#define SHORT_BLOCK 64 /* bytes of a vector; of one-byte elements as many */
#define SHORT_CUBE 32
#define LARGE 520
#define LARGE_PROBLEMS 32

/* ---- the three kinds ------------------------------------------------------------------------------------------ */

static size_t short_count(size_t sides)
{
    return sides < 3 ? SHORT_BLOCK : SHORT_CUBE;
}

/* Multipliers are odd, so each side meets all remainders; they differ, so that the remainders of one problem do. */
static int64_t short_length(size_t index, size_t side, size_t sides)
{
    const size_t count = short_count(sides);
    return (int64_t)(count + (index * (2 * side + 1) + 5 * side) % count);
}

static size_t long_remainders(size_t sides)
{
    return sides == 1 ? SHORT_BLOCK : CHECK_REMAINDERS;
}

static int64_t long_length(size_t index, size_t side, size_t sides)
{
    const size_t remainders = long_remainders(sides), from = sides == 1 ? 8192 : sides == 2 ? 2048 : 640;
    if (side != index / remainders)
        return (int64_t)(5 + (3 * index + 5 * side) % (sides < 3 ? 7 : 3));
    return (int64_t)(from + remainders * (index % 7) + index % remainders);
}

static int64_t large_length(size_t index, size_t side)
{
    return (int64_t)(LARGE + (index * (2 * side + 1) + 5 * side) % LARGE_PROBLEMS);
}

size_t check_remainder_few(const struct kernel *kernel)
{
    return short_count(check_sides(kernel));
}

size_t check_remainder_count(const struct kernel *kernel)
{
    struct problem problem = problem_default(kernel);
    const size_t sides = check_sides(kernel), passes = check_set_exact(&problem) && sides == 1 ? 2 : 1,
                 shorts = short_count(sides) * check_combine(kernel, 0, &problem);
    return shorts + passes * sides * long_remainders(sides) + (sides == 2 ? LARGE_PROBLEMS : 0);
}

/* Of a problem behind the short ones. */
static int64_t length(size_t index, size_t side, size_t sides)
{
    const size_t pass = sides * long_remainders(sides);
    if (sides == 2 && index >= pass)
        return large_length(index - pass, side);
    return long_length(pass > 0 ? index % pass : 0, side, sides);
}

/* A single side is tried with both kinds of inputs: keys that are integers are often alike. */
static bool is_exact(size_t index, size_t sides)
{
    return sides > 2 || (sides == 1 && index >= long_remainders(sides));
}

bool check_remainder(const struct kernel *kernel, enum element_type type, size_t index, struct problem *problem)
{
    const size_t sides = check_sides(kernel), count = short_count(sides);
    *problem = problem_default(kernel);
    const size_t shorts = count * check_combine(kernel, index / count, problem);
    const bool is_short = index < shorts;
    size_t side = 0;
    if (!is_short)
        check_combine(kernel, 0, problem);
    problem->type = type;
    problem->seed = (uint32_t)index + 1;
    for (size_t i = 0; i < kernel->field_count; i++)
        if (check_draw_is_side(kernel, &kernel->fields[i])) {
            problem->values[i].size = is_short ? short_length(index, side, sides) : length(index - shorts, side, sides);
            side++;
        }
    if (!is_short && is_exact(index - shorts, sides))
        check_set_exact(problem);
    return !kernel->imply || kernel->imply(problem, NULL, NULL) == STATUS_OK;
}
