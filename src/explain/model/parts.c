/* Forward branches: how often the code they skip is executed, estimated from the bytes its loads and stores moved. */
#include <math.h>

#include "explain/model/model.h"

static bool is_of(const struct explain_instruction *instruction, const struct explain_access *access)
{
    static const enum code_class classes[] = {
        [EXPLAIN_LOAD] = CODE_LOAD, [EXPLAIN_STORE] = CODE_STORE, [EXPLAIN_ATOMIC] = CODE_ATOMIC};
    enum code_space space = access->space == EXPLAIN_SHARED ? CODE_SHARED : CODE_GLOBAL;
    return instruction->line == access->line && instruction->class == classes[access->operation] &&
           instruction->space == space;
}

static bool is_line_of(const struct explain_kernel *kernel, const struct explain_access *one,
                       const struct explain_access *other)
{
    return other->line == one->line && other->space == one->space && other->operation == one->operation &&
           explain_is_access_of(other, kernel);
}

struct evidence {
    double possible, seen; /* bytes: with the code executed in every round of the loop, and as traced */
};

/* Only a line whose accesses are all inside the skipped code is evidence. */
static void look_at(const struct explain_kernel *kernel, const struct explain_trace *trace, size_t access,
                    const struct explain_skip *skip, double warps, const double *rounds, struct evidence *evidence)
{
    const struct explain_access *one = &trace->accesses[access];
    double possible = 0, seen = 0;
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const struct explain_instruction *instruction = &kernel->instructions[i];
        if (!is_of(instruction, one))
            continue;
        if (i < skip->first || i > skip->last)
            return;
        possible += instruction->bits / 8.0 * (instruction->loop < 0 ? warps : rounds[instruction->loop]);
    }
    for (size_t a = 0; a < trace->access_count; a++)
        if (is_line_of(kernel, one, &trace->accesses[a])) {
            if (a < access)
                return;
            seen += trace->accesses[a].warp_accesses * trace->accesses[a].bytes;
        }
    if (possible > 0) {
        evidence->possible += possible;
        evidence->seen += seen;
    }
}

void explain_parts(const struct explain_kernel *kernel, const struct explain_trace *trace, double share, double warps,
                   const double *rounds, double *parts)
{
    for (size_t i = 0; i < kernel->instruction_count; i++)
        parts[i] = kernel->instructions[i].is_slow_path ? 0 : 1;
    for (size_t s = 0; s < kernel->skip_count; s++) {
        const struct explain_skip *skip = &kernel->skips[s];
        struct evidence evidence = {.possible = 0};
        for (size_t a = 0; a < trace->access_count; a++)
            if (explain_is_access_of(&trace->accesses[a], kernel))
                look_at(kernel, trace, a, skip, warps, rounds, &evidence);
        if (evidence.possible <= 0)
            continue;
        double part = fmin(1, share * evidence.seen / evidence.possible);
        for (size_t i = skip->first; i <= skip->last; i++)
            if (kernel->instructions[i].loop == kernel->instructions[skip->first].loop)
                parts[i] = fmin(parts[i], part);
    }
}
