/* The code lists each instruction once; the trace gives execution counts. A loop's rounds are the bytes that a line
 * moved, divided by the bytes the loop moves per round. Bytes are compared, not accesses, as the compiler may join
 * neighbouring words. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "explain/model/model.h"

bool explain_is_of_line(const struct explain_instruction *instruction, const struct explain_access *access)
{
    static const enum code_class classes[] = {
        [EXPLAIN_LOAD] = CODE_LOAD, [EXPLAIN_STORE] = CODE_STORE, [EXPLAIN_ATOMIC] = CODE_ATOMIC};
    enum code_space space = access->space == EXPLAIN_SHARED ? CODE_SHARED : CODE_GLOBAL;
    return instruction->line == access->line && instruction->class == classes[access->operation] &&
           instruction->space == space;
}

/* Bytes per lane in one round of each loop, by the instructions of this access's line and kind. */
static void count_in_loops(const struct explain_kernel *kernel, const struct explain_access *access, double *in_loop,
                           double *outside)
{
    for (size_t i = 0; i < kernel->instruction_count; i++) {
        const struct explain_instruction *instruction = &kernel->instructions[i];
        if (!explain_is_of_line(instruction, access))
            continue;
        if (instruction->loop >= 0)
            in_loop[instruction->loop] += instruction->bits / 8.0;
        else
            *outside += instruction->bits / 8.0;
    }
}

/* The loop that moves most bytes is the source's loop. The rest is a prologue or remainder that runs once or not at
 * all. `bytes` is per lane, summed over all warps. */
static void take_line(const struct explain_kernel *kernel, const struct explain_access *access, double bytes,
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
    double left = bytes - outside * warps;
    if (left / in_loop[most] > rounds[most])
        rounds[most] = left / in_loop[most];
}

/* Bytes of all arrays that a line reads (or writes) in one space; 0 if an earlier access has the same line. */
static double bytes_of_line(const struct explain_kernel *kernel, const struct explain_trace *trace, size_t index)
{
    const struct explain_access *one = &trace->accesses[index];
    double bytes = 0;
    for (size_t a = 0; a < trace->access_count; a++) {
        const struct explain_access *other = &trace->accesses[a];
        if (other->line != one->line || other->space != one->space || other->operation != one->operation ||
            !explain_is_access_of(other, kernel))
            continue;
        if (a < index)
            return 0;
        bytes += other->warp_accesses * other->bytes;
    }
    return bytes;
}

double explain_rounds(const struct explain_kernel *kernel, const struct explain_trace *trace, double share,
                      double *rounds)
{
    double warps = explain_kernel_warps(kernel);
    double *in_loop = calloc(kernel->loop_count + 1, sizeof *in_loop);
    for (size_t i = 0; i < kernel->loop_count; i++)
        rounds[i] = 0;
    for (size_t a = 0; in_loop && a < trace->access_count; a++)
        if (explain_is_access_of(&trace->accesses[a], kernel)) {
            double bytes = share * bytes_of_line(kernel, trace, a);
            if (bytes > 0)
                take_line(kernel, &trace->accesses[a], bytes, warps, rounds, in_loop);
        }
    free(in_loop);
    explain_rounds_of_lines(kernel, trace, share, rounds);
    /* Without any evidence one run per round of the enclosing loop is assumed. */
    for (size_t depth = 0; depth < kernel->loop_count; depth++)
        for (size_t i = 0; i < kernel->loop_count; i++)
            if (rounds[i] == 0) {
                int parent = kernel->loops[i].parent;
                rounds[i] = parent < 0 ? warps : rounds[parent];
            }
    return warps;
}
