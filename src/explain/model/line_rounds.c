/* A loop that neither loads nor stores: its rounds are those of its source line in the trace. The branch that closes
 * the loop carries that line. */
#include <math.h>
#include <string.h>

#include "explain/model/model.h"

double explain_line_warps(const struct explain_kernel *kernel, const struct explain_trace *trace, int line)
{
    double warps = 0;
    for (size_t i = 0; i < trace->line_count; i++) {
        const struct explain_line *one = &trace->lines[i];
        const char *slash = strrchr(one->file, '/');
        if (one->line == line && strcmp(one->kernel, kernel->name) == 0 &&
            strcmp(slash ? slash + 1 : one->file, kernel->file) == 0)
            warps = fmax(warps, one->warps);
    }
    return warps;
}

static int line_of(const struct explain_kernel *kernel, size_t loop)
{
    return kernel->instructions[kernel->loops[loop].last].line;
}

static bool is_arithmetic(enum code_class class)
{
    return class == CODE_FMA || class == CODE_FLOAT || class == CODE_FP64 || class == CODE_SPECIAL;
}

static double count_arithmetic(const struct explain_kernel *kernel, size_t loop, int line)
{
    double count = 0;
    for (size_t i = kernel->loops[loop].first; i <= kernel->loops[loop].last; i++)
        count += kernel->instructions[i].line == line && is_arithmetic(kernel->instructions[i].class);
    return count;
}

static size_t length_of(const struct explain_kernel *kernel, size_t loop)
{
    return kernel->loops[loop].last - kernel->loops[loop].first;
}

/* Compilers make several loops of one: an unrolled one and one for the remaining rounds. */
static bool is_twin(const struct explain_kernel *kernel, size_t a, size_t b)
{
    const struct explain_loop *one = &kernel->loops[a], *other = &kernel->loops[b];
    return a != b && line_of(kernel, a) == line_of(kernel, b) && (one->last < other->first || other->last < one->first);
}

/* Branches of one line that leave the loop: each copy of a round has its own where data end the loop. */
static double exits_of(const struct explain_kernel *kernel, size_t loop, int line)
{
    const struct explain_loop *of = &kernel->loops[loop];
    double exits = kernel->instructions[of->last].line == line;
    for (size_t s = 0; s < kernel->skip_count; s++) {
        size_t branch = kernel->skips[s].first - 1;
        exits += branch >= of->first && branch < of->last && kernel->skips[s].last >= of->last &&
                 kernel->instructions[branch].line == line;
    }
    return exits;
}

/* Copies of the source's round in one round of the machine code. */
static double copies_of(const struct explain_kernel *kernel, size_t loop)
{
    double copies = 1;
    for (size_t i = kernel->loops[loop].first; i <= kernel->loops[loop].last; i++) {
        int line = kernel->instructions[i].line;
        copies = line > 0 ? fmax(copies, exits_of(kernel, loop, line)) : copies;
        for (size_t other = 0; line > 0 && other < kernel->loop_count; other++) {
            double own = count_arithmetic(kernel, loop, line), rest = count_arithmetic(kernel, other, line);
            if (is_twin(kernel, loop, other) && rest > 0)
                copies = fmax(copies, floor(own / rest));
        }
    }
    return copies;
}

static bool has_longer_twin(const struct explain_kernel *kernel, size_t loop)
{
    for (size_t other = 0; other < kernel->loop_count; other++)
        if (is_twin(kernel, loop, other) && (length_of(kernel, other) > length_of(kernel, loop) ||
                                             (length_of(kernel, other) == length_of(kernel, loop) && other < loop)))
            return true;
    return false;
}

void explain_rounds_of_lines(const struct explain_kernel *kernel, const struct explain_trace *trace, double share,
                             double *rounds)
{
    for (size_t i = 0; i < kernel->loop_count; i++) {
        int line = line_of(kernel, i);
        double warps = rounds[i] == 0 && line > 0 ? share * explain_line_warps(kernel, trace, line) : 0;
        if (warps > 0 && !has_longer_twin(kernel, i))
            rounds[i] = warps / copies_of(kernel, i);
    }
}
