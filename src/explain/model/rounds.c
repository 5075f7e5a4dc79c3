/* Instructions are counted once each; how often they are executed follows from the trace: a load's line was requested
 * so many times, and the loop that the load is in has so many of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/model/model.h"

static bool is_of(const struct explain_instruction *instruction, const struct explain_access *access)
{
    static const enum code_class classes[] = {
        [EXPLAIN_LOAD] = CODE_LOAD, [EXPLAIN_STORE] = CODE_STORE, [EXPLAIN_ATOMIC] = CODE_ATOMIC};
    enum code_space space = access->space == EXPLAIN_SHARED ? CODE_SHARED : CODE_GLOBAL;
    return instruction->line == access->line && instruction->class == classes[access->operation] &&
           instruction->space == space;
}

/* A path, and the name at its end. */
static bool is_file(const char *path, const char *name)
{
    const char *slash = strrchr(path, '/');
    return strcmp(slash ? slash + 1 : path, name) == 0;
}

static void count_in_loops(const struct explain_kernel *kernel, const struct explain_access *access, double *in_loop,
                           double *outside)
{
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        if (!is_of(&kernel->instructions[i], access))
            continue;
        if (kernel->instructions[i].loop >= 0)
            in_loop[kernel->instructions[i].loop]++;
        else
            ++*outside;
    }
}

/* The loop that has the most of an access is the one that was meant; what remains around it runs once or not at all. */
static void take_access(const struct explain_kernel *kernel, const struct explain_access *access, double accesses,
                        double warps, double *rounds, double *in_loop)
{
    double outside = 0;
    size_t most = 0;
    memset(in_loop, 0, kernel->loop_count * sizeof *in_loop);
    count_in_loops(kernel, access, in_loop, &outside);
    for (size_t i = 1; i < kernel->loop_count; i++)
        if (in_loop[i] > in_loop[most])
            most = i;
    if (kernel->loop_count == 0 || in_loop[most] == 0)
        return;
    double left = accesses - outside * warps;
    if (left / in_loop[most] > rounds[most])
        rounds[most] = left / in_loop[most];
}

double explain_kernel_warps(const struct explain_kernel *kernel)
{
    return ceil((double)(kernel->group[0] * kernel->group[1] * kernel->group[2]) / 32) *
           (double)(kernel->groups[0] * kernel->groups[1] * kernel->groups[2]) * (double)kernel->launches;
}

double explain_rounds(const struct explain_kernel *kernel, const struct explain_trace *trace, double share,
                      double *rounds)
{
    double warps = explain_kernel_warps(kernel);
    double *in_loop = calloc(kernel->loop_count + 1, sizeof *in_loop);
    for (size_t i = 0; i < kernel->loop_count; i++)
        rounds[i] = 0;
    for (size_t a = 0; in_loop && a < trace->access_count; a++)
        if (is_file(trace->accesses[a].file, kernel->file) && strcmp(trace->accesses[a].kernel, kernel->name) == 0)
            take_access(kernel, &trace->accesses[a], share * trace->accesses[a].warp_accesses, warps, rounds, in_loop);
    free(in_loop);
    /* A loop without loads runs once for each round of the one around it, as far as anything tells. */
    for (size_t depth = 0; depth < kernel->loop_count; depth++)
        for (size_t i = 0; i < kernel->loop_count; i++)
            if (rounds[i] == 0) {
                int parent = kernel->loops[i].parent;
                rounds[i] = parent < 0 ? warps : rounds[parent];
            }
    return warps;
}
